// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer.h"
#include "nn/elementwise.h"

#include <algorithm>

namespace attn {

void Perceptron::addTo(Engine& engine, NumberView input, MutableView sums) const
{
    if (clamped) {
        Tensor gates = gate->apply(engine, input);
        Tensor hidden = first.apply(engine, input);
        const float limit = clamped->limit;
        std::ranges::transform(gates.values(), gates.data(), [limit](float value) { return std::min(value, limit); });
        Tensor slopes = gates;
        std::ranges::transform(slopes.values(), slopes.data(), [this](float value) { return value * clamped->slope; });
        activate(engine, Activation::Sigmoid, slopes.values());
        std::ranges::transform(hidden.values(), hidden.data(),
                               [limit](float value) { return std::clamp(value, -limit, limit) + 1.0F; });
        multiply(engine, hidden.values(), gates.values());
        multiply(engine, hidden.values(), slopes.values());
        return second.addTo(engine, hidden.matrix(), sums);
    }
    Tensor hidden = (gate ? *gate : first).activated(engine, input, activation);
    if (gate)
        multiply(engine, hidden.values(), first.apply(engine, input).values());
    second.addTo(engine, hidden.matrix(), sums);
}

int FeedForward::width() const
{
    return dense ? dense->first.inputs() : experts->router.inputs();
}

int FeedForward::innerWidth() const
{
    const auto numbers = [](const Perceptron& one) { return one.first.outputs() * (one.gate ? 2 : 1); };
    int most = dense ? numbers(*dense) : 0;
    if (experts) // with the rows that are gathered and what is made of them
        most = std::max(most, numbers(experts->each.front()) + 3 * experts->router.inputs());
    return most;
}

Routed FeedForward::addTo(Engine& engine, NumberView input, MutableView sums) const
{
    if (!experts) {
        dense->addTo(engine, input, sums);
        return {};
    }
    Routed routed = experts->choose(engine, input);
    Tensor made({input.rows, input.columns}); // the sums may be the input
    experts->addTo(engine, input, routed, made.matrix());
    if (dense)
        dense->addTo(engine, input, made.matrix());
    add(engine, sums.values(), made.values());
    return routed;
}

} // namespace attn

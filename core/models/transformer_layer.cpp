// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer_layer.h"

#include "nn/elementwise.h"

namespace attn {

namespace {

// rows + f(norm(rows)) or norm(rows + f(rows)).
template<typename Block>
void residual(Engine& engine, Tensor& rows, const Norm& norm, NormPlace place, const Block& block)
{
    if (place == NormPlace::Before) {
        Tensor input = rows;
        normalize(engine, norm, input);
        const Tensor output = block(input.matrix());
        add(engine, rows.values(), output.values());
        return;
    }
    const Tensor output = block(rows.matrix());
    add(engine, rows.values(), output.values());
    normalize(engine, norm, rows);
}

} // namespace

void FeedForward::apply(Engine& engine, Tensor& rows) const
{
    residual(engine, rows, norm, place, [&](NumberView input) {
        Tensor hidden = (gate ? *gate : first).apply(engine, input);
        activate(engine, activation, hidden.values());
        if (gate)
            multiply(engine, hidden.values(), first.apply(engine, input).values());
        return second.apply(engine, hidden.matrix());
    });
}

void AttentionBlockLayer::apply(const AttentionRun& run, Tensor& rows, const Grouping& groups) const
{
    residual(run.engine, rows, norm, place,
             [&](NumberView input) { return attention.apply(run, input, groups(input)); });
}

} // namespace attn

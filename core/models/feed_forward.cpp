// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/transformer.h"
#include "nn/elementwise.h"
#include "nn/normalization.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

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

namespace {

constexpr float leastScore = -std::numeric_limits<float>::infinity();

// Sorts from the largest value down, equal ones in their order; NaN is least.
void sortByValue(std::vector<int>& places, std::span<const float> values)
{
    const auto rank = [&](int place) { return std::isnan(values[place]) ? leastScore : values[place]; };
    std::ranges::stable_sort(places, [&](int a, int b) { return rank(a) > rank(b); });
}

// Numbers of the largest values, the first of equals, from the largest on.
std::vector<int> largest(std::span<const float> values, int count)
{
    std::vector<int> places(values.size());
    std::iota(places.begin(), places.end(), 0);
    sortByValue(places, values);
    places.resize(std::min<std::size_t>(places.size(), static_cast<std::size_t>(count)));
    return places;
}

// Leaves the experts of the best groups.
void keepGroups(std::span<float> scores, const Routing& routing)
{
    const std::size_t size = scores.size() / static_cast<std::size_t>(routing.groups);
    std::vector<float> worth;
    for (auto rest = scores; !rest.empty(); rest = rest.subspan(size)) {
        float sum = 0;
        for (const int best : largest(rest.first(size), routing.groupBest))
            sum += rest[best];
        worth.push_back(sum);
    }
    const std::vector<int> kept = largest(worth, routing.keptGroups);
    for (int group = 0; group < routing.groups; ++group) {
        if (std::ranges::find(kept, group) == kept.end())
            std::ranges::fill(scores.subspan(static_cast<std::size_t>(group) * size, size), leastScore);
    }
}

} // namespace

Routed Experts::choose(Engine& engine, NumberView input) const
{
    Tensor scores = router.apply(engine, input);
    if (routing.scores == Routing::Scores::Softmax)
        softmax(engine, scores.matrix());
    else if (routing.scores == Routing::Scores::Sigmoid)
        activate(engine, Activation::Sigmoid, scores.values());
    Routed routed{{}, Tensor::unset({input.rows, routing.chosen})};
    for (int row = 0; row < input.rows; ++row) {
        const auto own = scores.matrix().row(row);
        std::vector<float> ranks(own.begin(), own.end());
        if (!routing.correction.empty())
            std::ranges::transform(ranks, routing.correction, ranks.begin(), std::plus<>());
        if (routing.groups > 1)
            keepGroups(ranks, routing);
        std::vector<int> ids = largest(ranks, routing.chosen);
        std::ranges::sort(ids);
        sortByValue(ids, own);
        const auto weights = routed.weights.matrix().row(row);
        std::ranges::transform(ids, weights.begin(), [&](int id) { return own[id]; });
        if (routing.scores == Routing::Scores::SoftmaxOfChosen)
            softmax(engine, MutableView(weights.data(), 1, indexSize(weights)));
        float factor = routing.scale;
        if (routing.normalized)
            factor /= std::accumulate(weights.begin(), weights.end(), 1e-20F);
        std::ranges::transform(weights, weights.begin(), [factor](float weight) { return weight * factor; });
        routed.ids.insert(routed.ids.end(), ids.begin(), ids.end());
    }
    return routed;
}

void Experts::addTo(Engine& engine, NumberView input, const Routed& routed, MutableView sums) const
{
    const NumberView weights = routed.weights.matrix();
    for (int expert = 0; expert < indexSize(each); ++expert) {
        std::vector<int> rows; // of the input that this expert works on
        std::vector<float> shares;
        for (int row = 0; row < input.rows; ++row) {
            for (int place = 0; place < weights.columns; ++place) {
                if (routed.ids[static_cast<std::size_t>(row) * weights.columns + place] == expert) {
                    rows.push_back(row);
                    shares.push_back(weights.at(row, place));
                }
            }
        }
        if (rows.empty())
            continue;
        Tensor gathered = Tensor::unset({std::ssize(rows), input.columns});
        for (int i = 0; i < indexSize(rows); ++i)
            std::ranges::copy(input.row(rows[i]), gathered.matrix().row(i).begin());
        Tensor made(gathered.shape());
        each[expert].addTo(engine, gathered.matrix(), made.matrix());
        for (int i = 0; i < indexSize(rows); ++i) {
            const auto target = sums.row(rows[i]);
            std::ranges::transform(target, made.matrix().row(i), target.begin(),
                                   [share = shares[i]](float sum, float value) { return sum + share * value; });
        }
    }
}

} // namespace attn

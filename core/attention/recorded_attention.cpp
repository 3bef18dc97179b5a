// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/recorded_attention.h"

#include "attention/multi_head.h"
#include "nn/normalization.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace attn {

namespace {

MutableView headsOf(Tensor& maps, int heads)
{
    const MutableView all = maps.matrix();
    return {all.data, heads, all.rows / heads, all.columns};
}

// The second of each pair of features that turn together changes its sign: rotating forwards is then backwards.
void mirror(const RotarySettings& settings, MutableView rows)
{
    const int half = settings.width / 2;
    for (Index head = 0; head < rows.heads; ++head) {
        for (Index row = 0; row < rows.rows; ++row) {
            const auto features = rows.row(head, row).subspan(settings.first);
            for (int pair = 0; pair < half; ++pair) {
                float& second = features[settings.pairs == RotaryPairs::Halves ? half + pair : 2 * pair + 1];
                second = -second;
            }
        }
    }
}

// Queries also grow as scaleQueries() says.
enum class Rotated : std::uint8_t { Queries, Keys };

Variable recordRotation(Tape& tape, const RotaryPositions& rotary, int heads, int length, Rotated what, Variable input)
{
    const auto grow = [&rotary, what](MutableView rows) {
        if (what == Rotated::Queries)
            rotary.scaleQueries(rows, 0, 1);
    };
    Tensor values = tape.value(input);
    rotary.rotate(values.matrix().split(heads), 0, 1, length);
    grow(values.matrix().split(heads));
    return tape.made(std::move(values), {input}, [&rotary, heads, length, grow, input](BackwardPass& pass) {
        for (int number = 0; number < pass.passes(); ++number) {
            Tensor gradient = Tensor::of(pass.gradient(number));
            const MutableView rows = gradient.matrix().split(heads);
            grow(rows);
            mirror(rotary.settings(), rows);
            rotary.rotate(rows, 0, 1, length);
            mirror(rotary.settings(), rows);
            const auto sums = pass.into(input, number).values();
            std::ranges::transform(sums, gradient.values(), sums.begin(), std::plus<>());
        }
    });
}

Variable recordPositions(Tape& tape, const PositionScores& positions, const HeadShape& shape, float scale,
                         Variable queries, Variable keys, Variable scores)
{
    const auto of = [&tape, shape, scale, queries, keys] {
        return QueryKeyScores{shape.queries(tape.matrix(queries)), shape.keys(tape.matrix(keys)), scale};
    };
    Tensor values = tape.value(scores);
    positions.add(tape.engine(), of(), 0, headsOf(values, shape.heads));
    return tape.made(std::move(values), {scores, queries, keys}, [=, &positions](BackwardPass& pass) {
        const auto sums = pass.into(scores).values();
        std::ranges::transform(sums, pass.gradient().values(), sums.begin(), std::plus<>());
        for (int number = 0; number < pass.passes(); ++number) {
            const NumberView gradient = pass.gradient(number);
            positions.addGradient(of(), {gradient.data, shape.heads, gradient.rows / shape.heads, gradient.columns},
                                  shape.queries(pass.into(queries, number)), shape.keys(pass.into(keys, number)));
        }
    });
}

Variable recordEdits(Tape& tape, const RowEdits& edits, int heads, const Numbers& scores, Variable weights)
{
    Tensor values = tape.value(weights);
    edits.change(headsOf(values, heads), scores.view());
    Tensor ofZeros(values.shape());
    edits.change(headsOf(ofZeros, heads), scores.view());
    if (std::ranges::equal(values.values(), ofZeros.values())) // they are the same whatever the model computes
        return tape.held(std::move(values));
    auto kept = std::make_shared<const Numbers>(scores);
    return tape.made(std::move(values), {weights}, [&tape, edits, heads, kept, weights](BackwardPass& pass) {
        for (int number = 0; number < pass.passes(); ++number) {
            Tensor gradient = Tensor::of(pass.gradient(number));
            const NumberView before = tape.matrix(weights);
            edits.changeGradient(headsOf(gradient, heads), {before.data, heads, before.rows / heads, before.columns},
                                 kept->view());
            const auto sums = pass.into(weights, number).values();
            std::ranges::transform(sums, gradient.values(), sums.begin(), std::plus<>());
        }
    });
}

} // namespace

RecordedWeights recordWeights(Tape& tape, const AttentionCall& call, int heads, const AttentionEdits* edits,
                              Variable scores, const std::function<Variable(Variable)>& narrow)
{
    const RowEdits own = edits == nullptr ? RowEdits() : edits->rows(call.site, call.firstRow, false);
    Tensor weights = tape.value(scores);
    const MutableView maps = headsOf(weights, heads);
    applyMask(call.mask, maps, call.firstRow, call.window);
    if (call.local != nullptr)
        hideOutside(*call.local, maps);
    own.hide(maps);
    const Numbers hidden = Numbers::of(maps);
    RecordedWeights recorded;
    std::ranges::transform(hidden.values, std::back_inserter(recorded.masked),
                           [](float score) { return score == -std::numeric_limits<float>::infinity(); });
    if (call.sinks.empty())
        softmaxOfNumbers(tape.engine(), maps);
    else
        softmaxWithSinks(tape.engine(), maps, call.sinks, {});
    for (const Index head : call.pruned)
        std::ranges::fill(maps.headRange(head, 1).values(), 0.0F);
    recorded.weights = tape.softmaxOf(std::move(weights), scores);
    if (narrow)
        recorded.weights = narrow(recorded.weights);
    if (own.changeWeights())
        recorded.weights = recordEdits(tape, own, heads, hidden, recorded.weights);
    return recorded;
}

RecordedAttention MultiHeadAttention::record(Tape& tape, const RecordingRun& run, Site site, Mask mask, Variable input,
                                             Variable source) const
{
    const auto reduced = [&](const std::optional<Latent>& latent, Variable rows) {
        return latent ? tape.normalized(latent->norm, tape.linear(latent->down, rows)) : rows;
    };
    const auto normed = [&](const std::optional<Norm>& norm, Variable rows) {
        return norm ? tape.normalized(*norm, rows) : rows;
    };
    const HeadShape& shape = m_settings.shape;
    Variable queries = normed(m_layers.queryNorm, tape.linear(m_layers.query, reduced(m_layers.queryLatent, input)));
    const Variable keySource = reduced(m_layers.keyLatent, source);
    Variable keys = normed(m_layers.keyNorm, tape.linear(m_layers.key, keySource));
    if (m_layers.sharedKey) {
        const Variable shared = tape.linear(*m_layers.sharedKey, source);
        const int width = m_layers.key.outputs() / shape.keyValueHeads();
        std::vector<Variable> parts;
        for (int head = 0; head < shape.keyValueHeads(); ++head) {
            parts.push_back(tape.columns(head * width, width, keys));
            parts.push_back(shared);
        }
        keys = tape.besides(parts);
    }
    const Variable values = tape.linear(m_layers.value, keySource);
    const Index length = tape.matrix(keys).rows;
    if (const auto& rotary = m_settings.rotary; rotary && run.positions) {
        queries = recordRotation(tape, *rotary, shape.heads, length, Rotated::Queries, queries);
        keys = recordRotation(tape, *rotary, shape.keyValueHeads(), length, Rotated::Keys, keys);
    }
    Variable scores = tape.queryKeyScores(shape, m_settings.scale, queries, keys);
    if (m_settings.positions && run.positions)
        scores = recordPositions(tape, *m_settings.positions, shape, m_settings.scale, queries, keys, scores);
    if (m_settings.cap > 0)
        scores = tape.capped(m_settings.cap, scores);
    AttentionCall call{site, AttentionRows::Positions, 0, 0, tape.matrix(input).rows, mask};
    call.window = m_settings.window;
    call.sinks = m_settings.sinks;
    call.pruned = m_settings.pruned;
    auto [weights, masked] = recordWeights(tape, call, shape.heads, run.edits, scores);
    RecordedAttention recorded{site, shape, weights, std::move(masked), values, {}, {}, &m_layers.output};
    recorded.sums = tape.weightedSums(shape, recorded.weights, values);
    recorded.output = tape.linear(m_layers.output, recorded.sums);
    return recorded;
}

} // namespace attn

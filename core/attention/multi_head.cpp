// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/multi_head.h"

#include "attention/computed_maps.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace attn {

namespace {

int stepOf(AttentionRows meaning)
{
    return meaning == AttentionRows::Positions ? 1 : 0;
}

} // namespace

Tensor Latent::apply(Engine& engine, NumberView input) const
{
    Tensor features = down.apply(engine, input);
    normalize(engine, norm, features);
    return features;
}

MultiHeadAttention::MultiHeadAttention(MultiHeadSettings settings, AttentionLayers layers)
    : m_settings(std::move(settings))
    , m_layers(std::move(layers))
{
}

// input: of the layer; source: what keys are made from.
Tensor MultiHeadAttention::makeKeys(Engine& engine, NumberView input, NumberView source, bool normalized) const
{
    Tensor keys = m_layers.key.apply(engine, source);
    if (m_layers.keyNorm && normalized)
        normalize(engine, *m_layers.keyNorm, keys);
    if (!m_layers.sharedKey)
        return keys;
    const Tensor shared = m_layers.sharedKey->apply(engine, input);
    Tensor whole = Tensor::unset({input.rows, keyWidth()});
    const MutableView heads = m_settings.shape.keys(whole.matrix());
    const NumberView own = m_settings.shape.keys(std::as_const(keys).matrix());
    for (int head = 0; head < heads.heads; ++head) {
        for (int row = 0; row < heads.rows; ++row) {
            const auto written = std::ranges::copy(own.row(head, row), heads.row(head, row).begin()).out;
            std::ranges::copy(shared.matrix().row(row), written);
        }
    }
    return whole;
}

MultiHeadAttention::KeysValues MultiHeadAttention::project(const AttentionRun& run, NumberView input,
                                                           AttentionRows meaning, int first) const
{
    const Tensor latent = m_layers.keyLatent ? m_layers.keyLatent->apply(run.engine, input) : Tensor();
    const NumberView source = m_layers.keyLatent ? latent.matrix() : input;
    KeysValues result{makeKeys(run.engine, input, source), m_layers.value.apply(run.engine, source)};
    if (const auto& rotary = m_settings.rotary; rotary && run.positions && !rotary->followsLength())
        rotary->rotate(m_settings.shape.keys(result.keys.matrix()), first, stepOf(meaning), 0);
    return result;
}

// Stages in which the row's query, and its own key, came about before the query was rotated.
void MultiHeadAttention::reportQuery(const AttentionRun& run, const AttentionGroup& group, NumberView input) const
{
    const StageReport stages = run.stages(group.call, m_settings.shape.heads);
    if (!stages)
        return;
    const NumberView row = input.row(group.firstInput + stages.row());
    const Tensor latent = m_layers.queryLatent ? m_layers.queryLatent->apply(run.engine, row) : Tensor();
    if (!latent.empty())
        stages.vector(StageKind::QueryLatent, latent.values());
    if (m_layers.queryNorm) {
        const Tensor query = m_layers.query.apply(run.engine, latent.empty() ? row : latent.matrix());
        stages.vector(StageKind::Query, m_settings.shape.queries(query.matrix()).row(stages.head(), 0));
    }
    if (group.call.site.stage != Stage::Cross)
        reportOwnKey(run, stages, row);
}

// The key of the row's own token, where there is more to say than that it is projected. input: the row.
void MultiHeadAttention::reportOwnKey(const AttentionRun& run, const StageReport& stages, NumberView input) const
{
    if (!m_layers.keyNorm && !m_layers.keyLatent && !(m_settings.rotary && run.positions))
        return;
    const Tensor latent = m_layers.keyLatent ? m_layers.keyLatent->apply(run.engine, input) : Tensor();
    const NumberView source = latent.empty() ? input : latent.matrix();
    const auto report = [&](StageKind kind, const Tensor& keys) {
        stages.allOf(kind, m_settings.shape.keys(keys.matrix()));
    };
    if (!latent.empty())
        stages.vector(StageKind::KeyLatent, latent.values());
    if (m_layers.sharedKey)
        stages.vector(StageKind::SharedKey, m_layers.sharedKey->apply(run.engine, input).values());
    report(StageKind::OwnKey, makeKeys(run.engine, input, source, false));
    if (m_layers.keyNorm)
        report(StageKind::NormedKey, makeKeys(run.engine, input, source));
}

void MultiHeadAttention::reportScores(const AttentionRun& run, const StageReport& stages,
                                      const QueryKeyScores& scores) const
{
    stages.allOf(StageKind::Keys, scores.keys);
    stages.products(scores.queries, scores.keys, scores.scale);
    if (scores.positions != nullptr)
        scores.positions->report(stages, scores);
    if (scores.cap <= 0)
        return;
    stages.vector(StageKind::Cap, {&scores.cap, 1});
    Numbers capped = Numbers::unset(scores.queries.heads, scores.queries.rows, scores.keys.rows);
    scores.compute(run.engine, 0, capped.view());
    stages.rowOf(StageKind::Capped, capped.view());
}

// Keys as the score takes them, in `room` where projection has not rotated them.
NumberView MultiHeadAttention::rotatedKeys(const AttentionGroup& group, Numbers& room) const
{
    const NumberView keys = m_settings.shape.keys(group.keys);
    // Side by side, so that the strides stay what they are while the rows grow in number.
    room = Numbers::unset(1, keys.rows, keys.heads * keys.columns);
    const MutableView rotated = room.view().split(keys.heads);
    copyRows(keys, rotated);
    m_settings.rotary->rotate(rotated, 0, 1, keys.rows);
    return rotated;
}

// queries: [heads, rows, width], which are rotated; context: [heads, rows, width of a value].
void MultiHeadAttention::attendTo(const AttentionRun& run, const AttentionGroup& group, MutableView queries,
                                  MutableView context) const
{
    AttentionCall call = group.call;
    call.window = m_settings.window;
    call.sinks = m_settings.sinks;
    call.pruned = m_settings.pruned;
    const StageReport reported = run.stages(call, queries.heads);
    QueryKeyScores scores{queries,       m_settings.shape.keys(group.keys), m_settings.scale, nullptr, call.firstRow,
                          m_settings.cap};
    Numbers room;
    reported.rowOf(m_layers.queryNorm ? StageKind::NormedQuery : StageKind::Query, queries);
    if (const auto& rotary = m_settings.rotary; rotary && run.positions) {
        const int step = stepOf(call.meaning);
        rotary->rotate(queries, call.firstRow, step, scores.keys.rows);
        rotary->scaleQueries(queries, call.firstRow, step);
        if (rotary->followsLength())
            scores.keys = rotatedKeys(group, room);
        if (reported) {
            const Index position = call.firstRow + reported.row();
            rotary->report(reported, position, queries.columns, scores.keys.rows);
            reported.rowOf(StageKind::RotatedQuery, queries);
            reported.allOf(StageKind::RotatedKey, scores.keys.rowRange(position, 1));
        }
    } else if (m_settings.unrotated && run.positions) {
        RotaryPositions({}).report(reported, 0, queries.columns, 0);
    }
    if (run.positions)
        scores.positions = m_settings.positions.get();

    const auto write = [&](MutableView written, Index first, const StageReport& stages) {
        scores.compute(run.engine, first, written);
        if (stages)
            reportScores(run, stages, scores);
    };
    MapSourceMaker maps; // none: numbers are stored
    if (run.maps == MapForm::QueriesAndKeys && call.meaning == AttentionRows::Positions
        && QueryKeySizes::of(scores).worthKeeping())
        maps = [&] {
            return std::make_shared<const ComputedMaps>(scores, run.positions ? m_settings.positions : nullptr, call,
                                                        run.capture.scores);
        };
    attend(run, call, write, m_settings.shape.keys(group.values), context, maps);
}

void MultiHeadAttention::addTo(const AttentionRun& run, NumberView input, std::span<const AttentionGroup> groups,
                               MutableView sums) const
{
    const HeadShape& shape = m_settings.shape;
    const Tensor latent = m_layers.queryLatent ? m_layers.queryLatent->apply(run.engine, input) : Tensor();
    Tensor queries = m_layers.query.apply(run.engine, latent.empty() ? input : latent.matrix());
    if (m_layers.queryNorm)
        normalize(run.engine, *m_layers.queryNorm, queries);
    Tensor context = Tensor::unset({input.rows, m_layers.output.inputs()});
    for (const AttentionGroup& group : groups) {
        const Index rows = group.call.rows;
        reportQuery(run, group, input);
        attendTo(run, group, shape.queries(queries.matrix().rowRange(group.firstInput, rows)),
                 shape.queries(context.matrix().rowRange(group.firstInput, rows)));
    }
    for (const AttentionGroup& group : groups) {
        if (const StageReport stages = run.stages(group.call, shape.heads)) {
            const int row = group.firstInput + stages.row();
            stages.vector(StageKind::Input, input.row(row));
            const Tensor output = m_layers.output.apply(run.engine, context.matrix().rowRange(row, 1));
            stages.vector(StageKind::Output, output.values());
        }
    }
    m_layers.output.addTo(run.engine, context.matrix(), sums);
}

} // namespace attn

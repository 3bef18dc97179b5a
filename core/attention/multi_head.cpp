// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/multi_head.h"

#include "attention/computed_maps.h"

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

MultiHeadAttention::MultiHeadAttention(MultiHeadSettings settings, Linear query, Linear key, Linear value,
                                       Linear output)
    : m_settings(std::move(settings))
    , m_query(std::move(query))
    , m_key(std::move(key))
    , m_value(std::move(value))
    , m_output(std::move(output))
{
}

MultiHeadAttention::KeysValues MultiHeadAttention::project(const AttentionRun& run, NumberView input,
                                                           AttentionRows meaning, int first) const
{
    KeysValues result{m_key.apply(run.engine, input), m_value.apply(run.engine, input)};
    if (const auto& rotary = m_settings.rotary; rotary && run.positions && !rotary->followsLength())
        rotary->rotate(m_settings.shape.keys(result.keys.matrix()), first, stepOf(meaning), 0);
    return result;
}

void MultiHeadAttention::reportScores(const StageReport& stages, const QueryKeyScores& scores) const
{
    stages.allOf(StageKind::Keys, scores.keys);
    stages.products(scores.queries, scores.keys, scores.scale);
    if (scores.relative == nullptr)
        return;
    std::vector<float> biases;
    const int position = scores.firstRow + stages.row();
    for (int column = 0; column < scores.keys.rows; ++column)
        biases.push_back(scores.relative->bias(column - position, stages.head()));
    stages.vector(StageKind::PositionBias, biases);
}

// As they are scored; they lie in `room` where they are not rotated when they are projected.
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

// queries: [heads, rows, width], which are rotated; context: likewise.
void MultiHeadAttention::attendTo(const AttentionRun& run, const AttentionGroup& group, MutableView queries,
                                  MutableView context) const
{
    AttentionCall call = group.call;
    call.window = m_settings.window;
    const StageReport reported = run.stages(call, queries.heads);
    QueryKeyScores scores{queries, m_settings.shape.keys(group.keys), m_settings.scale, nullptr, call.firstRow};
    Numbers room;
    reported.rowOf(StageKind::Query, queries);
    if (const auto& rotary = m_settings.rotary; rotary && run.positions) {
        rotary->rotate(queries, call.firstRow, stepOf(call.meaning), scores.keys.rows);
        reported.rowOf(StageKind::RotatedQuery, queries);
        if (rotary->followsLength())
            scores.keys = rotatedKeys(group, room);
    }
    if (run.positions)
        scores.relative = m_settings.relative.get();

    const auto write = [&](MutableView written, Index first, const StageReport& stages) {
        scores.compute(run.engine, first, written);
        if (stages)
            reportScores(stages, scores);
    };
    MapMaker maps; // none: numbers are stored
    if (run.maps == MapForm::QueriesAndKeys && call.meaning == AttentionRows::Positions
        && QueryKeySizes::of(scores).worthKeeping())
        maps = [&] {
            return std::make_shared<const ComputedMaps>(scores, run.positions ? m_settings.relative : nullptr, call,
                                                        run.capture.scores);
        };
    attend(run, call, write, m_settings.shape.keys(group.values), context, maps);
}

void MultiHeadAttention::addTo(const AttentionRun& run, NumberView input, std::span<const AttentionGroup> groups,
                               MutableView sums) const
{
    const HeadShape& shape = m_settings.shape;
    Tensor queries = m_query.apply(run.engine, input);
    Tensor context = Tensor::unset({input.rows, m_query.outputs()});
    for (const AttentionGroup& group : groups) {
        const Index rows = group.call.rows;
        attendTo(run, group, shape.queries(queries.matrix().rowRange(group.firstInput, rows)),
                 shape.queries(context.matrix().rowRange(group.firstInput, rows)));
    }
    for (const AttentionGroup& group : groups) {
        if (const StageReport stages = run.stages(group.call, shape.heads)) {
            const int row = group.firstInput + stages.row();
            stages.vector(StageKind::Input, input.row(row));
            const Tensor output = m_output.apply(run.engine, context.matrix().rowRange(row, 1));
            stages.vector(StageKind::Output, output.values());
        }
    }
    m_output.addTo(run.engine, context.matrix(), sums);
}

} // namespace attn

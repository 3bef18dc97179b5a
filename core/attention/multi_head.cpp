// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/multi_head.h"

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

void MultiHeadAttention::reportScores(const StageReport& stages, int position, NumberView queries, NumberView keys,
                                      bool positions) const
{
    stages.allOf(StageKind::Keys, keys);
    stages.products(queries, keys, m_settings.scale);
    if (!m_settings.relative || !positions)
        return;
    std::vector<float> biases;
    for (int column = 0; column < keys.rows; ++column)
        biases.push_back(m_settings.relative->bias(column - position, stages.head()));
    stages.vector(StageKind::PositionBias, biases);
}

// queries: [heads, rows, width], of the heads from `first` on.
void MultiHeadAttention::score(const AttentionRun& run, const AttentionGroup& group, MutableView queries, Index first,
                               MutableView scores, const StageReport& stages) const
{
    const AttentionCall& call = group.call;
    const Index sharing = m_settings.shape.sharing;
    NumberView keys = m_settings.shape.keys(group.keys).headRange(first / sharing, queries.heads / sharing);
    Numbers rotated;
    stages.rowOf(StageKind::Query, queries);
    if (const auto& rotary = m_settings.rotary; rotary && run.positions) {
        rotary->rotate(queries, call.firstRow, stepOf(call.meaning), keys.rows);
        stages.rowOf(StageKind::RotatedQuery, queries);
        if (rotary->followsLength()) {
            // Side by side, so that the strides stay what they are while the rows grow in number.
            rotated = Numbers::unset(1, keys.rows, keys.heads * keys.columns);
            const MutableView own = rotated.view().split(keys.heads);
            copyRows(keys, own);
            rotary->rotate(own, 0, 1, keys.rows);
            keys = own;
        }
    }
    queryKeyProduct(run.engine, queries, keys, m_settings.scale, scores);
    if (m_settings.relative && run.positions)
        m_settings.relative->add(scores, first, call.firstRow);
    if (stages)
        reportScores(stages, call.firstRow + stages.row(), queries, keys, run.positions);
}

void MultiHeadAttention::addTo(const AttentionRun& run, NumberView input, std::span<const AttentionGroup> groups,
                               MutableView sums) const
{
    const HeadShape& shape = m_settings.shape;
    Tensor queries = m_query.apply(run.engine, input);
    Tensor context = Tensor::unset({input.rows, m_query.outputs()});
    for (const AttentionGroup& group : groups) {
        AttentionCall call = group.call;
        call.window = m_settings.window;
        const MutableView own = shape.queries(queries.matrix().rowRange(group.firstInput, call.rows));
        const auto write = [&](MutableView scores, Index first, const StageReport& stages) {
            score(run, group, own.headRange(first, scores.heads), first, scores, stages);
        };
        attend(run, call, write, shape.keys(group.values),
               shape.queries(context.matrix().rowRange(group.firstInput, call.rows)));
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

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/multi_head.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace attn {

namespace {

HeadRows rowsOf(const Tensor& tensor)
{
    const MatrixView matrix = tensor.matrix();
    return {matrix.data, matrix.rows, matrix.columns};
}

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

HeadRows MultiHeadAttention::KeysValues::keyRows() const
{
    return rowsOf(keys);
}

HeadRows MultiHeadAttention::KeysValues::valueRows() const
{
    return rowsOf(values);
}

MultiHeadAttention::KeysValues MultiHeadAttention::project(const AttentionRun& run, MatrixView input,
                                                           AttentionRows meaning, int first) const
{
    KeysValues result{m_key.apply(run.engine, input), m_value.apply(run.engine, input)};
    if (const auto& rotary = m_settings.rotary; rotary && run.positions && !rotary->followsLength())
        rotary->rotate(result.keys.data(), input.rows, keyWidth(), m_settings.shape.keyValueHeads(),
                       m_settings.shape.width, first, stepOf(meaning), 0);
    return result;
}

void MultiHeadAttention::reportScores(const StageReport& stages, int position, HeadRows queries, HeadRows keys,
                                      bool positions) const
{
    const HeadShape& shape = m_settings.shape;
    const float* const query =
        queries.data + std::ptrdiff_t{stages.row()} * queries.stride + std::ptrdiff_t{stages.head()} * shape.width;
    const std::ptrdiff_t shared = stages.head() / shape.sharing;
    stages.allOfHead(StageKind::Keys, keys, shape);
    stages.products({query, static_cast<std::size_t>(shape.width)},
                    {keys.data + shared * shape.width, keys.rows, keys.stride}, m_settings.scale);
    if (!m_settings.relative || !positions)
        return;
    std::vector<float> biases;
    for (int column = 0; column < keys.rows; ++column)
        biases.push_back(m_settings.relative->bias(column - position, stages.head()));
    stages.vector(StageKind::PositionBias, biases);
}

void MultiHeadAttention::score(const AttentionRun& run, const AttentionGroup& group, float* queries, float* scores,
                               const StageReport& stages) const
{
    const HeadShape& shape = m_settings.shape;
    const AttentionCall& call = group.call;
    const HeadRows queryRows{queries, call.rows, m_query.outputs()};
    HeadRows keys = group.keys;
    std::vector<float> rotated;
    stages.ofHead(StageKind::Query, queryRows, shape);
    if (const auto& rotary = m_settings.rotary; rotary && run.positions) {
        rotary->rotate(queries, call.rows, m_query.outputs(), shape.heads, shape.width, call.firstRow,
                       stepOf(call.meaning), keys.rows);
        stages.ofHead(StageKind::RotatedQuery, queryRows, shape);
        if (rotary->followsLength()) {
            rotated.assign(keys.data, keys.data + std::ptrdiff_t{keys.rows} * keys.stride);
            rotary->rotate(rotated.data(), keys.rows, keys.stride, shape.keyValueHeads(), shape.width, 0, 1, keys.rows);
            keys.data = rotated.data();
        }
    }
    queryKeyProduct(run.engine, shape, queryRows, keys, m_settings.scale, scores);
    if (m_settings.relative && run.positions)
        m_settings.relative->add(scores, call.rows, keys.rows, call.firstRow);
    if (stages)
        reportScores(stages, call.firstRow + stages.row(), queryRows, keys, run.positions);
}

Tensor MultiHeadAttention::apply(const AttentionRun& run, MatrixView input,
                                 std::span<const AttentionGroup> groups) const
{
    Tensor queries = m_query.apply(run.engine, input);
    const int width = m_query.outputs();
    Tensor context({input.rows, width});
    for (const AttentionGroup& group : groups) {
        const auto offset = static_cast<std::size_t>(group.firstInput) * static_cast<std::size_t>(width);
        AttentionCall call = group.call;
        call.window = m_settings.window;
        const auto write = [&](float* scores, const StageReport& stages) {
            score(run, group, queries.data() + offset, scores, stages);
        };
        attend(run, call, m_settings.shape, write, group.values, context.data() + offset);
    }
    Tensor output = m_output.apply(run.engine, context.matrix());
    for (const AttentionGroup& group : groups) {
        if (const StageReport stages = run.stages(group.call, m_settings.shape.heads)) {
            stages.vector(StageKind::Input, input.row(group.firstInput + stages.row()));
            stages.vector(StageKind::Output, output.matrix().row(group.firstInput + stages.row()));
        }
    }
    return output;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/multi_head.h"

#include <algorithm>
#include <numeric>
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

void MultiHeadAttention::probeScores(AttentionProbe& probe, const AttentionCall& call, const float* queries,
                                     HeadRows keys) const
{
    const HeadShape& shape = m_settings.shape;
    const float* query = queries + std::ptrdiff_t{probe.row - call.firstRow} * m_query.outputs()
        + std::ptrdiff_t{probe.head} * shape.width;
    (m_settings.rotary ? probe.rotatedQuery : probe.query).assign(query, query + shape.width);
    probe.score = "scaled_dot";
    probe.scale = m_settings.scale;
    probe.keys = {keys.rows, shape.width, {}};
    probe.products.clear();
    probe.positionBias.clear();
    for (int column = 0; column < keys.rows; ++column) {
        const float* key =
            keys.data + std::ptrdiff_t{column} * keys.stride + std::ptrdiff_t{probe.head / shape.sharing} * shape.width;
        probe.keys.values.insert(probe.keys.values.end(), key, key + shape.width);
        probe.products.push_back(std::inner_product(query, query + shape.width, key, 0.0F));
        if (m_settings.relative)
            probe.positionBias.push_back(m_settings.relative->bias(column - probe.row, probe.head));
    }
}

void MultiHeadAttention::score(AttentionRun& run, const AttentionGroup& group, float* queries, float* scores) const
{
    const HeadShape& shape = m_settings.shape;
    const AttentionCall& call = group.call;
    const bool probed = call.isProbed(run.probe) && run.probe->head < shape.heads;
    HeadRows keys = group.keys;
    std::vector<float> rotated;
    if (const auto& rotary = m_settings.rotary; rotary && run.positions) {
        if (probed) {
            const float* query = queries + std::ptrdiff_t{run.probe->row - call.firstRow} * m_query.outputs()
                + std::ptrdiff_t{run.probe->head} * shape.width;
            run.probe->query.assign(query, query + shape.width);
        }
        rotary->rotate(queries, call.rows, m_query.outputs(), shape.heads, shape.width, call.firstRow,
                       stepOf(call.meaning), keys.rows);
        if (rotary->followsLength()) {
            rotated.assign(keys.data, keys.data + std::ptrdiff_t{keys.rows} * keys.stride);
            rotary->rotate(rotated.data(), keys.rows, keys.stride, shape.keyValueHeads(), shape.width, 0, 1, keys.rows);
            keys.data = rotated.data();
        }
    }
    queryKeyProduct(run.engine, shape, {queries, call.rows, m_query.outputs()}, keys, m_settings.scale, scores);
    if (m_settings.relative && run.positions)
        m_settings.relative->add(scores, call.rows, keys.rows, call.firstRow);
    if (probed)
        probeScores(*run.probe, call, queries, keys);
}

Tensor MultiHeadAttention::apply(AttentionRun& run, MatrixView input, std::span<const AttentionGroup> groups) const
{
    Tensor queries = m_query.apply(run.engine, input);
    const int width = m_query.outputs();
    Tensor context({input.rows, width});
    for (const AttentionGroup& group : groups) {
        const auto offset = static_cast<std::size_t>(group.firstInput) * static_cast<std::size_t>(width);
        AttentionCall call = group.call;
        call.window = m_settings.window;
        const auto write = [&](float* scores) { score(run, group, queries.data() + offset, scores); };
        attend(run, call, m_settings.shape, write, group.values, context.data() + offset);
    }
    Tensor output = m_output.apply(run.engine, context.matrix());
    for (const AttentionGroup& group : groups) {
        if (!group.call.isProbed(run.probe))
            continue;
        const int row = group.firstInput + run.probe->row - group.call.firstRow;
        const auto read = input.row(row);
        const auto written = output.matrix().row(row);
        run.probe->input.assign(read.begin(), read.end());
        run.probe->output.assign(written.begin(), written.end());
    }
    return output;
}

} // namespace attn

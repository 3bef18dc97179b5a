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

MultiHeadAttention::KeysValues MultiHeadAttention::project(Engine& engine, MatrixView input, AttentionRows meaning,
                                                           int first) const
{
    KeysValues result{m_key.apply(engine, input), m_value.apply(engine, input)};
    if (const auto& rotary = m_settings.rotary; rotary && !rotary->followsLength())
        rotary->rotate(result.keys.data(), input.rows, keyWidth(), m_settings.shape.keyValueHeads(),
                       m_settings.shape.width, first, stepOf(meaning), 0);
    return result;
}

void MultiHeadAttention::score(Engine& engine, const AttentionGroup& group, float* queries, float* scores) const
{
    const HeadShape& shape = m_settings.shape;
    const AttentionCall& call = group.call;
    HeadRows keys = group.keys;
    std::vector<float> rotated;
    if (const auto& rotary = m_settings.rotary) {
        rotary->rotate(queries, call.rows, m_query.outputs(), shape.heads, shape.width, call.firstRow,
                       stepOf(call.meaning), keys.rows);
        if (rotary->followsLength()) {
            rotated.assign(keys.data, keys.data + std::ptrdiff_t{keys.rows} * keys.stride);
            rotary->rotate(rotated.data(), keys.rows, keys.stride, shape.keyValueHeads(), shape.width, 0, 1, keys.rows);
            keys.data = rotated.data();
        }
    }
    queryKeyProduct(engine, shape, {queries, call.rows, m_query.outputs()}, keys, m_settings.scale, scores);
    if (m_settings.relative)
        m_settings.relative->add(scores, call.rows, keys.rows, call.firstRow);
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
        const auto write = [&](float* scores) { score(run.engine, group, queries.data() + offset, scores); };
        attend(run, call, m_settings.shape, write, group.values, context.data() + offset);
    }
    return m_output.apply(run.engine, context.matrix());
}

} // namespace attn

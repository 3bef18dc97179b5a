// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/multi_head.h"

#include "attention/score.h"

#include <utility>

namespace attn {

namespace {

HeadRows rowsOf(const Tensor& tensor)
{
    const MatrixView matrix = tensor.matrix();
    return {matrix.data, matrix.rows, matrix.columns};
}

} // namespace

MultiHeadAttention::MultiHeadAttention(int heads, Linear query, Linear key, Linear value, Linear output)
    : m_heads(heads)
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

MultiHeadAttention::KeysValues MultiHeadAttention::project(Engine& engine, MatrixView input) const
{
    return {m_key.apply(engine, input), m_value.apply(engine, input)};
}

Tensor MultiHeadAttention::apply(AttentionRun& run, MatrixView input, std::span<const AttentionGroup> groups) const
{
    const Tensor queries = m_query.apply(run.engine, input);
    const HeadShape shape{m_heads, width() / m_heads};
    Tensor context({input.rows, width()});
    for (const AttentionGroup& group : groups) {
        const auto offset = static_cast<std::size_t>(group.firstInput) * static_cast<std::size_t>(width());
        const HeadRows rows{queries.data() + offset, group.call.rows, width()};
        const auto score = [&](float* scores) { scaledDotScores(run.engine, shape, rows, group.keys, scores); };
        attend(run, group.call, shape, score, group.values, context.data() + offset);
    }
    return m_output.apply(run.engine, context.matrix());
}

} // namespace attn

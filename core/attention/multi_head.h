// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "nn/linear.h"
#include "tensor/tensor.h"

#include <span>

namespace attn {

// Rows of one call and what they attend to.
struct AttentionGroup
{
    AttentionCall call;
    int firstInput = 0; // row of the input at which the call's rows begin
    HeadRows keys;
    HeadRows values;
};

// Multi-head attention (Vaswani et al. 2017, section 3.2.2): projections of queries, keys and values, scaled dot
// products for each head, and the projection of the heads' contexts.
class MultiHeadAttention
{
public:
    MultiHeadAttention(int heads, Linear query, Linear key, Linear value, Linear output);

    int width() const { return m_query.outputs(); }
    int heads() const { return m_heads; }

    struct KeysValues
    {
        Tensor keys; // [rows, width], heads side by side
        Tensor values;

        HeadRows keyRows() const;
        HeadRows valueRows() const;
    };
    KeysValues project(Engine& engine, MatrixView input) const;

    // input: [rows, width]. Each group's rows attend to its own keys. Returns [rows, width].
    Tensor apply(AttentionRun& run, MatrixView input, std::span<const AttentionGroup> groups) const;

private:
    int m_heads;
    Linear m_query;
    Linear m_key;
    Linear m_value;
    Linear m_output;
};

} // namespace attn

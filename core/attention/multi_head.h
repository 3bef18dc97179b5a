// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "attention/positions.h"
#include "attention/query_key_scores.h"
#include "nn/linear.h"
#include "nn/matmul.h"
#include "tensor/tensor.h"

#include <memory>
#include <span>

namespace attn {

// Rows of one call and what they attend to.
struct AttentionGroup
{
    AttentionCall call;
    int firstInput = 0; // row of the input at which the call's rows begin
    NumberView keys; // of all heads side by side, [keys, key width]
    NumberView values;
};

// What tells one multi-head attention from another, besides its projections.
struct MultiHeadSettings
{
    HeadShape shape;
    float scale = 1; // of the scores
    std::shared_ptr<const RotaryPositions> rotary; // null: queries and keys are not rotated
    std::shared_ptr<const RelativePositions> relative; // null: nothing is added to the scores
    int window = 0; // of a causal mask; 0: none
};

// Multi-head attention (Vaswani et al. 2017, section 3.2.2): projections of queries, keys and values, scaled dot
// products for each head, and the projection of the heads' contexts. Query heads may share keys and values (Ainslie et
// al. 2023).
class MultiHeadAttention
{
public:
    MultiHeadAttention(MultiHeadSettings settings, Linear query, Linear key, Linear value, Linear output);

    int keyWidth() const { return m_key.outputs(); } // of the keys and values of all heads
    const MultiHeadSettings& settings() const { return m_settings; }

    struct KeysValues
    {
        Tensor keys; // [rows, key width], heads side by side
        Tensor values;
    };
    // Of rows at positions first, first + 1, ... or, with AttentionRows::Hypotheses, all at `first`.
    KeysValues project(const AttentionRun& run, NumberView input, AttentionRows meaning = AttentionRows::Positions,
                       int first = 0) const;

    // input: [rows, width]. Each group's rows attend to its own keys. What comes of it is added to `sums`, [rows,
    // width], which may be the input.
    void addTo(const AttentionRun& run, NumberView input, std::span<const AttentionGroup> groups,
               MutableView sums) const;

private:
    void attendTo(const AttentionRun& run, const AttentionGroup& group, MutableView queries, MutableView context) const;
    NumberView rotatedKeys(const AttentionGroup& group, Numbers& room) const;
    void reportScores(const StageReport& stages, const QueryKeyScores& scores) const;

    MultiHeadSettings m_settings;
    Linear m_query;
    Linear m_key;
    Linear m_value;
    Linear m_output;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "attention/positions.h"
#include "attention/recorded_attention.h"
#include "attention/score.h"
#include "base/index.h"
#include "nn/linear.h"
#include "nn/matmul.h"
#include "nn/normalization.h"
#include "tensor/tensor.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// Rows of one call and what they attend to.
struct AttentionGroup
{
    AttentionCall call;
    int firstInput = 0; // row of the input at which the call's rows begin
    NumberView keys; // of all heads side by side, [keys, key width]
    NumberView values;
};

// Settings that tell one multi-head attention from another, besides its projections.
struct MultiHeadSettings
{
    HeadShape shape; // its width is that of queries and keys
    float scale = 1; // of the scores
    float cap = 0; // of the scores, as of QueryKeyScores
    std::shared_ptr<const RotaryPositions> rotary; // null: queries and keys are not rotated
    bool unrotated = false; // a layer without positions, of a model whose other layers rotate
    std::shared_ptr<const PositionScores> positions; // null: nothing is added to the scores
    int window = 0; // as of applyMask; 0: none
    std::vector<float> sinks = {}; // of the heads, as of AttentionCall; empty: none
    std::vector<Index> pruned = {}; // heads that the model does without, whose weights are zeros
};

// Few features that queries, or keys and values, are made from (latent attention, DeepSeek-AI 2024, section 2.1).
struct Latent
{
    Linear down;
    Norm norm;

    Tensor apply(Engine& engine, NumberView input) const;
};

// The trained layers of multi-head attention. Heads lie side by side in all outputs.
struct AttentionLayers
{
    Linear query;
    Linear key;
    Linear value; // of a width of its own, where that is not the keys'
    Linear output;
    std::optional<Norm> queryNorm = {}; // of each head or of all side by side, as it is wide; before the rotation
    std::optional<Norm> keyNorm = {};
    std::optional<Latent> queryLatent = {}; // what queries are made from, instead of the input
    std::optional<Latent> keyLatent = {}; // what keys and values are made from
    std::optional<Linear> sharedKey = {}; // of the input: the last features of every head's key
};

// Multi-head attention (Vaswani et al. 2017, section 3.2.2): projections of queries, keys and values, scaled dot
// products for each head, and the projection of the heads' contexts. Query heads may share keys and values (Ainslie et
// al. 2023).
class MultiHeadAttention
{
public:
    MultiHeadAttention(MultiHeadSettings settings, AttentionLayers layers);

    int keyWidth() const { return m_settings.shape.keyValueHeads() * m_settings.shape.width; } // of all heads' keys
    int valueWidth() const { return m_layers.value.outputs(); } // likewise
    const MultiHeadSettings& settings() const { return m_settings; }

    struct KeysValues
    {
        Tensor keys; // [rows, key width], heads side by side
        Tensor values;
    };
    // Keys and values of rows at positions first, first + 1, ... or, with AttentionRows::Hypotheses, all at `first`.
    KeysValues project(const AttentionRun& run, NumberView input, AttentionRows meaning = AttentionRows::Positions,
                       int first = 0) const;

    // input: [rows, width]. Each group's rows attend to its own keys. What comes of it is added to `sums`, [rows,
    // width], which may be the input.
    void addTo(const AttentionRun& run, NumberView input, std::span<const AttentionGroup> groups,
               MutableView sums) const;

    // All rows of a run on a tape, which this outlives. source: what keys and values are made of, of self-attention the
    // input. Of a window, cap, sinks, rotary and relative positions as in addTo().
    RecordedAttention record(Tape& tape, const RecordingRun& run, Site site, Mask mask, Variable input,
                             Variable source) const;

private:
    void attendTo(const AttentionRun& run, const AttentionGroup& group, MutableView queries, MutableView context) const;
    NumberView rotatedKeys(const AttentionGroup& group, Numbers& room) const;
    Tensor makeKeys(Engine& engine, NumberView input, NumberView source, bool normalized = true) const;
    void reportQuery(const AttentionRun& run, const AttentionGroup& group, NumberView input) const;
    void reportOwnKey(const AttentionRun& run, const StageReport& stages, NumberView input) const;
    void reportScores(const AttentionRun& run, const StageReport& stages, const QueryKeyScores& scores) const;

    MultiHeadSettings m_settings;
    AttentionLayers m_layers;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/kv_cache.h"
#include "models/transformer.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace attn {

// Output of a Transformer's encoder.
class TransformerMemory final : public EncoderOutput
{
public:
    explicit TransformerMemory(Tensor states)
        : m_states(std::move(states))
    {
    }

    int sourceLength() const override { return states().rows; }
    NumberView states() const { return m_states.matrix(); } // [source, width]

private:
    Tensor m_states;
};

using KeysValues = MultiHeadAttention::KeysValues;
using SourceKeysValues = std::vector<KeysValues>; // of each layer with cross attention

// A Transformer's decoder at work: a cache of keys and values for each layer and live hypothesis.
class TransformerState final : public DecoderState
{
public:
    // memory: null for a decoder-only model.
    TransformerState(const Transformer& model, const TransformerMemory* memory, RunContext& context);

    void extend(std::span<const TokenId> inputs, RunContext& context) override;
    void step(std::span<const TokenId> inputs, RunContext& context) override;
    void reorder(std::span<const int> parents) override;
    NumberView logits() const override { return m_logits.matrix(); }
    int position() const override { return m_position; }
    std::unique_ptr<DecoderState> upTo(int inputs, RunContext& context) const override;

private:
    Tensor logitsOf(RunContext& context, NumberView states) const;
    KeyValueCache& addCache(int layer, const RunContext& context);
    bool rereads(int length) const;
    void reread(std::span<const TokenId> inputs, RunContext& context);
    void advance(std::span<const TokenId> inputs, AttentionRows meaning, RunContext& context);
    std::vector<int> positionNumbers(std::span<const TokenId> inputs, AttentionRows meaning) const;
    std::vector<AttentionGroup> selfGroups(int layer, NumberView rows, AttentionRows meaning, const AttentionRun& run);
    void runLayer(int layer, Tensor& rows, AttentionRows meaning, RunContext& context);
    void reportRouting(RunContext& context, int layer, AttentionRows meaning, const Routed& routed) const;
    void report(RunContext& context, int layer, AttentionRows meaning, const Tensor& rows) const;

    const Transformer& m_model;
    const TransformerStack& m_stack;
    SourceKeysValues m_source;
    std::vector<KeyValueCache> m_caches; // of each layer
    std::vector<std::vector<TokenId>> m_tokens{{}}; // read by each hypothesis
    int m_hypotheses = 1;
    int m_position = 0;
    Tensor m_logits = Tensor({0, 0});
};

} // namespace attn

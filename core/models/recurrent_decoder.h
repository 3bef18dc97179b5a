// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/kv_cache.h"
#include "attention/stage_report.h"
#include "models/recurrent.h"
#include "models/sequence_model.h"
#include "nn/recurrent.h"
#include "tensor/tensor.h"

#include <memory>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace attn {

// What a recurrent encoder leaves: the annotations h_j, z, which the decoder starts from, and each layer's final
// states.
class RecurrentMemory final : public EncoderOutput
{
public:
    RecurrentMemory(Tensor annotations, Tensor initial, std::vector<RecurrentState> finals)
        : m_annotations(std::move(annotations))
        , m_initial(std::move(initial))
        , m_finals(std::move(finals))
    {
    }

    int sourceLength() const override { return annotations().rows; }
    NumberView annotations() const { return m_annotations.matrix(); } // [source, annotation width]
    NumberView initial() const { return m_initial.matrix(); } // [1, z]
    const std::vector<RecurrentState>& finals() const { return m_finals; } // [directions, hidden] of each layer

private:
    Tensor m_annotations;
    Tensor m_initial;
    std::vector<RecurrentState> m_finals;
};

// The states of a recurrent decoder, one row for each live hypothesis.
class RecurrentDecoderState final : public DecoderState
{
public:
    // The model must outlive the state.
    RecurrentDecoderState(const RecurrentModel& model, std::shared_ptr<const RecurrentMemory> memory,
                          RunContext& context);

    void extend(std::span<const TokenId> inputs, RunContext& context) override;
    void step(std::span<const TokenId> inputs, RunContext& context) override;
    void reorder(std::span<const int> parents) override;
    NumberView logits() const override { return m_logits.matrix(); }
    int position() const override { return m_position; }

private:
    void startStates(RunContext& context);
    Tensor contextRows(RunContext& context);
    Tensor intraRows(RunContext& context);
    LocalScope localScope(NumberView queries, Engine& engine) const;
    void runCells(const Tensor& input, RunContext& context);
    void stepBahdanau(const Tensor& embedded, RunContext& context);
    void stepLuong(const Tensor& embedded, RunContext& context);
    Tensor features(const Tensor& embedded, const Tensor& contexts, RunContext& context);
    int hypotheses() const { return m_states.back().hidden.matrix().rows; }

    const RecurrentModel& m_model;
    std::shared_ptr<const RecurrentMemory> m_memory;
    Tensor m_keys; // as they are scored, [source, width]
    std::vector<RecurrentState> m_states; // of each layer: [hypotheses, hidden]
    Tensor m_fed; // input feeding: the last features, [hypotheses, output size]
    std::optional<std::mt19937_64> m_generator; // of hard attention that draws
    ScoreHistory m_scored; // of intra-temporal attention
    std::optional<KeyValueCache> m_past; // of intra-decoder attention: the top states with what they are scored by
    int m_position = 0;
    StageReport m_stages; // of the current step
    Tensor m_logits = Tensor({0, 0});
};

} // namespace attn

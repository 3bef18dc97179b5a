// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/recurrent.h"
#include "models/recurrent_memory.h"

#include <memory>
#include <span>
#include <vector>

namespace attn {

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
    MatrixView logits() const override { return m_logits.matrix(); }
    int position() const override { return m_position; }

private:
    Tensor contextRows(RunContext& context) const;
    Tensor logitsOf(const Tensor& embedded, const Tensor& contexts, Engine& engine) const;
    int hypotheses() const { return static_cast<int>(m_states.back().hidden.dim(0)); }

    const RecurrentModel& m_model;
    std::shared_ptr<const RecurrentMemory> m_memory;
    Tensor m_projectedKeys; // [source, attention size]
    std::vector<RecurrentState> m_states; // of each layer: [hypotheses, hidden]
    int m_position = 0;
    Tensor m_logits = Tensor({0, 0});
};

} // namespace attn

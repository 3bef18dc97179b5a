// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <span>

namespace attn {

enum class Cell : std::uint8_t { Gru, Lstm };

constexpr int gateCount(Cell cell)
{
    return cell == Cell::Gru ? 3 : 4;
}

// Weights of one direction as PyTorch's nn.GRU (r, z, n) and nn.LSTM (i, f, g, o) store them: [gates*hidden, inputs],
// [gates*hidden, hidden] and two biases [gates*hidden].
struct RecurrentWeights
{
    Tensor inputWeight;
    Tensor hiddenWeight;
    Tensor inputBias;
    Tensor hiddenBias;
};

// State of a layer: [batch, hidden]; cell is empty for a GRU.
struct RecurrentState
{
    Tensor hidden;
    Tensor cell;
};

// One recurrent layer in one or both directions. The GRU is the variant whose reset gate acts after the recurrent
// product, as in PyTorch.
class RecurrentLayer
{
public:
    RecurrentLayer(Cell cell, int inputs, int hidden, const RecurrentWeights& forward,
                   const std::optional<RecurrentWeights>& backward = std::nullopt);

    int hidden() const { return m_hidden; }

    struct Output
    {
        Tensor states; // [time, directions*hidden], forward then backward
        RecurrentState last; // [directions, hidden]: the forward state at the end, the backward state at the start
    };
    // A whole sequence from zero states. input: [time, inputs].
    Output run(Engine& engine, NumberView input) const;

    // One step of a batch of hypotheses; requires one direction. input: [batch, inputs].
    void step(Engine& engine, NumberView input, RecurrentState& state) const;

private:
    struct Operands
    {
        const float* input = nullptr;
        const float* hidden = nullptr;
        const float* cell = nullptr;
        float* states = nullptr;
        float* lastHidden = nullptr;
        float* lastCell = nullptr;
    };

    void execute(Engine& engine, int time, int batch, const Operands& operands) const;

    Cell m_cell;
    int m_inputs;
    int m_hidden;
    int m_directions;
    Tensor m_inputWeight; // [directions, inputs, gates, hidden]
    Tensor m_hiddenWeight; // [directions, hidden, gates, hidden]
    Tensor m_bias; // [directions, biases, hidden]
};

} // namespace attn

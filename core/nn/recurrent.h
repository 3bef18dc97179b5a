// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "nn/tape.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace attn {

struct PrimitiveKey; // nn/primitives.h

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
    // Called between the parts in which a long sequence is read, with the share of it that has been; it may throw.
    using Watch = std::function<void(double share)>;
    // A whole sequence from zero states. input: [time, inputs].
    Output run(Engine& engine, NumberView input, const Watch& watch = {}) const;

    // One step of a batch of hypotheses; requires one direction. input: [batch, inputs].
    void step(Engine& engine, NumberView input, RecurrentState& state) const;

    // States on a tape, [batch, hidden]; cell: of an LSTM.
    struct Recorded
    {
        Variable hidden;
        Variable cell;
    };
    // One step in a direction from what inputsOf() makes of its input.
    Recorded record(Tape& tape, int direction, Variable input, Recorded state) const;
    // Inputs of the gates from each row of the input, [rows, gates * hidden].
    Variable inputsOf(Tape& tape, int direction, Variable input) const;
    int directions() const { return m_directions; }
    Cell cell() const { return m_cell; }

    // At most, of run() with a sequence of this length: input, output and what oneDNN works on.
    std::uint64_t runBytes(const Engine& engine, std::uint64_t time) const;

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

    // Extent of what is read at once: steps of some sequences, in one direction or in both.
    struct Extent
    {
        int time = 1;
        int batch = 1;
        int direction = 0; // the first
        int directions = 1;
    };

    RecurrentState zeroState(int rows) const;
    std::int64_t stepWork(int batch) const; // multiply-adds of a step in one direction
    PrimitiveKey keyOf(const PrimitiveCache& primitives, const Extent& extent) const;
    void execute(Engine& engine, const Extent& extent, const Operands& operands) const;
    void runParts(Engine& engine, NumberView input, int direction, Output& output, const Watch& watch) const;

    Cell m_cell;
    int m_inputs;
    int m_hidden;
    int m_directions;
    Tensor m_inputWeight; // [directions, inputs, gates, hidden]
    Tensor m_hiddenWeight; // [directions, hidden, gates, hidden]
    Tensor m_bias; // [directions, biases, hidden]
};

// At most, of layers that read a sequence of this length one after the other.
std::uint64_t runBytes(const Engine& engine, std::span<const RecurrentLayer> layers, std::uint64_t time);

} // namespace attn

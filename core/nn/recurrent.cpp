// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/recurrent.h"

#include "nn/primitives.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace attn {

namespace {

using Tag = dnnl::memory::format_tag;
using Layout = dnnl::memory::desc;

constexpr auto recurrentType = dnnl::memory::data_type::f32;
constexpr auto inference = dnnl::prop_kind::forward_inference;

// oneDNN keeps the states of all steps that it is given, some kB for each.
constexpr int mostSteps = 512;

// Where oneDNN's gate g lies in PyTorch's weights: u, r, o from r, z, n; the LSTM's i, f, c, o are i, f, g, o.
int storedGate(Cell cell, int gate)
{
    constexpr std::array<int, 3> gru{1, 0, 2};
    return cell == Cell::Gru ? gru.at(gate) : gate;
}

// [gates*hidden, inputs] to [inputs, gates, hidden], which all of oneDNN's implementations read.
void transposeGates(Cell cell, const Tensor& weight, int hidden, float* output)
{
    const int gates = gateCount(cell);
    const NumberView stored = weight.matrix();
    const MutableView target(output, stored.columns, gates * hidden);
    constexpr int block = 16; // a cache line of floats
    for (int gate = 0; gate < gates; ++gate) {
        const NumberView source = stored.rowRange(storedGate(cell, gate) * hidden, hidden);
        for (int firstUnit = 0; firstUnit < hidden; firstUnit += block) {
            for (int input = 0; input < stored.columns; ++input) {
                for (int unit = firstUnit; unit < std::min(firstUnit + block, hidden); ++unit)
                    target.at(input, gate * hidden + unit) = source.at(unit, input);
            }
        }
    }
}

// The GRU keeps the new gate's recurrent bias apart, because the reset gate multiplies it; other biases are sums.
void combineBiases(Cell cell, const RecurrentWeights& weights, int hidden, float* output)
{
    const int gates = gateCount(cell);
    for (int gate = 0; gate < gates; ++gate) {
        const int stored = storedGate(cell, gate) * hidden;
        const bool apart = cell == Cell::Gru && gate == 2;
        for (int unit = 0; unit < hidden; ++unit) {
            const float recurrent = weights.hiddenBias.data()[stored + unit];
            output[gate * hidden + unit] = weights.inputBias.data()[stored + unit] + (apart ? 0.0F : recurrent);
            if (apart)
                output[gates * hidden + unit] = recurrent;
        }
    }
}

struct Layouts
{
    Layout input;
    Layout state;
    Layout inputWeight;
    Layout hiddenWeight;
    Layout bias;
    Layout states;
};

Layouts layoutsOf(const PrimitiveKey& key, int gates)
{
    const auto time = key.values[0];
    const auto batch = key.values[1];
    const auto inputs = key.values[2];
    const auto hidden = key.values[3];
    const auto directions = key.values[4];
    return {{{time, batch, inputs}, recurrentType, Tag::tnc},
            {{1, directions, batch, hidden}, recurrentType, Tag::ldnc},
            {{1, directions, inputs, gates, hidden}, recurrentType, Tag::ldigo},
            {{1, directions, hidden, gates, hidden}, recurrentType, Tag::ldigo},
            {{1, directions, 4, hidden}, recurrentType, Tag::ldgo},
            {{time, batch, directions * hidden}, recurrentType, Tag::tnc}};
}

dnnl::rnn_direction directionOf(const PrimitiveKey& key)
{
    if (key.values[4] == 2)
        return dnnl::rnn_direction::bidirectional_concat;
    return key.values[5] == 0 ? dnnl::rnn_direction::unidirectional_left2right
                              : dnnl::rnn_direction::unidirectional_right2left;
}

PrimitiveParts partsOf(const Layouts& layouts, dnnl::primitive primitive, const Layout& scratchpad)
{
    return {std::move(primitive),
            {{DNNL_ARG_SRC_LAYER, layouts.input},
             {DNNL_ARG_SRC_ITER, layouts.state},
             {DNNL_ARG_WEIGHTS_LAYER, layouts.inputWeight},
             {DNNL_ARG_WEIGHTS_ITER, layouts.hiddenWeight},
             {DNNL_ARG_BIAS, layouts.bias},
             {DNNL_ARG_DST_LAYER, layouts.states},
             {DNNL_ARG_DST_ITER, layouts.state}},
            scratchpad};
}

dnnl::lbr_gru_forward::primitive_desc describeGru(const PrimitiveKey& key, const dnnl::engine& cpu,
                                                  const dnnl::primitive_attr& attributes)
{
    const Layouts layouts = layoutsOf(key, 3);
    return onednn::describe<dnnl::lbr_gru_forward>(cpu, attributes, inference, directionOf(key), layouts.input,
                                                   layouts.state, layouts.inputWeight, layouts.hiddenWeight,
                                                   layouts.bias, layouts.states, layouts.state);
}

dnnl::lstm_forward::primitive_desc describeLstm(const PrimitiveKey& key, const dnnl::engine& cpu,
                                                const dnnl::primitive_attr& attributes)
{
    const Layouts layouts = layoutsOf(key, 4);
    return onednn::describe<dnnl::lstm_forward>(cpu, attributes, inference, directionOf(key), layouts.input,
                                                layouts.state, layouts.state, layouts.inputWeight, layouts.hiddenWeight,
                                                layouts.bias, layouts.states, layouts.state, layouts.state);
}

PrimitiveParts makeGru(const PrimitiveKey& key, const dnnl::engine& cpu, const dnnl::primitive_attr& attributes)
{
    const auto descriptor = describeGru(key, cpu, attributes);
    return partsOf(layoutsOf(key, 3), dnnl::lbr_gru_forward(descriptor), descriptor.scratchpad_desc());
}

PrimitiveParts makeLstm(const PrimitiveKey& key, const dnnl::engine& cpu, const dnnl::primitive_attr& attributes)
{
    const Layouts layouts = layoutsOf(key, 4);
    const auto descriptor = describeLstm(key, cpu, attributes);
    PrimitiveParts parts = partsOf(layouts, dnnl::lstm_forward(descriptor), descriptor.scratchpad_desc());
    parts.arguments.emplace_back(DNNL_ARG_SRC_ITER_C, layouts.state);
    parts.arguments.emplace_back(DNNL_ARG_DST_ITER_C, layouts.state);
    return parts;
}

std::size_t scratchpadOf(const PrimitiveKey& key, const dnnl::engine& cpu)
{
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return key.operation == Operation::Gru ? describeGru(key, cpu, attributes).scratchpad_desc().get_size()
                                           : describeLstm(key, cpu, attributes).scratchpad_desc().get_size();
}

} // namespace

RecurrentLayer::RecurrentLayer(Cell cell, int inputs, int hidden, const RecurrentWeights& forward,
                               const std::optional<RecurrentWeights>& backward)
    : m_cell(cell)
    , m_inputs(inputs)
    , m_hidden(hidden)
    , m_directions(backward ? 2 : 1)
    , m_inputWeight({m_directions, inputs, gateCount(cell), hidden})
    , m_hiddenWeight({m_directions, hidden, gateCount(cell), hidden})
    , m_bias({m_directions, 4, hidden}) // LSTM: one for each gate; GRU: three gates and the one kept apart
{
    for (int direction = 0; direction < m_directions; ++direction) {
        const RecurrentWeights& weights = direction == 0 ? forward : *backward;
        const auto part = [&](Tensor& all) { return all.data() + std::ssize(all.values()) / m_directions * direction; };
        transposeGates(cell, weights.inputWeight, hidden, part(m_inputWeight));
        transposeGates(cell, weights.hiddenWeight, hidden, part(m_hiddenWeight));
        combineBiases(cell, weights, hidden, part(m_bias));
    }
}

RecurrentState RecurrentLayer::zeroState(int rows) const
{
    return {Tensor({rows, m_hidden}), m_cell == Cell::Lstm ? Tensor({rows, m_hidden}) : Tensor()};
}

std::int64_t RecurrentLayer::stepWork(int batch) const
{
    return std::int64_t{batch} * gateCount(m_cell) * m_hidden * (m_inputs + m_hidden);
}

PrimitiveKey RecurrentLayer::keyOf(const PrimitiveCache& primitives, const Extent& extent) const
{
    // Steps follow one another, and the threads meet after each.
    return {m_cell == Cell::Gru ? Operation::Gru : Operation::Lstm,
            primitives.fixedThreadsFor(stepWork(extent.batch)),
            {extent.time, extent.batch, m_inputs, m_hidden, extent.directions, extent.direction}};
}

void RecurrentLayer::execute(Engine& engine, const Extent& extent, const Operands& operands) const
{
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey key = keyOf(primitives, extent);
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        return m_cell == Cell::Gru ? makeGru(key, cpu, attributes) : makeLstm(key, cpu, attributes);
    };
    const auto own = [&](const Tensor& all) {
        return all.data() + std::ssize(all.values()) / m_directions * extent.direction;
    };
    std::vector<Argument> arguments{{DNNL_ARG_SRC_LAYER, operands.input},
                                    {DNNL_ARG_SRC_ITER, operands.hidden},
                                    {DNNL_ARG_WEIGHTS_LAYER, own(m_inputWeight)},
                                    {DNNL_ARG_WEIGHTS_ITER, own(m_hiddenWeight)},
                                    {DNNL_ARG_BIAS, own(m_bias)},
                                    {DNNL_ARG_DST_LAYER, operands.states},
                                    {DNNL_ARG_DST_ITER, operands.lastHidden}};
    if (m_cell == Cell::Lstm) {
        arguments.push_back({DNNL_ARG_SRC_ITER_C, operands.cell});
        arguments.push_back({DNNL_ARG_DST_ITER_C, operands.lastCell});
    }
    primitives.run(key, make, arguments);
    const std::size_t weights = (m_inputWeight.size() + m_hiddenWeight.size()) * sizeof(float);
    primitives.count(stepWork(extent.batch) * extent.time * extent.directions,
                     weights / static_cast<std::size_t>(m_directions) * static_cast<std::size_t>(extent.directions));
}

RecurrentLayer::Output RecurrentLayer::run(Engine& engine, NumberView input, const Watch& watch) const
{
    Output output{Tensor({input.rows, m_directions * m_hidden}), zeroState(m_directions)};
    if (input.rows > mostSteps) {
        for (int direction = 0; direction < m_directions; ++direction)
            runParts(engine, input, direction, output, watch);
        return output;
    }
    const Tensor zeros({m_directions, m_hidden});
    execute(engine, {input.rows, 1, 0, m_directions},
            {input.data, zeros.data(), zeros.data(), output.states.data(), output.last.hidden.data(),
             output.last.cell.data()});
    return output;
}

// Writes the columns and the row of `output` that are the direction's.
void RecurrentLayer::runParts(Engine& engine, NumberView input, int direction, Output& output, const Watch& watch) const
{
    const MutableView all = output.states.matrix();
    const MutableView own(all.data + std::ptrdiff_t{direction} * m_hidden, 1, all.rows, m_hidden, 0, all.rowStride);
    const int parts = (input.rows + mostSteps - 1) / mostSteps;
    Tensor states({mostSteps, m_hidden});
    RecurrentState state = zeroState(1);
    for (int part = 0; part < parts; ++part) {
        if (watch && direction + part > 0)
            watch((1.0 * direction * parts + part) / (m_directions * parts));
        const int first = (direction == 0 ? part : parts - 1 - part) * mostSteps;
        const int time = std::min(mostSteps, input.rows - first);
        RecurrentState next = zeroState(1);
        execute(engine, {time, 1, direction, 1},
                {input.row(first).data(), state.hidden.data(), state.cell.data(), states.data(), next.hidden.data(),
                 next.cell.data()});
        copyRows(states.matrix().rowRange(0, time), own.rowRange(first, time));
        state = std::move(next);
    }
    std::ranges::copy(state.hidden.values(), output.last.hidden.matrix().row(direction).begin());
    if (m_cell == Cell::Lstm)
        std::ranges::copy(state.cell.values(), output.last.cell.matrix().row(direction).begin());
}

void RecurrentLayer::step(Engine& engine, NumberView input, RecurrentState& state) const
{
    RecurrentState next = zeroState(input.rows);
    Tensor output({input.rows, m_hidden});
    execute(engine, {1, input.rows, 0, 1},
            {input.data, state.hidden.data(), state.cell.data(), output.data(), next.hidden.data(), next.cell.data()});
    state = std::move(next);
}

Variable RecurrentLayer::inputsOf(Tape& tape, int direction, Variable input) const
{
    const int gates = gateCount(m_cell) * m_hidden;
    const NumberView weights(m_inputWeight.data() + std::ptrdiff_t{direction} * m_inputs * gates, m_inputs, gates);
    const Variable product = tape.multiplied(input, weights);
    Tensor biases({tape.matrix(product).rows, gates});
    for (Index row = 0; row < biases.matrix().rows; ++row)
        std::copy_n(m_bias.data() + std::ptrdiff_t{direction} * 4 * m_hidden, gates, biases.matrix().row(row).begin());
    return tape.sum(product, tape.constant(std::move(biases)));
}

RecurrentLayer::Recorded RecurrentLayer::record(Tape& tape, int direction, Variable input, Recorded state) const
{
    const int width = gateCount(m_cell) * m_hidden;
    const NumberView weights(m_hiddenWeight.data() + std::ptrdiff_t{direction} * m_hidden * width, m_hidden, width);
    const Variable before = tape.multiplied(state.hidden, weights);
    const auto part = [&](Variable all, int gate) { return tape.columns(gate * m_hidden, m_hidden, all); };
    if (m_cell == Cell::Lstm) {
        const Variable gates = tape.sum(input, before);
        const auto gate = [&](int number, Activation activation) {
            return tape.activated(activation, part(gates, number));
        };
        const Variable kept = tape.product(gate(1, Activation::Sigmoid), state.cell);
        const Variable added = tape.product(gate(0, Activation::Sigmoid), gate(2, Activation::Tanh));
        const Variable cell = tape.sum(kept, added);
        return {tape.product(gate(3, Activation::Sigmoid), tape.activated(Activation::Tanh, cell)), cell};
    }
    Tensor biases({tape.matrix(before).rows, m_hidden});
    for (Index row = 0; row < biases.matrix().rows; ++row)
        std::copy_n(m_bias.data() + (std::ptrdiff_t{direction} * 4 + 3) * m_hidden, m_hidden,
                    biases.matrix().row(row).begin());
    const Variable gates = tape.activated(
        Activation::Sigmoid, tape.sum(tape.columns(0, 2 * m_hidden, input), tape.columns(0, 2 * m_hidden, before)));
    const Variable past = tape.product(part(gates, 1), tape.sum(part(before, 2), tape.constant(std::move(biases))));
    const Variable fresh = tape.activated(Activation::Tanh, tape.sum(part(input, 2), past));
    const Variable change = tape.sum(state.hidden, tape.scaled(-1, fresh));
    return {tape.sum(fresh, tape.product(part(gates, 0), change)), {}};
}

std::uint64_t RecurrentLayer::runBytes(const Engine& engine, std::uint64_t time) const
{
    const PrimitiveCache& primitives = engine.primitives();
    const bool inParts = time > mostSteps;
    const PrimitiveKey key =
        keyOf(primitives, {inParts ? mostSteps : static_cast<int>(time), 1, 0, inParts ? 1 : m_directions});
    std::uint64_t bytes = 0;
    if (time > 0)
        primitives.guard(key, [&] { bytes = scratchpadRoom(scratchpadOf(key, primitives.engine())); });
    const auto inputs = static_cast<std::uint64_t>(m_inputs);
    const auto hidden = static_cast<std::uint64_t>(m_hidden);
    const std::uint64_t width = inputs + static_cast<std::uint64_t>(m_directions) * hidden;
    const std::uint64_t part = inParts ? mostSteps * hidden : 0;
    return bytes + (time * width + part) * sizeof(float);
}

std::uint64_t runBytes(const Engine& engine, std::span<const RecurrentLayer> layers, std::uint64_t time)
{
    std::uint64_t most = 0;
    for (const RecurrentLayer& layer : layers)
        most = std::max(most, layer.runBytes(engine, time));
    return most;
}

} // namespace attn

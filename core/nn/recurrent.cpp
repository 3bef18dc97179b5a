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
    return key.values[4] == 2 ? dnnl::rnn_direction::bidirectional_concat
                              : dnnl::rnn_direction::unidirectional_left2right;
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

PrimitiveParts makeGru(const PrimitiveKey& key, const dnnl::engine& cpu, const dnnl::primitive_attr& attributes)
{
    const Layouts layouts = layoutsOf(key, 3);
    const auto descriptor = onednn::describe<dnnl::lbr_gru_forward>(
        cpu, attributes, inference, directionOf(key), layouts.input, layouts.state, layouts.inputWeight,
        layouts.hiddenWeight, layouts.bias, layouts.states, layouts.state);
    return partsOf(layouts, dnnl::lbr_gru_forward(descriptor), descriptor.scratchpad_desc());
}

PrimitiveParts makeLstm(const PrimitiveKey& key, const dnnl::engine& cpu, const dnnl::primitive_attr& attributes)
{
    const Layouts layouts = layoutsOf(key, 4);
    const auto descriptor = onednn::describe<dnnl::lstm_forward>(
        cpu, attributes, inference, directionOf(key), layouts.input, layouts.state, layouts.state, layouts.inputWeight,
        layouts.hiddenWeight, layouts.bias, layouts.states, layouts.state, layouts.state);
    PrimitiveParts parts = partsOf(layouts, dnnl::lstm_forward(descriptor), descriptor.scratchpad_desc());
    parts.arguments.emplace_back(DNNL_ARG_SRC_ITER_C, layouts.state);
    parts.arguments.emplace_back(DNNL_ARG_DST_ITER_C, layouts.state);
    return parts;
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

void RecurrentLayer::execute(Engine& engine, int time, int batch, const Operands& operands) const
{
    PrimitiveCache& primitives = engine.primitives();
    // Steps follow one another, and the threads meet after each.
    const std::int64_t work = std::int64_t{batch} * gateCount(m_cell) * m_hidden * (m_inputs + m_hidden);
    const PrimitiveKey key{m_cell == Cell::Gru ? Operation::Gru : Operation::Lstm,
                           primitives.fixedThreadsFor(work),
                           {time, batch, m_inputs, m_hidden, m_directions}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        return m_cell == Cell::Gru ? makeGru(key, cpu, attributes) : makeLstm(key, cpu, attributes);
    };
    std::vector<Argument> arguments{{DNNL_ARG_SRC_LAYER, operands.input},
                                    {DNNL_ARG_SRC_ITER, operands.hidden},
                                    {DNNL_ARG_WEIGHTS_LAYER, m_inputWeight.data()},
                                    {DNNL_ARG_WEIGHTS_ITER, m_hiddenWeight.data()},
                                    {DNNL_ARG_BIAS, m_bias.data()},
                                    {DNNL_ARG_DST_LAYER, operands.states},
                                    {DNNL_ARG_DST_ITER, operands.lastHidden}};
    if (m_cell == Cell::Lstm) {
        arguments.push_back({DNNL_ARG_SRC_ITER_C, operands.cell});
        arguments.push_back({DNNL_ARG_DST_ITER_C, operands.lastCell});
    }
    primitives.run(key, make, arguments);
    primitives.count(work * time * m_directions, (m_inputWeight.size() + m_hiddenWeight.size()) * sizeof(float));
}

RecurrentLayer::Output RecurrentLayer::run(Engine& engine, NumberView input) const
{
    const Tensor zeros({m_directions, m_hidden});
    Output output{Tensor({input.rows, m_directions * m_hidden}), {Tensor({m_directions, m_hidden}), {}}};
    if (m_cell == Cell::Lstm)
        output.last.cell = Tensor({m_directions, m_hidden});
    execute(engine, input.rows, 1,
            {input.data, zeros.data(), zeros.data(), output.states.data(), output.last.hidden.data(),
             output.last.cell.data()});
    return output;
}

void RecurrentLayer::step(Engine& engine, NumberView input, RecurrentState& state) const
{
    RecurrentState next{Tensor({input.rows, m_hidden}), {}};
    if (m_cell == Cell::Lstm)
        next.cell = Tensor({input.rows, m_hidden});
    Tensor output({input.rows, m_hidden});
    execute(engine, 1, input.rows,
            {input.data, state.hidden.data(), state.cell.data(), output.data(), next.hidden.data(), next.cell.data()});
    state = std::move(next);
}

} // namespace attn

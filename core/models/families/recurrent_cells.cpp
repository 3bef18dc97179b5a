// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/recurrent_cells.h"

#include "base/error.h"
#include "models/families/config_values.h"

#include <fmt/format.h>
#include <optional>

namespace attn {

namespace {

// "encoder.rnn.weight_ih_l0_reverse" without its middle.
std::string suffixOf(int layer, int direction)
{
    return fmt::format("_l{}{}", layer, direction == 0 ? "" : "_reverse");
}

int directionsOf(const RecurrentStack& stack)
{
    return stack.bidirectional ? 2 : 1;
}

RecurrentWeights readCell(WeightReader& reader, const std::string& prefix, const std::string& suffix)
{
    return {reader.tensor(prefix + "weight_ih" + suffix), reader.tensor(prefix + "weight_hh" + suffix),
            reader.tensor(prefix + "bias_ih" + suffix), reader.tensor(prefix + "bias_hh" + suffix)};
}

} // namespace

RecurrentStack readStack(const JsonObject& config, const std::string& field)
{
    const JsonObject object = config.requireObject(field);
    const std::string cell = object.requireString("cell");
    if (cell != "gru" && cell != "lstm")
        throw Error(ErrorKind::Format, fmt::format("{}: {}.cell", config.where(), field),
                    fmt::format("'{}' is not a value of this field", cell), "use 'gru', 'lstm'");
    return {cell == "gru" ? Cell::Gru : Cell::Lstm, requireLayers(object, "layers"), requireSize(object, "hidden_size"),
            field != "decoder" && object.boolOr("bidirectional", false)};
}

int layerInputs(const RecurrentStack& stack, int inputs, int layer)
{
    return layer == 0 ? inputs : stack.hidden * directionsOf(stack);
}

void expectLayers(ExpectedTensors& expected, const std::string& prefix, const RecurrentStack& stack, int inputs)
{
    const std::int64_t gates = std::int64_t{gateCount(stack.cell)} * stack.hidden;
    for (int layer = 0; layer < stack.layers; ++layer) {
        for (int direction = 0; direction < directionsOf(stack); ++direction) {
            const std::string suffix = suffixOf(layer, direction);
            expected[prefix + "weight_ih" + suffix] = {gates, layerInputs(stack, inputs, layer)};
            expected[prefix + "weight_hh" + suffix] = {gates, stack.hidden};
            expected[prefix + "bias_ih" + suffix] = {gates};
            expected[prefix + "bias_hh" + suffix] = {gates};
        }
    }
}

std::vector<RecurrentLayer> readLayers(WeightReader& reader, const std::string& prefix, const RecurrentStack& stack,
                                       int inputs)
{
    std::vector<RecurrentLayer> layers;
    for (int layer = 0; layer < stack.layers; ++layer) {
        const RecurrentWeights forward = readCell(reader, prefix, suffixOf(layer, 0));
        std::optional<RecurrentWeights> backward;
        if (stack.bidirectional)
            backward = readCell(reader, prefix, suffixOf(layer, 1));
        layers.emplace_back(stack.cell, layerInputs(stack, inputs, layer), stack.hidden, forward, backward);
    }
    return layers;
}

} // namespace attn

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

Weight<RecurrentWeights> declareCell(WeightTable& table, const std::string& prefix, const std::string& suffix,
                                     std::int64_t gates, std::int64_t hidden, std::int64_t inputs)
{
    const auto inputWeight = table.tensor(prefix + "weight_ih" + suffix, {gates, inputs});
    const auto hiddenWeight = table.tensor(prefix + "weight_hh" + suffix, {gates, hidden});
    const auto inputBias = table.tensor(prefix + "bias_ih" + suffix, {gates});
    const auto hiddenBias = table.tensor(prefix + "bias_hh" + suffix, {gates});
    return [=](WeightReader& reader) -> RecurrentWeights {
        return {inputWeight(reader), hiddenWeight(reader), inputBias(reader), hiddenBias(reader)};
    };
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

Weight<std::vector<RecurrentLayer>> declareLayers(WeightTable& table, const std::string& prefix,
                                                  const RecurrentStack& stack, int inputs)
{
    const std::int64_t gates = std::int64_t{gateCount(stack.cell)} * stack.hidden;
    std::vector<Weight<RecurrentLayer>> layers;
    for (int layer = 0; layer < stack.layers; ++layer) {
        const int width = layerInputs(stack, inputs, layer);
        const auto declare = [&](int direction) {
            return declareCell(table, prefix, suffixOf(layer, direction), gates, stack.hidden, width);
        };
        const auto forward = declare(0);
        std::optional<Weight<RecurrentWeights>> backward;
        if (stack.bidirectional)
            backward = declare(1);
        layers.emplace_back([=](WeightReader& reader) {
            const RecurrentWeights first = forward(reader);
            return RecurrentLayer(stack.cell, width, stack.hidden, first, readIf(backward, reader));
        });
    }
    return [layers](WeightReader& reader) {
        std::vector<RecurrentLayer> result;
        for (const auto& layer : layers)
            result.push_back(layer(reader));
        return result;
    };
}

} // namespace attn

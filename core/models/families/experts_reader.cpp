// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/families/layer_reader.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <utility>
#include <vector>

namespace attn {

namespace {

using Stored = ExpertsPlan::Stored;

constexpr auto blocksEnding = "_blocks";
constexpr auto scalesEnding = "_scales";
constexpr std::int64_t mxfp4Values = 32; // of a block
constexpr std::int64_t mxfp4Bytes = 16;

std::string fusedGates(const ExpertsPlan& plan)
{
    return plan.prefix + ".gate_up_proj";
}

std::string fusedSecond(const ExpertsPlan& plan)
{
    return plan.prefix + ".down_proj";
}

// Rows of blocks of four-bit values and their scales (OCP Microscaling, version 1.0) as DType::MXFP4 has them: the
// scale, then bytes of value i and value i + 16 instead of two neighbours.
std::vector<std::byte> inBlocks(std::span<const std::byte> values, std::span<const std::byte> scales,
                                std::int64_t rowBlocks, ColumnRange outputs)
{
    std::vector<std::byte> result;
    for (std::int64_t i = 0; i < outputs.count; ++i) {
        const std::int64_t row = outputs.first + i * outputs.step;
        for (std::int64_t block = row * rowBlocks; block < (row + 1) * rowBlocks; ++block) {
            const std::byte* const pairs = values.data() + block * mxfp4Bytes;
            const auto value = [&](std::int64_t i) { return pairs[i / 2] >> (i % 2 * 4) & std::byte{15}; };
            result.push_back(scales[static_cast<std::size_t>(block)]);
            for (std::int64_t i = 0; i < mxfp4Bytes; ++i)
                result.push_back(value(i) | value(i + mxfp4Bytes) << 4);
        }
    }
    return result;
}

// Reads expert number `index`.
using ExpertReader = std::function<Perceptron(WeightReader&, std::int64_t index)>;

ExpertReader declareApart(WeightTable& table, const LayerPlan& plan, const std::string& prefix)
{
    const ExpertsPlan& own = *plan.experts;
    std::vector<std::array<Weight<Linear>, 3>> experts;
    for (int expert = 0; expert < own.count; ++expert) {
        const std::string name = fmt::format("{}{}.{}.", prefix, own.prefix, expert);
        experts.push_back({table.linear(name + own.first, own.width, plan.width, false),
                           table.linear(name + own.second, plan.width, own.width, false),
                           table.linear(name + own.gate, own.width, plan.width, false)});
    }
    return [experts, activation = plan.activation](WeightReader& reader, std::int64_t index) -> Perceptron {
        const auto& [first, second, gate] = experts.at(static_cast<std::size_t>(index));
        Linear inwards = first(reader);
        Linear outwards = second(reader);
        return {std::move(inwards), std::move(outwards), gate(reader), activation};
    };
}

ExpertReader declareStacked(WeightTable& table, const LayerPlan& plan, const std::string& prefix)
{
    const ExpertsPlan& own = *plan.experts;
    const auto stacked = [&](const std::string& part, std::int64_t outputs, std::int64_t inputs) {
        const std::string name = prefix + own.prefix + '.' + part;
        table.parts(weightOf(name), {own.count, outputs, inputs}, WeightTable::Use::Packed);
        if (own.bias)
            table.parts(name + ".bias", {own.count, outputs});
        return [name, outputs, biased = own.bias](WeightReader& reader, std::int64_t index) {
            const Tensor bias = biased ? reader.part(name + ".bias", index) : Tensor();
            return reader.rowsOfPart(weightOf(name), index, {0, outputs}, bias);
        };
    };
    return [first = stacked(own.first, own.width, plan.width), second = stacked(own.second, plan.width, own.width),
            gate = stacked(own.gate, own.width, plan.width), activation = plan.activation,
            clamped = own.clamped](WeightReader& reader, std::int64_t index) -> Perceptron {
        Linear inwards = first(reader, index);
        Linear outwards = second(reader, index);
        return {std::move(inwards), std::move(outwards), gate(reader, index), activation, clamped};
    };
}

ExpertReader declareFused(WeightTable& table, const LayerPlan& plan, const std::string& prefix)
{
    const ExpertsPlan& own = *plan.experts;
    const std::string gates = prefix + fusedGates(own);
    const std::string second = prefix + fusedSecond(own);
    const std::int64_t width = own.width;
    table.parts(gates, {own.count, 2 * width, plan.width}, WeightTable::Use::Packed);
    table.parts(second, {own.count, plan.width, width}, WeightTable::Use::Packed);
    return [=, outputs = plan.width, activation = plan.activation](WeightReader& reader,
                                                                   std::int64_t index) -> Perceptron {
        Linear inwards = reader.rowsOfPart(gates, index, {width, width});
        Linear outwards = reader.rowsOfPart(second, index, {0, outputs});
        return {std::move(inwards), std::move(outwards), reader.rowsOfPart(gates, index, {0, width}), activation};
    };
}

// gpt-oss: gate and other columns in turn, each with a bias.
ExpertReader declareInterleaved(WeightTable& table, const LayerPlan& plan, const std::string& prefix, bool blocks)
{
    const ExpertsPlan& own = *plan.experts;
    using Reader = std::function<Linear(WeightReader&, std::int64_t index, ColumnRange, const Tensor& bias)>;
    const auto matrix = [&](const std::string& name, std::int64_t outputs, std::int64_t inputs) -> Reader {
        if (!blocks) {
            table.parts(name, {own.count, inputs, outputs}, WeightTable::Use::Transposed);
            return [name](WeightReader& reader, std::int64_t index, ColumnRange some, const Tensor& bias) {
                return reader.columnsOfPart(name, index, some, bias);
            };
        }
        const std::int64_t rowBlocks = inputs / mxfp4Values;
        table.packedValues(name + blocksEnding, {own.count, outputs, rowBlocks, mxfp4Bytes});
        table.packedValues(name + scalesEnding, {own.count, outputs, rowBlocks});
        return [=](WeightReader& reader, std::int64_t index, ColumnRange some, const Tensor& bias) {
            const auto scales = static_cast<std::size_t>(outputs * rowBlocks);
            const auto number = static_cast<std::size_t>(index);
            return reader.made(
                DType::MXFP4, inputs,
                inBlocks(
                    reader.stored(name + blocksEnding).bytes.subspan(number * scales * mxfp4Bytes, scales * mxfp4Bytes),
                    reader.stored(name + scalesEnding).bytes.subspan(number * scales, scales), rowBlocks, some),
                bias);
        };
    };
    const std::string gates = prefix + fusedGates(own);
    const std::string second = prefix + fusedSecond(own);
    const std::int64_t both = 2 * std::int64_t{own.width};
    const auto readGates = matrix(gates, both, plan.width);
    const auto readSecond = matrix(second, plan.width, own.width);
    table.parts(gates + "_bias", {own.count, both});
    table.parts(second + "_bias", {own.count, plan.width});
    return [=, width = plan.width, activation = plan.activation,
            clamped = own.clamped](WeightReader& reader, std::int64_t index) -> Perceptron {
        const Tensor shifts = reader.part(gates + "_bias", index);
        const auto half = [&](int first) {
            NumberVector<float> own;
            for (std::size_t place = static_cast<std::size_t>(first); place < shifts.size(); place += 2)
                own.push_back(shifts.values()[place]);
            const std::int64_t outputs = std::ssize(own);
            return readGates(reader, index, {first, 2, outputs}, Tensor({outputs}, std::move(own)));
        };
        Linear gate = half(0);
        Linear inwards = half(1);
        Linear outwards = readSecond(reader, index, {0, 1, width}, reader.part(second + "_bias", index));
        return {std::move(inwards), std::move(outwards), std::move(gate), activation, clamped};
    };
}

ExpertReader declareEach(WeightTable& table, const LayerPlan& plan, const std::string& prefix)
{
    switch (plan.experts->stored) {
    case Stored::Apart:
        return declareApart(table, plan, prefix);
    case Stored::Stacked:
        return declareStacked(table, plan, prefix);
    case Stored::Fused:
        return declareFused(table, plan, prefix);
    case Stored::Interleaved:
        return declareInterleaved(table, plan, prefix, false);
    case Stored::Mxfp4:
        return declareInterleaved(table, plan, prefix, true);
    }
    return {};
}

} // namespace

void settleExperts(const Checkpoint& checkpoint, LayerPlan& plan)
{
    if (!plan.experts)
        return;
    ExpertsPlan& experts = *plan.experts;
    int first = 0; // layer with experts
    while (first + 1 < plan.layers && !experts.isIn(first))
        ++first;
    const std::string prefix = fmt::format("{}{}.", plan.prefix, first);
    const std::string apart = weightOf(fmt::format("{}{}.0.{}", prefix, experts.prefix, experts.first));
    constexpr auto fusedPrefix = "mlp.experts"; // of all types: Mixtral's experts have another one where they are apart
    if (experts.prefix != fusedPrefix && checkpoint.find(fmt::format("{}{}.gate_up_proj", prefix, fusedPrefix))) {
        experts.router = "mlp.gate";
        experts.prefix = fusedPrefix;
    }
    const std::string fused = prefix + fusedGates(experts);
    if (experts.stored == Stored::Interleaved) {
        const bool blocks = checkpoint.find(fused + blocksEnding).has_value();
        if (blocks && plan.width % mxfp4Values + experts.width % mxfp4Values != 0)
            throw Error(ErrorKind::Format, fmt::format("{}: {}{}", checkpoint.name(), fused, blocksEnding),
                        fmt::format("holds blocks of {} values, which do not fill rows of {} and {}", mxfp4Values,
                                    plan.width, experts.width),
                        "check that config.json and the weights belong together");
        if (blocks)
            experts.stored = Stored::Mxfp4;
        else if (checkpoint.find(weightOf(prefix + experts.prefix + '.' + experts.first)))
            experts.stored = Stored::Stacked;
        return;
    }
    if (checkpoint.find(weightOf(prefix + experts.prefix + '.' + experts.first)))
        experts.stored = Stored::Stacked;
    if (!checkpoint.find(fused))
        return;
    if (checkpoint.find(apart))
        throw Error(ErrorKind::Format, fmt::format("{}: {}", checkpoint.name(), fused),
                    fmt::format("stands beside {}: the experts are there fused and apart", apart),
                    "save the model again with one of the two");
    experts.stored = Stored::Fused;
}

Weight<Experts> declareExperts(WeightTable& table, const LayerPlan& plan, const std::string& layer)
{
    const ExpertsPlan& own = *plan.experts;
    const auto router = table.linear(layer + own.router, own.count, plan.width, own.routerBias);
    const auto each = declareEach(table, plan, layer);
    std::optional<Weight<Tensor>> correction;
    if (!own.correction.empty())
        correction = table.tensor(layer + own.correction, {own.count});
    return [=, routing = own.routing, count = own.count](WeightReader& reader) -> Experts {
        Linear chooser = router(reader);
        Routing settled = routing;
        if (const auto values = readIf(correction, reader))
            settled.correction.assign(values->values().begin(), values->values().end());
        std::vector<Perceptron> experts;
        for (std::int64_t index = 0; index < count; ++index)
            experts.push_back(each(reader, index));
        return {std::move(chooser), std::move(settled), std::move(experts)};
    };
}

} // namespace attn

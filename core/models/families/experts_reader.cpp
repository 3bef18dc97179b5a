// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/families/layer_reader.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

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

// Values of four bits, times two to the power of their block's scale - 127 (OCP Microscaling, version 1.0).
Tensor fromMxfp4(std::span<const std::byte> blocks, std::span<const std::byte> scales, Shape shape)
{
    constexpr std::array<float, 8> steps{0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
    const auto value = [&](unsigned code) { return code < 8 ? steps[code] : -steps[code - 8]; };
    Tensor result = Tensor::unset(std::move(shape));
    float* written = result.data();
    for (std::size_t block = 0; block < scales.size(); ++block) {
        const float scale = std::ldexp(1.0F, std::to_integer<int>(scales[block]) - 127);
        for (std::size_t i = 0; i < mxfp4Bytes; ++i) {
            const auto byte = std::to_integer<unsigned>(blocks[block * mxfp4Bytes + i]);
            *written++ = value(byte & 0xFU) * scale;
            *written++ = value(byte >> 4U) * scale;
        }
    }
    return result;
}

// Every second row from `first` on, or column where the matrix is [inputs, outputs].
Tensor everySecond(const Tensor& matrix, int first, bool columns)
{
    const NumberView stored = matrix.matrix();
    const int outputs = (columns ? stored.columns : stored.rows) / 2;
    const int inputs = columns ? stored.rows : stored.columns;
    Tensor result = Tensor::unset({outputs, inputs});
    for (int output = 0; output < outputs; ++output) {
        for (int input = 0; input < inputs; ++input) {
            const int place = 2 * output + first;
            result.matrix().at(output, input) = columns ? stored.at(input, place) : stored.at(place, input);
        }
    }
    return result;
}

Tensor transposed(const Tensor& matrix)
{
    const NumberView stored = matrix.matrix();
    Tensor result = Tensor::unset({stored.columns, stored.rows});
    for (int row = 0; row < stored.rows; ++row) {
        for (int column = 0; column < stored.columns; ++column)
            result.matrix().at(column, row) = stored.at(row, column);
    }
    return result;
}

Tensor rowsOf(const Tensor& matrix, Index first, Index count)
{
    return Tensor::of(matrix.matrix().rowRange(first, count));
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
        table.parts(weightOf(name), {own.count, outputs, inputs});
        if (own.bias)
            table.parts(name + ".bias", {own.count, outputs});
        return [name, biased = own.bias](WeightReader& reader, std::int64_t index) {
            const Tensor bias = biased ? reader.part(name + ".bias", index) : Tensor();
            return Linear(reader.engine(), reader.part(weightOf(name), index), bias);
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
    table.parts(gates, {own.count, 2 * std::int64_t{own.width}, plan.width});
    table.parts(second, {own.count, plan.width, own.width});
    return
        [=, width = own.width, activation = plan.activation](WeightReader& reader, std::int64_t index) -> Perceptron {
            const Tensor both = reader.part(gates, index);
            Engine& engine = reader.engine();
            Linear outwards(engine, reader.part(second, index));
            return {Linear(engine, rowsOf(both, width, width)), std::move(outwards),
                    Linear(engine, rowsOf(both, 0, width)), activation};
        };
}

// gpt-oss: gate and other columns in turn, each with a bias.
ExpertReader declareInterleaved(WeightTable& table, const LayerPlan& plan, const std::string& prefix, bool blocks)
{
    const ExpertsPlan& own = *plan.experts;
    // [outputs, inputs] of one expert in blocks, else [inputs, outputs].
    const auto matrix = [&](const std::string& name, std::int64_t outputs, std::int64_t inputs) {
        if (!blocks) {
            table.parts(name, {own.count, inputs, outputs});
            return std::function([name](WeightReader& reader, std::int64_t index) { return reader.part(name, index); });
        }
        const std::int64_t rowBlocks = inputs / mxfp4Values;
        table.packedValues(name + blocksEnding, {own.count, outputs, rowBlocks, mxfp4Bytes});
        table.packedValues(name + scalesEnding, {own.count, outputs, rowBlocks});
        return std::function([=](WeightReader& reader, std::int64_t index) {
            const auto scales = static_cast<std::size_t>(outputs * rowBlocks);
            const auto number = static_cast<std::size_t>(index);
            return fromMxfp4(
                reader.stored(name + blocksEnding).bytes.subspan(number * scales * mxfp4Bytes, scales * mxfp4Bytes),
                reader.stored(name + scalesEnding).bytes.subspan(number * scales, scales), {outputs, inputs});
        });
    };
    const std::string gates = prefix + fusedGates(own);
    const std::string second = prefix + fusedSecond(own);
    const std::int64_t both = 2 * std::int64_t{own.width};
    const auto readGates = matrix(gates, both, plan.width);
    const auto readSecond = matrix(second, plan.width, own.width);
    table.parts(gates + "_bias", {own.count, both});
    table.parts(second + "_bias", {own.count, plan.width});
    return [=, activation = plan.activation, clamped = own.clamped](WeightReader& reader,
                                                                    std::int64_t index) -> Perceptron {
        Engine& engine = reader.engine();
        const Tensor weights = readGates(reader, index);
        const Tensor shifts = reader.part(gates + "_bias", index);
        const auto half = [&](int first) {
            NumberVector<float> own;
            for (std::size_t place = static_cast<std::size_t>(first); place < shifts.size(); place += 2)
                own.push_back(shifts.values()[place]);
            const std::int64_t outputs = std::ssize(own);
            return Linear(engine, everySecond(weights, first, !blocks), Tensor({outputs}, std::move(own)));
        };
        Linear gate = half(0);
        Linear inwards = half(1);
        const Tensor back = readSecond(reader, index);
        return {std::move(inwards),
                Linear(engine, blocks ? back : transposed(back), reader.part(second + "_bias", index)), std::move(gate),
                activation, clamped};
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

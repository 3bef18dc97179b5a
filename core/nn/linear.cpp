// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/linear.h"

#include "base/error.h"
#include "base/half.h"
#include "base/index.h"
#include "nn/linear_products.h"
#include "nn/rounded_inputs.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace attn {

namespace {

WeightMatrix asStored(const Tensor& weight)
{
    return {{DType::F32, weight.shape(), std::as_bytes(weight.values())}, false, 0, weight.dim(0)};
}

double magnitudeOf(std::span<const std::uint16_t> brains)
{
    constexpr std::uint16_t magnitude = 0x7FFF; // that of NaN is the largest
    std::uint16_t largest = 0;
    for (const std::uint16_t value : brains)
        largest = std::max(largest, static_cast<std::uint16_t>(value & magnitude));
    return bfloat16ToFloat(largest);
}

template<class Value>
std::span<const Value> valuesIn(const AlignedBuffer& buffer)
{
    return {reinterpret_cast<const Value*>(buffer.data()), buffer.size() / sizeof(Value)};
}

} // namespace

Linear::Linear(Engine& engine, const Tensor& weight, const Tensor& bias)
    : Linear(engine, asStored(weight), bias)
{
}

Linear::Linear(Engine& engine, const WeightMatrix& weight, const Tensor& bias)
    : m_inputs(static_cast<int>(weight.stored.shape.at(weight.transposed ? 0 : 1)))
    , m_outputs(static_cast<int>(weight.outputs))
    , m_bias(bias)
{
    if (!bias.empty() && std::ssize(bias.values()) != m_outputs)
        throw Error(ErrorKind::Format, "linear layer",
                    fmt::format("{} outputs but {} bias values", m_outputs, bias.size()));
    const DType dtype = weight.stored.dtype;
    if (engine.precision() == Precision::Q8 && valuesPerBlock(dtype) > 1 && !weight.transposed)
        m_roundedBlock = static_cast<int>(valuesPerBlock(dtype));
    const bool stays = weight.owner && canStay(dtype, weight.transposed);
    const Kept kept = stays && !weight.isCopied ? Kept{true, false} : stays ? keptBoth(engine, dtype) : Kept{};
    if (kept.stored)
        m_stored = std::make_unique<const Stored>(Stored{weight.stored, weight.owner, weight.check, storedRows(dtype),
                                                         m_roundedBlock > 0 ? roundedRows(dtype) : nullptr,
                                                         m_roundedBlock > 0 ? roundedPanels(dtype) : nullptr});
    if (!kept.copied)
        return;
    PrimitiveCache& primitives = engine.primitives();
    const ProductTypes types = productTypes(engine.precision(), weight.stored.dtype, weight.outputs);
    const PrimitiveKey oneRow = linearKey(1, 1, m_inputs, m_outputs, !bias.empty(), types);
    Layout layout;
    primitives.guard(oneRow, [&] { layout = preferredWeights(primitives, oneRow, types.weights); });
    AlignedBuffer values(layout.get_size());
    pack(primitives, oneRow, weight, layout, values);
    const bool plain = layout == plainWeights(m_inputs, m_outputs, types.weights);
    const int blocks = plain && types.weights == DataType::f32 ? columnBlocks(m_outputs, primitives.threads()) : 1;
    const bool same = blocks > 1 || (!plain && sameOnAnyTeam(types));
    auto packed = std::make_unique<Packed>();
    packed->layout = layout;
    packed->types = types;
    packed->columnBlocks = blocks;
    packed->sameOnAnyTeam = same;
    packed->values = std::move(values);
    m_packed = std::move(packed);
}

std::size_t Linear::bytesPerWeight(const Engine& engine, DType stored, std::int64_t outputs)
{
    return dnnl::memory::data_type_size(productTypes(engine.precision(), stored, outputs).weights);
}

Linear::Kept Linear::keptBoth(const Engine& engine, DType stored)
{
    const bool rounds = engine.precision() == Precision::Q8 && valuesPerBlock(stored) > 1;
    return {canStay(stored, false) && engine.precision() != Precision::BF16,
            !rounds || roundedPanels(stored) == nullptr};
}

bool Linear::canStay(DType stored, bool transposed)
{
    return !transposed && storedRows(stored) != nullptr;
}

Linear::Linear(Linear&&) noexcept = default;
Linear& Linear::operator=(Linear&&) noexcept = default;
Linear::~Linear() = default;

Tensor Linear::apply(Engine& engine, NumberView input) const
{
    Tensor output = Tensor::unset({input.rows, m_outputs});
    apply(engine, input, output.matrix());
    return output;
}

void Linear::apply(Engine& engine, NumberView input, MutableView output) const
{
    run(engine, input, output, {});
}

Tensor Linear::activated(Engine& engine, NumberView input, Activation activation) const
{
    Tensor output = Tensor::unset({input.rows, m_outputs});
    if (m_packed && (!partsOf(activation).ofNumbersOnly || staysNumbers(input))) {
        run(engine, input, output.matrix(), {false, activation});
    } else {
        apply(engine, input, output.matrix());
        activate(engine, activation, output.values());
    }
    return output;
}

// Whether no sum can overflow or be NaN.
bool Linear::staysNumbers(NumberView input) const
{
    const Packed& packed = *m_packed;
    std::call_once(packed.measured, [&] {
        const bool brains = packed.types.weights == DataType::bf16;
        const std::size_t bytes = brains ? sizeof(std::uint16_t) : sizeof(float);
        const bool padded = packed.values.size() != bytes * m_inputs * m_outputs; // with anything
        packed.largest = padded ? std::numeric_limits<double>::infinity()
            : brains            ? magnitudeOf(valuesIn<std::uint16_t>(packed.values))
                                : magnitudeOf(valuesIn<float>(packed.values));
    });
    const double sum = packed.largest * magnitudeOf(input.values()) * m_inputs + magnitudeOf(m_bias.values());
    return sum < std::numeric_limits<float>::max() / 2; // which NaN is not
}

void Linear::addTo(Engine& engine, NumberView input, MutableView sums) const
{
    run(engine, input, sums, {true, std::nullopt});
}

void Linear::run(Engine& engine, NumberView input, MutableView output, FusedSteps then) const
{
    if (input.rows == 0)
        return;
    if (input.columns != m_inputs || !input.contiguous() || !output.contiguous())
        throw std::logic_error("a linear layer was given rows of another width or with gaps");
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t work = std::int64_t{input.rows} * m_inputs * m_outputs;
    constexpr int fewRows = 4; // widening a panel for them takes longer than multiplying each by itself
    if (m_stored && input.rows <= fewRows) {
        multiplyRows(engine, input, output, work, then);
        return check();
    }
    if (m_stored && m_stored->multiplyPanels != nullptr) {
        multiplyRounded(engine, input, output, work, then);
        return check();
    }
    std::optional<Tensor> rounded;
    if (m_roundedBlock > 0) {
        rounded = roundedRowsOf(input, m_roundedBlock);
        input = rounded->matrix();
    }
    if (!m_packed) {
        multiplyPanels(engine, input, output, then);
        return check();
    }
    if (m_packed->columnBlocks > 1)
        multiplyColumns(primitives, input, output, work, then);
    else
        multiply(primitives, input, output, work, then);
    primitives.count(work, m_packed->values.size());
}

void Linear::multiply(PrimitiveCache& primitives, NumberView input, MutableView output, std::int64_t work,
                      FusedSteps then) const
{
    const int threads = m_packed->sameOnAnyTeam
        ? std::min(primitives.threadsFor(work), packedBlocks(input.rows, m_inputs, m_outputs))
        : primitives.fixedThreadsFor(work);
    PrimitiveKey key = linearKey(threads, input.rows, m_inputs, m_outputs, !m_bias.empty(), m_packed->types);
    describeThen(key, then.adds, then.activation);
    const auto make = [&](const dnnl::engine& cpu, dnnl::primitive_attr attributes) {
        attributes.set_post_ops(inPlace(then.adds, then.activation));
        PrimitiveParts parts = makeProduct(describeProduct(cpu, attributes, key, m_packed->layout));
        if (!m_bias.empty())
            parts.arguments.emplace_back(DNNL_ARG_BIAS, rowMajor({1, m_outputs}));
        return parts;
    };
    std::vector<std::uint16_t> rounded;
    if (m_packed->types.inputs == DataType::bf16) {
        const std::span<const float> values = input.values();
        rounded.resize(values.size());
        std::ranges::transform(values, rounded.begin(), floatToBfloat16);
    }
    std::vector<Argument> arguments{
        {DNNL_ARG_SRC, rounded.empty() ? static_cast<const void*>(input.data) : rounded.data()},
        {DNNL_ARG_WEIGHTS, m_packed->values.data()},
        {DNNL_ARG_DST, output.data}};
    if (!m_bias.empty())
        arguments.push_back({DNNL_ARG_BIAS, m_bias.data()});
    primitives.run(key, make, arguments);
}

void Linear::multiplyColumns(PrimitiveCache& primitives, NumberView input, MutableView output, std::int64_t work,
                             FusedSteps then) const
{
    // Given to such a product, a bias makes oneDNN take its reference kernel, hundreds of times slower.
    for (int row = 0; row < output.rows && !m_bias.empty(); ++row) {
        const std::span<float> values = output.row(row);
        if (then.adds)
            std::ranges::transform(values, m_bias.values(), values.begin(), std::plus<>());
        else
            std::ranges::copy(m_bias.values(), values.begin());
    }
    const bool adds = then.adds || !m_bias.empty();
    const auto part = [&](int first, int blocks, int width) {
        const int threads = blocks > 1 ? primitives.threadsFor(work, blocks) : 1;
        PrimitiveKey key = linearKey(threads, input.rows, m_inputs, m_outputs, false, m_packed->types);
        describeThen(key, adds, then.activation);
        key.values[blocksValue] = blocks;
        key.values[widthValue] = width;
        const auto make = [&](const dnnl::engine& cpu, dnnl::primitive_attr attributes) {
            attributes.set_post_ops(inPlace(adds, then.activation));
            return makeProduct(describeColumns(cpu, attributes, key));
        };
        const std::byte* weights = m_packed->values.data() + sizeof(float) * first * m_inputs;
        primitives.run(key, make,
                       {{DNNL_ARG_SRC, input.data}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, output.data + first}});
    };
    const int blocks = m_packed->columnBlocks;
    const int rest = m_outputs % blocks;
    part(0, blocks, m_outputs / blocks);
    if (rest > 0)
        part(m_outputs - rest, 1, rest);
}

namespace {

bool allZeros(std::span<const float> values)
{
    return std::ranges::all_of(values, [](float one) { return one == 0; });
}

} // namespace

// Rows first .. first+count-1 of W, [count, inputs], in `room` where they are kept in another way.
const std::byte* Linear::unpacked(PrimitiveCache& primitives, int first, int count, AlignedBuffer& room) const
{
    if (m_packed && m_packed->layout == plainWeights(m_inputs, m_outputs, DataType::f32))
        return m_packed->values.data() + sizeof(float) * static_cast<std::size_t>(first) * m_inputs;
    const std::size_t numbers = static_cast<std::size_t>(count) * m_inputs;
    if (room.size() < numbers * sizeof(float))
        room = AlignedBuffer(numbers * sizeof(float));
    if (m_stored) {
        const TensorView& weights = m_stored->weights;
        const std::size_t rowBytes = storedBytes(weights.dtype, m_inputs);
        toFloat32(weights.dtype, weights.bytes.subspan(static_cast<std::size_t>(first) * rowBytes, count * rowBytes),
                  {reinterpret_cast<float*>(room.data()), numbers});
        return room.data();
    }
    PrimitiveKey key = linearKey(primitives.fixedThreadsFor(std::int64_t{count} * m_inputs), first, m_inputs, m_outputs,
                                 false, m_packed->types);
    key.operation = Operation::Reorder;
    key.values[widthValue] = -count; // widths of what is packed are positive
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
        const Layout from = m_packed->layout.submemory_desc({m_inputs, count}, {0, first});
        const Layout to = plainWeights(m_inputs, count, DataType::f32);
        const dnnl::reorder::primitive_desc descriptor(cpu, from, cpu, to, attributes);
        return {dnnl::reorder(descriptor), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}, descriptor.scratchpad_desc()};
    };
    primitives.run(key, make, {{DNNL_ARG_FROM, m_packed->values.data()}, {DNNL_ARG_TO, room.data()}});
    return room.data();
}

void Linear::addGradient(Engine& engine, NumberView gradient, MutableView sums) const
{
    // Rows about which nothing is asked, such as what comes after an explained token, are left out.
    std::vector<Index> asked;
    for (Index row = 0; row < gradient.rows; ++row) {
        if (!allZeros(gradient.row(row)))
            asked.push_back(row);
    }
    if (asked.empty())
        return;
    constexpr Index together = 8; // so that few primitives do
    const Index rows = std::min(gradient.rows, (indexSize(asked) + together - 1) / together * together);
    if (rows == gradient.rows)
        return addGradientOfAll(engine, gradient, sums);
    Tensor some({rows, m_outputs});
    Tensor sumsOfSome({rows, m_inputs});
    for (Index i = 0; i < indexSize(asked); ++i)
        std::ranges::copy(gradient.row(asked[i]), some.matrix().row(i).begin());
    addGradientOfAll(engine, some.matrix(), sumsOfSome.matrix());
    for (Index i = 0; i < indexSize(asked); ++i) {
        const auto sum = sums.row(asked[i]);
        std::ranges::transform(sum, sumsOfSome.matrix().row(i), sum.begin(), std::plus());
    }
}

void Linear::addGradientOfAll(Engine& engine, NumberView gradient, MutableView sums) const
{
    const Index rows = gradient.rows;
    PrimitiveCache& primitives = engine.primitives();
    const auto fitting = static_cast<int>(pieceBytes / (std::int64_t{m_inputs} * 4) / pieceRows * pieceRows);
    const int step = std::max(static_cast<int>(pieceRows), fitting);
    AlignedBuffer room;
    for (int first = 0; first < m_outputs; first += step) {
        const int count = std::min(step, m_outputs - first);
        bool isNothing = true;
        for (Index row = 0; row < rows && isNothing; ++row)
            isNothing = allZeros(gradient.row(row).subspan(first, count));
        if (isNothing)
            continue;
        const std::int64_t work = std::int64_t{rows} * m_inputs * count;
        const PrimitiveKey key{
            Operation::MatMul, primitives.fixedThreadsFor(work), {3, rows, count, m_inputs, m_outputs}};
        const auto make = [&](const dnnl::engine& cpu, dnnl::primitive_attr attributes) {
            attributes.set_post_ops(inPlace(true, {}));
            const Layout source({rows, count}, DataType::f32, Dims{m_outputs, 1});
            return makeProduct(onednn::describe<dnnl::matmul>(cpu, attributes, source, rowMajor({count, m_inputs}),
                                                              rowMajor({rows, m_inputs})));
        };
        const std::byte* const weights = unpacked(primitives, first, count, room);
        primitives.run(key, make,
                       {{DNNL_ARG_SRC, gradient.data + first}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, sums.data}});
        primitives.count(work, sizeof(float) * static_cast<std::size_t>(count) * m_inputs);
    }
    if (m_stored && m_stored->check)
        m_stored->check();
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/linear.h"

#include "base/error.h"
#include "base/half.h"
#include "base/index.h"
#include "nn/primitives.h"
#include "nn/stored_rows.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <limits>
#include <mutex>
#include <omp.h>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace attn {

namespace {

using DataType = dnnl::memory::data_type;
using Dims = dnnl::memory::dims;
using Layout = dnnl::memory::desc;

constexpr std::int64_t pieceBytes = std::int64_t{1} << 24;
constexpr std::int64_t pieceRows = 256; // a multiple of every block that a packed layout has

// Types of the inputs and of the packed weights.
struct ProductTypes
{
    DataType inputs = DataType::f32;
    DataType weights = DataType::f32;
};

DataType dataType(DType stored)
{
    switch (stored) {
    case DType::F16:
        return DataType::f16;
    case DType::BF16:
        return DataType::bf16;
    default:
        return DataType::f32; // widened before
    }
}

ProductTypes productTypes(Precision precision, DType stored, std::int64_t outputs)
{
    if (precision != Precision::BF16)
        return {DataType::f32, onednn::readableWeights(dataType(stored), outputs)};
    const bool rounded = onednn::has(dnnl::cpu_isa::avx512_core);
    return rounded ? ProductTypes{DataType::bf16, DataType::bf16}
                   : ProductTypes{DataType::f32, onednn::readableWeights(DataType::bf16, outputs)};
}

// W^T as the checkpoint stores W: [inputs, outputs], columns contiguous.
Layout plainWeights(std::int64_t inputs, std::int64_t outputs, DataType type)
{
    return {{inputs, outputs}, type, Dims{1, inputs}};
}

// Rows, then what a linear layer is: its key in the cache, without what follows the product.
PrimitiveKey linearKey(int threads, std::int64_t rows, int inputs, int outputs, bool bias, ProductTypes types)
{
    return {Operation::Linear,
            threads,
            {rows, inputs, outputs, bias ? 1 : 0, static_cast<std::int64_t>(types.inputs),
             static_cast<std::int64_t>(types.weights)}};
}

// Fields of a key that follow those: whether the output is added to, the activation after it, and, of
// a product of some columns, how many blocks of what width.
constexpr std::size_t addsValue = 6;
constexpr std::size_t activationValue = 7;
constexpr std::size_t blocksValue = 8;
constexpr std::size_t widthValue = 9;

dnnl::matmul::primitive_desc describeProduct(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                             const PrimitiveKey& key, const Layout& weights)
{
    const auto rows = key.values[0];
    const auto inputs = key.values[1];
    const auto outputs = key.values[2];
    const Layout source({rows, inputs}, static_cast<DataType>(key.values[4]), dnnl::memory::format_tag::ab);
    const Layout destination = rowMajor({rows, outputs});
    if (key.values[3] == 0)
        return onednn::describe<dnnl::matmul>(engine, attributes, source, weights, destination);
    return onednn::describe<dnnl::matmul>(engine, attributes, source, weights, rowMajor({1, outputs}), destination);
}

void describeThen(PrimitiveKey& key, bool adds, std::optional<Activation> activation)
{
    key.values[addsValue] = adds ? 1 : 0;
    key.values[activationValue] = activation ? static_cast<std::int64_t>(*activation) + 1 : 0;
}

// Operations after the product in the same pass.
dnnl::post_ops inPlace(bool adds, std::optional<Activation> activation)
{
    dnnl::post_ops operations;
    if (adds)
        operations.append_sum();
    if (activation) {
        const ActivationParts parts = partsOf(*activation);
        onednn::appendActivation(operations, parts.algorithm, parts.alpha);
    }
    return operations;
}

PrimitiveParts makeProduct(const dnnl::matmul::primitive_desc& descriptor)
{
    return {dnnl::matmul(descriptor),
            {{DNNL_ARG_SRC, descriptor.src_desc()},
             {DNNL_ARG_WEIGHTS, descriptor.weights_desc()},
             {DNNL_ARG_DST, descriptor.dst_desc()}},
            descriptor.scratchpad_desc()};
}

// oneDNN (2.6 and 3.7) has two kernels for these products. That for packed weights adds in the same order on any team
// that has no more threads than there are blocks of outputs; beyond, 3.7 may divide the sums. That for plain weights,
// on processors without AVX-512, does so at any time. It is therefore given the columns in blocks, as a batch of
// products that share their input, which adds in the same order on any team that divides them evenly, and is as fast.
constexpr int leastBlock = 64; // rows or columns
constexpr int longSum = 16384; // from here on blocks of rows count for nothing

bool sameOnAnyTeam(ProductTypes types)
{
    // With AMX (not tried), both versions may divide sums of bfloat16 at any time.
    return types.inputs == DataType::f32 || !onednn::has(dnnl::cpu_isa::avx512_core_amx);
}

int packedBlocks(int rows, int inputs, int outputs)
{
    const int down = inputs < longSum ? std::max(1, rows / leastBlock) : 1;
    return down * std::max(1, outputs / leastBlock);
}

// So many blocks that most threads have something to do, also when others hold some cores.
int columnBlocks(int outputs, int threads)
{
    constexpr int mostOfAThread = 4;
    const auto busy = [=](int blocks) {
        double all = evenTeam(blocks, threads) / 2.0; // half of it counts when no core is taken
        for (int free = 1; free < threads; ++free)
            all += static_cast<double>(evenTeam(blocks, free)) / free;
        const int rest = outputs % blocks; // for one thread
        return all * outputs / (outputs + rest * threads);
    };
    int best = 1;
    for (int blocks = 2; blocks <= std::min(mostOfAThread * threads, outputs / leastBlock); ++blocks) {
        if (busy(blocks) > busy(best) + 1e-9)
            best = blocks;
    }
    return best;
}

// Layout of some columns of plain weights: [blocks, inputs, width].
dnnl::matmul::primitive_desc describeColumns(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                             const PrimitiveKey& key)
{
    const auto rows = key.values[0];
    const auto inputs = key.values[1];
    const auto outputs = key.values[2];
    const auto blocks = key.values[blocksValue];
    const auto width = key.values[widthValue];
    const Layout weights({blocks, inputs, width}, DataType::f32, Dims{width * inputs, 1, inputs});
    const Layout destination({blocks, rows, width}, DataType::f32, Dims{width, outputs, 1});
    return onednn::describe<dnnl::matmul>(engine, attributes, rowMajor({1, rows, inputs}), weights, destination);
}

// The layout that oneDNN prefers; the same for every number of rows. Where it has no packed one, the stored layout is
// as fast.
Layout preferredWeights(const PrimitiveCache& primitives, const PrimitiveKey& key, DataType type)
{
    const auto inputs = key.values[1];
    const auto outputs = key.values[2];
    const Layout any({inputs, outputs}, type, dnnl::memory::format_tag::any);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const Layout chosen = describeProduct(primitives.engine(), attributes, key, any).weights_desc();
    const bool isPlain = chosen == Layout({inputs, outputs}, type, dnnl::memory::format_tag::ab);
    return isPlain ? plainWeights(inputs, outputs, type) : chosen;
}

// Some rows of the stored matrix in a type that oneDNN can reorder into the packed one: themselves or, widened, a copy.
class Piece
{
public:
    Piece(const TensorView& stored, DataType packed)
        : m_stored(stored)
        , m_rowValues(stored.shape.at(1))
        , m_type(dataType(stored.dtype))
    {
        const bool aligned = reinterpret_cast<std::uintptr_t>(stored.bytes.data()) % blockBytes(stored.dtype) == 0;
        m_direct = aligned && (stored.dtype == DType::F32 || (m_type == packed && m_type != DataType::f32));
        if (!m_direct)
            m_type = DataType::f32;
    }

    DataType type() const { return m_type; }
    std::span<const std::byte> bytes(std::int64_t row, std::int64_t rows) const
    {
        return m_stored.bytes.subspan(storedBytes(m_stored.dtype, row * m_rowValues),
                                      storedBytes(m_stored.dtype, rows * m_rowValues));
    }
    const std::byte* values(std::int64_t row, std::int64_t rows)
    {
        if (m_direct)
            return bytes(row, rows).data();
        m_widened.resize(rows * m_rowValues);
        toFloat32(m_stored.dtype, bytes(row, rows), m_widened);
        return std::as_bytes(std::span(m_widened)).data();
    }

private:
    const TensorView& m_stored;
    std::size_t m_rowValues;
    DataType m_type;
    bool m_direct = false;
    std::vector<float> m_widened;
};

// Reorders the weights into `packed`, which `layout` describes. `product` is the key of the layer's products; one
// thread, because memory is what this waits for.
void pack(PrimitiveCache& primitives, const PrimitiveKey& product, const WeightMatrix& weight, const Layout& layout,
          const AlignedBuffer& packed)
{
    const std::int64_t stored = weight.stored.shape.at(0);
    const std::int64_t width = weight.stored.shape.at(1);
    Piece piece(weight.stored, static_cast<DataType>(product.values[5]));
    const auto valueBytes = static_cast<std::int64_t>(dnnl::memory::data_type_size(piece.type()));
    const std::int64_t fitting = pieceBytes / (width * valueBytes) / pieceRows * pieceRows;
    const std::int64_t step = std::max(pieceRows, fitting);
    for (std::int64_t row = 0; row < stored; row += step) {
        const std::int64_t rows = std::min(step, stored - row);
        const Dims sizes = weight.transposed ? Dims{rows, weight.outputs} : Dims{width, rows};
        const Dims strides = weight.transposed ? Dims{width, 1} : Dims{1, width};
        PrimitiveKey key = product;
        key.operation = Operation::Reorder;
        key.values[0] = row;
        key.values[6] = rows;
        key.values[7] = width;
        key.values[8] = weight.transposed ? 1 : 0;
        key.values[9] = static_cast<std::int64_t>(piece.type());
        const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
            const Layout from(sizes, piece.type(), strides);
            const Layout to = layout.submemory_desc(sizes, weight.transposed ? Dims{row, 0} : Dims{0, row});
            const dnnl::reorder::primitive_desc descriptor(cpu, from, cpu, to, attributes);
            return {
                dnnl::reorder(descriptor), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}, descriptor.scratchpad_desc()};
        };
        const std::byte* values = piece.values(row, rows) + weight.first * valueBytes;
        primitives.run(key, make, {{DNNL_ARG_FROM, values}, {DNNL_ARG_TO, packed.data()}});
        if (weight.release)
            weight.release(piece.bytes(row, rows));
    }
}

WeightMatrix asStored(const Tensor& weight)
{
    return {{DType::F32, weight.shape(), std::as_bytes(weight.values())}, false, 0, weight.dim(0)};
}

// The largest of them; NaN where one is.
double magnitudeOf(std::span<const float> values)
{
    if (values.empty())
        return 0;
    const Eigen::Map<const Eigen::ArrayXf> all(values.data(), std::ssize(values));
    return all.abs().maxCoeff<Eigen::PropagateNaN>();
}

double magnitudeOf(std::span<const std::uint16_t> brains)
{
    constexpr std::uint16_t magnitude = 0x7FFF; // that of NaN is the largest
    std::uint16_t largest = 0;
    for (const std::uint16_t value : brains)
        largest = std::max(largest, static_cast<std::uint16_t>(value & magnitude));
    return bfloat16ToFloat(largest);
}

// A row of inputs rounded to 8 bits, with a scale for each block of them.
struct RoundedRow
{
    std::vector<std::int8_t> values;
    std::vector<float> scales;
    std::vector<std::int16_t> sums;

    RoundedView view() const { return {values.data(), scales.data(), sums.data()}; }
};

RoundedRow roundedRow(std::span<const float> input, int block)
{
    constexpr int summed = 16;
    constexpr float most = 127;
    RoundedRow result{std::vector<std::int8_t>(input.size()), {}, std::vector<std::int16_t>(input.size() / summed)};
    for (std::size_t first = 0; first < input.size(); first += static_cast<std::size_t>(block)) {
        const auto values = input.subspan(first, static_cast<std::size_t>(block));
        const auto largest = static_cast<float>(magnitudeOf(values));
        result.scales.push_back(largest / most); // NaN or infinite, it says so of all products
        const float inverse = largest > 0 ? most / largest : 0;
        const std::span<std::int8_t> rounded = std::span(result.values).subspan(first, values.size());
        if (std::isfinite(largest) && std::isfinite(inverse))
            Eigen::Map<Eigen::Array<std::int8_t, Eigen::Dynamic, 1>>(rounded.data(), block) =
                (Eigen::Map<const Eigen::ArrayXf>(values.data(), block) * inverse).rint().cast<std::int8_t>();
        else
            std::ranges::fill(rounded, std::int8_t{1});
    }
    for (std::size_t i = 0; i < result.values.size(); ++i)
        result.sums[i / summed] = static_cast<std::int16_t>(result.sums[i / summed] + result.values[i]);
    return result;
}

// Rows of inputs in panels.
class PanelInputs
{
public:
    PanelInputs(NumberView input, int block, int group)
        : m_inputs(input.columns)
        , m_block(block)
        , m_group(group)
    {
        m_values.resize(panels(input.rows) * static_cast<std::size_t>(m_inputs) / 4);
        m_sums.resize(panels(input.rows) * static_cast<std::size_t>(m_inputs / group));
        m_scales.resize(panels(input.rows) * static_cast<std::size_t>(m_inputs / block));
        for (int row = 0; row < input.rows; ++row)
            put(row, roundedRow(input.row(row), block));
    }
    std::vector<RoundedPanelView> views() const
    {
        std::vector<RoundedPanelView> result;
        for (std::size_t i = 0; i * panelInputs * static_cast<std::size_t>(m_inputs) / 4 < m_values.size(); ++i) {
            const auto at = [&](int each) { return i * panelInputs * static_cast<std::size_t>(m_inputs / each); };
            result.push_back({&m_values[at(4)], &m_sums[at(m_group)], &m_scales[at(m_block)]});
        }
        return result;
    }

private:
    static std::size_t panels(int rows)
    {
        return static_cast<std::size_t>((rows + panelInputs - 1) / panelInputs * panelInputs);
    }
    // Place i of a row, of which there is one for so many inputs.
    std::size_t place(int row, std::size_t i, int each) const
    {
        const auto panel = static_cast<std::size_t>(row / panelInputs);
        return (panel * static_cast<std::size_t>(m_inputs / each) + i) * panelInputs
            + static_cast<std::size_t>(row % panelInputs);
    }
    void put(int row, const RoundedRow& rounded)
    {
        constexpr int together = 4;
        for (std::size_t i = 0; i < rounded.values.size() / together; ++i)
            std::memcpy(&m_values[place(row, i, together)], &rounded.values[i * together], together);
        const std::size_t summed = static_cast<std::size_t>(m_group) / 16;
        for (std::size_t i = 0; i < rounded.sums.size(); ++i)
            m_sums[place(row, i / summed, m_group)] += rounded.sums[i];
        for (std::size_t i = 0; i < rounded.scales.size(); ++i)
            m_scales[place(row, i, m_block)] = rounded.scales[i];
    }

    int m_inputs;
    int m_block;
    int m_group;
    std::vector<std::uint32_t> m_values;
    std::vector<std::int32_t> m_sums;
    std::vector<float> m_scales;
};

// The same as numbers.
Tensor roundedRowsOf(NumberView input, int block)
{
    Tensor result = Tensor::unset({input.rows, input.columns});
    for (Index row = 0; row < input.rows; ++row) {
        const RoundedRow rounded = roundedRow(input.row(row), block);
        const auto to = result.matrix().row(row);
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = static_cast<float>(rounded.values[i]) * rounded.scales[i / static_cast<std::size_t>(block)];
    }
    return result;
}

bool allZeros(std::span<const float> values)
{
    return std::ranges::all_of(values, [](float one) { return one == 0; });
}

template<class Value>
std::span<const Value> valuesIn(const AlignedBuffer& buffer)
{
    return {reinterpret_cast<const Value*>(buffer.data()), buffer.size() / sizeof(Value)};
}

} // namespace

struct Linear::Packed
{
    Layout layout;
    ProductTypes types;
    int columnBlocks = 1; // of plain float32 weights
    bool sameOnAnyTeam = false;
    AlignedBuffer values;
    mutable std::once_flag measured;
    mutable double largest = 0; // magnitude, once it is measured
};

struct Linear::Stored
{
    TensorView weights;
    std::shared_ptr<const void> owner;
    std::function<void()> check;
    StoredRows multiply = nullptr;
    RoundedRows multiplyRounded = nullptr; // null: what is rounded is multiplied as any other input
    RoundedPanels multiplyPanels = nullptr; // likewise, of many rows
};

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
    const bool isCopied = weight.isCopied || !weight.owner || !canStay(dtype, weight.transposed);
    if (weight.owner && canStay(dtype, weight.transposed) && !(isCopied && engine.precision() == Precision::BF16))
        m_stored = std::make_unique<const Stored>(Stored{weight.stored, weight.owner, weight.check, storedRows(dtype),
                                                         m_roundedBlock > 0 ? roundedRows(dtype) : nullptr,
                                                         m_roundedBlock > 0 ? roundedPanels(dtype) : nullptr});
    if (!isCopied || (m_stored && m_stored->multiplyPanels != nullptr))
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

void Linear::run(Engine& engine, NumberView input, MutableView output, Then then) const
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
                      Then then) const
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

void Linear::multiplyRows(Engine& engine, NumberView input, MutableView output, std::int64_t work, Then then) const
{
    constexpr int chunk = 32; // outputs
    const TensorView& weights = m_stored->weights;
    const std::size_t rowBytes = storedBytes(weights.dtype, m_inputs);
    const int chunks = (m_outputs + chunk - 1) / chunk;
    std::vector<RoundedRow> rounded;
    std::optional<Tensor> numbers; // of what is rounded
    if (m_roundedBlock > 0 && m_stored->multiplyRounded != nullptr) {
        for (int row = 0; row < input.rows; ++row)
            rounded.push_back(roundedRow(input.row(row), m_roundedBlock));
    } else if (m_roundedBlock > 0) {
        numbers = roundedRowsOf(input, m_roundedBlock);
        input = numbers->matrix();
    }
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey key{Operation::Linear, primitives.threadsFor(work), {input.rows, m_inputs, m_outputs}};
    primitives.guard(key, [&] {
#pragma omp parallel for schedule(static)
        for (int part = 0; part < chunks * input.rows; ++part) {
            const int row = part % input.rows;
            const int first = part / input.rows * chunk;
            const int count = std::min(chunk, m_outputs - first);
            const std::byte* const rows = weights.bytes.data() + static_cast<std::size_t>(first) * rowBytes;
            float products[chunk];
            if (rounded.empty())
                m_stored->multiply(rows, rowBytes, count, m_inputs, input.row(row).data(), products);
            else
                m_stored->multiplyRounded(rows, rowBytes, count, m_inputs,
                                          rounded[static_cast<std::size_t>(row)].view(), products);
            put({products, static_cast<std::size_t>(count)}, first, then, output.row(row));
        }
    });
    primitives.count(work, weights.bytes.size());
    for (int row = 0; row < output.rows && then.activation; ++row)
        activate(engine, *then.activation, output.row(row));
}

// Whole numbers, many rows.
void Linear::multiplyRounded(Engine& engine, NumberView input, MutableView output, std::int64_t work, Then then) const
{
    const TensorView& weights = m_stored->weights;
    const std::size_t rowBytes = storedBytes(weights.dtype, m_inputs);
    const int panels = (m_outputs + panelOutputs - 1) / panelOutputs;
    const PanelInputs inputs(input, m_roundedBlock, panelGroup(weights.dtype));
    const std::vector<RoundedPanelView> views = inputs.views();
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey key{Operation::Linear, primitives.threadsFor(work), {input.rows, m_inputs, m_outputs}};
    const std::size_t roomBytes =
        (panelRoom(m_inputs) + views.size() * panelInputs * panelOutputs * sizeof(float) + 63) / 64 * 64;
    const AlignedBuffer rooms(roomBytes * static_cast<std::size_t>(key.threads));
    primitives.guard(key, [&] {
#pragma omp parallel for schedule(static)
        for (int panel = 0; panel < panels; ++panel) {
            const int first = panel * panelOutputs;
            const int count = std::min(panelOutputs, m_outputs - first);
            const std::byte* const rows = weights.bytes.data() + static_cast<std::size_t>(first) * rowBytes;
            std::byte* const room = rooms.data() + static_cast<std::size_t>(omp_get_thread_num()) * roomBytes;
            auto* const products = reinterpret_cast<float*>(room + panelRoom(m_inputs));
            m_stored->multiplyPanels(rows, rowBytes, count, m_inputs, views, room, products);
            for (int row = 0; row < input.rows; ++row)
                put({products + row * panelOutputs, static_cast<std::size_t>(count)}, first, then, output.row(row));
        }
    });
    primitives.count(work, weights.bytes.size());
    for (int row = 0; row < output.rows && then.activation; ++row)
        activate(engine, *then.activation, output.row(row));
}

// Products of some outputs into their row, with the bias.
void Linear::put(std::span<const float> products, int first, Then then, std::span<float> row) const
{
    for (int i = 0; i < indexSize(products); ++i) {
        float& target = row[static_cast<std::size_t>(first + i)];
        const float shifted = m_bias.empty() ? products[i] : products[i] + m_bias.data()[first + i];
        target = then.adds ? shifted + target : shifted;
    }
}

// Some outputs after the other, whose weights are widened for this product.
void Linear::multiplyPanels(Engine& engine, NumberView input, MutableView output, Then then) const
{
    constexpr std::int64_t panelBytes = std::int64_t{8} << 20;
    constexpr std::int64_t panelBlock = 256; // a multiple of every block that a packed layout has
    const TensorView& weights = m_stored->weights;
    const std::size_t rowBytes = storedBytes(weights.dtype, m_inputs);
    const std::int64_t fitting = panelBytes / (std::int64_t{m_inputs} * 4) / panelBlock * panelBlock;
    const std::int64_t step = std::max(panelBlock, fitting);
    for (std::int64_t first = 0; first < m_outputs; first += step) {
        const std::int64_t count = std::min(step, m_outputs - first);
        const auto bytes = weights.bytes.subspan(static_cast<std::size_t>(first) * rowBytes,
                                                 static_cast<std::size_t>(count) * rowBytes);
        const auto own = m_bias.empty() ? std::span<const float>{} : m_bias.values().subspan(first, count);
        const Tensor bias = own.empty() ? Tensor() : Tensor({count}, {own.begin(), own.end()});
        Linear panel(engine, WeightMatrix{{weights.dtype, {count, m_inputs}, bytes}, false, 0, count}, bias);
        panel.m_roundedBlock = 0; // the input is, already
        const Tensor products = panel.apply(engine, input);
        for (int row = 0; row < input.rows; ++row) {
            const auto from = products.matrix().row(row);
            const auto to = output.row(row).subspan(static_cast<std::size_t>(first), from.size());
            if (then.adds)
                std::ranges::transform(from, to, to.begin(), std::plus());
            else
                std::ranges::copy(from, to.begin());
        }
    }
    for (int row = 0; row < output.rows && then.activation; ++row)
        activate(engine, *then.activation, output.row(row));
}

void Linear::check() const
{
    if (m_stored->check)
        m_stored->check();
}

void Linear::multiplyColumns(PrimitiveCache& primitives, NumberView input, MutableView output, std::int64_t work,
                             Then then) const
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

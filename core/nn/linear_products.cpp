// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/linear_products.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace attn {

namespace {

constexpr int leastBlock = 64; // rows or columns
constexpr int longSum = 16384; // from here on blocks of rows count for nothing

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

} // namespace

ProductTypes productTypes(Precision precision, DType stored, std::int64_t outputs)
{
    if (precision != Precision::BF16)
        return {DataType::f32, onednn::readableWeights(dataType(stored), outputs)};
    const bool rounded = onednn::has(dnnl::cpu_isa::avx512_core);
    return rounded ? ProductTypes{DataType::bf16, DataType::bf16}
                   : ProductTypes{DataType::f32, onednn::readableWeights(DataType::bf16, outputs)};
}

Layout plainWeights(std::int64_t inputs, std::int64_t outputs, DataType type)
{
    return {{inputs, outputs}, type, Dims{1, inputs}};
}

PrimitiveKey linearKey(int threads, std::int64_t rows, int inputs, int outputs, bool bias, ProductTypes types)
{
    return {Operation::Linear,
            threads,
            {rows, inputs, outputs, bias ? 1 : 0, static_cast<std::int64_t>(types.inputs),
             static_cast<std::int64_t>(types.weights)}};
}

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

} // namespace attn

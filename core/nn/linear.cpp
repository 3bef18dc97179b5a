// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/linear.h"

#include "base/error.h"
#include "base/half.h"
#include "nn/aligned_buffer.h"
#include "nn/primitives.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>

namespace attn {

struct Linear::Packed
{
    dnnl::memory::desc layout;
    AlignedBuffer values;
};

namespace {

using DataType = dnnl::memory::data_type;
using Dims = dnnl::memory::dims;
using Layout = dnnl::memory::desc;

// W^T as the checkpoint stores W: [inputs, outputs], columns contiguous.
Layout plainWeights(int inputs, int outputs)
{
    return {{inputs, outputs}, dnnl::memory::data_type::f32, Dims{1, inputs}};
}

// Rows, then what a linear layer is: its key in the cache.
PrimitiveKey linearKey(int threads, std::int64_t rows, int inputs, int outputs, bool bias, Precision precision)
{
    return {Operation::Linear, threads, {rows, inputs, outputs, bias ? 1 : 0, precision == Precision::BF16 ? 1 : 0}};
}

DataType dataType(const PrimitiveKey& key)
{
    return key.values[4] == 0 ? DataType::f32 : DataType::bf16;
}

dnnl::matmul::primitive_desc describeProduct(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                             const PrimitiveKey& key, const Layout& weights)
{
    const auto rows = key.values[0];
    const auto inputs = key.values[1];
    const auto outputs = key.values[2];
    const Layout source({rows, inputs}, dataType(key), dnnl::memory::format_tag::ab);
    const Layout destination = rowMajor({rows, outputs});
    if (key.values[3] == 0)
        return onednn::describe<dnnl::matmul>(engine, attributes, source, weights, destination);
    return onednn::describe<dnnl::matmul>(engine, attributes, source, weights, rowMajor({1, outputs}), destination);
}

// The layout that oneDNN prefers; the same for every number of rows. Where it has no packed one, the stored layout is
// as fast and needs no other copy.
Layout preferredWeights(const PrimitiveCache& primitives, const PrimitiveKey& key)
{
    const int inputs = static_cast<int>(key.values[1]);
    const int outputs = static_cast<int>(key.values[2]);
    const Layout any({inputs, outputs}, dataType(key), dnnl::memory::format_tag::any);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const Layout chosen = describeProduct(primitives.engine(), attributes, key, any).weights_desc();
    return chosen == rowMajor({inputs, outputs}) ? plainWeights(inputs, outputs) : chosen;
}

} // namespace

Linear::Linear(Engine& engine, const Tensor& weight, const Tensor& bias)
    : m_inputs(static_cast<int>(weight.dim(1)))
    , m_outputs(static_cast<int>(weight.dim(0)))
    , m_precision(engine.precision())
    , m_bias(bias)
{
    if (!bias.empty() && bias.size() != static_cast<std::size_t>(m_outputs))
        throw Error(ErrorKind::Format, "linear layer",
                    fmt::format("{} outputs but {} bias values", m_outputs, bias.size()));
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey oneRow = linearKey(1, 1, m_inputs, m_outputs, !bias.empty(), m_precision);
    const Layout plain = plainWeights(m_inputs, m_outputs);
    Layout layout;
    primitives.guard(oneRow, [&] { layout = preferredWeights(primitives, oneRow); });

    AlignedBuffer values(layout.get_size());
    if (layout == plain) {
        std::memcpy(values.data(), weight.data(), weight.size() * sizeof(float));
    } else {
        PrimitiveKey key = oneRow;
        key.operation = Operation::Reorder;
        const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
            const dnnl::reorder::primitive_desc descriptor(cpu, plain, cpu, layout, attributes);
            return {dnnl::reorder(descriptor),
                    {{DNNL_ARG_FROM, plain}, {DNNL_ARG_TO, layout}},
                    descriptor.scratchpad_desc()};
        };
        primitives.run(key, make, {{DNNL_ARG_FROM, weight.data()}, {DNNL_ARG_TO, values.data()}});
    }
    m_packed = std::make_unique<const Packed>(Packed{layout, std::move(values)});
}

Linear::Linear(Linear&&) noexcept = default;
Linear& Linear::operator=(Linear&&) noexcept = default;
Linear::~Linear() = default;

Tensor Linear::apply(Engine& engine, MatrixView input) const
{
    Tensor output({input.rows, m_outputs});
    apply(engine, input, output.data());
    return output;
}

void Linear::apply(Engine& engine, MatrixView input, float* output) const
{
    if (input.rows == 0)
        return;
    if (input.columns != m_inputs)
        throw std::logic_error("a linear layer was given rows of another width");
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t work = std::int64_t{input.rows} * m_inputs * m_outputs;
    const PrimitiveKey key =
        linearKey(primitives.threadsFor(work), input.rows, m_inputs, m_outputs, !m_bias.empty(), m_precision);
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
        const auto descriptor = describeProduct(cpu, attributes, key, m_packed->layout);
        PrimitiveParts parts{dnnl::matmul(descriptor),
                             {{DNNL_ARG_SRC, descriptor.src_desc()},
                              {DNNL_ARG_WEIGHTS, descriptor.weights_desc()},
                              {DNNL_ARG_DST, descriptor.dst_desc()}},
                             descriptor.scratchpad_desc()};
        if (!m_bias.empty())
            parts.arguments.emplace_back(DNNL_ARG_BIAS, descriptor.bias_desc());
        return parts;
    };
    std::vector<std::uint16_t> rounded;
    if (m_precision == Precision::BF16) {
        const std::span<const float> values(input.data,
                                            static_cast<std::size_t>(input.rows) * static_cast<std::size_t>(m_inputs));
        rounded.resize(values.size());
        std::ranges::transform(values, rounded.begin(), floatToBfloat16);
    }
    const Argument source{DNNL_ARG_SRC, rounded.empty() ? static_cast<const void*>(input.data) : rounded.data()};
    const Argument weights{DNNL_ARG_WEIGHTS, m_packed->values.data()};
    const Argument destination{DNNL_ARG_DST, output};
    if (m_bias.empty())
        primitives.run(key, make, {source, weights, destination});
    else
        primitives.run(key, make, {source, weights, {DNNL_ARG_BIAS, m_bias.data()}, destination});
}

} // namespace attn

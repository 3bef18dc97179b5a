// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/convolution.h"

#include "nn/primitives.h"

#include <string_view>
#include <utility>

namespace attn {

namespace {

using ConvolutionDims = dnnl::memory::dims;

PrimitiveParts makeConvolution(const ConvolutionShape& shape, Index height, Index width, const dnnl::engine& cpu,
                               const dnnl::primitive_attr& attributes)
{
    const Index rows = shape.rowsOf(height);
    const Index columns = shape.columnsOf(width);
    const auto source = rowMajor({1, shape.inputs, height, width});
    const auto weights = rowMajor(
        {shape.groups, shape.outputs / shape.groups, shape.inputs / shape.groups, shape.kernelRows(), shape.kernel});
    const auto bias = rowMajor({shape.outputs});
    const auto result = rowMajor({1, shape.outputs, rows, columns});
    const ConvolutionDims strides{shape.rowStride(), shape.stride};
    const ConvolutionDims before{shape.rowPadding(), shape.padding};
    // oneDNN subtracts what is missing at the end from what was padded there.
    const ConvolutionDims behind{(rows - 1) * shape.rowStride() + shape.kernelRows() - height - shape.rowPadding(),
                                 (columns - 1) * shape.stride + shape.kernel - width - shape.padding};
    auto descriptor = onednn::describe<dnnl::convolution_forward>(cpu, attributes, dnnl::prop_kind::forward_inference,
                                                                  dnnl::algorithm::convolution_direct, source, weights,
                                                                  bias, result, strides, before, behind);
    // oneDNN 3.7 offers its reference code for this layout before a matrix product, which is far faster.
    while (std::string_view(descriptor.impl_info_str()).find("ref") != std::string_view::npos
           && descriptor.next_impl()) { }
    return {dnnl::convolution_forward(descriptor),
            {{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_BIAS, bias}, {DNNL_ARG_DST, result}},
            descriptor.scratchpad_desc()};
}

} // namespace

Convolution::Convolution(const ConvolutionShape& shape, Tensor weight, Tensor bias)
    : m_shape(shape)
    , m_weight(std::move(weight))
    , m_bias(bias.empty() ? Tensor({shape.outputs}) : std::move(bias))
{
}

Numbers Convolution::apply(Engine& engine, NumberView input) const
{
    const Index rows = m_shape.rowsOf(input.rows);
    const Index columns = m_shape.columnsOf(input.columns);
    Numbers result = Numbers::unset(m_shape.outputs, rows, columns);
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t work = std::int64_t{rows} * columns * m_shape.outputs * (m_shape.inputs / m_shape.groups)
        * m_shape.kernelRows() * m_shape.kernel;
    const PrimitiveKey key{Operation::Convolution,
                           primitives.fixedThreadsFor(work),
                           {m_shape.inputs, m_shape.outputs, m_shape.kernel, m_shape.stride, m_shape.padding,
                            m_shape.groups, m_shape.flat ? 1 : 0, input.rows, input.columns}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        return makeConvolution(m_shape, input.rows, input.columns, cpu, attributes);
    };
    primitives.run(key, make,
                   {{DNNL_ARG_SRC, input.data},
                    {DNNL_ARG_WEIGHTS, m_weight.data()},
                    {DNNL_ARG_BIAS, m_bias.data()},
                    {DNNL_ARG_DST, result.values.data()}});
    primitives.count(work, m_weight.size() * sizeof(float));
    return result;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/matmul.h"

#include "nn/primitives.h"

#include <bit>

namespace attn {

namespace {

using Dims = dnnl::memory::dims;
using Layout = dnnl::memory::desc;

constexpr auto anySize = DNNL_RUNTIME_DIM_VAL;
constexpr auto f32 = dnnl::memory::data_type::f32;

// [heads, rows, width] and [heads, width, rows] of rows in which the heads lie side by side.
Layout headRows(HeadShape shape, std::int64_t rows, int stride)
{
    return {{shape.heads, rows, shape.width}, f32, Dims{shape.width, stride, 1}};
}

Layout transposedHeadRows(HeadShape shape, std::int64_t rows, int stride)
{
    return {{shape.heads, shape.width, rows}, f32, Dims{shape.width, 1, stride}};
}

// [heads, rows, columns], contiguous.
Layout maps(HeadShape shape, std::int64_t rows, std::int64_t columns)
{
    return {{shape.heads, rows, columns}, f32, Dims{rows * columns, columns, 1}};
}

Layout anyMaps(HeadShape shape)
{
    return {{shape.heads, anySize, anySize}, f32, Dims{anySize, anySize, 1}};
}

PrimitiveParts makeProduct(const Layout& source, const Layout& weights, const Layout& destination, float scale,
                           dnnl::primitive_attr attributes, const dnnl::engine& cpu)
{
    if (scale != 1.0F)
        attributes.set_output_scales(0, {scale});
    const dnnl::matmul::primitive_desc descriptor(dnnl::matmul::desc(source, weights, destination), attributes, cpu);
    return {dnnl::matmul(descriptor), {}, descriptor.scratchpad_desc()};
}

std::int64_t multiplyAdds(HeadShape shape, int rows, int columns)
{
    return std::int64_t{shape.heads} * shape.width * rows * columns;
}

} // namespace

void queryKeyProduct(Engine& engine, HeadShape shape, HeadRows queries, HeadRows keys, float scale, float* scores)
{
    if (queries.rows == 0 || keys.rows == 0)
        return;
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey key{
        Operation::MatMul,
        primitives.threadsFor(multiplyAdds(shape, queries.rows, keys.rows)),
        {1, shape.heads, shape.width, queries.stride, keys.stride, std::bit_cast<std::int32_t>(scale)}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        return makeProduct(headRows(shape, anySize, queries.stride), transposedHeadRows(shape, anySize, keys.stride),
                           anyMaps(shape), scale, attributes, cpu);
    };
    const Layout source = headRows(shape, queries.rows, queries.stride);
    const Layout weights = transposedHeadRows(shape, keys.rows, keys.stride);
    const Layout destination = maps(shape, queries.rows, keys.rows);
    primitives.run(key, make,
                   {{DNNL_ARG_SRC, queries.data, &source},
                    {DNNL_ARG_WEIGHTS, keys.data, &weights},
                    {DNNL_ARG_DST, scores, &destination}});
}

void weightedSum(Engine& engine, HeadShape shape, const float* weights, int rows, HeadRows values, float* context,
                 int stride)
{
    if (rows == 0 || values.rows == 0)
        return;
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey key{Operation::MatMul,
                           primitives.threadsFor(multiplyAdds(shape, rows, values.rows)),
                           {2, shape.heads, shape.width, values.stride, stride}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        return makeProduct(anyMaps(shape), headRows(shape, anySize, values.stride), headRows(shape, anySize, stride),
                           1.0F, attributes, cpu);
    };
    const Layout source = maps(shape, rows, values.rows);
    const Layout valueRows = headRows(shape, values.rows, values.stride);
    const Layout destination = headRows(shape, rows, stride);
    primitives.run(key, make,
                   {{DNNL_ARG_SRC, weights, &source},
                    {DNNL_ARG_WEIGHTS, values.data, &valueRows},
                    {DNNL_ARG_DST, context, &destination}});
}

} // namespace attn

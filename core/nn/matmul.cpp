// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/matmul.h"

#include "nn/primitives.h"

#include <bit>
#include <cstddef>

namespace attn {

namespace {

using Dims = dnnl::memory::dims;
using MatmulLayout = dnnl::memory::desc;

constexpr auto anySize = DNNL_RUNTIME_DIM_VAL;
constexpr auto f32 = dnnl::memory::data_type::f32;

// Of the query heads that share keys and values the first, the second ... of every group make a batch of their own, so
// that nothing is repeated in memory. `step`: features or maps from one head of a batch to the next.

// [heads, rows, width] and [heads, width, rows] of rows in which the heads lie side by side.
MatmulLayout headRows(HeadShape shape, std::int64_t rows, int stride, int step)
{
    return {{shape.keyValueHeads(), rows, shape.width}, f32, Dims{std::int64_t{step} * shape.width, stride, 1}};
}

MatmulLayout transposedHeadRows(HeadShape shape, std::int64_t rows, int stride)
{
    return {{shape.keyValueHeads(), shape.width, rows}, f32, Dims{shape.width, 1, stride}};
}

// [heads, rows, columns].
MatmulLayout maps(HeadShape shape, std::int64_t rows, std::int64_t columns)
{
    return {{shape.keyValueHeads(), rows, columns}, f32, Dims{shape.sharing * rows * columns, columns, 1}};
}

MatmulLayout anyMaps(HeadShape shape)
{
    return {{shape.keyValueHeads(), anySize, anySize}, f32, Dims{anySize, anySize, 1}};
}

std::size_t mapOffset(int head, int rows, int columns)
{
    return static_cast<std::size_t>(head) * static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

PrimitiveParts makeProduct(const MatmulLayout& source, const MatmulLayout& weights, const MatmulLayout& destination,
                           float scale, dnnl::primitive_attr attributes, const dnnl::engine& cpu)
{
    if (scale != 1.0F)
        onednn::scaleOutput(attributes, scale);
    const auto descriptor = onednn::describe<dnnl::matmul>(cpu, attributes, source, weights, destination);
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
        {1, shape.heads, shape.width, queries.stride, keys.stride, std::bit_cast<std::int32_t>(scale), shape.sharing}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        return makeProduct(headRows(shape, anySize, queries.stride, shape.sharing),
                           transposedHeadRows(shape, anySize, keys.stride), anyMaps(shape), scale, attributes, cpu);
    };
    const MatmulLayout source = headRows(shape, queries.rows, queries.stride, shape.sharing);
    const MatmulLayout weights = transposedHeadRows(shape, keys.rows, keys.stride);
    const MatmulLayout destination = maps(shape, queries.rows, keys.rows);
    for (int member = 0; member < shape.sharing; ++member)
        primitives.run(key, make,
                       {{DNNL_ARG_SRC, queries.data + std::ptrdiff_t{member} * shape.width, &source},
                        {DNNL_ARG_WEIGHTS, keys.data, &weights},
                        {DNNL_ARG_DST, scores + mapOffset(member, queries.rows, keys.rows), &destination}});
}

void weightedSum(Engine& engine, HeadShape shape, const float* weights, int rows, HeadRows values, float* context,
                 int stride)
{
    if (rows == 0 || values.rows == 0)
        return;
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey key{Operation::MatMul,
                           primitives.threadsFor(multiplyAdds(shape, rows, values.rows)),
                           {2, shape.heads, shape.width, values.stride, stride, shape.sharing}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        return makeProduct(anyMaps(shape), headRows(shape, anySize, values.stride, 1),
                           headRows(shape, anySize, stride, shape.sharing), 1.0F, attributes, cpu);
    };
    const MatmulLayout source = maps(shape, rows, values.rows);
    const MatmulLayout valueRows = headRows(shape, values.rows, values.stride, 1);
    const MatmulLayout destination = headRows(shape, rows, stride, shape.sharing);
    for (int member = 0; member < shape.sharing; ++member)
        primitives.run(key, make,
                       {{DNNL_ARG_SRC, weights + mapOffset(member, rows, values.rows), &source},
                        {DNNL_ARG_WEIGHTS, values.data, &valueRows},
                        {DNNL_ARG_DST, context + std::ptrdiff_t{member} * shape.width, &destination}});
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/matmul.h"

#include "nn/primitives.h"

#include <bit>
#include <cstdint>

namespace attn {

namespace {

using Dims = dnnl::memory::dims;
using MatmulLayout = dnnl::memory::desc;

constexpr auto anySize = DNNL_RUNTIME_DIM_VAL;
constexpr auto f32 = dnnl::memory::data_type::f32;

// The first, the second ... query head of every group that shares keys and values make a batch of their own, so
// that nothing is repeated in memory. `step`: heads from one of a batch to the next.

// One head has no next, so that its rows may grow without a new primitive.
std::int64_t headStride(NumberView view)
{
    return view.heads == 1 ? view.columns : view.headStride;
}

// [batch, rows, columns].
MatmulLayout batch(NumberView view, int step)
{
    return {{view.heads / step, view.rows, view.columns}, f32, Dims{step * headStride(view), view.rowStride, 1}};
}

// The same for any number of rows.
MatmulLayout anyRows(NumberView view, int step)
{
    return {{view.heads / step, anySize, view.columns}, f32, Dims{step * headStride(view), view.rowStride, 1}};
}

// [batch, columns, rows].
MatmulLayout transposed(NumberView view, std::int64_t rows)
{
    return {{view.heads, view.columns, rows}, f32, Dims{headStride(view), 1, view.rowStride}};
}

// [batch, any, any].
MatmulLayout anyMaps(int heads)
{
    return {{heads, anySize, anySize}, f32, Dims{anySize, anySize, 1}};
}

PrimitiveParts makeProduct(const MatmulLayout& source, const MatmulLayout& weights, const MatmulLayout& destination,
                           float scale, dnnl::primitive_attr attributes, const dnnl::engine& cpu)
{
    if (scale != 1.0F)
        onednn::scaleOutput(attributes, scale);
    const auto descriptor = onednn::describe<dnnl::matmul>(cpu, attributes, source, weights, destination);
    return {dnnl::matmul(descriptor), {}, descriptor.scratchpad_desc()};
}

} // namespace

void queryKeyProduct(Engine& engine, NumberView queries, NumberView keys, float scale, MutableView scores)
{
    if (scores.empty())
        return;
    const int sharing = queries.heads / keys.heads;
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t work = std::int64_t{queries.heads} * queries.columns * queries.rows * keys.rows;
    const PrimitiveKey key{Operation::MatMul,
                           primitives.threadsFor(work, keys.heads),
                           {1, queries.heads, queries.columns, headStride(queries), queries.rowStride, headStride(keys),
                            keys.rowStride, std::bit_cast<std::int32_t>(scale), sharing}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        return makeProduct(anyRows(queries, sharing), transposed(keys, anySize), anyMaps(keys.heads), scale, attributes,
                           cpu);
    };
    const MatmulLayout source = batch(queries, sharing);
    const MatmulLayout weights = transposed(keys, keys.rows);
    const MatmulLayout destination = batch(scores, sharing);
    for (int member = 0; member < sharing; ++member)
        primitives.run(key, make,
                       {{DNNL_ARG_SRC, queries.head(member).data, &source},
                        {DNNL_ARG_WEIGHTS, keys.data, &weights},
                        {DNNL_ARG_DST, scores.head(member).data, &destination}});
    primitives.count(work);
}

void weightedSum(Engine& engine, NumberView weights, NumberView values, MutableView context)
{
    if (weights.empty())
        return;
    const int sharing = weights.heads / values.heads;
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t work = std::int64_t{weights.heads} * values.columns * weights.rows * values.rows;
    const PrimitiveKey key{Operation::MatMul,
                           primitives.threadsFor(work, values.heads),
                           {2, weights.heads, values.columns, headStride(values), values.rowStride, headStride(context),
                            context.rowStride, sharing}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        return makeProduct(anyMaps(values.heads), anyRows(values, 1), anyRows(context, sharing), 1.0F, attributes, cpu);
    };
    const MatmulLayout source = batch(weights, sharing);
    const MatmulLayout valueRows = batch(values, 1);
    const MatmulLayout destination = batch(context, sharing);
    for (int member = 0; member < sharing; ++member)
        primitives.run(key, make,
                       {{DNNL_ARG_SRC, weights.head(member).data, &source},
                        {DNNL_ARG_WEIGHTS, values.data, &valueRows},
                        {DNNL_ARG_DST, context.head(member).data, &destination}});
    primitives.count(work);
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "nn/linear.h"
#include "nn/linear_products.h"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace attn {

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

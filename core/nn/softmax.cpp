// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/softmax.h"

#include "nn/primitives.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

namespace attn {

namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();
constexpr unsigned narrowest = 64;

bool fullyMasked(std::span<const float> row)
{
    return std::ranges::all_of(row, [](float score) { return score == minusInfinity; });
}

void runPrimitive(Engine& engine, float* values, std::int64_t rows, std::int64_t columns)
{
    PrimitiveCache& primitives = engine.primitives();
    const PrimitiveKey key{Operation::Softmax, primitives.threadsFor(rows * columns), {rows, columns}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
        const auto layout = rowMajor({rows, columns});
        const auto descriptor = onednn::describeSoftmax(cpu, attributes, layout, 1);
        return {dnnl::softmax_forward(descriptor),
                {{DNNL_ARG_SRC, layout}, {DNNL_ARG_DST, layout}},
                descriptor.scratchpad_desc()};
    };
    primitives.run(key, make, {{DNNL_ARG_SRC, values}, {DNNL_ARG_DST, values}});
}

void runPadded(Engine& engine, MutableView rows)
{
    const auto padded = static_cast<Index>(std::bit_ceil(std::max(static_cast<unsigned>(rows.columns), narrowest)));
    std::vector<float> wide(static_cast<std::size_t>(std::ptrdiff_t{rows.rows} * padded), minusInfinity);
    const MutableView table(wide.data(), rows.rows, padded);
    for (Index row = 0; row < rows.rows; ++row)
        std::ranges::copy(rows.row(row), table.row(row).begin());
    runPrimitive(engine, wide.data(), rows.rows, padded);
    for (Index row = 0; row < rows.rows; ++row)
        std::ranges::copy(table.row(row).first(rows.columns), rows.row(row).begin());
}

} // namespace

void softmax(Engine& engine, MutableView maps, SoftmaxWidth width)
{
    if (maps.empty())
        return;
    const MutableView rows(maps.values().data(), maps.heads * maps.rows, maps.columns);
    std::vector<Index> masked; // oneDNN would turn them into NaN
    for (Index row = 0; row < rows.rows; ++row) {
        if (fullyMasked(rows.row(row)))
            masked.push_back(row);
    }
    for (const Index row : masked)
        std::ranges::fill(rows.row(row), 0.0F);
    if (width == SoftmaxWidth::Growing)
        runPadded(engine, rows);
    else
        runPrimitive(engine, rows.data, rows.rows, rows.columns);
    for (const Index row : masked)
        std::ranges::fill(rows.row(row), 0.0F);
}

} // namespace attn

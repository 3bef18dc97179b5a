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
constexpr std::size_t narrowest = 64;

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

void runPadded(Engine& engine, std::span<float> values, std::size_t columns)
{
    const std::size_t padded = std::bit_ceil(std::max(columns, narrowest));
    const std::size_t rows = values.size() / columns;
    std::vector<float> wide(rows * padded, minusInfinity);
    for (std::size_t row = 0; row < rows; ++row)
        std::ranges::copy(values.subspan(row * columns, columns), wide.data() + row * padded);
    runPrimitive(engine, wide.data(), static_cast<std::int64_t>(rows), static_cast<std::int64_t>(padded));
    for (std::size_t row = 0; row < rows; ++row)
        std::copy_n(wide.data() + row * padded, columns, values.data() + row * columns);
}

} // namespace

void softmax(Engine& engine, std::span<float> values, int columns, SoftmaxWidth width)
{
    if (values.empty())
        return;
    const auto count = static_cast<std::size_t>(columns);
    const std::size_t rows = values.size() / count;
    std::vector<std::span<float>> masked; // oneDNN would turn them into NaN
    for (std::size_t row = 0; row < rows; ++row) {
        const auto scores = values.subspan(row * count, count);
        if (fullyMasked(scores))
            masked.push_back(scores);
    }
    for (const auto& row : masked)
        std::ranges::fill(row, 0.0F);
    if (width == SoftmaxWidth::Growing)
        runPadded(engine, values, count);
    else
        runPrimitive(engine, values.data(), static_cast<std::int64_t>(rows), columns);
    for (const auto& row : masked)
        std::ranges::fill(row, 0.0F);
}

} // namespace attn

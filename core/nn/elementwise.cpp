// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/elementwise.h"

#include "nn/primitives.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <utility>

namespace attn {

namespace {

PrimitiveParts makeBinary(dnnl::algorithm algorithm, const dnnl::memory::desc& left, const dnnl::memory::desc& right,
                          const dnnl::memory::desc& result, const dnnl::engine& cpu,
                          const dnnl::primitive_attr& attributes)
{
    const auto descriptor = onednn::describe<dnnl::binary>(cpu, attributes, algorithm, left, right, result);
    return {dnnl::binary(descriptor),
            {{DNNL_ARG_SRC_0, left}, {DNNL_ARG_SRC_1, right}, {DNNL_ARG_DST, result}},
            descriptor.scratchpad_desc()};
}

// left = left op right. `kind` tells the operations apart in the key.
void combine(Engine& engine, dnnl::algorithm algorithm, std::int64_t kind, std::span<float> left,
             std::span<const float> right)
{
    if (left.empty())
        return;
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t count = std::ssize(left);
    const PrimitiveKey key{Operation::Binary, primitives.threadsFor(count), {kind, count}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        const auto layout = rowMajor({1, count});
        return makeBinary(algorithm, layout, layout, layout, cpu, attributes);
    };
    primitives.run(key, make,
                   {{DNNL_ARG_SRC_0, left.data()}, {DNNL_ARG_SRC_1, right.data()}, {DNNL_ARG_DST, left.data()}});
}

constexpr std::int64_t activationCost = 8; // of a number, in multiply-adds of a product

constexpr std::array<std::pair<std::string_view, Activation>, 12> names{{
    {"relu", Activation::Relu},
    {"swish", Activation::Swish},
    {"silu", Activation::Swish},
    {"gelu", Activation::Gelu},
    {"gelu_python", Activation::Gelu},
    {"gelu_new", Activation::GeluTanh},
    {"gelu_fast", Activation::GeluTanh},
    {"gelu_pytorch_tanh", Activation::GeluTanh},
    {"tanh", Activation::Tanh},
    {"sigmoid", Activation::Sigmoid},
    {"logistic", Activation::Sigmoid},
    {"quick_gelu", Activation::QuickGelu},
}};

// The one of them that oneDNN has for numbers only. Without the pragma compilers branch on each sign.
void rectify(std::span<float> values)
{
    float* const data = values.data();
    const std::size_t count = values.size();
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i)
        data[i] = data[i] < 0 ? 0 : data[i];
}

} // namespace

ActivationParts partsOf(Activation activation)
{
    switch (activation) {
    case Activation::Relu:
        return {dnnl::algorithm::eltwise_relu, 0.0F, true};
    case Activation::Swish:
        return {dnnl::algorithm::eltwise_swish, 1.0F};
    case Activation::QuickGelu:
        return {dnnl::algorithm::eltwise_swish, 1.702F};
    case Activation::Gelu:
        return {dnnl::algorithm::eltwise_gelu_erf};
    case Activation::GeluTanh:
        return {dnnl::algorithm::eltwise_gelu_tanh};
    case Activation::Tanh:
        return {dnnl::algorithm::eltwise_tanh};
    case Activation::Sigmoid:
        return {dnnl::algorithm::eltwise_logistic};
    }
    return {};
}

void capped(Engine& engine, std::span<float> values, float cap)
{
    std::ranges::transform(values, values.begin(), [cap](float value) { return value / cap; });
    activate(engine, Activation::Tanh, values);
    std::ranges::transform(values, values.begin(), [cap](float value) { return value * cap; });
}

void add(Engine& engine, std::span<float> left, std::span<const float> right)
{
    combine(engine, dnnl::algorithm::binary_add, 1, left, right);
}

void multiply(Engine& engine, std::span<float> left, std::span<const float> right)
{
    combine(engine, dnnl::algorithm::binary_mul, 3, left, right);
}

void addToRows(Engine& engine, NumberView vectors, NumberView matrix, MutableView sums)
{
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t groups = vectors.rows;
    const std::int64_t rows = matrix.rows;
    const std::int64_t width = matrix.columns;
    const PrimitiveKey key{Operation::Binary, primitives.threadsFor(groups * rows * width), {2, groups, rows, width}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) {
        const auto sum = rowMajor({groups, rows, width});
        return makeBinary(dnnl::algorithm::binary_add, sum, rowMajor({groups, 1, width}), sum, cpu, attributes);
    };
    // The first operand has to be the full one, so it is laid out in the result and summed in place.
    for (Index group = 0; group < sums.heads; ++group)
        std::ranges::copy(matrix.values(), sums.head(group).data);
    primitives.run(key, make, {{DNNL_ARG_SRC_0, sums.data}, {DNNL_ARG_SRC_1, vectors.data}, {DNNL_ARG_DST, sums.data}});
}

std::optional<Activation> activationByName(std::string_view name)
{
    for (const auto& [known, activation] : names) {
        if (known == name)
            return activation;
    }
    return std::nullopt;
}

void activate(Engine& engine, Activation activation, std::span<float> values)
{
    if (values.empty())
        return;
    const ActivationParts parts = partsOf(activation);
    if (parts.ofNumbersOnly)
        return rectify(values);
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t count = std::ssize(values);
    const PrimitiveKey key{Operation::Activation,
                           primitives.threadsFor(count * activationCost),
                           {count, static_cast<std::int64_t>(activation)}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
        const auto layout = rowMajor({count});
        const auto descriptor = onednn::describeActivation(cpu, attributes, parts.algorithm, layout, parts.alpha);
        return {dnnl::eltwise_forward(descriptor),
                {{DNNL_ARG_SRC, layout}, {DNNL_ARG_DST, layout}},
                descriptor.scratchpad_desc()};
    };
    primitives.run(key, make, {{DNNL_ARG_SRC, values.data()}, {DNNL_ARG_DST, values.data()}});
}

void activateGradient(Engine& engine, Activation activation, std::span<const float> input, std::span<float> gradient)
{
    if (input.empty())
        return;
    const ActivationParts parts = partsOf(activation);
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t count = std::ssize(input);
    const PrimitiveKey key{Operation::ActivationGradient,
                           primitives.threadsFor(count * activationCost),
                           {count, static_cast<std::int64_t>(activation)}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
        const auto layout = rowMajor({count});
        const auto descriptor =
            onednn::describeActivationGradient(cpu, attributes, parts.algorithm, layout, parts.alpha);
        return {dnnl::eltwise_backward(descriptor),
                {{DNNL_ARG_SRC, layout}, {DNNL_ARG_DIFF_DST, layout}, {DNNL_ARG_DIFF_SRC, layout}},
                descriptor.scratchpad_desc()};
    };
    primitives.run(
        key, make,
        {{DNNL_ARG_SRC, input.data()}, {DNNL_ARG_DIFF_DST, gradient.data()}, {DNNL_ARG_DIFF_SRC, gradient.data()}});
}

} // namespace attn

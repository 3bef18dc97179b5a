// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/activation.h"

#include "nn/primitives.h"

#include <array>
#include <iterator>
#include <utility>

namespace attn {

namespace {

dnnl::algorithm algorithmOf(Activation activation)
{
    switch (activation) {
    case Activation::Relu:
        return dnnl::algorithm::eltwise_relu;
    case Activation::Swish:
        return dnnl::algorithm::eltwise_swish;
    case Activation::Gelu:
        return dnnl::algorithm::eltwise_gelu_erf;
    case Activation::GeluTanh:
        return dnnl::algorithm::eltwise_gelu_tanh;
    case Activation::Tanh:
        return dnnl::algorithm::eltwise_tanh;
    case Activation::Sigmoid:
        return dnnl::algorithm::eltwise_logistic;
    }
    return dnnl::algorithm::undef;
}

constexpr std::array<std::pair<std::string_view, Activation>, 11> names{{
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
}};

} // namespace

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
    PrimitiveCache& primitives = engine.primitives();
    const std::int64_t count = std::ssize(values);
    const PrimitiveKey key{
        Operation::Activation, primitives.threadsFor(count), {count, static_cast<std::int64_t>(activation)}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
        const auto layout = rowMajor({count});
        const float alpha = activation == Activation::Swish ? 1.0F : 0.0F;
        const auto descriptor = onednn::describeActivation(cpu, attributes, algorithmOf(activation), layout, alpha);
        return {dnnl::eltwise_forward(descriptor),
                {{DNNL_ARG_SRC, layout}, {DNNL_ARG_DST, layout}},
                descriptor.scratchpad_desc()};
    };
    primitives.run(key, make, {{DNNL_ARG_SRC, values.data()}, {DNNL_ARG_DST, values.data()}});
}

} // namespace attn

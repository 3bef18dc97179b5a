// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to core/nn: oneDNN, and the whole difference between its interfaces 2.x (from 2.6) and 3.x. In 3.x a
// primitive is described by its operands, in 2.x by an operation descriptor made of them, and where it works in place
// its one layout is given twice or once.
//
// 3.7 beside 2.6, one core with AVX-512, the least of 15 times: products and softmax take as long (0.8 to 1.1 times),
// layer norm is 1.3 to 1.6 and exact GELU 1.5 times as fast, single steps of GRU and LSTM are as fast or up to 30 %
// slower. Nothing but readableWeights() below depends on it.

#include <oneapi/dnnl/dnnl.hpp>

namespace attn::onednn {

// Whether the processor has all of these instructions, of which a value is a set of bits.
inline bool has(dnnl::cpu_isa instructions)
{
    const auto wanted = static_cast<unsigned>(instructions);
    return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & wanted) == wanted;
}

template<typename Primitive, typename... Operands>
typename Primitive::primitive_desc describe(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                            const Operands&... operands)
{
#if DNNL_VERSION_MAJOR >= 3
    return {engine, operands..., attributes};
#else
    return {typename Primitive::desc(operands...), attributes, engine};
#endif
}

inline auto describeSoftmax(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                            const dnnl::memory::desc& layout, int axis)
{
    constexpr auto inference = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
    return describe<dnnl::softmax_forward>(engine, attributes, inference, dnnl::algorithm::softmax_accurate, layout,
                                           layout, axis);
#else
    return describe<dnnl::softmax_forward>(engine, attributes, inference, layout, axis);
#endif
}

inline auto describeLayerNorm(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                              const dnnl::memory::desc& layout, float epsilon, dnnl::normalization_flags flags)
{
    constexpr auto inference = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
    return describe<dnnl::layer_normalization_forward>(engine, attributes, inference, layout, layout, epsilon, flags);
#else
    return describe<dnnl::layer_normalization_forward>(engine, attributes, inference, layout, epsilon, flags);
#endif
}

inline auto describeActivation(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                               dnnl::algorithm algorithm, const dnnl::memory::desc& layout, float alpha)
{
    constexpr auto inference = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR >= 3
    return describe<dnnl::eltwise_forward>(engine, attributes, inference, algorithm, layout, layout, alpha, 0.0F);
#else
    return describe<dnnl::eltwise_forward>(engine, attributes, inference, algorithm, layout, alpha, 0.0F);
#endif
}

inline auto describeActivationGradient(const dnnl::engine& engine, const dnnl::primitive_attr& attributes,
                                       dnnl::algorithm algorithm, const dnnl::memory::desc& layout, float alpha)
{
    constexpr auto training = dnnl::prop_kind::forward_training;
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::eltwise_forward::primitive_desc forward(engine, training, algorithm, layout, layout, alpha, 0.0F);
    return dnnl::eltwise_backward::primitive_desc(engine, algorithm, layout, layout, layout, alpha, 0.0F, forward,
                                                  attributes);
#else
    const dnnl::eltwise_forward::primitive_desc forward({training, algorithm, layout, alpha, 0.0F}, engine);
    return dnnl::eltwise_backward::primitive_desc({algorithm, layout, layout, alpha, 0.0F}, attributes, engine,
                                                  forward);
#endif
}

constexpr dnnl::memory::dim vectorValues = 8; // of AVX2

// The type of the weights that a product of float32 inputs can read in place of float32, for those stored as `stored`:
// bf16 costs half the memory, and the sums are the same, but where the processor multiplies bf16: there 3.7 rounds the
// inputs, too. Its reorder packs f16 value by value, many times slower, and with AVX2 it has a kernel for whole vectors
// of outputs only; 2.6 has no such product.
inline dnnl::memory::data_type readableWeights([[maybe_unused]] dnnl::memory::data_type stored,
                                               [[maybe_unused]] dnnl::memory::dim outputs)
{
#if DNNL_VERSION_MAJOR > 3 || (DNNL_VERSION_MAJOR == 3 && DNNL_VERSION_MINOR >= 7)
    const bool kernel = has(dnnl::cpu_isa::avx512_core) || (has(dnnl::cpu_isa::avx2) && outputs % vectorValues == 0);
    if (stored == dnnl::memory::data_type::bf16 && kernel && !has(dnnl::cpu_isa::avx512_core_bf16))
        return stored;
#endif
    return dnnl::memory::data_type::f32;
}

inline void appendActivation(dnnl::post_ops& after, dnnl::algorithm algorithm, float alpha)
{
#if DNNL_VERSION_MAJOR >= 3
    after.append_eltwise(algorithm, alpha, 0.0F);
#else
    after.append_eltwise(1.0F, algorithm, alpha, 0.0F);
#endif
}

// Every output of a matrix product times `scale`.
inline void scaleOutput(dnnl::primitive_attr& attributes, float scale)
{
#if DNNL_VERSION_MAJOR >= 3
    dnnl::post_ops after;
    after.append_eltwise(dnnl::algorithm::eltwise_linear, scale, 0.0F);
    attributes.set_post_ops(after);
#else
    attributes.set_output_scales(0, {scale});
#endif
}

} // namespace attn::onednn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/normalization.h"

#include "nn/primitives.h"

#include <bit>
#include <utility>

namespace attn {

LayerNorm::LayerNorm(Tensor scale, Tensor shift, float epsilon)
    : m_scale(std::move(scale))
    , m_shift(std::move(shift))
    , m_epsilon(epsilon)
{
}

void LayerNorm::apply(Engine& engine, Tensor& values) const
{
    if (values.empty())
        return;
    PrimitiveCache& primitives = engine.primitives();
    const auto width = static_cast<std::int64_t>(m_scale.size());
    const auto rows = static_cast<std::int64_t>(values.size()) / width;
    const PrimitiveKey key{Operation::LayerNorm,
                           primitives.threadsFor(rows * width),
                           {rows, width, std::bit_cast<std::int32_t>(m_epsilon)}};
    const auto make = [&](const dnnl::engine& cpu, const dnnl::primitive_attr& attributes) -> PrimitiveParts {
        const auto layout = rowMajor({rows, width});
        const auto vector = rowMajor({width});
        const dnnl::layer_normalization_forward::primitive_desc descriptor(
            dnnl::layer_normalization_forward::desc(dnnl::prop_kind::forward_inference, layout, m_epsilon,
                                                    dnnl::normalization_flags::use_scale
                                                        | dnnl::normalization_flags::use_shift),
            attributes, cpu);
        return {dnnl::layer_normalization_forward(descriptor),
                {{DNNL_ARG_SRC, layout}, {DNNL_ARG_DST, layout}, {DNNL_ARG_SCALE, vector}, {DNNL_ARG_SHIFT, vector}},
                descriptor.scratchpad_desc()};
    };
    primitives.run(key, make,
                   {{DNNL_ARG_SRC, values.data()},
                    {DNNL_ARG_DST, values.data()},
                    {DNNL_ARG_SCALE, m_scale.data()},
                    {DNNL_ARG_SHIFT, m_shift.data()}});
}

} // namespace attn

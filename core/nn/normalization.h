// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/tensor.h"

namespace attn {

// Layer normalisation over the last axis (Ba et al. 2016): (x - mean) / sqrt(variance + epsilon) * scale + shift.
class LayerNorm
{
public:
    // scale, shift: [width].
    LayerNorm(Tensor scale, Tensor shift, float epsilon);

    // values: [rows, width], in place.
    void apply(Engine& engine, Tensor& values) const;

private:
    Tensor m_scale;
    Tensor m_shift;
    float m_epsilon;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/tensor.h"

#include <memory>

namespace attn {

// y = x W^T + b. The weights are copied once, into the layout that is fastest on this processor.
class Linear
{
public:
    // weight: [outputs, inputs]; bias: [outputs] or empty.
    Linear(Engine& engine, const Tensor& weight, const Tensor& bias = {});
    Linear(Linear&&) noexcept;
    Linear& operator=(Linear&&) noexcept;
    ~Linear();

    int inputs() const { return m_inputs; }
    int outputs() const { return m_outputs; }

    // input: [rows, inputs]. Returns [rows, outputs].
    Tensor apply(Engine& engine, MatrixView input) const;
    // As above into `output`, which has room for rows * outputs.
    void apply(Engine& engine, MatrixView input, float* output) const;

private:
    struct Packed;

    int m_inputs;
    int m_outputs;
    Precision m_precision;
    Tensor m_bias;
    std::unique_ptr<const Packed> m_packed;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/number_view.h"
#include "tensor/tensor.h"

namespace attn {

// Rows and columns that a window of `kernel` leaves of `size`, moved by `stride` over what is padded at both ends; less
// than 1: none.
constexpr Index windowsIn(Index size, Index kernel, Index stride, Index padding)
{
    return size + 2 * padding < kernel ? 0 : (size + 2 * padding - kernel) / stride + 1;
}

// How a square kernel moves over a picture; outside are zeros.
struct ConvolutionShape
{
    Index inputs = 1; // channels
    Index outputs = 1;
    Index kernel = 1;
    Index stride = 1;
    Index padding = 0;
    Index groups = 1; // of channels, which do not see one another
};

// A convolution over rows and columns.
class Convolution
{
public:
    // weight: [outputs, inputs / groups, kernel, kernel]; bias: [outputs] or empty.
    Convolution(const ConvolutionShape& shape, Tensor weight, Tensor bias);

    // input: [inputs, height, width] without gaps. Returns [outputs, height', width'].
    Numbers apply(Engine& engine, NumberView input) const;

private:
    ConvolutionShape m_shape;
    Tensor m_weight;
    Tensor m_bias; // zeros where the layer has none
};

} // namespace attn

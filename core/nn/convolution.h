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

// Manner in which a square kernel moves over a picture; outside are zeros.
struct ConvolutionShape
{
    Index inputs = 1; // channels
    Index outputs = 1;
    Index kernel = 1;
    Index stride = 1;
    Index padding = 0;
    Index groups = 1; // of channels, which do not see one another
    bool flat = false; // the kernel has one row, moves along rows and pads nothing above and below

    Index kernelRows() const { return flat ? 1 : kernel; }
    Index rowStride() const { return flat ? 1 : stride; }
    Index rowPadding() const { return flat ? 0 : padding; }
    // Rows and columns of what is made of so many.
    Index rowsOf(Index rows) const { return windowsIn(rows, kernelRows(), rowStride(), rowPadding()); }
    Index columnsOf(Index columns) const { return windowsIn(columns, kernel, stride, padding); }
};

// A convolution over rows and columns.
class Convolution
{
public:
    // weight: [outputs, inputs / groups, kernel rows, kernel]; bias: [outputs] or empty.
    Convolution(const ConvolutionShape& shape, Tensor weight, Tensor bias);

    const ConvolutionShape& shape() const { return m_shape; }
    // input: [inputs, height, width] without gaps. Returns [outputs, height', width'].
    Numbers apply(Engine& engine, NumberView input) const;

private:
    ConvolutionShape m_shape;
    Tensor m_weight;
    Tensor m_bias; // zeros where the layer has none
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/dtype.h"
#include "tensor/tensor.h"

#include <cstddef>
#include <span>

namespace attn {

// A stored array inside a mapped file: little-endian, contiguous, row-major, not necessarily aligned. The number of
// bytes has been checked against shape and dtype.
struct TensorView
{
    DType dtype = DType::F32;
    Shape shape;
    std::span<const std::byte> bytes;
};

// Widens f32, f16, bf16 or q8_0 (f64 is narrowed) to a float32 tensor. Throws Error{Unsupported} for other types.
Tensor toFloat32(const TensorView& view);
// The same for any run of stored values (whole blocks) into as many floats.
void toFloat32(DType dtype, std::span<const std::byte> stored, std::span<float> values);

} // namespace attn

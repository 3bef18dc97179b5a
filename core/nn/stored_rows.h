// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor_view.h"

#include <cstddef>
#include <cstdint>

namespace attn {

// y[o] = sum over i of w[o, i] x[i] for `count` stored rows of `inputs` weights, `rowBytes` apart. Each weight is
// widened to the float32 that toFloat32 gives; the sums run in one order for all types, 64 side by side.
using StoredRows = void (*)(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs,
                            const float* x, float* y);

// The product for rows of a type on this processor, with AVX-512 or AVX2 where it has them; null: there is none.
StoredRows storedRows(DType type);

// A row of inputs rounded to 8 bits: values times the scale of their block, which is as long as the weights' is.
struct RoundedView
{
    const std::int8_t* values = nullptr; // -127 to 127
    const float* scales = nullptr;
    const std::int16_t* sums = nullptr; // of sixteen values each
};

// The same products with such inputs, in whole numbers within a block.
using RoundedRows = void (*)(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs,
                             RoundedView x, float* y);
RoundedRows roundedRows(DType type); // likewise

} // namespace attn

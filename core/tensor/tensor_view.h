// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace attn {

// Other: a type that is not read.
enum class DType : std::uint8_t { F32, F16, BF16, F64, I64, I32, I16, I8, U8, Bool, Q8_0, Other };

// Values that are stored together: q8_0 holds 32 signed bytes behind one f16 scale.
constexpr std::size_t valuesPerBlock(DType type)
{
    return type == DType::Q8_0 ? 32 : 1;
}

// Bytes of one value, or of one block of them.
constexpr std::size_t blockBytes(DType type)
{
    switch (type) {
    case DType::Q8_0:
        return 34;
    case DType::F64:
    case DType::I64:
        return 8;
    case DType::F32:
    case DType::I32:
        return 4;
    case DType::F16:
    case DType::BF16:
    case DType::I16:
        return 2;
    default:
        return 1;
    }
}

// Bytes of `values` values, a multiple of valuesPerBlock; the caller has checked that the product does not overflow.
constexpr std::size_t storedBytes(DType type, std::size_t values)
{
    return values / valuesPerBlock(type) * blockBytes(type);
}

// "f32", "bf16", ...
std::string_view name(DType type);

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

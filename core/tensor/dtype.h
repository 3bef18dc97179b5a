// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
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

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace attn {

// IEEE 754 binary16, exact, subnormals, infinities and NaN included.
constexpr float halfToFloat(std::uint16_t half)
{
    const std::uint32_t sign = (half & 0x8000U) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1FU;
    const std::uint32_t fraction = half & 0x3FFU;
    if (exponent == 0x1F)
        return std::bit_cast<float>(sign | 0x7F800000U | (fraction << 13));
    if (exponent != 0)
        return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
    if (fraction == 0)
        return std::bit_cast<float>(sign);
    const auto shift = static_cast<std::uint32_t>(std::countl_zero(fraction)) - 21; // to bring the leading 1 to bit 10
    return std::bit_cast<float>(sign | ((113 - shift) << 23) | (((fraction << shift) & 0x3FFU) << 13));
}

// bfloat16: the upper half of a float.
constexpr float bfloat16ToFloat(std::uint16_t stored)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(stored) << 16);
}

// Rounds to nearest, ties to even.
constexpr std::uint16_t floatToBfloat16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

// Whole arrays; `stored` holds two little-endian bytes per value and need not be aligned.
void halfToFloat(std::span<const std::byte> stored, std::span<float> values);
void bfloat16ToFloat(std::span<const std::byte> stored, std::span<float> values);

// Numbers that the matrix products of linear layers are computed in. BF16: weights and, with AVX-512, inputs rounded to
// bfloat16, sums in float32; everything else stays float32, without AVX-512 also layers that do not fill vectors.
// Q8: inputs of layers whose weights are stored in blocks are rounded to 8 bits for each block, as llama.cpp does.
enum class Precision : std::uint8_t { F32, BF16, Q8 };

} // namespace attn

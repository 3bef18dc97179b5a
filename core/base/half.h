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

// To nearest, ties to even; beyond the largest half to infinity.
constexpr std::uint16_t floatToHalf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude > 0x7F800000U) // NaN stays NaN
        return static_cast<std::uint16_t>(sign | 0x7E00U | ((magnitude >> 13) & 0x3FFU));
    if (magnitude >= 0x477FF000U)
        return static_cast<std::uint16_t>(sign | 0x7C00U);
    if (magnitude >= 0x38800000U) {
        const std::uint32_t rounded = magnitude + 0xFFFU + ((magnitude >> 13) & 1U);
        return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13));
    }
    if (magnitude < 0x33000000U)
        return static_cast<std::uint16_t>(sign);
    const std::uint32_t shift = 126 - (magnitude >> 23); // 14 .. 24
    const std::uint32_t fraction = (magnitude & 0x7FFFFFU) | 0x800000U;
    const std::uint32_t half = fraction >> shift;
    const std::uint32_t rest = fraction & ((1U << shift) - 1);
    const std::uint32_t middle = 1U << (shift - 1);
    return static_cast<std::uint16_t>(sign | (half + (rest > middle || (rest == middle && (half & 1U) != 0) ? 1 : 0)));
}

// bfloat16: the upper half of a float.
constexpr float bfloat16ToFloat(std::uint16_t stored)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(stored) << 16);
}

// To nearest, ties to even.
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

} // namespace attn

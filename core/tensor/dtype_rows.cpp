// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/half.h"
#include "tensor/block_values.h"
#include "tensor/tensor.h"

#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

namespace attn {

namespace {

// Writes the values of a block.
struct Written
{
    float* values = nullptr;

    void operator()(int first, blocks::Levels levels, float d) const
    {
        for (int i = 0; i < 16; ++i)
            values[first + i] = d * static_cast<float>(levels[i]);
    }
    void operator()(int first, blocks::Levels levels, float d, float m) const
    {
        for (int i = 0; i < 16; ++i)
            values[first + i] = d * static_cast<float>(levels[i]) + m;
    }
    template<class... Scale>
    void low(int first, blocks::Bytes bytes, blocks::Levels table, Scale... scale) const
    {
        (*this)(first, blocks::lookedUp(blocks::low(bytes), table), scale...);
    }
    template<class... Scale>
    void high(int first, blocks::Bytes bytes, blocks::Levels table, Scale... scale) const
    {
        (*this)(first, blocks::lookedUp(blocks::high(bytes), table), scale...);
    }
};

template<class Block>
void widenBlocks(const std::byte* stored, float* values, std::size_t count)
{
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(stored);
    Written written{values};
    for (std::size_t i = 0; i < count / Block::values; ++i, written.values += Block::values)
        Block::read(bytes + i * Block::bytes, written);
}

template<class Block>
constexpr DTypeRow blocksOf(DType type, std::string_view name)
{
    return {type, name, Block::values, Block::bytes, widenBlocks<Block>};
}

void widenF32(const std::byte* stored, float* values, std::size_t count)
{
    std::memcpy(values, stored, count * sizeof(float));
}

void widenF16(const std::byte* stored, float* values, std::size_t count)
{
    halfToFloat({stored, 2 * count}, {values, count});
}

void widenBf16(const std::byte* stored, float* values, std::size_t count)
{
    bfloat16ToFloat({stored, 2 * count}, {values, count});
}

void narrowF64(const std::byte* stored, float* values, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        double value = 0;
        std::memcpy(&value, stored + i * sizeof value, sizeof value);
        values[i] = static_cast<float>(value);
    }
}

// The upper byte of an f16.
void widenF8E5m2(const std::byte* stored, float* values, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        values[i] = halfToFloat(static_cast<std::uint16_t>(std::to_integer<unsigned>(stored[i]) << 8));
}

// Exponents as small as an f16's, without infinities.
void widenF8E4m3(const std::byte* stored, float* values, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        const auto bits = std::to_integer<unsigned>(stored[i]);
        const unsigned exponent = bits >> 3 & 15U;
        const auto fraction = static_cast<float>(bits & 7U);
        float value =
            exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8 + fraction, static_cast<int>(exponent) - 10);
        if ((bits & 0x7FU) == 0x7FU)
            value = std::numeric_limits<float>::quiet_NaN();
        values[i] = std::copysign(value, (bits & 0x80U) != 0 ? -1.0F : 1.0F);
    }
}

constexpr DTypeRow rows[] = {
    {DType::F32, "f32", 1, 4, widenF32},
    {DType::F16, "f16", 1, 2, widenF16},
    {DType::BF16, "bf16", 1, 2, widenBf16},
    {DType::F64, "f64", 1, 8, narrowF64},
    {DType::F8_E4M3, "f8_e4m3", 1, 1, widenF8E4m3},
    {DType::F8_E5M2, "f8_e5m2", 1, 1, widenF8E5m2},
    {DType::I64, "i64", 1, 8},
    {DType::I32, "i32", 1, 4},
    {DType::I16, "i16", 1, 2},
    {DType::I8, "i8"},
    {DType::U8, "u8"},
    {DType::Bool, "bool"},
    blocksOf<blocks::Q8_0>(DType::Q8_0, "q8_0"),
    blocksOf<blocks::Q4_0>(DType::Q4_0, "q4_0"),
    blocksOf<blocks::Q4_1>(DType::Q4_1, "q4_1"),
    blocksOf<blocks::Q5_0>(DType::Q5_0, "q5_0"),
    blocksOf<blocks::Q5_1>(DType::Q5_1, "q5_1"),
    blocksOf<blocks::Q2_K>(DType::Q2_K, "q2_k"),
    blocksOf<blocks::Q3_K>(DType::Q3_K, "q3_k"),
    blocksOf<blocks::Q4_K>(DType::Q4_K, "q4_k"),
    blocksOf<blocks::Q5_K>(DType::Q5_K, "q5_k"),
    blocksOf<blocks::Q6_K>(DType::Q6_K, "q6_k"),
    blocksOf<blocks::IQ4_NL>(DType::IQ4_NL, "iq4_nl"),
    blocksOf<blocks::IQ4_XS>(DType::IQ4_XS, "iq4_xs"),
    blocksOf<blocks::MXFP4>(DType::MXFP4, "mxfp4"),
    {},
};

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < std::size(rows); ++i)
        if (rows[i].type != static_cast<DType>(i))
            return false;
    return true;
}
static_assert(isInOrder());

} // namespace

const DTypeRow& rowOf(DType type)
{
    return rows[static_cast<std::size_t>(type)];
}

} // namespace attn

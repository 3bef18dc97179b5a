// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace attn {

// Q8_0 to MXFP4: ggml's blocks of quantised values. Other: a type that is not read.
enum class DType : std::uint8_t {
    F32,
    F16,
    BF16,
    F64,
    F8_E4M3,
    F8_E5M2,
    I64,
    I32,
    I16,
    I8,
    U8,
    Bool,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    IQ4_NL,
    IQ4_XS,
    MXFP4,
    Other
};

struct DTypeRow
{
    DType type = DType::Other;
    std::string_view name = "other"; // "f32", "bf16", ...
    std::size_t values = 1; // stored together
    std::size_t bytes = 1; // of those
    // Widens `count` values, whole blocks, exactly; null for what is no weight.
    void (*widen)(const std::byte* stored, float* values, std::size_t count) = nullptr;
};

const DTypeRow& rowOf(DType type);

// Values that are stored together: q8_0 holds 32 signed bytes behind one f16 scale.
inline std::size_t valuesPerBlock(DType type)
{
    return rowOf(type).values;
}

// Bytes of one value, or of one block of them.
inline std::size_t blockBytes(DType type)
{
    return rowOf(type).bytes;
}

// Bytes of `values` values, a multiple of valuesPerBlock; the caller has checked that the product does not overflow.
inline std::size_t storedBytes(DType type, std::size_t values)
{
    return values / valuesPerBlock(type) * blockBytes(type);
}

inline std::string_view name(DType type)
{
    return rowOf(type).name;
}

// Whether these are weights that toFloat32 reads.
inline bool isWidened(DType type)
{
    return rowOf(type).widen != nullptr;
}

// A stored array inside a mapped file: little-endian, contiguous, row-major, not necessarily aligned. The number of
// bytes has been checked against shape and dtype.
struct TensorView
{
    DType dtype = DType::F32;
    Shape shape;
    std::span<const std::byte> bytes;
};

// Widens to a float32 tensor; f64 is narrowed. Throws Error{Unsupported} for integers.
Tensor toFloat32(const TensorView& view);
// The same for any run of stored values (whole blocks) into as many floats.
void toFloat32(DType dtype, std::span<const std::byte> stored, std::span<float> values);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace attn {

using Shape = std::vector<std::int64_t>;

// Product of the dimensions; the caller has checked that it does not overflow.
inline std::int64_t elementCount(std::span<const std::int64_t> shape)
{
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, [](auto a, auto b) { return a * b; });
}

// A row-major array of float32 that owns its memory.
class Tensor
{
public:
    Tensor() = default;
    explicit Tensor(Shape shape)
        : m_shape(std::move(shape))
        , m_values(elementCount(m_shape), 0.0F)
    {
    }
    Tensor(Shape shape, NumberVector<float> values)
        : m_shape(std::move(shape))
        , m_values(std::move(values))
    {
        if (m_values.size() != static_cast<std::size_t>(elementCount(m_shape)))
            throw std::logic_error("a tensor's shape and its number of values differ");
    }

    // That is about to be written.
    static Tensor unset(Shape shape)
    {
        const auto count = static_cast<std::size_t>(elementCount(shape));
        return {std::move(shape), NumberVector<float>(count)};
    }
    static Tensor of(NumberView matrix) { return {{matrix.rows, matrix.columns}, copyOf(matrix)}; }

    const Shape& shape() const { return m_shape; }
    std::int64_t dim(std::size_t axis) const { return m_shape.at(axis); }
    std::size_t size() const { return m_values.size(); }
    bool empty() const { return m_values.empty(); }
    float* data() { return m_values.data(); }
    const float* data() const { return m_values.data(); }
    std::span<float> values() { return m_values; }
    std::span<const float> values() const { return m_values; }
    // View of two dimensions.
    MutableView matrix() { return {m_values.data(), dimension(0), dimension(1)}; }
    NumberView matrix() const { return {m_values.data(), dimension(0), dimension(1)}; }

private:
    Index dimension(std::size_t axis) const { return static_cast<Index>(m_shape.at(axis)); }

    Shape m_shape;
    NumberVector<float> m_values;
};

// Matrices of as many rows side by side.
Tensor joined(std::initializer_list<NumberView> parts);

// [1, columns].
Tensor meanOfRows(NumberView matrix);

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

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

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "base/memory.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace attn {

// Somebody else's numbers, [heads, rows, columns]; a matrix has one head. The numbers of a row lie side by side, rows
// and heads at even distances anywhere: one head of a projection's rows is a view of the rows as much as their first
// half is. Addresses are checked where asserts are on (all presets but release).
template<typename Number>
struct StridedView
{
    Number* data = nullptr;
    Index heads = 1;
    Index rows = 0;
    Index columns = 0;
    std::ptrdiff_t headStride = 0; // numbers from one head to the next
    std::ptrdiff_t rowStride = 0;

    StridedView() = default;
    StridedView(Number* first, Index rowCount, Index columnCount)
        : StridedView(first, 1, rowCount, columnCount)
    {
    }
    // View without gaps.
    StridedView(Number* first, Index headCount, Index rowCount, Index columnCount)
        : StridedView(first, headCount, rowCount, columnCount, std::ptrdiff_t{rowCount} * columnCount, columnCount)
    {
    }
    StridedView(Number* first, Index headCount, Index rowCount, Index columnCount, std::ptrdiff_t toNextHead,
                std::ptrdiff_t toNextRow)
        : data(first)
        , heads(headCount)
        , rows(rowCount)
        , columns(columnCount)
        , headStride(toNextHead)
        , rowStride(toNextRow)
    {
    }
    // One row.
    template<typename Other>
    requires std::is_convertible_v<std::span<Other>, std::span<Number>> StridedView(std::span<Other> row)
        : StridedView(row.data(), 1, indexSize(row))
    {
    }
    operator StridedView<const Number>() const requires(!std::is_const_v<Number>)
    {
        return {data, heads, rows, columns, headStride, rowStride};
    }

    bool empty() const { return heads == 0 || rows == 0 || columns == 0; }
    std::size_t size() const { return static_cast<std::size_t>(std::ptrdiff_t{heads} * rows * columns); }

    Number& at(Index head, Index row, Index column) const
    {
        assert(head >= 0 && head < heads && row >= 0 && row < rows && column >= 0 && column < columns);
        return data[head * headStride + row * rowStride + column];
    }
    // Element of a matrix, or of the first head.
    Number& at(Index row, Index column) const { return at(0, row, column); }

    std::span<Number> row(Index head, Index row) const
    {
        assert(head >= 0 && head < heads && row >= 0 && row < rows);
        return {data + head * headStride + row * rowStride, static_cast<std::size_t>(columns)};
    }
    std::span<Number> row(Index row) const { return this->row(0, row); }

    // [1, rows, columns].
    StridedView head(Index index) const
    {
        assert(index >= 0 && index < heads);
        return {data + index * headStride, 1, rows, columns, headStride, rowStride};
    }
    // [count, rows, columns].
    StridedView headRange(Index first, Index count) const
    {
        assert(first >= 0 && count >= 0 && first + count <= heads);
        return {data + first * headStride, count, rows, columns, headStride, rowStride};
    }
    // [heads, count, columns].
    StridedView rowRange(Index first, Index count) const
    {
        assert(first >= 0 && count >= 0 && first + count <= rows);
        return {data + first * rowStride, heads, count, columns, headStride, rowStride};
    }
    // Rows that hold those of `count` heads side by side, [1, rows, count * width], as [count, rows, width].
    StridedView split(Index count) const
    {
        assert(heads == 1 && columns % count == 0);
        return {data, count, rows, columns / count, columns / count, rowStride};
    }

    bool contiguous() const
    {
        return (rows <= 1 || rowStride == columns) && (heads <= 1 || headStride == std::ptrdiff_t{rows} * columns);
    }
    // Values of a view without gaps.
    std::span<Number> values() const
    {
        assert(contiguous());
        return {data, size()};
    }
};

using NumberView = StridedView<const float>;
using MutableView = StridedView<float>;

// Copies rows between views of the same shape.
inline void copyRows(NumberView from, MutableView to)
{
    for (Index head = 0; head < from.heads; ++head) {
        for (Index row = 0; row < from.rows; ++row)
            std::ranges::copy(from.row(head, row), to.row(head, row).begin());
    }
}

inline NumberVector<float> copyOf(NumberView view)
{
    NumberVector<float> values(view.size());
    copyRows(view, {values.data(), view.heads, view.rows, view.columns});
    return values;
}

// [heads, rows, columns] that own their memory, row-major.
struct Numbers
{
    Index rows = 0;
    Index columns = 0;
    NumberVector<float> values; // none where nothing is known
    Index heads = 1;

    static Numbers zeros(Index heads, Index rows, Index columns)
    {
        return {rows, columns, NumberVector<float>(NumberView(nullptr, heads, rows, columns).size(), 0.0F), heads};
    }
    // That are about to be written.
    static Numbers unset(Index heads, Index rows, Index columns)
    {
        return {rows, columns, NumberVector<float>(NumberView(nullptr, heads, rows, columns).size()), heads};
    }
    static Numbers of(NumberView view) { return {view.rows, view.columns, copyOf(view), view.heads}; }

    bool empty() const { return values.empty(); }
    NumberView view() const
    {
        assert(values.empty() || values.size() == NumberView(nullptr, heads, rows, columns).size());
        return {values.data(), heads, rows, columns};
    }
    operator NumberView() const { return view(); }
    MutableView view()
    {
        const NumberView fixed = std::as_const(*this).view();
        return {values.data(), fixed.heads, fixed.rows, fixed.columns};
    }
    float at(Index row, Index column) const { return view().at(row, column); }
    float& at(Index row, Index column) { return view().at(row, column); }
    std::span<const float> row(Index index) const { return view().row(index); }
    std::span<float> row(Index index) { return view().row(index); }
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/value_scale.h"

#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace attn::ui {

// The largest of many magnitudes, or a percentile of them, in memory that does not grow with their number.
class RangeEnd
{
public:
    explicit RangeEnd(double percentile);

    void add(float value); // its size; what is no number does not count
    void add(const RangeEnd& other);
    double value() const; // 0: there was none but zeros. A percentile is at most 0.8 % too large.

private:
    double m_percentile;
    float m_largest = 0;
    std::uint64_t m_count = 0;
    std::vector<std::uint32_t> m_bins; // by the leading bits of the number; empty: only the largest is needed
};

// Which columns do not count for the range; empty: all do.
std::vector<bool> leftOutOfRange(const FigureSpec& spec, const Trace& trace, const std::vector<AxisGroup>& columns);
std::vector<bool> leftOutOfRange(const FigureSpec& spec, const Trace& trace, const ShownDifference& shown);

// The spec of what counts for its range: with hidden tokens where that is over whole maps.
FigureSpec countedSpec(const FigureSpec& spec);

using CellTest = std::function<bool(int row, int column)>; // may be empty: none

// Adds a matrix but for those columns and for blank cells.
void addToRange(RangeEnd& end, const Numbers& matrix, const std::vector<bool>& leftOut, const CellTest& blank);

// The largest weight that counts for a range over the head, the layer or all heads, hidden tokens included; of a
// difference the largest difference. As many weights as rangeCost() says are looked at; throws Error{Cancelled}
// by ThreadStop.
double rangeEnd(const FigureSpec& spec, const Trace& trace);
std::size_t rangeCost(const FigureSpec& spec, const Trace& trace); // 0: the range is of something else

// What a matrix says of its colour scale.
void setRange(MatrixContent& content, const FigureSpec& spec, const Trace& trace, const ShownMatrix& shown);
void setDifferenceRange(MatrixContent& content, const FigureSpec& spec, const Trace& trace,
                        const ShownDifference& shown);

// The colours between two numbers that were chosen, or else between zero and an end; of a difference as far on both
// sides of zero.
ValueScale scaleTo(const FigureSpec& spec, double end, bool aroundZero);
// What is said beside the bar.
QStringList scaleNotes(const FigureSpec& spec);
// What a matrix of any kind says of its colour scale, once it has its cells; rows have scales of their own where that
// was chosen.
void setScale(MatrixContent& content, const FigureSpec& spec, double end, const std::vector<bool>& leftOut = {});
// A round number from the end of a range on, but where it is clipped.
double roundEnd(const FigureSpec& spec, double end);

} // namespace attn::ui

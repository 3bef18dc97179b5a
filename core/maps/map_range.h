// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "maps/map.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// The largest of many magnitudes, or a percentile of them, in memory that does not grow with their number.
class RangeEnd
{
public:
    explicit RangeEnd(double percentile);

    void add(float value); // its size; NaN and infinities do not count
    // Cells that have a number, or one row of them, but for columns that the range is without.
    void add(const Map& map, RangeWithout without);
    void add(const Map& map, Index row, RangeWithout without);
    void add(const RangeEnd& other);
    double value() const; // 0: there was none but zeros. A percentile is at most 0.8 % too large.

private:
    double m_percentile;
    float m_largest = 0;
    std::uint64_t m_count = 0;
    std::vector<std::uint32_t> m_bins; // by the leading bits of the number; empty: only the largest is needed
};

// The largest absolute value, where a scale around zero ends; 1 where there is none but zeros.
double largestMagnitude(std::span<const float> values);

struct NumberRange
{
    double least = 0;
    double most = 0;
};
// Range of what is neither NaN nor infinite; none where nothing is.
std::optional<NumberRange> rangeOfNumbers(std::span<const float> values);

// The largest weight that counts for a range over the head, the layer or all heads, hidden tokens included; of two runs
// the largest difference. As many weights as commonRangeCost() says are looked at; throws Error{Cancelled} by
// ThreadStop.
double commonRangeEnd(const ShownRuns& runs, const MapSpec& spec);
std::size_t commonRangeCost(const ShownRuns& runs, const MapSpec& spec); // 0: the range is no such

// Makes the maps of all heads of a stage, of one run from numbers that are computed once.
class HeadMapMaker
{
public:
    HeadMapMaker(const ShownRuns& runs, const MapSpec& spec);

    // Adds what counts for a range, too: of two runs always what is shown. Throws Error{Cancelled} by ThreadStop.
    Map map(Site site, int head, RangeEnd& end);
    CellMark editOf(Site site, int head) const; // of one run

private:
    ShownRuns m_runs;
    MapSpec m_spec;
    MapMaker m_shown;
    MapMaker m_counted;
};

// The spec with all rows and columns, which is what counts for a common range.
MapSpec unfiltered(MapSpec spec);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"

#include <algorithm>
#include <span>
#include <vector>

namespace attn {

struct IndexRange
{
    Index first = 0;
    Index last = 0; // the range's too

    friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

// Layers, heads, rows or columns, counted from 0: all of them, or those of some ranges.
class IndexSet
{
public:
    IndexSet() = default; // all
    explicit IndexSet(std::vector<IndexRange> ranges); // at least one, in any order; they may overlap

    bool isAll() const { return m_ranges.empty(); }
    // Sorted and apart; none: all.
    std::span<const IndexRange> ranges() const { return m_ranges; }
    Index least() const { return isAll() ? 0 : m_ranges.front().first; }

    // Calls visit(index) for each that lies between 0 and count - 1, in order.
    template<class Visit>
    void forEach(Index count, Visit visit) const
    {
        forEach(0, count - 1, visit);
    }
    // And for those between first and last.
    template<class Visit>
    void forEach(Index first, Index last, Visit visit) const
    {
        if (isAll()) {
            for (Index index = first; index <= last; ++index)
                visit(index);
            return;
        }
        for (auto range = from(first); range != m_ranges.end() && range->first <= last; ++range) {
            const Index end = std::min(range->last, last);
            for (Index index = std::max(range->first, first); index <= end; ++index)
                visit(index);
        }
    }
    bool contains(Index index) const
    {
        return isAll() || (from(index) != m_ranges.end() && from(index)->first <= index);
    }

    friend bool operator==(const IndexSet&, const IndexSet&) = default;

private:
    // The first range that ends at `index` or later.
    std::vector<IndexRange>::const_iterator from(Index index) const
    {
        return std::lower_bound(m_ranges.begin(), m_ranges.end(), index,
                                [](const IndexRange& range, Index value) { return range.last < value; });
    }

    std::vector<IndexRange> m_ranges;
};

} // namespace attn

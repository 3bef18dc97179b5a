// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "edits/index_set.h"

#include <cstdint>
#include <utility>

namespace attn {

IndexSet::IndexSet(std::vector<IndexRange> ranges)
{
    std::ranges::sort(ranges, {}, &IndexRange::first);
    for (const IndexRange& range : ranges) {
        if (m_ranges.empty() || range.first > std::int64_t{m_ranges.back().last} + 1)
            m_ranges.push_back(range);
        else
            m_ranges.back().last = std::max(m_ranges.back().last, range.last);
    }
}

} // namespace attn

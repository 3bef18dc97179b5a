// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace attn {

// Finds which keys a text begins with. The keys' characters must outlive the index.
class PrefixIndex
{
public:
    struct Entry
    {
        std::string_view key;
        int value = 0;
    };

    PrefixIndex() = default;
    // Of equal keys the last counts; an empty key is never found.
    explicit PrefixIndex(std::vector<Entry> entries)
        : m_entries(std::move(entries))
    {
        std::ranges::stable_sort(m_entries, {}, &Entry::key);
    }

    bool empty() const { return m_entries.empty(); }

    // Calls visit(length, value) for every key that `text` begins with, shortest first.
    template<class Visit>
    void visitPrefixes(std::string_view text, Visit visit) const
    {
        auto first = m_entries.begin();
        auto last = m_entries.end();
        for (std::size_t depth = 0;; ++depth) {
            auto longer = first;
            while (longer != last && longer->key.size() == depth)
                ++longer;
            if (longer != first && depth > 0)
                visit(depth, std::prev(longer)->value);
            if (depth == text.size() || longer == last)
                return;
            const auto byteAt = [depth](const Entry& entry) { return static_cast<unsigned char>(entry.key[depth]); };
            const auto range =
                std::ranges::equal_range(longer, last, static_cast<unsigned char>(text[depth]), {}, byteAt);
            first = range.begin();
            last = range.end();
        }
    }

private:
    std::vector<Entry> m_entries; // sorted
};

} // namespace attn

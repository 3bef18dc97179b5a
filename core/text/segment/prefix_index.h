// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
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
    // Throws Error{Format} naming `where` for a key so long that looking it up everywhere would take too long.
    static void requireShort(std::string_view key, const std::string& where)
    {
        constexpr std::size_t longestKey = 1024; // bytes
        if (key.size() > longestKey)
            throw Error(ErrorKind::Format, where,
                        "has a token of " + std::to_string(key.size()) + " bytes, more than the "
                            + std::to_string(longestKey) + " that are read");
    }
    // The last of equal keys counts; an empty key is never found. Throws as requireShort does.
    PrefixIndex(std::vector<Entry> entries, const std::string& where)
        : m_entries(std::move(entries))
    {
        for (const Entry& entry : m_entries)
            requireShort(entry.key, where);
        std::ranges::stable_sort(m_entries, {}, &Entry::key);
        std::vector<Entry> kept;
        for (const Entry& entry : m_entries) {
            if (!kept.empty() && kept.back().key == entry.key)
                kept.back() = entry;
            else if (!entry.key.empty())
                kept.push_back(entry);
        }
        m_entries = std::move(kept);
    }

    bool empty() const { return m_entries.empty(); }

    // Calls visit(length, value) for every key that `text` begins with, shortest first.
    template<class Visit>
    void visitPrefixes(std::string_view text, Visit visit) const
    {
        auto first = m_entries.begin();
        auto last = m_entries.end();
        for (std::size_t depth = 0;; ++depth) {
            if (first != last && first->key.size() == depth) {
                visit(depth, first->value);
                ++first;
            }
            if (depth == text.size() || first == last)
                return;
            const auto byte = static_cast<unsigned char>(text[depth]);
            const auto byteAt = [depth](const Entry& entry) { return static_cast<unsigned char>(entry.key[depth]); };
            first = std::partition_point(first, last, [&](const Entry& entry) { return byteAt(entry) < byte; });
            last = std::partition_point(first, last, [&](const Entry& entry) { return byteAt(entry) == byte; });
        }
    }

private:
    std::vector<Entry> m_entries; // sorted
};

} // namespace attn

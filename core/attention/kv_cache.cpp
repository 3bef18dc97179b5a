// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/kv_cache.h"

#include <iterator>

namespace attn {

KeyValueCache::KeyValueCache(int width)
    : m_width(width)
    , m_hypotheses{std::make_shared<Cached>()}
{
}

int KeyValueCache::length() const
{
    return m_hypotheses.empty() ? 0 : view(at(0).keys).rows;
}

void KeyValueCache::append(int hypothesis, NumberView keys, NumberView values)
{
    auto& rows = m_hypotheses.at(hypothesis);
    if (rows.use_count() > 1)
        rows = std::make_shared<Cached>(*rows);
    const auto newKeys = keys.values();
    const auto newValues = values.values();
    rows->keys.insert(rows->keys.end(), newKeys.begin(), newKeys.end());
    rows->values.insert(rows->values.end(), newValues.begin(), newValues.end());
}

void KeyValueCache::reorder(std::span<const int> parents)
{
    std::vector<std::shared_ptr<Cached>> next;
    next.reserve(parents.size());
    for (const int parent : parents)
        next.push_back(m_hypotheses.at(parent));
    m_hypotheses = std::move(next);
}

NumberView KeyValueCache::keys(int hypothesis) const
{
    return view(at(hypothesis).keys);
}

NumberView KeyValueCache::values(int hypothesis) const
{
    return view(at(hypothesis).values);
}

NumberView KeyValueCache::view(const std::vector<float>& rows) const
{
    return {rows.data(), static_cast<Index>(std::ssize(rows) / m_width), m_width};
}

} // namespace attn

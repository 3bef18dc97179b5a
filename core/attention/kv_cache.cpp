// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/kv_cache.h"

namespace attn {

KeyValueCache::KeyValueCache(int width)
    : m_width(width)
    , m_hypotheses{std::make_shared<Rows>()}
{
}

int KeyValueCache::length() const
{
    return m_hypotheses.empty() ? 0 : view(at(0).keys).rows;
}

void KeyValueCache::append(int hypothesis, MatrixView keys, MatrixView values)
{
    auto& rows = m_hypotheses.at(static_cast<std::size_t>(hypothesis));
    if (rows.use_count() > 1)
        rows = std::make_shared<Rows>(*rows);
    const auto count = static_cast<std::size_t>(keys.rows) * static_cast<std::size_t>(m_width);
    rows->keys.insert(rows->keys.end(), keys.data, keys.data + count);
    rows->values.insert(rows->values.end(), values.data, values.data + count);
}

void KeyValueCache::reorder(std::span<const int> parents)
{
    std::vector<std::shared_ptr<Rows>> next;
    next.reserve(parents.size());
    for (const int parent : parents)
        next.push_back(m_hypotheses.at(static_cast<std::size_t>(parent)));
    m_hypotheses = std::move(next);
}

HeadRows KeyValueCache::keys(int hypothesis) const
{
    return view(at(hypothesis).keys);
}

HeadRows KeyValueCache::values(int hypothesis) const
{
    return view(at(hypothesis).values);
}

HeadRows KeyValueCache::view(const std::vector<float>& rows) const
{
    return {rows.data(), static_cast<int>(rows.size() / static_cast<std::size_t>(m_width)), m_width};
}

} // namespace attn

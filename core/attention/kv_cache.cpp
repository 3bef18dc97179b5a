// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/kv_cache.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace attn {

namespace {

// log(exp(a) + exp(b)).
double logSum(double a, double b)
{
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

} // namespace

KeyValueCache::KeyValueCache(int width)
    : m_width(width)
    , m_hypotheses{std::make_shared<Cached>()}
{
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

void ScoreHistory::discount(std::span<float> scores)
{
    if (m_logSums.empty()) {
        m_logSums.assign(scores.begin(), scores.end());
        return;
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const auto score = static_cast<double>(scores[i]);
        double& sum = m_logSums.at(i);
        scores[i] = static_cast<float>(score - sum);
        sum = logSum(sum, score);
    }
}

void ScoreHistory::reorder(std::span<const int> parents, int keys)
{
    if (m_logSums.empty())
        return;
    std::vector<double> next;
    next.reserve(parents.size() * static_cast<std::size_t>(keys));
    for (const int parent : parents) {
        const auto first = m_logSums.begin() + std::ptrdiff_t{parent} * keys;
        next.insert(next.end(), first, first + keys);
    }
    m_logSums = std::move(next);
}

} // namespace attn

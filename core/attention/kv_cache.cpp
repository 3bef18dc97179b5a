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

// Leaves room for as many rows again, and for some hundred at least.
void appendRows(NumberVector<float>& cached, std::span<const float> rows, int width)
{
    constexpr std::size_t ahead = 256;
    const std::size_t before = cached.size();
    const std::size_t after = before + rows.size();
    if (after > cached.capacity())
        cached.reserve(after + std::max(after, ahead * static_cast<std::size_t>(width)));
    cached.resize(after);
    std::ranges::copy(rows, cached.data() + before);
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
    if (rows.use_count() > 1) {
        auto own = std::make_shared<Cached>();
        appendRows(own->keys, rows->keys, m_width);
        appendRows(own->values, rows->values, m_width);
        rows = std::move(own);
    }
    appendRows(rows->keys, keys.values(), m_width);
    appendRows(rows->values, values.values(), m_width);
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

NumberView KeyValueCache::view(const NumberVector<float>& rows) const
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

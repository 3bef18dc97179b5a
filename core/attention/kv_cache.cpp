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

constexpr std::size_t aheadRows = 256; // at least, where more come than were expected
constexpr std::size_t mostRoom = std::size_t{1} << 22; // numbers: an output may be allowed to be far longer than it is

} // namespace

KeyValueCache::KeyValueCache(int keyWidth, int valueWidth, std::size_t rows)
    : m_keyWidth(keyWidth)
    , m_valueWidth(valueWidth)
    , m_room(std::min(rows, mostRoom / static_cast<std::size_t>(std::max({1, keyWidth, valueWidth}))))
    , m_hypotheses{std::make_shared<Cached>()}
{
}

void KeyValueCache::append(int hypothesis, NumberView keys, NumberView values)
{
    auto& rows = m_hypotheses.at(hypothesis);
    if (rows.use_count() > 1) {
        auto own = std::make_shared<Cached>();
        add(own->keys, rows->keys, m_keyWidth, 0); // one of many
        add(own->values, rows->values, m_valueWidth, 0);
        rows = std::move(own);
    }
    add(rows->keys, keys.values(), m_keyWidth, m_room);
    add(rows->values, values.values(), m_valueWidth, m_room);
}

void KeyValueCache::add(NumberVector<float>& cached, std::span<const float> rows, int width, std::size_t room)
{
    const std::size_t before = cached.size();
    const std::size_t after = before + rows.size();
    if (after > cached.capacity()) {
        const std::size_t expected = room * static_cast<std::size_t>(width);
        const std::size_t again = after + std::max(after, aheadRows * static_cast<std::size_t>(width));
        cached.reserve(after <= expected ? expected : again);
    }
    cached.resize(after);
    std::ranges::copy(rows, cached.data() + before);
}

std::uint64_t KeyValueCache::bytesFor(std::uint64_t width, std::uint64_t rows)
{
    const std::uint64_t numbers = width * rows;
    const std::uint64_t room = numbers <= mostRoom ? numbers : 2 * (numbers + aheadRows * width);
    return 2 * room * sizeof(float);
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
    return view(at(hypothesis).keys, m_keyWidth);
}

NumberView KeyValueCache::values(int hypothesis) const
{
    return view(at(hypothesis).values, m_valueWidth);
}

NumberView KeyValueCache::view(const NumberVector<float>& rows, int width)
{
    return {rows.data(), static_cast<Index>(std::ssize(rows) / width), width};
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

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/score_history.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

// log(exp(a) + exp(b)).
double logSum(double a, double b)
{
    return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

} // namespace

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

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/score_numbers.h"

#include <algorithm>
#include <cmath>

namespace attn {

ScoreNumbers scoreNumbers(const Numbers& scores)
{
    ScoreNumbers result;
    std::ranges::copy_if(scores.values, std::back_inserter(result.scores),
                         [](float value) { return std::isfinite(value); });
    result.moments = momentsOf(result.scores);
    if (!result.scores.empty()) {
        const auto [least, most] = std::ranges::minmax(result.scores);
        result.least = static_cast<double>(least);
        result.most = static_cast<double>(most);
    }
    const Numbers weights = softmaxRows(scores);
    result.sensitivity = meanSensitivity(weights);
    const auto columns = static_cast<std::size_t>(scores.columns);
    for (std::size_t row = 0; row < static_cast<std::size_t>(scores.rows) && columns > 0; ++row) {
        const auto rowScores = std::span(scores.values).subspan(row * columns, columns);
        const auto seen = std::ranges::count_if(rowScores, [](float value) { return std::isfinite(value); });
        if (seen == 0)
            continue;
        result.largest.push_back(std::ranges::max(std::span(weights.values).subspan(row * columns, columns)));
        result.uniform += 1.0 / static_cast<double>(seen);
    }
    if (!result.largest.empty())
        result.uniform /= static_cast<double>(result.largest.size());
    result.meanLargest = momentsOf(result.largest).mean;
    return result;
}

Numbers scaledScores(Numbers scores, double factor)
{
    for (float& score : scores.values) {
        if (std::isfinite(score))
            score = static_cast<float>(static_cast<double>(score) * factor);
    }
    return scores;
}

std::pair<double, double> scoreRange(std::span<const ScoreNumbers* const> shown)
{
    double least = 0;
    double most = 0;
    for (const ScoreNumbers* numbers : shown) {
        least = std::min(least, numbers->least);
        most = std::max(most, numbers->most);
    }
    const double margin = (most - least) * 0.02;
    return most > least ? std::pair(least - margin, most + margin) : std::pair(-1.0, 1.0);
}

} // namespace attn

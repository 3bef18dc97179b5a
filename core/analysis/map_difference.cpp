// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/map_difference.h"

#include <algorithm>
#include <cmath>

namespace attn {

std::vector<std::pair<int, int>> commonWords(std::span<const std::string> a, std::span<const std::string> b)
{
    const std::size_t width = b.size() + 1;
    std::vector<int> longest((a.size() + 1) * width); // of a[i..] and b[j..]
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;)
            longest[i * width + j] = a[i] == b[j] ? longest[(i + 1) * width + j + 1] + 1
                                                  : std::max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i] == b[j])
            pairs.emplace_back(static_cast<int>(i++), static_cast<int>(j++));
        else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1])
            ++i;
        else
            ++j;
    }
    return pairs;
}

AttentionMatrix mapDifference(const AttentionMatrix& a, const AttentionMatrix& b,
                              std::span<const std::pair<int, int>> pairs)
{
    AttentionMatrix result{static_cast<int>(pairs.size()), std::min(a.columns, b.columns), {}};
    for (const auto& [first, second] : pairs) {
        for (int column = 0; column < result.columns; ++column)
            result.values.push_back(a.at(first, column) - b.at(second, column));
    }
    return result;
}

double meanVariation(const AttentionMatrix& difference)
{
    double sum = 0;
    for (const float value : difference.values)
        sum += std::abs(static_cast<double>(value));
    return difference.rows > 0 ? sum / 2 / difference.rows : 0;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/map_difference.h"

#include "base/index.h"

#include <algorithm>
#include <cmath>

namespace attn {

std::vector<std::pair<int, int>> commonWords(std::span<const std::string> a, std::span<const std::string> b)
{
    const Index rows = indexSize(a);
    const Index columns = indexSize(b);
    const Index width = columns + 1;
    std::vector<int> longest((a.size() + 1) * width); // of a[i..] and b[j..]
    const auto at = [&](Index i, Index j) -> int& { return longest[std::ptrdiff_t{i} * width + j]; };
    for (Index i = rows - 1; i >= 0; --i) {
        for (Index j = columns - 1; j >= 0; --j)
            at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
    std::vector<std::pair<int, int>> pairs;
    for (Index i = 0, j = 0; i < rows && j < columns;) {
        if (a[i] == b[j])
            pairs.emplace_back(i++, j++);
        else if (at(i + 1, j) >= at(i, j + 1))
            ++i;
        else
            ++j;
    }
    return pairs;
}

Numbers mapDifference(const Numbers& a, const Numbers& b, std::span<const std::pair<int, int>> pairs)
{
    Numbers result{indexSize(pairs), std::min(a.columns, b.columns), {}};
    for (const auto& [first, second] : pairs) {
        for (int column = 0; column < result.columns; ++column)
            result.values.push_back(a.at(first, column) - b.at(second, column));
    }
    return result;
}

double meanVariation(const Numbers& difference)
{
    double sum = 0;
    for (const float value : difference.values)
        sum += std::abs(double{value});
    return difference.rows > 0 ? sum / 2 / difference.rows : 0;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/relative_positions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

namespace attn {

RelativePositions::RelativePositions(Tensor table, bool bidirectional, int maximumDistance)
    : m_table(std::move(table))
    , m_bidirectional(bidirectional)
    , m_maximumDistance(maximumDistance)
{
}

int RelativePositions::bucket(int distance) const
{
    int count = buckets();
    int first = 0;
    int away = -distance; // keys after a causal query do not occur
    if (m_bidirectional) {
        count /= 2;
        first = distance > 0 ? count : 0;
        away = std::abs(distance);
    }
    away = std::max(away, 0);
    const int exact = count / 2;
    if (away < exact)
        return first + away;
    // In float32, as the models were trained with it: the borders of the buckets depend on the rounding.
    const float part = std::log(static_cast<float>(away) / static_cast<float>(exact))
        / static_cast<float>(std::log(static_cast<double>(m_maximumDistance) / exact));
    const int wide = exact + static_cast<int>(part * static_cast<float>(count - exact));
    return first + std::min(wide, count - 1);
}

float RelativePositions::bias(int distance, int head) const
{
    return m_table.matrix().at(bucket(distance), head);
}

void RelativePositions::add(MutableView scores, int firstRow) const
{
    std::vector<int> buckets; // by distance, from the last query to the first key on
    for (int distance = 1 - firstRow - scores.rows; distance < scores.columns - firstRow; ++distance)
        buckets.push_back(bucket(distance));
    const NumberView table = m_table.matrix();
    for (int head = 0; head < scores.heads; ++head) {
        for (int row = 0; row < scores.rows; ++row) {
            const auto values = scores.row(head, row);
            for (int column = 0; column < scores.columns; ++column)
                values[column] += table.at(buckets[scores.rows - 1 - row + column], head);
        }
    }
}

} // namespace attn

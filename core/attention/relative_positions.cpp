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
    return m_table.matrix().row(bucket(distance))[static_cast<std::size_t>(head)];
}

void RelativePositions::add(float* scores, int rows, int columns, int firstRow) const
{
    std::vector<int> buckets; // by distance, from the last query to the first key on
    const int smallest = -(firstRow + rows - 1);
    for (int distance = smallest; distance < columns - firstRow; ++distance)
        buckets.push_back(bucket(distance));
    const MatrixView table = m_table.matrix();
    for (int head = 0; head < heads(); ++head) {
        for (int row = 0; row < rows; ++row) {
            const auto from = static_cast<std::size_t>(-(firstRow + row) - smallest);
            for (int column = 0; column < columns; ++column)
                *scores++ +=
                    table.row(buckets[from + static_cast<std::size_t>(column)])[static_cast<std::size_t>(head)];
        }
    }
}

} // namespace attn

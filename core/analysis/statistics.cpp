// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/statistics.h"

#include <algorithm>
#include <cmath>

namespace attn {

RowStatistics rowStatistics(const AttentionMatrix& matrix)
{
    RowStatistics statistics;
    for (int row = 0; row < matrix.rows; ++row) {
        double sum = 0;
        double largest = 0;
        double weightedLogs = 0;
        for (int column = 0; column < matrix.columns; ++column) {
            const auto weight = static_cast<double>(matrix.at(row, column));
            if (!(weight > 0))
                continue;
            sum += weight;
            largest = std::max(largest, weight);
            weightedLogs += weight * std::log(weight);
        }
        if (sum <= 0)
            continue;
        ++statistics.rows;
        statistics.meanMaximum += largest;
        statistics.meanEntropy += std::max(0.0, std::log(sum) - weightedLogs / sum);
    }
    if (statistics.rows > 0) {
        statistics.meanMaximum /= statistics.rows;
        statistics.meanEntropy /= statistics.rows;
    }
    return statistics;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/attention_map.h"

namespace attn {

// How sharply rows attend. Rows without any weight do not count.
struct RowStatistics
{
    int rows = 0; // that count
    double meanMaximum = 0; // mean of each row's largest weight: 1 for hard attention
    double meanEntropy = 0; // in nats, of the row divided by its sum: 0 for hard attention, log(columns) for uniform
};

RowStatistics rowStatistics(const AttentionMatrix& matrix);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/attention_map.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn {

// Pairs (i, j), both rising, of equal words: a longest common subsequence of two texts.
std::vector<std::pair<int, int>> commonWords(std::span<const std::string> a, std::span<const std::string> b);

// One map less another where both have a row: row k is a's row pairs[k].first minus b's row pairs[k].second. The maps
// have the same columns.
Numbers mapDifference(const Numbers& a, const Numbers& b, std::span<const std::pair<int, int>> pairs);

// Total variation: half of the sum of all differences, averaged over rows. 0 for equal maps, 1 for rows of weights
// that look at nothing in common.
double meanVariation(const Numbers& difference);

} // namespace attn

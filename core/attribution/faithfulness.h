// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attribution/reading_method.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn {

// Spearman's rank correlation, with average ranks of values that are within 1e-12; none where one of the two is
// constant.
std::optional<double> rankCorrelation(std::span<const float> left, std::span<const float> right);

// Agreement of a reading with erasure in how it orders the source.
struct Faithfulness
{
    std::string reading; // name of the array, or raw:LAST and raw:BEST of attention weights
    double correlation = 0; // mean over rows where neither is constant; NaN without any
    double random = 0; // the same of its rows with their values in random order, which have the same entropy
    int rows = 0; // where neither is constant
    std::optional<double> shuffled = {}; // of the same reading of a model with shuffled weights; none: not asked
};

// Rows for all arrays that have some for an explained position; erasure must be among the results. Of arrays by
// layer and head the last layer, the mean of heads.
std::vector<Faithfulness> faithfulness(const ExplainedRun& run, const ReadingResults& results);

} // namespace attn

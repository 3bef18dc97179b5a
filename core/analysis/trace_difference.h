// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <span>
#include <string>
#include <vector>

namespace attn {

// Difference of the weights of one head in two traces of the same tokens.
struct HeadDifference
{
    Site site;
    int head = 0;
    double largest = 0; // of two weights, absolute
    std::vector<double> rows = {}; // total variation of each row, 0 to 1
};

struct TraceDifference
{
    std::vector<std::string> structure =
        {}; // tokens, sites, heads and shapes of one that the other has not, for people
    std::vector<HeadDifference> heads = {}; // that both have
    double logProbability = 0; // largest of a produced token
};

// Compares the best hypotheses of both. Throws Error{Cancelled} by ThreadStop.
TraceDifference differenceOf(const Trace& a, const Trace& b);

// A mean, and where it lies in 95 of 100 samples.
struct MeanInterval
{
    double mean = 0;
    double low = 0;
    double high = 0;
};
// Interval by percentile bootstrap (Efron 1979) with 1000 samples, the same each time. NaN without values.
MeanInterval bootstrapMean(std::span<const double> values);

} // namespace attn

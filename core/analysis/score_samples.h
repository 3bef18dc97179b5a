// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "trace/attention_map.h"

#include <cstdint>
#include <span>
#include <vector>

namespace attn {

// How a query and a key become a score: q.k, q.k / sqrt(d) (Vaswani et al. 2017, 3.2.1), v.tanh(W q + U k) (Bahdanau
// et al. 2015).
enum class Compatibility : std::uint8_t { Dot, ScaledDot, Additive };

struct ScoreExperiment
{
    int width = 64; // d, at least 1
    int keys = 32; // at least 1
    int queries = 100; // at least 1
    std::uint64_t seed = 1;
};

// Scores of queries and keys whose components are independent with mean 0 and variance 1. W and U have variance 1/d, v
// has variance 1/d, as layers are initialised. [queries, keys]; the same queries and keys for every kind of a seed.
Numbers sampleScores(Compatibility kind, const ScoreExperiment& experiment);

// Row by row; a row without any finite score becomes zeros.
Numbers softmaxRows(const Numbers& scores);
std::vector<float> softmax(std::span<const float> scores);

struct Moments
{
    int count = 0; // of finite values; the others do not take part
    double mean = 0;
    double deviation = 0;
};

Moments momentsOf(std::span<const float> values);

// Mean over rows of sum p (1 - p), the trace of the softmax's derivative: what is left of a gradient. 0 for one-hot
// rows, 1 - 1/columns for uniform ones.
double meanSensitivity(const Numbers& weights);

// Counts of finite values in equally wide bins over [least, most]; values outside count in the first and last bin.
struct Histogram
{
    double least = 0;
    double most = 1;
    std::vector<int> counts;

    double binWidth() const { return (most - least) / indexSize(counts); }
    double start(int bin) const { return least + binWidth() * bin; }
};

// bins >= 1, least < most.
Histogram histogram(std::span<const float> values, double least, double most, int bins);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "trace/attention_map.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// Formula by which a query and a key become a score: q.k, q.k / sqrt(d) (Vaswani et al. 2017, 3.2.1), v.tanh(W q + U k)
// (Bahdanau et al. 2015).
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

// Row by row; a row that is masked throughout becomes zeros, one with a score that is NaN or positive infinity no
// numbers.
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

// Facts of a set of scores: how widely they spread and what their softmax leaves.
struct ScoreNumbers
{
    std::vector<float> scores; // finite ones
    Moments moments;
    double least = 0; // of scores
    double most = 0;
    std::vector<float> largest; // largest weight of each row that has one
    double meanLargest = 0;
    double sensitivity = 0; // meanSensitivity
    double uniform = 0; // what the largest weight is on average when all keys that a row sees get the same
};

ScoreNumbers scoreNumbers(const Numbers& scores);

// Scores times a factor; what is hidden (-inf) stays hidden.
Numbers scaledScores(Numbers scores, double factor);

// A range for histograms of scores, with 0 in it, that leaves out no value of any.
std::pair<double, double> scoreRange(std::span<const ScoreNumbers* const> shown);

// A row of a key-value table.
struct LookupEntry
{
    std::vector<float> key;
    float value = 0;
};

// Attention as a lookup: every value answers, as much as its key fits the query.
struct SoftLookup
{
    std::vector<float> scores; // sharpness * query . key
    std::vector<float> weights; // softmax of the scores
    float result = 0; // sum of weight * value
};

// The first entry whose key is the query; none: an ordinary table has no answer.
std::optional<std::size_t> exactLookup(std::span<const float> query, std::span<const LookupEntry> table);

// Sharpness 1/sqrt(d) is scaled dot-product attention; the larger it is, the harder the lookup. All keys are as wide as
// the query. An empty table gives nothing and 0.
SoftLookup softLookup(std::span<const float> query, std::span<const LookupEntry> table, float sharpness);

// Counts that corpus BLEU (Papineni et al. 2002) is made of, for one line or many.
struct BleuCounts
{
    std::array<long, 4> matches{}; // n-grams of the hypothesis that the reference has too, n = 1 .. 4
    std::array<long, 4> totals{}; // n-grams of the hypothesis
    long hypothesisLength = 0; // in tokens
    long referenceLength = 0;

    BleuCounts& operator+=(const BleuCounts& other);
};

// Tokens as mteval-v13a and sacreBLEU's "13a" make them (Post 2018).
std::vector<std::string> tokens13a(std::string_view line);

BleuCounts bleuCounts(std::string_view hypothesis, std::string_view reference);

// In percent, case-sensitive, with exponential smoothing, as sacreBLEU computes it by default. 0 without any match or
// where the hypotheses are too short for 4-grams.
double bleu(const BleuCounts& counts);

// Words between spaces.
int wordCount(std::string_view text);

// Lengths from .. to, and which of the sentences have them.
struct LengthBin
{
    int from = 0;
    int to = 0;
    std::vector<std::size_t> sentences;
};

// At most `bins` ranges of lengths with about equally many sentences; equal lengths are never apart.
std::vector<LengthBin> lengthBins(std::span<const int> lengths, int bins);

} // namespace attn

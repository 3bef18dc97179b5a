// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/attention_map.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn {

// One run less another. The run that is looked at is here, the one that it is compared with is there.

// Rule by which the rows, the columns or the tokens of two runs find each other.
enum class Pairing : std::uint8_t {
    Automatic, // as alignOutputs()
    Position, // whatever stands there
    Words, // equal ones in their order: a longest common subsequence
    Beginning // as far as both begin alike
};

// A place that both runs have, or only one of them.
struct PairedPlace
{
    std::optional<Index> here = {};
    std::optional<Index> there = {};

    bool isPaired() const { return here && there; }
    friend bool operator==(const PairedPlace&, const PairedPlace&) = default;
};
using PairedPlaces = std::vector<PairedPlace>;

// Every place of both, in the order of both: of those between two pairs, what is only here comes first.
PairedPlaces pairPlaces(std::span<const std::string> here, std::span<const std::string> there, Pairing pairing);

// The same with as few differences as possible (Levenshtein 1966): what stands in the place of another is paired, too.
PairedPlaces alignOutputs(std::span<const std::string> here, std::span<const std::string> there);

// [rows, columns]: here minus there, NaN where a row or a column is in one of them only, and where one of the two is no
// number.
Numbers matrixDifference(const Numbers& here, const Numbers& there, std::span<const PairedPlace> rows,
                         std::span<const PairedPlace> columns);

// Total variation of what matrixDifference() made of these rows and columns: half of the sum of all differences,
// averaged over the rows that have any. 0 for equal maps, 1 for rows of weights that look at nothing in common. NaN
// where a cell that both have is NaN.
double meanVariation(const Numbers& difference, std::span<const PairedPlace> rows,
                     std::span<const PairedPlace> columns);

// Something that can come next, or a class, with its probability.
struct NamedProbability
{
    std::string name;
    double probability = 0;
    bool taken = false;
};

// Probability of something in both runs. None: it was not among the most probable ones that are known.
struct ProbabilityChange
{
    std::string name;
    std::optional<double> here = {};
    std::optional<double> there = {};
    bool takenHere = false;
    bool takenThere = false;

    double rise() const { return here.value_or(0) - there.value_or(0); }
};

// Those that are among one of them, by how far it rose or fell, the most first; NaN comes last.
std::vector<ProbabilityChange> probabilityChanges(std::span<const NamedProbability> here,
                                                  std::span<const NamedProbability> there);

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

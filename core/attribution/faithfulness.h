// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/run_difference.h"
#include "attribution/reading_method.h"
#include "inference/source_input.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn {

// Spearman's rank correlation, with average ranks of values that are within 1e-12; none where one of the two is
// constant.
std::optional<double> rankCorrelation(std::span<const float> left, std::span<const float> right);

// A token of the source in a reading's row and in that of erasure.
struct ComparedToken
{
    int output = 0; // position that the rows are about
    int token = 0; // column
    float reading = 0;
    float erasure = 0;
};

// Agreement of a reading with erasure in how it orders the source.
struct Faithfulness
{
    std::string reading; // name of the array, or raw:LAST and raw:BEST of attention weights
    double correlation = 0; // mean over rows where neither is constant; NaN without any
    double random = 0; // the same of its rows with their values in random order, which have the same entropy
    int rows = 0; // where neither is constant
    std::optional<double> shuffled = {}; // of the same reading of a model with shuffled weights; none: not asked
    std::vector<ComparedToken> tokens = {}; // of the rows where neither is constant
};

// The methods that make readings to compare with erasure; that one comes first.
std::vector<const ReadingMethod*> comparedMethods();

// The results, with erasure among them. Throws Error{Input} with the reason where the model has none.
ReadingResults withErasure(ExplainedRun& run, ReadingResults results);

// Rows for all arrays that have some for an explained position; erasure must be among the results. Of arrays by
// layer and head the last layer, the mean of heads.
std::vector<Faithfulness> faithfulness(const ExplainedRun& run, const ReadingResults& results);

// Adds the control to the rows (Adebayo et al. 2018): the same readings, by these methods, of the model with shuffled
// weights, which is made to give the same output, against the erasure among the results of the model as it is.
void addShuffledControl(std::vector<Faithfulness>& rows, const ExplainedRun& run, const ReadingResults& results,
                        std::span<const ReadingMethod* const> methods, const LoadedModel& shuffled,
                        const ReadFiles& files = {});

// Means of a reading's faithfulness over sentences.
struct MeanFaithfulness
{
    std::string reading;
    MeanInterval correlation; // over the sentences that have one
    double random = 0;
    std::optional<double> shuffled = {};
    int rows = 0; // of all sentences
    int sentences = 0;
};

class FaithfulnessMeans
{
public:
    void add(const Faithfulness& row); // of another sentence, or another reading
    std::vector<MeanFaithfulness> means() const; // by name

private:
    struct Sums
    {
        std::vector<double> correlations;
        std::vector<double> random;
        std::vector<double> shuffled;
        int rows = 0;
    };

    std::map<std::string, Sums> m_readings;
};

} // namespace attn

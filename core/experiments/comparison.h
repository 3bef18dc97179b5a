// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/run_difference.h"
#include "experiments/experiment.h"
#include "trace/attention_map.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn {

enum class ComparedState : std::uint8_t { Waiting, Done, Refused };

// Run of a model on the sentence.
struct ComparedRun
{
    std::string name;
    ComparedState state = ComparedState::Waiting;
    std::string problem = {}; // Refused: why
    std::optional<Trace> trace = {}; // Done
    std::optional<Site> site = {}; // which attention is shown; none: the model has none
    // Members that take time to compute.
    std::vector<std::string> words = {}; // of the site's rows
    Numbers map = {}; // [words, columns]: of the site, the mean of its heads
    Encoding columns = {}; // of the site; the source where there is none
    std::string output = {}; // empty for models that only read
};

// A run's attention on the common words, mean of its heads.
struct ComparedMap
{
    std::string name;
    ComparedState state = ComparedState::Waiting;
    std::string problem = {};
    std::optional<Site> site = {}; // none: the model has no attention
    int heads = 0;
    ModelKind kind = ModelKind::EncoderDecoder;
    AttentionAxis rows = AttentionAxis::Tokens;
    std::vector<std::string> words = {}; // of the rows
    Numbers map = {}; // [words, columns]
    std::string output = {}; // empty for models that only read
    bool writes = false; // the rows are words of the output
    double logProbability = 0; // of the output, natural logarithm
    int tokens = 0; // of the output, the end included
};

// Several models on one sentence: their maps have the same columns.
struct Comparison
{
    std::vector<std::string> columns; // words, then the special token; empty: special ones of several kinds
    std::vector<ComparedMap> maps;
};

// Goes through what is kept of all runs: asks no tokenizer and no trace for a map. Throws Error{Cancelled} by
// ThreadStop.
Comparison comparisonOf(const std::vector<ComparedRun>& runs);

// One map less another, on the words of both outputs.
struct ComparedDifference
{
    int first = 0; // which of the maps
    int second = 0;
    std::vector<std::string> words; // of the rows
    PairedPlaces rows;
    Numbers map; // NaN where only one of them has the word, or a weight is NaN; empty: no word is in common
    double variation = 0; // mean total variation of the common rows: 0 equal, 1 nothing in common; NaN: as in the map
};

// Rows of the same word, and those of words that only one of them has.
PairedPlaces pairedRows(const ComparedMap& a, const ComparedMap& b);
ComparedDifference differenceOf(const Comparison& comparison, int first, int second);

// One sentence through several models, one after the other. A model that refuses it is among the runs with the reason.
class ComparisonExperiment
{
public:
    // The question's model is left out. With `sameOutput`, what the first model writes is forced on the others.
    ComparisonExperiment(const std::vector<std::string>& models, Question question, bool sameOutput);

    bool advance(const Workbench& bench); // a model
    const std::vector<ComparedRun>& runs() const { return m_runs; } // one per model

private:
    std::vector<std::string> m_models;
    Question m_question;
    bool m_sameOutput;
    Index m_next = 0;
    std::vector<ComparedRun> m_runs;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/scores.h"
#include "experiments/experiment.h"
#include "experiments/sentences.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace attn {

// BLEU of the greedy output, or the mean log probability of a reference token.
enum class LengthMeasure : std::uint8_t { Bleu, LogProbability };

// Quality of a model's translations of sentences that are from .. to source words long.
struct LengthPoint
{
    int from = 0;
    int to = 0;
    int sentences = 0;
    double value = 0;
};

struct LengthCurve
{
    std::string model;
    int number = 0; // the model's own, also when others are hidden
    std::vector<LengthPoint> points; // by length; without ranges that no sentence was read of
};

struct LengthCurves
{
    LengthMeasure measure = LengthMeasure::Bleu;
    std::vector<LengthCurve> curves;
    std::string file; // of the sentences, its name; empty: of the cards
    std::string testSet = {}; // that all cards name; empty: they name none, or others
    int sentences = 0; // that every model has read
    int leftOut = 0; // of every curve, because a model refused them
    std::string reason; // of the first that was
};

// Curves in the cards of the bundled models; those that cannot be read are among the problems.
LengthCurves cardCurves(std::vector<Error>& problems);

// Measures models on a file of sentence pairs, a sentence at a time and every model in turn, so that all curves grow
// together.
class LengthExperiment
{
public:
    static constexpr int bins = 6;

    struct Plan
    {
        std::filesystem::path file;
        std::vector<std::string> models; // bundled names or paths
        LengthMeasure measure = LengthMeasure::Bleu;
        int most = 0; // sentences from the start of the file; 0: all
        Question question = {}; // of every sentence; its texts and how they are decoded are the experiment's
    };

    explicit LengthExperiment(Plan plan);

    // The file, a model, or a sentence. Throws Error{File, Format, Input} for the file, Error{Unsupported} for a model
    // that does not translate text.
    bool advance(const Workbench& bench);
    // So far; the curves have no points before the first sentence.
    LengthCurves curves() const;

private:
    // Sums over the sentences of a bin.
    struct Sums
    {
        int sentences = 0;
        BleuCounts counts;
        double logProbability = 0;
        int tokens = 0;
    };
    struct Reader // a model that reads the sentences
    {
        std::shared_ptr<const LoadedModel> model;
        std::vector<Sums> sums; // one per bin
        Sums latest; // of the sentence that is being read by every model
    };

    void readFile();
    void load(const Workbench& bench);
    void measure(const Workbench& bench);
    Sums read(const Reader& reader, const SentencePair& pair, const Workbench& bench) const;
    void keepSentence(std::size_t bin);

    Plan m_plan;
    std::vector<SentencePair> m_pairs;
    std::vector<LengthBin> m_bins;
    std::vector<std::size_t> m_binOf; // sentence -> bin
    std::vector<Reader> m_readers;
    Index m_done = 0; // runs: sentences times models
    int m_leftOut = 0;
    bool m_refused = false; // the sentence that is being read, by a model
    std::string m_reason;
};

} // namespace attn

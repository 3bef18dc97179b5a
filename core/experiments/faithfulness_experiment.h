// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attribution/faithfulness.h"
#include "experiments/experiment.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Progress of a comparison of readings with erasure.
struct FaithfulnessResult
{
    std::optional<Trace> run; // of the one sentence; none: there are many, or it has not run yet
    std::vector<Faithfulness> rows; // of it
    int unsettled = 0; // outputs of which the path of integrated gradients has not settled
    int paths = 0; // of all
    std::map<std::string, std::string> absent; // methods that the model lacks, with a sentence
    std::vector<MeanFaithfulness> means; // over many sentences
    int sentences = 0; // that were compared
    int count = 1; // of all
    int leftOut = 0; // because the model refuses them
    std::string reason; // of the first that was, with its line
};

// Compares every reading of a run with erasure, and with its controls: random rows of the same entropy, and the same
// reading of the model with shuffled weights. Of one sentence a method a piece, of many a sentence.
class FaithfulnessExperiment
{
public:
    struct Plan
    {
        Question question;
        std::optional<int> of = {}; // position of the output that is explained; none: all, or the one that there is
        bool hides = false; // erased tokens are hidden, not replaced
        bool shuffled = false; // the control by shuffled weights, too
        // Read with the first piece of work, a text each in place of the question's. Empty: the question as it is.
        std::function<std::vector<std::string>()> sentences = {};
    };

    explicit FaithfulnessExperiment(Plan plan);

    // Throws what answer() throws, and Error{Input} for a model of which nothing can be erased. Of several sentences
    // those that the model refuses are left out.
    bool advance(const Workbench& bench);
    const FaithfulnessResult& result() const { return m_result; }

private:
    struct Work; // on the one sentence

    void prepare(const Workbench& bench);
    void compareMethod(const Workbench& bench);
    void compareSentence(const Workbench& bench);
    void countPaths(const ReadingResults& results);
    std::shared_ptr<Work> workOn(const Question& question, const Workbench& bench, EditsFit fit) const;

    Plan m_plan;
    std::vector<const ReadingMethod*> m_methods;
    std::shared_ptr<const LoadedModel> m_model;
    std::shared_ptr<const LoadedModel> m_shuffled; // null: without the control
    std::vector<std::string> m_sentences;
    std::shared_ptr<Work> m_work;
    FaithfulnessMeans m_means;
    FaithfulnessResult m_result;
};

} // namespace attn

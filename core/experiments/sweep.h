// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/output_change.h"
#include "experiments/experiment.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Items that are taken away, one after the other: a head's weights become 0, or a token of the source is hidden.
enum class SweepOver : std::uint8_t { Heads, SourceTokens };

// Change of the output without a head.
struct SweptHead
{
    Site site;
    int head = 0;
    OutputChange change; // over the sentences
};

// Change of a sentence's output without one of its tokens.
struct SweptToken
{
    int sentence = 0; // from 0, of all that were given
    int position = 0;
    std::string token; // its piece
    OutputChange change;
};

// Progress of a sweep.
struct SweepResult
{
    std::optional<SweepOver> over;
    std::vector<SweptHead> heads; // by stage, layer, head
    std::vector<SweptToken> tokens; // by sentence, position
    int sentences = 0; // that were read
    int count = 0; // of all
    int leftOut = 0; // because the model refuses them
    std::string reason; // of the first that was
    bool predicts = true; // false: the model has no output that could change
};

// Runs a question, for one sentence or many, and then forces each output again without one head or source token at a
// time, with what the question's edits do already. The source is encoded once more only where what is taken away
// reaches into the encoder.
class Sweep
{
public:
    struct Plan
    {
        Question question;
        // Read with the first piece of work, a text each in place of the question's. Empty: the question as it is.
        std::function<std::vector<std::string>()> sentences = {};
        std::optional<SweepOver> over = SweepOver::Heads; // none: the sentences are merely run
        EditsFit edits = EditsFit::Required; // of the question as it is; of sentences it is WherePossible
        bool fitted = false; // what the model cannot do of the question is left out, not an error
        std::function<void(const Trace&)> ran = {}; // takes each run
    };

    explicit Sweep(Plan plan);

    // The model, the run of a sentence, or one thing taken away. Of several sentences those that the model refuses are
    // left out. Throws what answer() throws.
    bool advance(const Workbench& bench);
    SweepResult result() const;
    // Whether a sentence has been run and its output is compared with those without something.
    bool comparing() const;

private:
    struct Work; // on a sentence

    void prepare(const Workbench& bench);
    void runSentence(const Workbench& bench);
    void takeAway(const Workbench& bench);
    void say(const Workbench& bench) const;
    Question questionOf(int sentence) const;

    Plan m_plan;
    std::shared_ptr<const LoadedModel> m_model;
    std::shared_ptr<const std::vector<std::string>> m_sentences; // null: the question's own
    std::shared_ptr<Work> m_work; // null: the next sentence has not been run
    int m_next = 0; // sentence
    SweepResult m_result;
};

} // namespace attn

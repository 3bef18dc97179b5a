// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/run_tree.h"
#include "state/study.h"
#include "trace/trace.h"

#include <QString>

#include <optional>
#include <string>

namespace attn::ui {

// Name of a run: its own name, or what differs from its parent: "beam 8", "other sentence: A dog sat".
QString runName(const RunTree& runs, const Run& run);
// Whether somebody gave it a name or a note that is in no file.
bool isMarked(const Run& run);
// A difference in words; `run` is the one that has it, `before` the one that it differs from, where that is known.
QString differenceText(const QuestionDifference& difference, const Run& run, const Run* before = nullptr);

// Output of a run, on one line: the text, the expected words or the class.
QString runOutput(const Trace& trace);
// Its natural logarithm, summed; none where there is no such thing.
std::optional<double> runLogProbability(const Trace& trace);
QString logProbabilityText(double value);

// Text that a model wrote on the way to `leaf`, of a text that was continued with its beginning; empty: it wrote
// nothing.
QString writtenText(const Trace& trace, std::optional<StepId> leaf);

// A text on show with the model's mask in place of one of its words.
struct MaskedWord
{
    std::string text; // of the sentence that the word stands in
    bool inSecond = false; // of a pair
    int masksBefore = 0; // in both sentences
};

// The word that a token of the run on show belongs to; none where it is masked already, or nothing can be.
std::optional<MaskedWord> maskedWord(const Study& study, std::optional<int> token);

} // namespace attn::ui

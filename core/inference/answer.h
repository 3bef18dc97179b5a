// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edits/edit_check.h"
#include "inference/source_input.h"
#include "loading/model_loader.h"
#include "question/question.h"
#include "trace/trace.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attn {

class TraceBuilder;

// Observer of a question that is answered; each part may be left out.
struct RunObserver
{
    std::stop_token stop = {};
    std::function<void()> changed = {}; // the trace has grown; called on the thread that runs
    std::function<void(std::shared_ptr<const TraceBuilder>)> started = {}; // before the model runs, for snapshots
    std::optional<std::uint64_t> mapBytes = {}; // most that maps take as numbers; none: what Limit::Maps says
    ReadPicture picture = {}; // as of ReadFiles
    KeptBytes sound = {};
    std::shared_ptr<const SourceMedia> media = {}; // of an earlier run: pixels that this one has, too, are held once
    // Names the tokens of the trace instead of the tokenizer.
    std::function<std::shared_ptr<const TokenDescriber>(std::shared_ptr<const Tokenizer>)> naming = {};
};

// Rule where the source or a given output lacks the token, row or column that an edit names: that is an error, or
// the edit changes nothing there, as it must where several sentences are run with the same edits.
enum class EditsFit : std::uint8_t { Required, WherePossible };

// Throws EditError for edits that fit no sentence that such a model reads.
void checkEdits(const Question& question, const LoadedModel& model);

// The one way from a question to its trace, for the window, the command line and the tests. `model` is what the
// question names, loaded by `engine`, which computes in the question's precision. Throws Error{Input, Resource,
// Cancelled}.
Trace answer(const Question& asked, const LoadedModel& model, Engine& engine, const RunObserver& observer = {},
             EditsFit fit = EditsFit::Required);

// All for which answer() throws EditError, each by itself; throws what else is wrong with the question.
std::vector<EditProblem> editProblems(const Question& asked, const LoadedModel& model);

// A beginning of a text, or of both texts of a pair, and how many tokens the model makes of it.
struct TextBeginning
{
    std::string text;
    std::optional<std::string> secondText;
    Index tokens = 0;
};

// The most that the model can read of a text that is longer; of a pair, whose longer text is cut first, of both;
// none: it is not too long, or is given as ids. Throws what else is wrong with the question.
std::optional<TextBeginning> readableBeginning(const Question& asked, const LoadedModel& model);

// Question without what the model cannot do: a second text, a forced output and languages that it does not know are
// left out, and where it has no tokenizer the text is read as ids. Throws Error{Input} for a text that is none.
Question fitted(Question question, const LoadedModel& model);

} // namespace attn

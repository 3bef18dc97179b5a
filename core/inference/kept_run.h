// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/decode.h"
#include "models/sequence_model.h"
#include "question/question.h"
#include "trace/trace.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// A run that was kept for others that begin as it did. It costs the memory of the keys and values of all its
// hypotheses, or of their recurrent states, beside its trace.
struct KeptRun
{
    Question question;
    std::shared_ptr<const SequenceModel> model;
    Trace trace;
    DecodedRun decoded;
};

// Extent to which a run is known from a kept one.
struct SharedBeginning
{
    KnownBeginning known;
    Trace::Path steps; // of the given tokens whose steps are known
    const TraceStep* next = nullptr; // one that continued them; null: none, or nothing continues them now
};

// Beginning that `asked` of the same model shares with the kept run: all of the source where both read it alike and, as
// far as the kept run produced them, the tokens that are given, a prompt's and the prefix's. They share nothing where
// anything but the prefix, the search, what it draws by and its limits differs, where positions of hard attention are
// drawn, and where the inside of a cell is asked for. source: what is read.
std::optional<SharedBeginning> sharedBeginning(const KeptRun& kept, const Question& asked, const SequenceModel& model,
                                               std::span<const TokenId> source, std::span<const TokenId> prefix);

// With what probability sampling by `options` would draw each token of the vocabulary where a step of a kept run was
// chosen. Empty: it is not known any more.
std::vector<double> drawProbabilitiesAt(const KeptRun& kept, StepId step, const DecodingOptions& options,
                                        Engine& engine);

} // namespace attn

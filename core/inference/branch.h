// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "question/question.h"
#include "text/tokenizer.h"
#include "trace/trace.h"

#include <optional>
#include <vector>

namespace attn {

// Where a run is to go on otherwise.
struct Branch
{
    std::optional<StepId> leaf = {}; // of the hypothesis; none: the best
    int step = 0; // of its path
    std::vector<TokenId> tokens; // in the place of what that step and those after it produced
};

// The question whose run does so. `asked` is what the run was asked, and how the rest is to be searched for; a run that
// followed a given output goes on freely. Of a decoder-only model, a step of the prompt ends the prompt there: as a
// text where `tokenizer` (null: there is none) reads the shorter text as these tokens, else as ids. As many tokens are
// generated as before, and at least one after those that are put there.
Question branched(Question asked, const Trace& trace, const Branch& branch, const Tokenizer* tokenizer);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/trace_sink.h"

#include <optional>
#include <string>

namespace attn {

// Tokens of an answer.
struct AnswerSpan
{
    Index first = 0;
    Index last = 0; // included
    float score = 0; // the start's logit and the end's
};

// The best of at most 15 tokens, the first of equals, in the second text or, where there is one, among the tokens that
// are not special. None where no token may be chosen, or no logit is a number.
std::optional<AnswerSpan> bestSpan(const TokenPredictions& predictions, const Encoding& source);

// The part of the text, or where it is not known the tokens with blanks between.
std::string textOf(const Encoding& source, const AnswerSpan& span);

} // namespace attn

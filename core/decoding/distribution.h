// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace_sink.h"

#include <span>
#include <vector>

namespace attn {

// Natural logarithms of the softmax of one row of logits. A NaN, or no finite largest logit, throws
// Error{Resource}.
std::vector<float> logSoftmax(std::span<const float> logits);

// The same with the tokens that are never produced at -inf; the others are not renormalised.
void removeTokens(std::vector<float>& logProbabilities, std::span<const TokenId> tokens);

// All others at -inf, not renormalised.
void keepOnly(std::vector<float>& logProbabilities, TokenId token);

// The `count` most probable tokens, best first, lower ids first on ties; tokens at -inf are left out.
std::vector<Candidate> mostProbable(std::span<const float> logProbabilities, int count);

} // namespace attn

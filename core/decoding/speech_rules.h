// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "models/speech.h"

#include <span>
#include <vector>

namespace attn {

// Sets the log-probabilities of tokens to -inf that a transcript may not go on with (Radford et al. 2023, appendix D);
// the others are not renormalised. said: its tokens behind the prompt; withTimes: times stand around what is said.
void applySpeechRules(std::vector<float>& logProbabilities, const Speech& speech, std::span<const TokenId> said,
                      bool withTimes);

} // namespace attn

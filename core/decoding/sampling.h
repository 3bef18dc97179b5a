// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "decoding/options.h"
#include "models/speech.h"

#include <span>
#include <vector>

namespace attn {

// A token that sampling may draw.
struct DrawnToken
{
    TokenId token = 0;
    double weight = 0; // its probability relative to that of the first
};

// Candidates that sampling draws from, the most probable first: the distribution sharpened by temperature and cut by
// top-k, top-p (Holtzman et al. 2020) and min-p (Nguyen et al. 2024). logProbabilities: of the whole vocabulary, with
// at least one that is finite.
std::vector<DrawnToken> drawnTokens(std::span<const float> logProbabilities, const DecodingOptions& options);

// Probability with which sampling draws each token of the vocabulary; 0 for those that are cut off. It shows what
// temperature, top-k, top-p and min-p do to the candidates of a step, before anything is drawn.
std::vector<double> drawProbabilities(std::span<const float> logProbabilities, const DecodingOptions& options);

// Sets the log-probabilities of tokens to -inf that a transcript may not go on with (Radford et al. 2023, appendix D);
// the others are not renormalised. said: its tokens behind the prompt; withTimes: times stand around what is said.
void applySpeechRules(std::vector<float>& logProbabilities, const Speech& speech, std::span<const TokenId> said,
                      bool withTimes);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "decoding/options.h"

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

// With what probability sampling draws each token of the vocabulary; 0 for those that are cut off. What a choice of
// temperature, top-k, top-p and min-p does to the candidates of a step, before anything is drawn.
std::vector<double> drawProbabilities(std::span<const float> logProbabilities, const DecodingOptions& options);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/sampling.h"

#include "base/index.h"
#include "decoding/search.h"

#include <cmath>

namespace attn {

std::vector<DrawnToken> drawnTokens(std::span<const float> logProbabilities, const DecodingOptions& options)
{
    const int vocabulary = indexSize(logProbabilities);
    const auto best = mostProbable(logProbabilities, options.topK > 0 ? options.topK : vocabulary);
    const double most = best.front().logProbability;
    std::vector<DrawnToken> kept;
    double all = 0;
    for (const Candidate& candidate : best) {
        kept.push_back({candidate.token, std::exp((candidate.logProbability - most) / options.temperature)});
        all += kept.back().weight;
    }
    // The smallest set of best tokens that reaches top-p.
    double sum = 0;
    std::size_t count = 0;
    while (count < kept.size()
           && (count == 0 || (sum < options.topP * all && kept[count].weight >= options.minP * kept[0].weight)))
        sum += kept[count++].weight;
    kept.resize(count);
    return kept;
}

std::vector<double> drawProbabilities(std::span<const float> logProbabilities, const DecodingOptions& options)
{
    const auto kept = drawnTokens(logProbabilities, options);
    double all = 0;
    for (const DrawnToken& drawn : kept)
        all += drawn.weight;
    std::vector<double> result(logProbabilities.size(), 0.0);
    for (const DrawnToken& drawn : kept)
        result[drawn.token] = drawn.weight / all;
    return result;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/head_scores.h"

#include <cmath>

namespace attn::ui {

std::optional<double> otherScaling(const SiteScoring& scoring)
{
    const bool product = scoring.kind == "scaled_dot" || scoring.kind == "dot" || scoring.kind == "general"
        || scoring.kind == "low_rank";
    if (!product || scoring.width < 1 || !(scoring.scale > 0) || scoring.biased)
        return std::nullopt;
    if (scoring.scale != 1)
        return 1 / scoring.scale;
    return 1 / std::sqrt(scoring.width);
}

HeadScores headScores(const ScoredSentence& sentence, Site site, int head)
{
    HeadScores result;
    result.site = site;
    result.head = head;
    if (const auto found = sentence.scoring.find(site); found != sentence.scoring.end())
        result.scoring = found->second;
    const AttentionMatrix scores = sentence.trace.scores(site, head);
    result.own = scoreNumbers(scores);
    if (const auto factor = otherScaling(result.scoring))
        result.other = scoreNumbers(scaledScores(scores, *factor));
    return result;
}

} // namespace attn::ui

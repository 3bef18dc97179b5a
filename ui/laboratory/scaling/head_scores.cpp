// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/scaling/head_scores.h"

#include <cmath>

namespace attn::ui {

SiteScoring scoringOf(const CellStages& stages)
{
    const bool projectsQuery = stages.has(StageKind::ProjectedQuery);
    const StageMatrix* const projected = stages.find(StageKind::ProjectedKeys);
    const StageMatrix* const keys = projected != nullptr ? projected : stages.find(StageKind::Keys);
    if (keys == nullptr)
        return {};
    SiteScoring result;
    if (stages.has(StageKind::TanhLayer)) {
        result.form = ScoreForm::Additive;
        result.learnedQuery = !projectsQuery;
        return result;
    }
    result.form = projectsQuery ? ScoreForm::LowRank : projected != nullptr ? ScoreForm::General : ScoreForm::Product;
    result.width = keys->columns;
    result.biased = stages.has(StageKind::PositionBias);
    if (const auto scale = stages.values(StageKind::Scale); !scale.empty())
        result.scale = static_cast<double>(scale.front());
    return result;
}

std::optional<double> otherScaling(const SiteScoring& scoring)
{
    const bool product = scoring.form != ScoreForm::Unknown && scoring.form != ScoreForm::Additive;
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

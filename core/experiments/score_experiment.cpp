// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/score_experiment.h"

#include <cmath>
#include <utility>

namespace attn {

bool SiteScoring::scalesByRoot() const
{
    return width > 0 && std::abs(scale * std::sqrt(width) - 1) < 1e-5;
}

SiteScoring scoringOf(const CellStages& stages)
{
    const bool projectsQuery = stages.has(StageKind::ProjectedQuery);
    const Numbers* const projected = stages.find(StageKind::ProjectedKeys);
    const Numbers* const keys = projected != nullptr ? projected : stages.find(StageKind::Keys);
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
        result.scale = scale.front();
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
    const Numbers scores = sentence.trace.scores(site, head);
    result.own = scoreNumbers(scores);
    if (const auto factor = otherScaling(result.scoring))
        result.other = scoreNumbers(scaledScores(scores, *factor));
    return result;
}

HeadScoresExperiment::HeadScoresExperiment(Question question, Site site, int head,
                                           std::shared_ptr<const ScoredSentence> before)
    : m_question(std::move(question))
    , m_site(site)
    , m_head(head)
    , m_sentence(std::move(before))
{
    m_question.capture = {.attention = true, .scores = true, .inside = CellAddress{site}};
}

bool HeadScoresExperiment::advance(const Workbench& bench)
{
    if (!m_sentence || !m_sentence->scoring.contains(m_site)) {
        bench.say({ExperimentProgress::Step::Reading});
        auto sentence = std::make_shared<ScoredSentence>();
        if (m_sentence)
            sentence->scoring = m_sentence->scoring;
        sentence->trace = bench.ask(m_question);
        sentence->scoring[m_site] = scoringOf(sentence->trace.stages());
        m_sentence = std::move(sentence);
    }
    m_scores = headScores(*m_sentence, m_site, m_head);
    return false;
}

bool SamplingExperiment::advance(const Workbench&)
{
    m_numbers.at(m_next) = scoreNumbers(sampleScores(kinds.at(m_next), m_settings));
    return ++m_next < kinds.size();
}

} // namespace attn

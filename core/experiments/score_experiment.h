// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/scores.h"
#include "experiments/experiment.h"
#include "trace/stage.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace attn {

enum class ScoreForm : std::uint8_t {
    Unknown,
    Product, // q . k
    General, // q W k
    LowRank, // (U q) . (W k)
    Additive, // v . tanh(W q + U k)
};

// Scores of the heads of a site, and how they are made.
struct SiteScoring
{
    ScoreForm form = ScoreForm::Unknown;
    double scale = 1;
    int width = 0; // of the vectors that are multiplied
    bool biased = false; // relative positions are added
    bool learnedQuery = false; // additive without a query of its own for each row

    bool scalesByRoot() const; // by 1/sqrt(width)
};

// Scoring of a site, from the report of a run about one cell.
SiteScoring scoringOf(const CellStages& stages);

// The factor that takes scaling away or adds it; none for additive scores and beside biases of positions.
std::optional<double> otherScaling(const SiteScoring& scoring);

// A sentence's scores in a model, with how the sites that were asked for make them.
struct ScoredSentence
{
    Trace trace;
    std::map<Site, SiteScoring> scoring;
};

// A head of the model: its scores as they are, and with its scaling taken away or, where it has none, added.
struct HeadScores
{
    Site site;
    int head = 0;
    SiteScoring scoring;
    ScoreNumbers own;
    std::optional<ScoreNumbers> other; // none: scaling would mean nothing, or not that alone

    bool scaled() const { return scoring.scale != 1; }
};

// Throws Error{Input} for a head that the site does not have.
HeadScores headScores(const ScoredSentence& sentence, Site site, int head);

// The scores of one head on a sentence. What was run for another head or site of the same question serves again.
class HeadScoresExperiment
{
public:
    HeadScoresExperiment(Question question, Site site, int head, std::shared_ptr<const ScoredSentence> before);

    bool advance(const Workbench& bench);

    const std::shared_ptr<const ScoredSentence>& sentence() const { return m_sentence; }
    const HeadScores& scores() const { return m_scores; }

private:
    Question m_question;
    Site m_site;
    int m_head;
    std::shared_ptr<const ScoredSentence> m_sentence;
    HeadScores m_scores;
};

// Scores of random vectors, for every way to make them.
class SamplingExperiment
{
public:
    static constexpr std::array kinds{Compatibility::Dot, Compatibility::ScaledDot, Compatibility::Additive};

    explicit SamplingExperiment(const ScoreExperiment& settings)
        : m_settings(settings)
    {
    }

    bool advance(const Workbench& bench); // one way

    const ScoreExperiment& settings() const { return m_settings; }
    const std::array<ScoreNumbers, kinds.size()>& numbers() const { return m_numbers; } // of `kinds`

private:
    ScoreExperiment m_settings;
    std::size_t m_next = 0;
    std::array<ScoreNumbers, kinds.size()> m_numbers;
};

} // namespace attn

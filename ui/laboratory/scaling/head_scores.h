// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/scaling/score_numbers.h"
#include "trace/stage.h"
#include "trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>

namespace attn::ui {

enum class ScoreForm : std::uint8_t {
    Unknown,
    Product, // q . k
    General, // q W k
    LowRank, // (U q) . (W k)
    Additive, // v . tanh(W q + U k)
};

// How the heads of a site make their scores.
struct SiteScoring
{
    ScoreForm form = ScoreForm::Unknown;
    double scale = 1;
    int width = 0; // of the vectors that are multiplied
    bool biased = false; // relative positions are added
    bool learnedQuery = false; // additive without a query of its own for each row
};

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

// By what a run reports of one cell.
SiteScoring scoringOf(const CellStages& stages);

// The factor that takes scaling away or adds it; none for additive scores and beside biases of positions.
std::optional<double> otherScaling(const SiteScoring& scoring);

// Throws Error{Input} for a head that the site does not have.
HeadScores headScores(const ScoredSentence& sentence, Site site, int head);

} // namespace attn::ui

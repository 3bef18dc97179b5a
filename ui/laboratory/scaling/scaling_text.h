// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/score_experiment.h"
#include "figures/charts/histogram_figure.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

// Texts and drawings of the page on scaling.

// The standard deviation that theory gives scores of random vectors; none for additive ones.
std::optional<double> expectedDeviation(Compatibility kind, int width);

FigureTitle sampleTitle(Compatibility kind, int width);
FigureTitle headTitle(const HeadScores& head, bool other);

// Densities of scores on an axis of `range`, or their own; with the expected normal density and its deviation.
HistogramContent scoreContent(const FigureTitle& title, const ScoreNumbers& numbers,
                              std::optional<std::pair<double, double>> range, std::optional<double> deviation);
// The largest weight of each row, 0 .. 1.
HistogramContent weightContent(const FigureTitle& title, const ScoreNumbers& numbers);

// The result of an experiment in a sentence.
QString sampleSentence(int width, int keys, const ScoreNumbers& dot, const ScoreNumbers& scaled);
// Score of a head of the model, and its effect.
QString headSentence(const HeadScores& head);

// Scores above, weights below: the first half of `contents` in one row, the second half in another. The first three of
// each half are random.
std::unique_ptr<const Figure> histogramPanels(const FigureSpec& spec, const std::vector<HistogramContent>& contents,
                                              QSizeF size);

} // namespace attn::ui

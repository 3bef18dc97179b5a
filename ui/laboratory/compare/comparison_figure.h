// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiments/comparison.h"
#include "figures/parts/panel_figure.h"

#include <QByteArray>

#include <memory>

namespace attn::ui {

// Pixels of height in which every row can have its name.
int leastHeight(const Comparison& comparison, int width);
// The maps beside each other on one colour scale, with outputs and log probabilities beneath; models without a map as
// rows of text above.
std::unique_ptr<const PanelFigure> layOutComparison(const Comparison& comparison, const FigureSpec& look, QSizeF size);
std::unique_ptr<const Figure> layOutDifference(const Comparison& comparison, int first, int second,
                                               const FigureSpec& look, QSizeF size);

// "model,output word,source word,weight", a line for every cell of every map.
QByteArray comparisonCsv(const Comparison& comparison);
QByteArray differenceCsv(const Comparison& comparison, int first, int second);

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/parts/matrix_figure.h"
#include "figures/parts/running_text.h"

#include <QColor>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace attn::ui {

// Which weights of a row have a line: those of at least `threshold`, and of them the largest that make up the part
// `topMass` of the row's sum. Of a difference the magnitudes count. Columns, the largest weight first.
std::vector<int> drawnColumns(std::span<const float> row, double threshold, double topMass);

// The heads that are drawn over each other, each in its colour: those of spec.heads that there are. Empty: the one of
// spec.head; of a difference of two runs always.
std::vector<int> drawnHeads(const FigureSpec& spec, const Trace& trace);

// The weights of one of the heads that lines are drawn of.
struct HeadWeights
{
    std::optional<int> head; // none: the one that is chosen
    Map map;
    QColor color;
};

// The matrix that lines are drawn of.
struct LinesContent
{
    MatrixContent frame; // labels, axes, title
    std::vector<HeadWeights> heads; // one at least
    std::array<std::vector<TextPiece>, 2> texts; // as running text, by TokenSide
};

LinesContent linesContent(const FigureSpec& spec, const Trace& trace);

// The tokens of one side of an attention as the text that they were cut from. `firsts` are those that are shown, the
// first of each, with their labels; where they are no tokens of the encoding, the labels stand there.
std::vector<TextPiece> shownText(const Encoding& encoding, const std::vector<int>& firsts, const QStringList& labels,
                                 bool words);

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/formula.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace attn::ui {

// Numbers with a name: one vector, or several below each other.
struct StageStrip
{
    QString name;
    int rows = 1;
    int columns = 0;
    std::vector<float> values; // [rows, columns]
    QStringList rowNames; // empty: the rows have none
    QStringList columnNames; // empty: the columns are features, counted from 0
    std::optional<int> marked = {}; // row, or of a single vector with named columns the column, that is being looked at
    bool weights = false; // 0 .. 1; others are coloured around zero
    Formula symbol = {}; // stands after the name, or instead of one
    AttentionRole role = AttentionRole::Other; // its colour is that of name and frame

    // Name and symbol in plain text.
    QString title() const;
    bool isLong() const; // so many features that nobody reads them one by one
    float at(int row, int column) const { return values[static_cast<std::size_t>(row) * columns + column]; }
};

// One stage of a computation: what happens, as a formula, and with which numbers.
struct StageContent
{
    QString title;
    std::vector<Formula> formulas; // a line each
    QString shape; // "[9] → [9]"
    QString text; // a sentence
    std::vector<StageStrip> strips; // inputs first, the result last
    bool folded = false; // long vectors are a thin line, matrices of them the marked row of it
};

// The stages of one attention step below each other: what happens, as a formula set on a line of its own, shapes, and
// every vector as a strip of coloured cells. Numbers of either sign are coloured around zero, weights from 0 to 1. As
// high as its content. `current` is marked; cellRect(stage, 0) is where a stage lies. A hit names a number, its column
// is the key's place where the cells stand for keys, its row that of the stage where its numbers can be folded.
std::unique_ptr<const Figure> stagesFigure(const FigureSpec& look, const std::vector<StageContent>& stages, QSizeF size,
                                           std::optional<int> current = {});

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/style.h"

#include <QColor>
#include <QString>

#include <optional>
#include <vector>

namespace attn::ui {

// Names with a number each, as bars below each other.
struct BarListContent
{
    struct Entry
    {
        QString label;
        double value = 0;
        bool taken = false; // stands out
        int id = -1; // of what it stands for, where that has one
        std::optional<double> drawn = {}; // what becomes of the value, over a pale bar; 0: struck out
        QString hint = {}; // said with it
        QString number = {}; // stands right of the bar; empty: the value
    };

    FigureTitle title; // empty: it has no room
    std::vector<Entry> entries;
    int leftOut = 0; // further ones
    int noNumbersLeftOut = 0; // of them
    double least = 0; // the bars' axis
    double most = 1;
    ColorScale scale = ColorScale::Linear; // of the bars' lengths
    bool probabilities = false; // how the numbers are written
    bool signs = false; // the bars are differences, coloured by their signs, over an axis
    QString axis; // its name; empty: it has no room
    QString empty; // said when there are none
    QColor ground; // invalid: the theme's
};

// One column of cells: the bars, each a whole line.
std::unique_ptr<const Figure> barListFigure(const FigureSpec& spec, const BarListContent& content, QSizeF size);

} // namespace attn::ui

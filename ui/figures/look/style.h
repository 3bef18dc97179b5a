// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/look/theme.h"

#include <QFont>
#include <QString>

class QPainter;

namespace attn::ui {

// Colours and fonts that all kinds of figures share.
struct FigureStyle
{
    explicit FigureStyle(const FigureSpec& spec);

    ThemeColors colors;
    ColorMapName colorMap;
    QFont font; // tokens
    QFont strong; // the token that is pointed at
    QFont generated; // tokens that a model added to its prompt
    QFont small; // axis names, ticks
    QFont title;
};

// Whether a painter paints pixels: a screen or an image, not a vector file.
bool isRaster(const QPainter& painter);

struct FigureTitle
{
    QString title;
    QString subtitle;
};

// Title and subtitle below each other, from `left` to `right`; elided when they are longer.
double headerHeight(const FigureStyle& style);
void paintHeader(QPainter& painter, const FigureStyle& style, const FigureTitle& title, double left, double right);

// What stands in the middle of a figure that has nothing to show.
void paintEmpty(QPainter& painter, const FigureStyle& style, QSizeF size, const QString& text);

// A vertical colour bar with ticks and the name of what is measured.
struct ColorBar
{
    double least = 0;
    double most = 1;
    QString name;
    QRectF box; // of the colours; ticks and name stand right of it

    // Room that ticks and name need right of the box.
    double labelRoom(const FigureStyle& style) const;
    double valueAt(double y) const;
    void paint(QPainter& painter, const FigureStyle& style) const;
};

constexpr double colorBarWidth = 12;

} // namespace attn::ui

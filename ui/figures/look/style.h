// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/look/theme.h"

#include <QFont>
#include <QImage>
#include <QString>

#include <functional>
#include <optional>

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

// A pixel per cell, coloured by the fraction of the scale that `part` gives; none: `blank`.
QImage cellImage(int rows, int columns, const FigureStyle& style,
                 const std::function<std::optional<double>(int row, int column)>& part);
// Viewers smooth embedded images, so in a vector file each pixel becomes a block of `block` by `block` dots.
void drawCells(QPainter& painter, const QRectF& box, const QImage& cells, int block);

// Over what one of two runs has alone. The hatchings of areas beside each other go on in each other.
void drawHatching(QPainter& painter, const QRectF& area, const FigureStyle& style);

// Stand below each other over a figure; elided where they are longer.
struct FigureTitle
{
    QString title;
    QString subtitle;
};

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
    FigureHit hitAt(QPointF point) const;
    void paint(QPainter& painter, const FigureStyle& style) const;
};

constexpr double colorBarWidth = 12;

} // namespace attn::ui

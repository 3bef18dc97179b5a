// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/look/color_map.h"
#include "figures/look/formula.h"
#include "figures/look/theme.h"
#include "figures/look/value_scale.h"

#include <QColor>
#include <QFont>
#include <QFontMetricsF>
#include <QImage>
#include <QString>
#include <QStringList>

#include <functional>
#include <limits>
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

// The area to fill for a cell of a grid that is painted row by row. In vector files it reaches under the neighbours to
// the right and below: where two edges share a dot of a viewer, each of them lets a part of what lies under it through,
// and that has to be a cell. Down to an eighth of its size a figure shows no lines between equal cells.
QRectF seamlessCell(const QPainter& painter, const QRectF& cell, const QRectF& grid);

// Colours of cells by the fraction of the scale; none is blank.
class CellColors
{
public:
    static constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

    explicit CellColors(const FigureStyle& style);

    QRgb of(const std::optional<double>& fraction) const;

private:
    const ColorTable& m_table;
    QRgb m_blank;
    QRgb m_noNumber;
};

// A pixel per cell, coloured by the fraction of the scale that `part` gives.
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
    Formula formula = {}; // is set in place of the title, which is its reading
    Formula below = {}; // likewise of the subtitle
    double room = 0; // height of the title at least, where others stand beside it
};

// A small mark of a cell that is beyond an end of the scale, in a corner of it.
void drawBeyond(QPainter& painter, const QRectF& cell, bool above, const QColor& ink);

// A vertical colour bar with ticks, the name of what is measured, and what is to be known of its scale.
struct ColorBar
{
    ValueScale scale = {};
    QString name = {};
    QStringList notes = {}; // stand beside the name
    bool shares = false; // rows or maps have ends of their own: the scale is of shares of these
    bool hasBelow = false; // there are values beyond the ends
    bool hasAbove = false;
    QColor ink = {}; // of which the colours are as much as the fraction; invalid: they are the colour map's
    QRectF box = {}; // of the colours; ticks and names stand right of it

    // Room that ticks and names need right of the box.
    double labelRoom(const FigureStyle& style) const;
    double valueAt(double y) const;
    FigureHit hitAt(QPointF point) const;
    void paint(QPainter& painter, const FigureStyle& style) const;

private:
    QString valueText(double value) const;
    QString tickText(const ValueScale::Tick& tick) const;
    double widestTick(const QFontMetricsF& metrics) const;
    QStringList noteLines(const QFontMetricsF& metrics) const;
    void paintColors(QPainter& painter, const FigureStyle& style) const;
    void paintEnds(QPainter& painter, const FigureStyle& style) const;
};

constexpr double colorBarWidth = 12;

} // namespace attn::ui

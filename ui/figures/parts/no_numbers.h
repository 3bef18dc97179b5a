// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/look/style.h"
#include "maps/map.h"

#include <QColor>
#include <QPen>
#include <QRectF>
#include <QString>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>

class QPainter;

namespace attn::ui {

// Drawing and words, in every view, for what is no number: NaN or infinite.

// Marks of cells: a view crosses them out, or draws their lines dash-dotted.
enum class NoNumberMark : std::uint8_t { Crossed, Dashed };

// "no number in 2 of 64 cells (crossed out)"; empty for a count of 0.
QString noNumbersNote(qint64 count, qint64 cells, NoNumberMark mark = NoNumberMark::Crossed);
QString noNumbersNote(const Map& map); // of its cells
// The same of probabilities.
QString noProbabilitiesNote(qint64 count, qint64 all);
QString lostLogitsNote(); // why there are no candidates
// Says it below the title, first of all, since a long line is cut off, and to who has the figure described. Nothing for
// an empty note.
void addNote(FigureTitle& title, QString& description, const QString& note);
// "NaN, which is no number", or the number itself.
QString numberText(double value, const QString& written);

// A number to sort and compare by: what is no number comes after every number.
double numberOrLeast(double value);

// Count of the values that are no numbers.
template<class All, class Value = std::identity>
qint64 countNoNumbers(const All& all, Value value = {})
{
    return std::ranges::count_if(
        all, [](double one) { return !std::isfinite(one); }, value);
}

// A cross through a cell.
void drawNoNumber(QPainter& painter, const QRectF& cell, const FigureStyle& style);
// A cell in the colour of its value, or crossed out. The ground goes on under what stands beside it: no seam shows.
void fillCell(QPainter& painter, const QRectF& cell, double value, const QColor& color, const FigureStyle& style,
              const QRectF& under = {});
// A bar, as wide as it is and at least so wide, or in its place a square that is crossed out. Its width.
double fillBar(QPainter& painter, const QRectF& bar, double value, const QColor& color, const FigureStyle& style,
               double least = 0);
// In a corner of something larger, on the ground of the figure, so that it is seen on every colour.
void drawNoNumberCorner(QPainter& painter, const QRectF& tile, const FigureStyle& style);
QPen noNumberPen(const FigureStyle& style); // of a line

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/look/style.h"
#include "maps/map.h"

#include <QPen>
#include <QRectF>
#include <QString>

#include <cstdint>

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

// A cross through a cell.
void drawNoNumber(QPainter& painter, const QRectF& cell, const FigureStyle& style);
// In the place of a bar, as large as the bar is high; its width.
double drawNoBar(QPainter& painter, QPointF topLeft, double height, const FigureStyle& style);
// In a corner of something larger, on the ground of the figure, so that it is seen on every colour.
void drawNoNumberCorner(QPainter& painter, const QRectF& tile, const FigureStyle& style);
QPen noNumberPen(const FigureStyle& style); // of a line

} // namespace attn::ui

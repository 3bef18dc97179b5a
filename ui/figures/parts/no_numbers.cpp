// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/no_numbers.h"

#include "figures/figure.h"
#include "figures/look/token_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::ui {

QString noNumbersNote(qint64 count, qint64 cells, NoNumberMark mark)
{
    if (count == 0)
        return {};
    return (mark == NoNumberMark::Dashed ? Figure::tr("no number in %1 of %2 cells (dash-dotted)")
                                         : Figure::tr("no number in %1 of %2 cells (crossed out)"))
        .arg(count)
        .arg(cells);
}

QString noNumbersNote(const Map& map)
{
    return noNumbersNote(map.count(CellState::NaN), std::ssize(map.numbers.values));
}

QString noProbabilitiesNote(qint64 count, qint64 all)
{
    return count == 0 ? QString()
                      : Figure::tr("%1 of %2 probabilities are no numbers (crossed out)").arg(count).arg(all);
}

QString lostLogitsNote()
{
    return Figure::tr("No candidates: the logits here are no numbers");
}

void addNote(FigureTitle& title, QString& description, const QString& note)
{
    if (note.isEmpty())
        return;
    title.subtitle.prepend(title.subtitle.isEmpty() ? note : note + QStringLiteral("; "));
    description += QLatin1Char(' ') + capitalized(note) + QLatin1Char('.');
}

QString numberText(double value, const QString& written)
{
    return std::isfinite(value) ? written : Figure::tr("%1, which is no number").arg(written);
}

double numberOrLeast(double value)
{
    return std::isfinite(value) ? value : -std::numeric_limits<double>::infinity();
}

void drawNoNumber(QPainter& painter, const QRectF& cell, const FigureStyle& style)
{
    painter.setPen(QPen(style.colors.muted, 1));
    painter.drawLine(cell.topLeft(), cell.bottomRight());
    painter.drawLine(cell.bottomLeft(), cell.topRight());
}

void fillCell(QPainter& painter, const QRectF& cell, double value, const QColor& color, const FigureStyle& style,
              const QRectF& under)
{
    painter.fillRect(cell | under, std::isfinite(value) ? color : style.colors.blank);
    if (!std::isfinite(value))
        drawNoNumber(painter, cell, style);
}

double fillBar(QPainter& painter, const QRectF& bar, double value, const QColor& color, const FigureStyle& style,
               double least)
{
    const double width = std::isfinite(value) ? bar.width() : bar.height();
    fillCell(painter, {bar.left(), bar.top(), std::max(width, least), bar.height()}, value, color, style);
    return width;
}

void drawNoNumberCorner(QPainter& painter, const QRectF& tile, const FigureStyle& style)
{
    const double side = std::clamp(std::min(tile.width(), tile.height()) * 0.2, 5.0, 12.0);
    const QRectF corner(tile.left(), tile.bottom() - side, side, side);
    painter.fillRect(corner, style.colors.background);
    drawNoNumber(painter, corner.adjusted(1, 1, -1, -1), style);
}

QPen noNumberPen(const FigureStyle& style)
{
    return {style.colors.muted, 1.2, Qt::DashDotLine, Qt::FlatCap};
}

} // namespace attn::ui

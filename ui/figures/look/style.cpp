// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/style.h"

#include "base/progress.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"

#include <QPaintDevice>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double tickLength = 3;
constexpr double tickGap = 3;
constexpr double nameGap = 6;

constexpr double noteWidth = 170; // of a line of notes
constexpr double arrowHeight = 6; // of the ends of a scale that values are beyond of
constexpr double leastBeyondCell = 9; // pixels of a cell that has a mark

} // namespace

FigureStyle::FigureStyle(const FigureSpec& spec)
    : colors(themeColors(spec.theme))
    , colorMap(spec.isSigned() ? differenceColors(spec.theme) : shownColors(spec.colorMap, spec.theme))
    , font(figureFont(spec.baseFontPoints, spec.fontFamily))
    , strong(figureFont(spec.baseFontPoints, spec.fontFamily, true))
    , generated(font)
    , small(figureFont(spec.baseFontPoints * 0.85, spec.fontFamily))
    , title(figureFont(spec.baseFontPoints * 1.15, spec.fontFamily, true))
{
    generated.setItalic(true);
}

bool isRaster(const QPainter& painter)
{
    const int type = painter.device()->devType();
    return type == QInternal::Image || type == QInternal::Widget || type == QInternal::Pixmap;
}

QRectF seamlessCell(const QPainter& painter, const QRectF& cell, const QRectF& grid)
{
    constexpr double reach = 8; // a dot of a viewer that shows the figure in an eighth of its size
    return isRaster(painter) ? cell : cell.adjusted(0, 0, reach, reach).intersected(grid);
}

CellColors::CellColors(const FigureStyle& style)
    : m_table(colorTable(style.colorMap))
    , m_blank(style.colors.blank.rgb())
    , m_noNumber(style.colors.muted.rgb())
{
}

QRgb CellColors::of(const std::optional<double>& fraction) const
{
    if (!fraction)
        return m_blank;
    if (std::isnan(*fraction))
        return m_noNumber;
    return *fraction > 0 ? m_table[static_cast<std::size_t>(std::lround(std::min(*fraction, 1.0) * 255))]
                         : m_table.front();
}

QImage cellImage(int rows, int columns, const FigureStyle& style,
                 const std::function<std::optional<double>(int row, int column)>& part)
{
    const CellColors colors(style);
    QImage image(columns, rows, QImage::Format_RGB32);
    for (int row = 0; row < rows; ++row) {
        ThreadStop::check();
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row)); // NOLINT: the documented way to write a line
        for (int column = 0; column < columns; ++column)
            line[column] = colors.of(part(row, column));
    }
    return image;
}

void drawCells(QPainter& painter, const QRectF& box, const QImage& cells, int block)
{
    painter.drawImage(box, isRaster(painter) ? cells : cells.scaled(cells.size() * block));
}

void drawHatching(QPainter& painter, const QRectF& area, const FigureStyle& style)
{
    constexpr double pitch = 5; // between the lines, from left to right
    painter.fillRect(area, style.colors.blank);
    QColor ink = style.colors.muted;
    ink.setAlphaF(0.55F);
    painter.setPen(QPen(ink, 0.7));
    // On a line x + y is the same everywhere, and a multiple of the pitch, so that neighbours go on.
    const auto first = static_cast<int>(std::ceil((area.left() + area.top()) / pitch));
    const auto last = static_cast<int>(std::floor((area.right() + area.bottom()) / pitch));
    for (int line = first; line <= last; ++line) {
        const double sum = line * pitch;
        const double left = std::max(area.left(), sum - area.bottom());
        const double right = std::min(area.right(), sum - area.top());
        painter.drawLine(QPointF(left, sum - left), QPointF(right, sum - right));
    }
}

void drawBeyond(QPainter& painter, const QRectF& cell, bool above, const QColor& ink)
{
    const double side = std::min(cell.width(), cell.height());
    if (side < leastBeyondCell)
        return;
    const double size = std::clamp(side * 0.22, 3.0, 6.0);
    const QPointF corner = above ? cell.topLeft() + QPointF(2, 2) : cell.bottomLeft() + QPointF(2, -2);
    const double tip = above ? 0 : -size;
    const double foot = above ? size : 0;
    const SavedPainter saved(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(QPolygonF({corner + QPointF(0, above ? foot : tip), corner + QPointF(size, above ? foot : tip),
                                   corner + QPointF(size / 2, above ? tip : foot)}));
}

QString ColorBar::valueText(double value) const
{
    return shares ? percent(value) : significant(value, 3);
}

QString ColorBar::tickText(const ValueScale::Tick& tick) const
{
    return shares ? percent(tick.value) : tick.text;
}

double ColorBar::widestTick(const QFontMetricsF& metrics) const
{
    double widest = 0;
    for (const ValueScale::Tick& tick : scale.ticks())
        widest = std::max(widest, metrics.horizontalAdvance(tickText(tick)));
    return widest;
}

QStringList ColorBar::noteLines(const QFontMetricsF& metrics) const
{
    QStringList lines;
    for (const QString& note : notes) {
        const QString joined = lines.isEmpty() ? QString() : lines.last() + QStringLiteral(" \u00B7 ") + note;
        if (!joined.isEmpty() && metrics.horizontalAdvance(joined) <= noteWidth)
            lines.last() = joined;
        else
            lines << note;
    }
    return lines;
}

double ColorBar::labelRoom(const FigureStyle& style) const
{
    const QFontMetricsF metrics(style.small);
    return tickLength + tickGap + widestTick(metrics) + nameGap
        + metrics.height() * static_cast<double>(1 + noteLines(metrics).size());
}

double ColorBar::valueAt(double y) const
{
    return scale.valueAt((box.bottom() - y) / box.height());
}

FigureHit ColorBar::hitAt(QPointF point) const
{
    FigureHit hit;
    if (!box.contains(point))
        return hit;
    hit.part = FigureHit::Part::ColorBar;
    hit.value = static_cast<float>(valueAt(point.y()));
    hit.text = QStringLiteral("%1: %2").arg(name, valueText(valueAt(point.y())));
    return hit;
}

// Arrows stand for what is beyond the ends.
void ColorBar::paintEnds(QPainter& painter, const FigureStyle& style) const
{
    for (const bool above : {true, false}) {
        if (!(above ? hasAbove : hasBelow))
            continue;
        const double foot = above ? box.top() : box.bottom();
        const double tip = foot + (above ? -arrowHeight : arrowHeight);
        painter.setPen(QPen(style.colors.grid, 1));
        painter.setBrush(ink.isValid() ? ink : colorAt(style.colorMap, above ? 1 : 0));
        painter.drawPolygon(QPolygonF({{box.left(), foot}, {box.right(), foot}, {box.center().x(), tip}}));
    }
    painter.setBrush(Qt::NoBrush);
}

void ColorBar::paintColors(QPainter& painter, const FigureStyle& style) const
{
    const SavedPainter saved(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(box);
    constexpr int bands = 64;
    for (int i = 0; i < bands; ++i) {
        // Each band reaches under the next, so that no seams show.
        const double bottom = box.bottom() - box.height() * i / bands;
        const double fraction = (i + 0.5) / bands;
        painter.fillRect(QRectF(box.left(), box.top(), box.width(), bottom - box.top()),
                         ink.isValid() ? mixed(style.colors.background, ink, fraction)
                                       : colorAt(style.colorMap, fraction));
    }
}

void ColorBar::paint(QPainter& painter, const FigureStyle& style) const
{
    const QFontMetricsF metrics(style.small);
    paintColors(painter, style);
    const SavedPainter saved(painter);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.colors.grid, 1));
    painter.drawRect(box);
    paintEnds(painter, style);
    painter.setFont(style.small);
    double lastTop = box.bottom() + metrics.height();
    for (const ValueScale::Tick& tick : scale.ticks()) {
        const double y = box.bottom() - box.height() * scale.fraction(tick.value);
        painter.setPen(QPen(style.colors.muted, 1));
        painter.drawLine(QPointF(box.right(), y), QPointF(box.right() + tickLength, y));
        if (y + metrics.height() / 2 > lastTop + 0.1)
            continue;
        drawLabel(painter, {box.right() + tickLength + tickGap, y - metrics.height() / 2, 90, metrics.height()},
                  Qt::AlignLeft, tickText(tick));
        lastTop = y - metrics.height() / 2;
    }
    painter.translate(box.right() + tickLength + tickGap + widestTick(metrics) + nameGap, box.center().y());
    painter.rotate(-90);
    double line = 0;
    for (const QString& text : QStringList(name) + noteLines(metrics)) {
        // Its beginning is not above the bar's, since there may be a title.
        const double length = std::max(box.height(), metrics.horizontalAdvance(text));
        drawLabel(painter, {box.height() / 2 - length, line, length, metrics.height()}, Qt::AlignHCenter, text);
        line += metrics.height();
    }
}

} // namespace attn::ui

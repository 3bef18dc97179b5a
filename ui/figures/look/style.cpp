// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/style.h"

#include "figures/look/color_map.h"
#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QPaintDevice>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double tickLength = 3;
constexpr double tickGap = 3;
constexpr double nameGap = 6;

double widestTick(const std::vector<double>& marks, const QFontMetricsF& metrics)
{
    double widest = 0;
    for (const double tick : marks)
        widest = std::max(widest, metrics.horizontalAdvance(tickText(tick, marks)));
    return widest;
}

} // namespace

FigureStyle::FigureStyle(const FigureSpec& spec)
    : colors(themeColors(spec.theme))
    , colorMap(spec.against ? differenceColors(spec.theme) : spec.colorMap)
    , font(figureFont(spec.baseFontPoints))
    , strong(figureFont(spec.baseFontPoints, true))
    , generated(font)
    , small(figureFont(spec.baseFontPoints * 0.85))
    , title(figureFont(spec.baseFontPoints * 1.15, true))
{
    generated.setItalic(true);
}

bool isRaster(const QPainter& painter)
{
    const int type = painter.device()->devType();
    return type == QInternal::Image || type == QInternal::Widget || type == QInternal::Pixmap;
}

QImage cellImage(int rows, int columns, const FigureStyle& style,
                 const std::function<std::optional<double>(int row, int column)>& part)
{
    const ColorTable& table = colorTable(style.colorMap);
    QImage image(columns, rows, QImage::Format_RGB32);
    for (int row = 0; row < rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row)); // NOLINT: the documented way to write a line
        for (int column = 0; column < columns; ++column) {
            const std::optional<double> of = part(row, column);
            line[column] = !of    ? style.colors.blank.rgb()
                : std::isnan(*of) ? style.colors.muted.rgb()
                : *of > 0         ? table[static_cast<std::size_t>(std::lround(std::min(*of, 1.0) * 255))]
                                  : table.front();
        }
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

double ColorBar::labelRoom(const FigureStyle& style) const
{
    const QFontMetricsF metrics(style.small);
    return tickLength + tickGap + widestTick(ticks(least, most), metrics) + nameGap + metrics.height();
}

double ColorBar::valueAt(double y) const
{
    return least + (box.bottom() - y) / box.height() * (most - least);
}

FigureHit ColorBar::hitAt(QPointF point) const
{
    FigureHit hit;
    if (!box.contains(point))
        return hit;
    hit.part = FigureHit::Part::ColorBar;
    hit.value = static_cast<float>(valueAt(point.y()));
    hit.text = QStringLiteral("%1: %2").arg(name, significant(valueAt(point.y()), 3));
    return hit;
}

void ColorBar::paint(QPainter& painter, const FigureStyle& style) const
{
    const QFontMetricsF metrics(style.small);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(box);
    constexpr int bands = 64;
    for (int i = 0; i < bands; ++i) {
        // Each band reaches under the next, so that no seams show.
        const double bottom = box.bottom() - box.height() * i / bands;
        painter.fillRect(QRectF(box.left(), box.top(), box.width(), bottom - box.top()),
                         colorAt(style.colorMap, (i + 0.5) / bands));
    }
    painter.restore();
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(style.colors.grid, 1));
    painter.drawRect(box);
    painter.setFont(style.small);
    const std::vector<double> marks = ticks(least, most);
    double lastTop = box.bottom() + metrics.height();
    for (const double tick : marks) {
        const double y = box.bottom() - box.height() * (most > least ? (tick - least) / (most - least) : 0);
        painter.setPen(QPen(style.colors.muted, 1));
        painter.drawLine(QPointF(box.right(), y), QPointF(box.right() + tickLength, y));
        if (y + metrics.height() / 2 > lastTop + 0.1)
            continue;
        drawLabel(painter, {box.right() + tickLength + tickGap, y - metrics.height() / 2, 90, metrics.height()},
                  Qt::AlignLeft, tickText(tick, marks));
        lastTop = y - metrics.height() / 2;
    }
    painter.translate(box.right() + tickLength + tickGap + widestTick(marks, metrics) + nameGap, box.center().y());
    painter.rotate(-90);
    const double length = std::max(box.height(), metrics.horizontalAdvance(name));
    drawLabel(painter, {-length / 2, 0, length, metrics.height()}, Qt::AlignHCenter, name);
    painter.restore();
}

} // namespace attn::ui

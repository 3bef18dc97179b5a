// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/link_marks.h"

#include "figures/figure.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"

#include <QPainter>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr double linkGap = 5;
constexpr double linkSwatch = 10; // of the legend
constexpr double leastLinked = 4; // height and width of a cell that has a mark

void paintLink(QPainter& painter, const QRectF& box, bool sure, const QColor& ink)
{
    const double side = std::min(box.width(), box.height());
    const double radius = std::clamp(side * 0.2, 1.5, 5.0);
    painter.setPen(QPen(ink, std::clamp(side * 0.06, 1.0, 1.6)));
    painter.setBrush(sure ? QBrush(ink) : QBrush(Qt::NoBrush));
    painter.drawEllipse(box.center(), radius, radius);
}

QString linkName(bool sure)
{
    return sure ? Figure::tr("sure link") : Figure::tr("possible link");
}

double legendLine(const FigureStyle& style)
{
    return std::max(QFontMetricsF(style.small).height(), linkSwatch) + 2;
}

} // namespace

bool LinkMarks::has(bool sure) const
{
    return std::ranges::find(m_cells, sure, &GoldCell::sure) != m_cells.end();
}

void LinkMarks::paint(QPainter& painter, const std::function<QRectF(const GoldCell& cell)>& cellRect,
                      const std::function<QColor(const GoldCell& cell)>& ground) const
{
    const SavedPainter saved(painter);
    for (const GoldCell& cell : m_cells) {
        const QRectF box = cellRect(cell);
        if (std::min(box.width(), box.height()) >= leastLinked)
            paintLink(painter, box, cell.sure, inkOn(ground(cell)));
    }
}

double LinkMarks::legendHeight(const FigureStyle& style) const
{
    const int lines = (has(true) ? 1 : 0) + (has(false) ? 1 : 0);
    return lines > 0 ? lines * legendLine(style) + 2 * linkGap : 0;
}

void LinkMarks::paintLegend(QPainter& painter, const FigureStyle& style, QPointF corner) const
{
    const SavedPainter saved(painter);
    const QFontMetricsF metrics(style.small);
    const double line = legendLine(style);
    double top = corner.y() + 2 * linkGap;
    for (const bool sure : {true, false}) {
        if (!has(sure))
            continue;
        const QRectF box(corner.x(), top + (line - linkSwatch) / 2, linkSwatch, linkSwatch);
        painter.setRenderHint(QPainter::Antialiasing);
        paintLink(painter, box.adjusted(-4, -4, 4, 4), sure, style.colors.ink);
        drawLabel(painter, style.small, style.colors.muted,
                  {box.right() + linkGap, top, metrics.horizontalAdvance(linkName(sure)) + 1, line}, Qt::AlignLeft,
                  linkName(sure));
        top += line;
    }
}

QString LinkMarks::note(int row, int column) const
{
    const auto cell =
        std::ranges::find_if(m_cells, [&](const GoldCell& one) { return one.row == row && one.column == column; });
    return cell == m_cells.end() ? QString() : QStringLiteral(" (%1)").arg(linkName(cell->sure));
}

} // namespace attn::ui

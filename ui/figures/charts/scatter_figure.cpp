// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/scatter_figure.h"

#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace attn::ui {

namespace {

constexpr double scatterSide = 12;
constexpr double scatterGap = 4;
constexpr double radius = 4;
constexpr double reach = 11; // of the pointer
constexpr double longestLabel = 130;

} // namespace

ScatterFigure::ScatterFigure(const FigureSpec& spec, ScatterContent content, QSizeF size)
    : m_content(std::move(content))
    , m_style(spec)
    , m_size(size)
    , m_labels(m_content.points.size())
{
    if (m_size.height() <= 0)
        m_size.setHeight(m_size.width() * 0.8);
    const QFontMetricsF metrics(m_style.small);
    const double axis =
        metrics.height() + scatterGap + metrics.horizontalAdvance(QStringLiteral("\u2212100.0")) + scatterGap;
    const double top = 10 + headerHeight(m_style) + 2 * scatterGap;
    m_plot = QRectF(scatterSide + axis, top, std::max(20.0, m_size.width() - 2 * scatterSide - axis),
                    std::max(20.0, m_size.height() - top - scatterSide - 2 * (metrics.height() + scatterGap)));
    if (m_content.points.empty())
        return;
    layOutScale();
    layOutLabels();
}

void ScatterFigure::layOutScale()
{
    QPointF least = m_content.points.front().at;
    QPointF most = least;
    for (const auto& point : m_content.points) {
        least = {std::min(least.x(), point.at.x()), std::min(least.y(), point.at.y())};
        most = {std::max(most.x(), point.at.x()), std::max(most.y(), point.at.y())};
    }
    m_centre = (least + most) / 2;
    const QPointF span = most - least;
    // Room for names at the edges.
    const double width = std::max(10.0, m_plot.width() - 90);
    const double height = std::max(10.0, m_plot.height() - 40);
    const double wanted = std::min(span.x() > 0 ? width / span.x() : 1e30, span.y() > 0 ? height / span.y() : 1e30);
    m_scale = wanted < 1e30 ? wanted : std::min(width, height) / 2;
}

QPointF ScatterFigure::position(int point) const
{
    const QPointF from = m_content.points.at(point).at - m_centre;
    return m_plot.center() + QPointF(from.x() * m_scale, -from.y() * m_scale);
}

QRectF ScatterFigure::labelRect(int point) const
{
    return m_labels.at(point);
}

bool ScatterFigure::isFree(const QRectF& box, int point) const
{
    if (!m_plot.contains(box))
        return false;
    for (int other = 0; other < columns(); ++other) {
        const QRectF disc(position(other) - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
        if ((other != point && box.intersects(disc)) || box.intersects(labelRect(other)))
            return false;
    }
    return true;
}

void ScatterFigure::layOutLabels()
{
    const QFontMetricsF metrics(m_style.strong);
    std::vector<int> order(m_content.points.size());
    std::iota(order.begin(), order.end(), 0);
    const auto rank = [&](int point) {
        const auto& entry = m_content.points[point];
        return entry.chosen ? 0 : entry.special ? 2 : 1;
    };
    std::ranges::stable_sort(order, {}, rank);
    for (const int point : order) {
        const double width = std::min(labelWidth(m_content.points[point].label, metrics), longestLabel) + 1;
        const double height = metrics.height();
        const QPointF at = position(point);
        for (const double away : {radius + 4, radius + 11, radius + 20}) {
            const std::array<QPointF, 8> corners{{{away, -height / 2},
                                                  {-away - width, -height / 2},
                                                  {-width / 2, -away - height},
                                                  {-width / 2, away},
                                                  {away * 0.7, -away * 0.7 - height},
                                                  {away * 0.7, away * 0.7},
                                                  {-away * 0.7 - width, -away * 0.7 - height},
                                                  {-away * 0.7 - width, away * 0.7}}};
            const auto* const found = std::ranges::find_if(corners, [&](QPointF corner) {
                return isFree({at + corner, QSizeF(width, height)}, point);
            });
            if (found == corners.end())
                continue;
            m_labels[point] = {at + *found, QSizeF(width, height)};
            break;
        }
    }
}

QRectF ScatterFigure::cellRect(int row, int column) const
{
    if (row != 0 || column < 0 || column >= columns())
        return {};
    return {position(column) - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)};
}

QString ScatterFigure::pointText(int point) const
{
    const auto& entry = m_content.points[point];
    return QCoreApplication::translate("attn::ui::ScatterFigure", "%1 at (%2, %3), token %4 of %5")
        .arg(entry.label, decimal(entry.at.x(), 2), decimal(entry.at.y(), 2), QString::number(point + 1),
             QString::number(columns()));
}

FigureHit ScatterFigure::hitTest(QPointF point) const
{
    int nearest = -1;
    double least = reach;
    for (int i = 0; i < columns(); ++i) {
        const QPointF from = position(i) - point;
        const double distance = std::hypot(from.x(), from.y());
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    for (int i = 0; nearest < 0 && i < columns(); ++i) {
        if (labelRect(i).contains(point))
            nearest = i;
    }
    FigureHit hit;
    if (nearest < 0)
        return hit;
    hit.part = FigureHit::Part::Cell;
    hit.row = 0;
    hit.column = nearest;
    hit.columnToken = nearest;
    hit.text = pointText(nearest);
    return hit;
}

QString ScatterFigure::description() const
{
    if (m_content.points.empty())
        return m_content.empty;
    return QCoreApplication::translate("attn::ui::ScatterFigure", "%1. %2: %3 tokens.")
        .arg(m_content.title.title, m_content.title.subtitle, QString::number(columns()));
}

void ScatterFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    if (m_content.points.empty()) {
        paintEmpty(painter, m_style, m_size, m_content.empty);
        return;
    }
    paintHeader(painter, m_style, m_content.title, scatterSide, m_size.width() - scatterSide);
    paintAxes(painter);
    const auto isPointed = [&](int point) { return point == highlight.column || point == highlight.cursorColumn; };
    for (int point = 0; point < columns(); ++point)
        paintPoint(painter, point, isPointed(point));
    for (int point = 0; point < columns(); ++point) {
        if (!isPointed(point))
            paintLabel(painter, point, false);
    }
    for (int point = 0; point < columns(); ++point) { // over the others
        if (isPointed(point))
            paintLabel(painter, point, true);
    }
}

void ScatterFigure::paintAxes(QPainter& painter) const
{
    const QFontMetricsF metrics(m_style.small);
    const QPointF half = QPointF(m_plot.width(), m_plot.height()) / (2 * m_scale);
    painter.setFont(m_style.small);
    painter.setBrush(Qt::NoBrush);
    const std::vector<double> across = ticks(m_centre.x() - half.x(), m_centre.x() + half.x());
    for (const double tick : across) {
        const double x = m_plot.center().x() + (tick - m_centre.x()) * m_scale;
        painter.setPen(QPen(m_style.colors.blank, 1));
        painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
        painter.setPen(m_style.colors.muted);
        drawLabel(painter, {x - 40, m_plot.bottom() + scatterGap, 80, metrics.height()}, Qt::AlignHCenter,
                  tickText(tick, across));
    }
    const std::vector<double> up = ticks(m_centre.y() - half.y(), m_centre.y() + half.y());
    for (const double tick : up) {
        const double y = m_plot.center().y() - (tick - m_centre.y()) * m_scale;
        painter.setPen(QPen(m_style.colors.blank, 1));
        painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
        painter.setPen(m_style.colors.muted);
        drawLabel(painter,
                  {scatterSide, y - metrics.height() / 2, m_plot.left() - scatterSide - scatterGap, metrics.height()},
                  Qt::AlignRight, tickText(tick, up));
    }
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.drawRect(m_plot);
    painter.setPen(m_style.colors.muted);
    drawLabel(painter,
              {m_plot.left(), m_plot.bottom() + 2 * scatterGap + metrics.height(), m_plot.width(), metrics.height()},
              Qt::AlignHCenter, m_content.xAxis);
    painter.save();
    painter.translate(scatterSide / 2, m_plot.center().y());
    painter.rotate(-90);
    drawLabel(painter, {-m_plot.height() / 2, 0, m_plot.height(), metrics.height()}, Qt::AlignHCenter, m_content.yAxis);
    painter.restore();
}

void ScatterFigure::paintPoint(QPainter& painter, int point, bool pointed) const
{
    const auto& entry = m_content.points[point];
    const QColor color = pointed ? m_style.colors.cursor
        : entry.chosen           ? m_style.colors.accent
        : entry.special          ? m_style.colors.muted
                                 : m_style.colors.bar;
    const double size = entry.chosen || pointed ? radius + 1 : radius;
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(entry.special ? m_style.colors.background : color);
    painter.drawEllipse(position(point), size, size);
}

void ScatterFigure::paintLabel(QPainter& painter, int point, bool pointed) const
{
    const auto& entry = m_content.points[point];
    QRectF box = labelRect(point);
    painter.setFont(pointed || entry.chosen ? m_style.strong : m_style.font);
    if (pointed && box.isNull()) {
        const QFontMetricsF metrics(m_style.strong);
        const double width = labelWidth(entry.label, metrics) + 2;
        const double left = std::clamp(position(point).x() + radius + 2, 0.0, std::max(0.0, m_size.width() - width));
        box = {left, position(point).y() - metrics.height() / 2, width, metrics.height()};
        painter.fillRect(box.adjusted(-2, 0, 2, 0), m_style.colors.background);
    }
    if (box.isNull())
        return;
    painter.setPen(pointed             ? m_style.colors.cursor
                       : entry.chosen  ? m_style.colors.accent
                       : entry.special ? m_style.colors.muted
                                       : m_style.colors.ink);
    const bool left = box.center().x() < position(point).x();
    drawLabel(painter, box, left ? Qt::AlignRight : Qt::AlignLeft, entry.label);
}

} // namespace attn::ui

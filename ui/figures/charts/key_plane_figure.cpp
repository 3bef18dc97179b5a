// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/key_plane_figure.h"

#include "base/index.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double edge = 24; // pixels for labels around the plane
constexpr double room = 1.12; // what is seen beyond the longest component

// The least of 1, 2, 3, 4, 5, 6, 8 or 10 times a power of ten that leaves some room around `most`.
double roundLimit(double most)
{
    const double wanted = std::max(most, 1e-3) * room;
    const double power = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double step : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
        if (step * power >= wanted)
            return step * power;
    }
    return 10 * power;
}

} // namespace

KeyPlaneFigure::KeyPlaneFigure(const FigureSpec& spec, const LookupContent& content, QSizeF size, double leastLimit)
    : StyledFigure(spec, {size.width(), size.height() > 0 ? size.height() : std::min(size.width(), 420.0)})
    , m_content(content)
{
    if (content.query.size() != 2)
        m_empty = tr("Keys of two components can be drawn in a plane.");
    m_description = tr("A plane with %1 keys and the query %2; drag the query or move it with the arrow keys.")
                        .arg(content.entries.size())
                        .arg(lookupVector(content.query));
    double most = 0;
    const auto reach = [&most](std::span<const float> vector) {
        for (const float component : vector)
            most = std::max<double>(most, std::abs(component));
    };
    reach(m_content.query);
    for (const LookupEntry& entry : m_content.entries)
        reach(entry.key);
    m_limit = std::max(leastLimit, roundLimit(most));
    const double side = std::max(40.0, std::min(m_size.width(), m_size.height()) - 2 * edge);
    m_plane = {(m_size.width() - side) / 2, (m_size.height() - side) / 2, side, side};
}

QPointF KeyPlaneFigure::toPoint(double x, double y) const
{
    const double scale = m_plane.width() / (2 * m_limit);
    return m_plane.center() + QPointF(x * scale, -y * scale);
}

QPointF KeyPlaneFigure::toPlane(QPointF point) const
{
    const QPointF offset = (point - m_plane.center()) * (2 * m_limit / m_plane.width());
    const double most = m_limit / room * 0.998; // rounding must not make it larger
    return {std::clamp(offset.x(), -most, most), std::clamp(-offset.y(), -most, most)};
}

QPointF KeyPlaneFigure::toPoint(const std::vector<float>& vector) const
{
    return vector.size() == 2 ? toPoint(vector[0], vector[1]) : m_plane.center();
}

double KeyPlaneFigure::radius(int row) const
{
    return 3 + 11 * std::sqrt(double{m_content.answer.weights[row]});
}

QRectF KeyPlaneFigure::cellRect(int row, int column) const
{
    if (row < 0 || row >= indexSize(m_content.entries) || column != 0)
        return {};
    const double around = radius(row);
    return QRectF(-around, -around, 2 * around, 2 * around).translated(keyPoint(row));
}

FigureTable KeyPlaneFigure::table() const
{
    FigureTable table;
    table.rows = indexSize(m_content.entries);
    table.columns = table.rows > 0 ? 1 : 0;
    table.text = table.tip = [this](FigureCell cell) -> QString {
        return cell.row == FigureTable::header   ? tr("key")
            : cell.column == FigureTable::header ? m_content.names.value(cell.row)
                                                 : cellTip(cell);
    };
    table.rect = [this](FigureCell cell) { return cellRect(cell.row, cell.column); };
    return table;
}

FigureHit KeyPlaneFigure::hitTest(QPointF point) const
{
    constexpr double reach = 5;
    FigureHit hit;
    double nearest = 1e9;
    for (int row = 0; row < indexSize(m_content.entries); ++row) {
        const double distance = QLineF(point, keyPoint(row)).length();
        if (distance > radius(row) + reach || distance >= nearest)
            continue;
        nearest = distance;
        const float weight = m_content.answer.weights[row];
        hit =
            cellHit(row, 0, weight,
                    tr("%1: key %2, weight %3")
                        .arg(m_content.names.value(row), lookupVector(m_content.entries[row].key), decimal(weight, 3)));
    }
    return hit;
}

// Paints an arrow from the origin to the edge of a disc around `end`.
void KeyPlaneFigure::paintArrow(QPainter& painter, QPointF end, double disc, const QPen& pen) const
{
    constexpr double head = 9;
    constexpr double spread = 0.42; // radians
    painter.setPen(pen);
    const QPointF start = m_plane.center();
    const QPointF back = start - end;
    const double length = std::hypot(back.x(), back.y());
    if (length <= disc)
        return;
    end += back * (disc / length);
    painter.drawLine(start, end);
    if (length - disc < head)
        return;
    const double angle = std::atan2(back.y(), back.x());
    for (const double side : {angle - spread, angle + spread})
        painter.drawLine(end, end + head * QPointF(std::cos(side), std::sin(side)));
}

void KeyPlaneFigure::paintName(QPainter& painter, QPointF end, double distance, const QString& text,
                               const QColor& ink) const
{
    const QFontMetricsF metrics(painter.font());
    const QString shown = elided(text, metrics, 110);
    const double width = metrics.horizontalAdvance(shown) + 1;
    const bool right = end.x() >= m_plane.center().x();
    double left = right ? end.x() + distance : end.x() - distance - width;
    double middle = end.y();
    if (left < m_plane.left()) { // away from the arrow, not over the axis
        left = std::clamp(end.x() - width / 2, m_plane.left() + 2,
                          std::max(m_plane.left() + 2, m_plane.right() - width - 2));
        middle += (end.y() >= m_plane.center().y() ? 1 : -1) * (distance + metrics.height() / 2);
    }
    left = std::clamp(left, 2.0, std::max(2.0, m_size.width() - width - 2));
    painter.setPen(ink);
    drawLabel(painter, {left, middle - metrics.height() / 2, width, metrics.height()}, Qt::AlignLeft, shown);
}

void KeyPlaneFigure::draw(QPainter& painter, const Highlight& highlight) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    paintGrid(painter, m_plane, {-m_limit, -m_limit}, {m_limit, m_limit}, 3);
    painter.drawLine(QPointF(m_plane.left(), m_plane.center().y()), QPointF(m_plane.right(), m_plane.center().y()));
    painter.drawLine(QPointF(m_plane.center().x(), m_plane.top()), QPointF(m_plane.center().x(), m_plane.bottom()));
    const double line = QFontMetricsF(m_style.small).height();
    drawLabel(painter, m_style.small, m_style.colors.muted, {m_plane.right() - 100, m_plane.center().y() + 2, 98, line},
              Qt::AlignRight, tr("key %1").arg(1));
    drawLabel(painter, m_style.small, m_style.colors.muted, {m_plane.center().x() + 4, m_plane.top() + 2, 98, line},
              Qt::AlignLeft, tr("key %1").arg(2));
    const int count = indexSize(m_content.entries);
    for (int row = 0; row < count; ++row)
        paintArrow(painter, keyPoint(row), radius(row), QPen(m_style.colors.key, row == highlight.row ? 2.6 : 1.4));
    for (int row = 0; row < count; ++row) {
        painter.setPen(QPen(m_style.colors.ink, 1));
        painter.setBrush(colorAt(m_style.colorMap, m_content.answer.weights[row]));
        painter.drawEllipse(keyPoint(row), radius(row), radius(row));
        painter.setFont(row == highlight.row ? m_style.strong : m_style.font);
        paintName(painter, keyPoint(row), radius(row) + 4, readableToken(m_content.names.value(row).toStdString()),
                  m_style.colors.ink);
    }
    paintArrow(painter, queryPoint(), 6, QPen(m_style.colors.query, 2.4));
    painter.setPen(QPen(m_style.colors.query, 2));
    painter.setBrush(m_style.colors.background);
    painter.drawEllipse(queryPoint(), 6, 6);
    painter.setFont(m_style.strong);
    QPointF above = queryPoint();
    above.ry() += above.y() > m_plane.center().y() ? 16 : -16;
    paintName(painter, above, 2, tr("query"), m_style.colors.query);
}

} // namespace attn::ui

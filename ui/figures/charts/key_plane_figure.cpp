// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/charts/lookup_figure.h"
#include "figures/look/color_map.h"
#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double edge = 24; // pixels for labels around the plane
constexpr double room = 1.12; // what is seen beyond the longest component

QString planeText(const char* source)
{
    return QCoreApplication::translate("attn::ui::KeyPlaneFigure", source);
}

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

KeyPlaneFigure::KeyPlaneFigure(const FigureSpec& spec, LookupContent content, QSizeF size, double leastLimit)
    : m_style(spec)
    , m_content(std::move(content))
    , m_size(size.width(), size.height() > 0 ? size.height() : std::min(size.width(), 420.0))
{
    double most = 0;
    const auto reach = [&most](std::span<const float> vector) {
        for (const float component : vector)
            most = std::max(most, std::abs(static_cast<double>(component)));
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

QPointF KeyPlaneFigure::queryPoint() const
{
    return m_content.query.size() == 2
        ? toPoint(static_cast<double>(m_content.query[0]), static_cast<double>(m_content.query[1]))
        : m_plane.center();
}

QPointF KeyPlaneFigure::keyPoint(int row) const
{
    const std::vector<float>& key = m_content.entries[row].key;
    return toPoint(static_cast<double>(key.at(0)), static_cast<double>(key.at(1)));
}

double KeyPlaneFigure::radius(int row) const
{
    return 3 + 11 * std::sqrt(static_cast<double>(m_content.answer.weights[row]));
}

QRectF KeyPlaneFigure::cellRect(int row, int column) const
{
    if (row < 0 || static_cast<std::size_t>(row) >= m_content.entries.size() || column != 0)
        return {};
    const double around = radius(row);
    return QRectF(-around, -around, 2 * around, 2 * around).translated(keyPoint(row));
}

FigureHit KeyPlaneFigure::hitTest(QPointF point) const
{
    constexpr double reach = 5;
    FigureHit hit;
    double nearest = 1e9;
    for (int row = 0; static_cast<std::size_t>(row) < m_content.entries.size(); ++row) {
        const double distance = QLineF(point, keyPoint(row)).length();
        if (distance > radius(row) + reach || distance >= nearest)
            continue;
        nearest = distance;
        hit.part = FigureHit::Part::Cell;
        hit.row = row;
        hit.column = 0;
        hit.value = m_content.answer.weights[row];
        hit.text = planeText("%1: key %2, weight %3")
                       .arg(m_content.names.value(row), lookupVector(m_content.entries[row].key),
                            decimal(static_cast<double>(hit.value), 3));
    }
    return hit;
}

QString KeyPlaneFigure::description() const
{
    return planeText("A plane with %1 keys and the query %2; drag the query or move it with the arrow keys.")
        .arg(m_content.entries.size())
        .arg(lookupVector(m_content.query));
}

void KeyPlaneFigure::paintGrid(QPainter& painter) const
{
    const std::vector<double> marks = ticks(-m_limit, m_limit);
    const QFontMetricsF metrics(m_style.small);
    painter.setFont(m_style.small);
    for (const double mark : marks) {
        const QPointF at = toPoint(mark, mark);
        painter.setPen(QPen(m_style.colors.blank, 1));
        painter.drawLine(QPointF(at.x(), m_plane.top()), QPointF(at.x(), m_plane.bottom()));
        painter.drawLine(QPointF(m_plane.left(), at.y()), QPointF(m_plane.right(), at.y()));
        painter.setPen(m_style.colors.muted);
        const QString label = tickText(mark, marks);
        drawLabel(painter, {at.x() - 30, m_plane.bottom() + 3, 60, metrics.height()}, Qt::AlignHCenter, label);
        drawLabel(painter, {m_plane.left() - 40, at.y() - metrics.height() / 2, 36, metrics.height()}, Qt::AlignRight,
                  label);
    }
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawLine(QPointF(m_plane.left(), m_plane.center().y()), QPointF(m_plane.right(), m_plane.center().y()));
    painter.drawLine(QPointF(m_plane.center().x(), m_plane.top()), QPointF(m_plane.center().x(), m_plane.bottom()));
    painter.drawRect(m_plane);
}

// From the origin to the edge of a disc around `end`.
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

void KeyPlaneFigure::paintName(QPainter& painter, QPointF end, double distance, const QString& name,
                               const QColor& ink) const
{
    const QFontMetricsF metrics(painter.font());
    const QString shown = elided(name, metrics, 110);
    const double width = metrics.horizontalAdvance(shown) + 1;
    const bool right = end.x() >= m_plane.center().x();
    double left = right ? end.x() + distance : end.x() - distance - width;
    left = std::clamp(left, 2.0, std::max(2.0, m_size.width() - width - 2));
    painter.setPen(ink);
    drawLabel(painter, {left, end.y() - metrics.height() / 2, width, metrics.height()}, Qt::AlignLeft, shown);
}

void KeyPlaneFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    if (m_content.query.size() != 2)
        return paintEmpty(painter, m_style, m_size, planeText("Keys of two components can be drawn in a plane."));
    painter.setRenderHint(QPainter::Antialiasing);
    paintGrid(painter);
    const int count = indexSize(m_content.entries);
    for (int row = 0; row < count; ++row)
        paintArrow(painter, keyPoint(row), radius(row), QPen(m_style.colors.muted, row == highlight.row ? 2.4 : 1.2));
    for (int row = 0; row < count; ++row) {
        const auto weight = static_cast<double>(m_content.answer.weights[row]);
        painter.setPen(QPen(m_style.colors.ink, 1));
        painter.setBrush(colorAt(m_style.colorMap, weight));
        painter.drawEllipse(keyPoint(row), radius(row), radius(row));
        painter.setFont(row == highlight.row ? m_style.strong : m_style.font);
        paintName(painter, keyPoint(row), radius(row) + 4, readableToken(m_content.names.value(row).toStdString()),
                  m_style.colors.ink);
    }
    paintArrow(painter, queryPoint(), 6, QPen(m_style.colors.accent, 2.4));
    painter.setPen(QPen(m_style.colors.accent, 2));
    painter.setBrush(m_style.colors.background);
    painter.drawEllipse(queryPoint(), 6, 6);
    painter.setFont(m_style.strong);
    QPointF above = queryPoint();
    above.ry() += above.y() > m_plane.center().y() ? 16 : -16;
    paintName(painter, above, 2, planeText("query"), m_style.colors.accent);
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/bar_list_figure.h"

#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QPainter>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr double barListSide = 12;
constexpr double barListGap = 6;
constexpr double mostRowHeight = 34;

} // namespace

BarListFigure::BarListFigure(const FigureSpec& spec, BarListContent content, QSizeF size)
    : m_content(std::move(content))
    , m_style(spec)
    , m_size(size)
    , m_top(10 + headerHeight(m_style) + 2 * barListGap)
{
    const QFontMetricsF metrics(m_style.font);
    const double natural = metrics.height() * 1.4;
    if (m_size.height() <= 0)
        m_size.setHeight(m_top + natural * std::max(rows(), 5) + barListSide);
    m_rowHeight = rows() > 0 ? std::min(mostRowHeight, (m_size.height() - m_top - barListSide) / rows()) : 0;
    double widest = 0;
    for (const auto& entry : m_content.entries)
        widest = std::max(widest, labelWidth(entry.label, metrics));
    m_labelWidth = std::min(widest + 1, (m_size.width() - 2 * barListSide) * 0.45);
    m_numberWidth = metrics.horizontalAdvance(QStringLiteral("\u22120.000")) + 1;
}

QRectF BarListFigure::cellRect(int row, int column) const
{
    if (column != 0 || row < 0 || row >= rows())
        return {};
    return {barListSide, m_top + row * m_rowHeight, m_size.width() - 2 * barListSide, m_rowHeight};
}

QRectF BarListFigure::barRect(int row) const
{
    const QRectF line = cellRect(row, 0);
    if (line.isNull())
        return {};
    const double left = line.left() + m_labelWidth + barListGap;
    const double width = std::max(1.0, line.right() - m_numberWidth - barListGap - left);
    const auto at = [&](double value) {
        const double part = (value - m_content.least) / (m_content.most - m_content.least);
        return left + std::clamp(part, 0.0, 1.0) * width;
    };
    const double value = m_content.entries[row].value;
    const double thin = line.height() * 0.2;
    return QRectF(QPointF(at(std::min(0.0, value)), line.top() + thin),
                  QPointF(at(std::max(0.0, value)), line.bottom() - thin));
}

QString BarListFigure::rowText(int row) const
{
    const auto& entry = m_content.entries[row];
    return entry.label + QStringLiteral("  ") + decimal(entry.value, 3);
}

FigureHit BarListFigure::hitTest(QPointF point) const
{
    FigureHit hit;
    for (int row = 0; row < rows(); ++row) {
        if (!cellRect(row, 0).contains(point))
            continue;
        hit.part = FigureHit::Part::Cell;
        hit.row = row;
        hit.column = 0;
        hit.value = static_cast<float>(m_content.entries[row].value);
        hit.text = rowText(row);
        return hit;
    }
    return hit;
}

QString BarListFigure::description() const
{
    if (m_content.entries.empty())
        return m_content.empty;
    QStringList parts;
    for (int row = 0; row < rows(); ++row)
        parts << rowText(row);
    return m_content.title.title + QStringLiteral(": ") + parts.join(QStringLiteral(", ")) + QLatin1Char('.');
}

void BarListFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    if (m_content.entries.empty()) {
        paintEmpty(painter, m_style, m_size, m_content.empty);
        return;
    }
    paintHeader(painter, m_style, m_content.title, barListSide, m_size.width() - barListSide);
    for (int row = 0; row < rows(); ++row) {
        const QRectF line = cellRect(row, 0);
        const bool pointed = row == highlight.row || row == highlight.cursorRow;
        if (pointed)
            painter.fillRect(line.adjusted(-barListGap, 0, barListGap, 0), m_style.colors.blank);
        const auto& entry = m_content.entries[row];
        painter.setFont(m_style.font);
        painter.setPen(pointed ? m_style.colors.cursor : m_style.colors.ink);
        drawLabel(painter, {line.left(), line.top(), m_labelWidth, line.height()}, Qt::AlignLeft, entry.label);
        painter.fillRect(barRect(row), pointed ? m_style.colors.cursor : m_style.colors.bar);
        painter.setPen(m_style.colors.muted);
        drawLabel(painter, {line.right() - m_numberWidth, line.top(), m_numberWidth, line.height()}, Qt::AlignRight,
                  decimal(entry.value, 3));
    }
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/arcs.h"

#include "figures/token_label.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double margin = 12;
constexpr double gap = 8;
constexpr float faintest = 0.02F; // weights below are not drawn

} // namespace

ArcsFigure::ArcsFigure(const FigureSpec& spec, MatrixContent content, QSizeF size)
    : m_content(std::move(content))
    , m_theme(themeColors(spec.theme))
    , m_line(spec.theme == Theme::Dark ? QColor(0x6c, 0xb8, 0xff) : QColor(0x1f, 0x5f, 0xb4))
    , m_font(figureFont(spec.baseFontPoints))
    , m_titleFont(figureFont(spec.baseFontPoints * 1.1, true))
{
    layOut(size);
}

void ArcsFigure::layOut(QSizeF wanted)
{
    m_size = wanted;
    const QFontMetricsF metrics(m_font);
    m_top = margin + QFontMetricsF(m_titleFont).height() + metrics.height() * 2.4;
    const int most = std::max(rows(), columns());
    if (wanted.height() <= 0)
        m_size.setHeight(most == 0 ? wanted.width() * 0.4 : m_top + most * metrics.height() * 1.45 + margin);
    if (most == 0)
        return;
    const double room = m_size.height() - m_top - margin;
    const double pitch = std::min(room / most, metrics.height() * 2.2);
    m_rowPitch = std::min(room / rows(), pitch);
    m_columnPitch = std::min(room / columns(), pitch);
    double widest = 0;
    for (const QStringList& labels : {m_content.rowLabels, m_content.columnLabels}) {
        for (const QString& label : labels)
            widest = std::max(widest, metrics.horizontalAdvance(label));
    }
    m_labelWidth = std::min(widest + 2, m_size.width() * 0.3);
    const double between = std::min(m_size.width() - 2 * (margin + m_labelWidth + gap), 420.0);
    m_left = (m_size.width() - between) / 2;
    m_right = m_left + between;
}

QRectF ArcsFigure::rowLabelRect(int row) const
{
    return {m_left - gap - m_labelWidth, m_top + row * m_rowPitch, m_labelWidth, m_rowPitch};
}

QRectF ArcsFigure::columnLabelRect(int column) const
{
    return {m_right + gap, m_top + column * m_columnPitch, m_labelWidth, m_columnPitch};
}

QRectF ArcsFigure::cellRect(int, int) const
{
    return {};
}

void ArcsFigure::paintLines(QPainter& painter, const Highlight& highlight) const
{
    const bool pointed = highlight.row >= 0 || highlight.column >= 0;
    for (int row = 0; row < rows(); ++row) {
        for (int column = 0; column < columns(); ++column) {
            const float weight = m_content.matrix.at(row, column);
            const bool own = row == highlight.row || (highlight.row < 0 && column == highlight.column);
            if (weight < faintest || (pointed && !own))
                continue;
            QColor color = row == m_content.markedRow ? m_theme.accent : m_line;
            color.setAlphaF(std::clamp(weight, 0.05F, 1.0F));
            const QPointF from(m_left, rowLabelRect(row).center().y());
            const QPointF to(m_right, columnLabelRect(column).center().y());
            const double bend = (m_right - m_left) * 0.4;
            QPainterPath path(from);
            path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
            painter.setPen(
                QPen(color, 1 + 2.5 * static_cast<double>(std::min(weight, 1.0F)), Qt::SolidLine, Qt::RoundCap));
            painter.drawPath(path);
        }
    }
}

void ArcsFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_theme.background);
    painter.setBrush(Qt::NoBrush);
    if (rows() == 0 || columns() == 0) {
        painter.setFont(m_font);
        painter.setPen(m_theme.muted);
        painter.drawText(QRectF(QPointF(), m_size).adjusted(30, 10, -30, -10),
                         static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_content.empty);
        return;
    }
    const QFontMetricsF metrics(m_font);
    const double textWidth = m_size.width() - 2 * margin;
    painter.setFont(m_titleFont);
    painter.setPen(m_theme.ink);
    const double titleHeight = QFontMetricsF(m_titleFont).height();
    painter.drawText(QRectF(margin, margin, textWidth, titleHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     elided(m_content.title, QFontMetricsF(m_titleFont), textWidth));
    painter.setFont(m_font);
    painter.setPen(m_theme.muted);
    painter.drawText(QRectF(margin, margin + titleHeight, textWidth, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, elided(m_content.subtitle, metrics, textWidth));
    const double heading = m_top - metrics.height() - 4;
    painter.drawText(QRectF(margin, heading, m_left - gap - margin, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, m_content.rowAxis);
    painter.drawText(QRectF(m_right + gap, heading, m_size.width() - m_right - gap - margin, metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, m_content.columnAxis);
    paintLines(painter, highlight);
    QFont strong = m_font;
    strong.setBold(true);
    // Thinned out where the tokens are closer than a line of text.
    const auto every = [&](double pitch) {
        return std::max(1, static_cast<int>(std::ceil(metrics.height() * 0.9 / pitch)));
    };
    for (int row = 0; row < rows(); row += every(m_rowPitch)) {
        painter.setFont(row == highlight.row ? strong : m_font);
        painter.setPen(row == m_content.markedRow ? m_theme.accent : m_theme.ink);
        painter.drawText(rowLabelRect(row), Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                         elided(m_content.rowLabels.value(row), metrics, m_labelWidth));
    }
    painter.setPen(m_theme.ink);
    for (int column = 0; column < columns(); column += every(m_columnPitch)) {
        painter.setFont(column == highlight.column ? strong : m_font);
        painter.drawText(columnLabelRect(column), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                         elided(m_content.columnLabels.value(column), metrics, m_labelWidth));
    }
}

FigureHit ArcsFigure::hitTest(QPointF point) const
{
    FigureHit hit;
    for (int row = 0; row < rows(); ++row) {
        if (rowLabelRect(row).contains(point)) {
            hit.part = FigureHit::Part::RowLabel;
            hit.row = row;
            hit.text = m_content.rowLabels.value(row);
            return hit;
        }
    }
    for (int column = 0; column < columns(); ++column) {
        if (columnLabelRect(column).contains(point)) {
            hit.part = FigureHit::Part::ColumnLabel;
            hit.column = column;
            hit.text = m_content.columnLabels.value(column);
            return hit;
        }
    }
    return hit;
}

} // namespace attn::ui

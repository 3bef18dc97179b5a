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
constexpr double faintest = 0.03; // weaker lines are not drawn
constexpr std::size_t mostLines = 20000;
constexpr double widestSpan = 420;

} // namespace

ArcsFigure::ArcsFigure(const FigureSpec& spec, MatrixContent content, QSizeF size)
    : m_content(std::move(content))
    , m_style(spec)
{
    chooseLines();
    layOut(size);
}

double ArcsFigure::strength(int row, int column) const
{
    const double part = static_cast<double>(m_content.matrix.at(row, column)) / m_content.most;
    return part > 0 ? std::min(part, 1.0) : 0;
}

void ArcsFigure::chooseLines()
{
    for (int row = 0; row < rows(); ++row) {
        for (int column = 0; column < columns(); ++column) {
            if (const double value = strength(row, column); value >= faintest)
                m_lines.push_back({row, column, value});
        }
    }
    std::ranges::stable_sort(m_lines, {}, &Line::strength);
    if (m_lines.size() > mostLines)
        m_lines.erase(m_lines.begin(), m_lines.end() - static_cast<std::ptrdiff_t>(mostLines));
}

void ArcsFigure::layOut(QSizeF wanted)
{
    m_size = wanted;
    const QFontMetricsF metrics(m_style.font);
    m_top = margin + headerHeight(m_style) + 2 * gap + QFontMetricsF(m_style.small).height();
    const int most = std::max(rows(), columns());
    const bool natural = wanted.height() <= 0;
    if (natural && most > 0) {
        const double pitch = std::max(std::min(metrics.height() * 1.5, 2.0 * wanted.width() / most), 1.0);
        m_size.setHeight(m_top + most * pitch + margin);
    } else if (natural) {
        m_size.setHeight(wanted.width() * 0.3);
    }
    if (rows() == 0 || columns() == 0)
        return;
    const double room = std::max(10.0, m_size.height() - m_top - margin);
    // The shorter side spreads over the height of the longer one, up to a line and a half more.
    const double longest = std::min(room / most, metrics.height() * 2);
    m_rowPitch = std::min(longest * most / rows(), metrics.height() * 2.4);
    m_columnPitch = std::min(longest * most / columns(), metrics.height() * 2.4);
    double widest = 0;
    for (const QStringList& labels : {m_content.rowLabels, m_content.columnLabels}) {
        for (const QString& label : labels)
            widest = std::max(widest, labelWidth(label, QFontMetricsF(m_style.strong)));
    }
    m_labelWidth = std::min(widest + 8, m_size.width() * 0.3);
    const double between = std::min(m_size.width() - 2 * (margin + m_labelWidth + gap), widestSpan);
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
    const int step = highlight.stepRow >= 0 ? highlight.stepRow : m_content.markedRow;
    for (const Line& line : m_lines) {
        const bool own = line.row == highlight.row || (highlight.row < 0 && line.column == highlight.column);
        QColor color = line.row == step ? m_style.colors.accent : m_style.colors.bar;
        color.setAlphaF(static_cast<float>((0.08 + 0.87 * line.strength) * (pointed && !own ? 0.15 : 1.0)));
        const QPointF from(m_left, rowLabelRect(line.row).center().y());
        const QPointF to(m_right, columnLabelRect(line.column).center().y());
        const double bend = (m_right - m_left) * 0.42;
        QPainterPath path(from);
        path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
        painter.setPen(QPen(color, 0.6 + 3 * line.strength, Qt::SolidLine, Qt::RoundCap));
        painter.drawPath(path);
    }
}

// What the pointed-at token attends to, or is attended from, as grounds behind the labels opposite.
void ArcsFigure::paintGrounds(QPainter& painter, const Highlight& highlight) const
{
    const auto ground = [&](const QRectF& box, double strength) {
        QColor color = m_style.colors.bar;
        color.setAlphaF(static_cast<float>(0.55 * strength));
        painter.fillRect(box.adjusted(0, 0.5, 0, -0.5), color);
    };
    if (highlight.row >= 0 && highlight.row < rows()) {
        for (int column = 0; column < columns(); ++column)
            ground(columnLabelRect(column), strength(highlight.row, column));
    } else if (highlight.column >= 0 && highlight.column < columns()) {
        for (int row = 0; row < rows(); ++row)
            ground(rowLabelRect(row), strength(row, highlight.column));
    }
}

void ArcsFigure::paintLabels(QPainter& painter, const Highlight& highlight) const
{
    const QFontMetricsF metrics(m_style.font);
    const int step = highlight.stepRow >= 0 ? highlight.stepRow : m_content.markedRow;
    const auto every = [&](double pitch) {
        return std::max(1, static_cast<int>(std::ceil(metrics.height() * 0.98 / pitch)));
    };
    for (int row = 0; row < rows(); ++row) {
        if (row % every(m_rowPitch) != 0 && row != highlight.row)
            continue;
        painter.setFont(row == highlight.row || row == step ? m_style.strong : m_style.font);
        painter.setPen(row == step ? m_style.colors.accent : m_style.colors.ink);
        drawLabel(painter, rowLabelRect(row).adjusted(3, 0, -3, 0), Qt::AlignRight, m_content.rowLabels.value(row));
    }
    painter.setPen(m_style.colors.ink);
    for (int column = 0; column < columns(); ++column) {
        if (column % every(m_columnPitch) != 0 && column != highlight.column)
            continue;
        painter.setFont(column == highlight.column ? m_style.strong : m_style.font);
        drawLabel(painter, columnLabelRect(column).adjusted(3, 0, -3, 0), Qt::AlignLeft,
                  m_content.columnLabels.value(column));
    }
}

void ArcsFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    painter.setBrush(Qt::NoBrush);
    if (rows() == 0 || columns() == 0) {
        paintEmpty(painter, m_style, m_size, m_content.empty);
        return;
    }
    paintHeader(painter, m_style, m_content.title, margin, m_size.width() - margin);
    const QFontMetricsF small(m_style.small);
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    const double y = m_top - gap / 2 - small.height();
    drawLabel(painter, {0, y, m_left - gap - 3, small.height()}, Qt::AlignRight, m_content.rowAxis);
    drawLabel(painter, {m_right + gap + 3, y, m_size.width() - m_right - gap - 3, small.height()}, Qt::AlignLeft,
              m_content.columnAxis);
    paintLines(painter, highlight);
    paintGrounds(painter, highlight);
    paintLabels(painter, highlight);
}

FigureHit ArcsFigure::hitTest(QPointF point) const
{
    FigureHit hit;
    if (rows() == 0 || columns() == 0 || point.y() < m_top)
        return hit;
    const auto row = static_cast<int>((point.y() - m_top) / m_rowPitch);
    const auto column = static_cast<int>((point.y() - m_top) / m_columnPitch);
    if (row < rows() && rowLabelRect(row).contains(point)) {
        hit.part = FigureHit::Part::RowLabel;
        hit.row = row;
        hit.text = m_content.rowLabels.value(row);
    } else if (column < columns() && columnLabelRect(column).contains(point)) {
        hit.part = FigureHit::Part::ColumnLabel;
        hit.column = column;
        hit.text = m_content.columnLabels.value(column);
    }
    return hit;
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The words around the cells of a matrix figure.
#include "base/index.h"
#include "figures/look/saved_painter.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attn::ui {

void MatrixFigure::paintAxisNames(QPainter& painter) const
{
    const QFontMetricsF metrics(m_style.small);
    painter.setFont(m_style.small);
    const auto inkOf = [this](AttentionRole role) {
        return role == AttentionRole::Other ? m_style.colors.muted : m_style.colors.ofRole(role);
    };
    painter.setPen(inkOf(m_content.columnRole));
    // In the middle of the labels: slanted ones stand right of their columns.
    const double bottom = m_cells.top() - matrixGap - m_columnLabelHeight - matrixGap / 2;
    const double width = std::max(m_cells.width(), metrics.horizontalAdvance(m_content.columnAxis));
    drawLabel(painter, {m_cells.left(), bottom - metrics.height(), width, metrics.height()},
              m_cells.width() < width ? Qt::AlignLeft : Qt::AlignHCenter, m_content.columnAxis);
    const SavedPainter saved(painter);
    const double length = std::max(m_cells.height(), metrics.horizontalAdvance(m_content.rowAxis));
    painter.translate(m_cells.left() - matrixGap - m_rowLabelWidth - matrixGap - metrics.height(),
                      std::min(m_cells.center().y(), m_size.height() - 1 - length / 2));
    painter.rotate(-90);
    painter.setPen(inkOf(m_content.rowRole));
    if (length <= m_size.height())
        drawLabel(painter, {-length / 2, 0, length, metrics.height()}, Qt::AlignHCenter, m_content.rowAxis);
}

void MatrixFigure::paintRowLabel(QPainter& painter, int row, bool pointed) const
{
    const double height = QFontMetricsF(m_style.font).height();
    const bool generated = m_content.isGeneratedRow(row);
    drawLabel(painter,
              pointed         ? m_style.strong
                  : generated ? m_style.generated
                              : m_style.font,
              row == m_content.markedRow ? m_style.colors.accent : labelInk(m_content.map.rows, row, generated),
              {m_cells.left() - matrixGap - m_rowLabelWidth, rowStart(row + 0.5) - height / 2, m_rowLabelWidth, height},
              Qt::AlignRight, m_all->rowNames().value(row));
}

void MatrixFigure::paintColumnLabel(QPainter& painter, int column, bool pointed) const
{
    const bool generated = m_content.isGeneratedColumn(column);
    const QColor ink = labelInk(m_content.map.columns, column, generated);
    const QFont& font = pointed ? m_style.strong : generated ? m_style.generated : m_style.font;
    if (m_columnAngle == 45 && painter.paintEngine()->type() == QPaintEngine::Pdf)
        return paintSlantedPdfLabel(painter, column, font, ink);
    const SavedPainter saved(painter);
    painter.translate(columnAnchor(column));
    painter.rotate(-m_columnAngle);
    const double height = QFontMetricsF(m_style.font).height();
    const double room = m_columnLabelRoom + 0.1;
    const bool flat = m_columnAngle == 0;
    drawLabel(painter, font, ink, {flat ? -room / 2 : 0, flat ? -height : -height / 2, room, height},
              flat ? Qt::AlignHCenter : Qt::AlignLeft, m_all->columnNames().value(column));
}

// What reads a PDF takes slanted text apart, letter by letter: there the labels are outlines, and to be found and
// copied they stand, unseen and level, side by side where their columns begin.
void MatrixFigure::paintSlantedPdfLabel(QPainter& painter, int column, const QFont& font, const QColor& ink) const
{
    const QString label = m_all->columnNames().value(column);
    const QFontMetricsF metrics(font);
    QPainterPath outline;
    outline.addText(0, (metrics.ascent() - metrics.descent()) / 2, font,
                    elided(label, metrics, m_columnLabelRoom + 0.1));
    {
        const SavedPainter saved(painter);
        painter.translate(columnAnchor(column));
        painter.rotate(-m_columnAngle);
        painter.fillPath(outline, ink);
    }
    const SavedPainter saved(painter);
    painter.translate(columnAnchor(column));
    const double scale = std::min(1.0, m_cellWidth * 0.75 / std::max(1.0, metrics.horizontalAdvance(label)));
    painter.scale(scale, scale);
    painter.setFont(font);
    painter.setPen(Qt::transparent);
    painter.drawText(QPointF(0, 0), label);
}

// Labels that have to be there, as far as they have room beside each other: of what is marked and pointed at always,
// then of what was found.
std::vector<int> MatrixFigure::neededRows(const Highlight& highlight) const
{
    std::vector<int> needed;
    for (const std::optional<int> row : {m_content.markedRow, highlight.row}) {
        if (row && std::ranges::binary_search(m_rows, *row))
            needed.push_back(*row);
    }
    for (const int row : highlight.foundRows) {
        const bool free = std::none_of(needed.begin(), needed.end(), [&](int other) { return isNearRow(row, other); });
        if (free && std::ranges::binary_search(m_rows, row))
            needed.push_back(row);
    }
    return needed;
}

std::vector<int> MatrixFigure::neededColumns(const Highlight& highlight) const
{
    std::vector<int> needed;
    if (highlight.column && std::ranges::binary_search(m_columns, *highlight.column))
        needed.push_back(*highlight.column);
    for (const int column : highlight.foundColumns) {
        const bool free =
            std::none_of(needed.begin(), needed.end(), [&](int other) { return isNearColumn(column, other); });
        if (free && std::ranges::binary_search(m_columns, column))
            needed.push_back(column);
    }
    return needed;
}

void MatrixFigure::paintLabels(QPainter& painter, const Highlight& highlight) const
{
    const std::vector<int> needed = neededRows(highlight);
    const std::vector<int> neededAbove = neededColumns(highlight);
    for (const int row : m_rows) {
        const bool free = std::none_of(needed.begin(), needed.end(), [&](int other) { return isNearRow(row, other); });
        if (free && !rowLabelRect(row).isNull())
            paintRowLabel(painter, row, false);
    }
    for (const int column : m_columns) {
        const bool free = std::none_of(neededAbove.begin(), neededAbove.end(),
                                       [&](int other) { return isNearColumn(column, other); });
        if (free && !columnLabelShape(column).isEmpty())
            paintColumnLabel(painter, column, false);
    }
    for (const int row : needed)
        paintNeededRow(painter, row, std::ranges::binary_search(highlight.foundRows, row));
    for (const int column : neededAbove)
        paintNeededColumn(painter, column, std::ranges::binary_search(highlight.foundColumns, column));
}

// Whether a label would touch one that has to be there.
bool MatrixFigure::isNearRow(int row, int needed) const
{
    return std::abs(row - needed) * m_cellHeight < QFontMetricsF(m_style.font).height() * touching;
}

bool MatrixFigure::isNearColumn(int column, int needed) const
{
    const double height = QFontMetricsF(m_style.font).height();
    const double room = m_columnAngle == 0 ? (columnLabelLength(column) + columnLabelLength(needed)) / 2 + matrixGap
        : m_columnAngle == 45              ? height * std::sqrt(2.0)
                                           : height;
    return std::abs(column - needed) * m_cellWidth < room * touching;
}

void MatrixFigure::paintNeededRow(QPainter& painter, int row, bool found) const
{
    const double height = QFontMetricsF(m_style.font).height();
    painter.fillRect(QRectF(m_cells.left() - matrixGap - m_rowLabelWidth - 1, rowStart(row + 0.5) - height / 2,
                            m_rowLabelWidth + 2, height),
                     found ? foundGround(m_style.colors) : m_style.colors.background);
    paintRowLabel(painter, row, true);
}

void MatrixFigure::paintNeededColumn(QPainter& painter, int column, bool found) const
{
    const double height = QFontMetricsF(m_style.font).height();
    {
        const SavedPainter saved(painter);
        painter.translate(columnAnchor(column));
        painter.rotate(-m_columnAngle);
        const double width = columnLabelLength(column) + 2;
        painter.fillRect(m_columnAngle == 0 ? QRectF(-width / 2, -height, width, height)
                                            : QRectF(-1, -height / 2, width, height),
                         found ? foundGround(m_style.colors) : m_style.colors.background);
    }
    paintColumnLabel(painter, column, true);
}

} // namespace attn::ui

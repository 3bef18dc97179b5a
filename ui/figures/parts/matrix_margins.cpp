// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A matrix figure's numbers of whole rows and columns: bars right of the cells and below them.
#include "base/index.h"
#include "base/thread_stop.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double longestMargin = 36; // of a bar
constexpr double leastThickness = 1; // of a bar, in pixels: thinner ones make one area

QString marginName(Margins margins)
{
    switch (margins) {
    case Margins::None:
        break;
    case Margins::Sum:
        return Figure::tr("sum");
    case Margins::Entropy:
        return Figure::tr("entropy in bits");
    case Margins::Largest:
        return Figure::tr("largest");
    }
    return {};
}

} // namespace

double MatrixFigure::marginRoom() const
{
    return m_all->rowMargins().empty() ? 0 : longestMargin + matrixGap + QFontMetricsF(m_style.small).height();
}

QString MatrixFigure::marginText(QPointF point, bool inRows, bool inColumns, int row, int column) const
{
    const bool isRow =
        inRows && point.x() >= m_cells.right() && point.x() < m_cells.right() + longestMargin + matrixGap;
    const bool isColumn =
        inColumns && point.y() >= m_cells.bottom() && point.y() < m_cells.bottom() + longestMargin + matrixGap;
    if (m_all->rowMargins().empty() || !(isRow || isColumn))
        return {};
    const double value = isRow ? m_all->rowMargins()[static_cast<std::size_t>(row)]
                               : m_all->columnMargins()[static_cast<std::size_t>(column)];
    return QStringLiteral("%1   %2: %3")
        .arg(isRow ? rowName(row) : columnName(column), marginName(m_spec.margins), decimal(value, 4));
}

void MatrixFigure::paintMarginBars(QPainter& painter, double mostOfRows, double mostOfColumns) const
{
    const SavedPainter saved(painter);
    painter.setClipRect(m_cells.adjusted(0, 0, marginRoom(), marginRoom()));
    const double thickness = 0.7;
    for (const int row : m_rows) {
        ThreadStop::check();
        const QRectF cell = cellRect(row, m_columns.front());
        const double high = cell.height() < leastThickness ? cell.height() : cell.height() * thickness;
        const double wide = longestMargin * m_all->rowMargins()[static_cast<std::size_t>(row)] / mostOfRows;
        painter.fillRect(QRectF(m_cells.right() + matrixGap / 2, cell.center().y() - high / 2, wide, high),
                         m_style.colors.bar);
    }
    for (const int column : m_columns) {
        ThreadStop::check();
        const QRectF cell = cellRect(m_rows.front(), column);
        const double wide = cell.width() < leastThickness ? cell.width() : cell.width() * thickness;
        const double high = longestMargin * m_all->columnMargins()[static_cast<std::size_t>(column)] / mostOfColumns;
        painter.fillRect(QRectF(cell.center().x() - wide / 2, m_cells.bottom() + matrixGap / 2, wide, high),
                         m_style.colors.bar);
    }
}

void MatrixFigure::paintMargins(QPainter& painter) const
{
    if (m_all->rowMargins().empty())
        return;
    const QFontMetricsF metrics(m_style.small);
    // Rows and columns have scales of their own: a column may have a sum of many rows.
    const double mostOfRows =
        std::max(1e-12, *std::max_element(m_all->rowMargins().begin(), m_all->rowMargins().end()));
    const double mostOfColumns =
        std::max(1e-12, *std::max_element(m_all->columnMargins().begin(), m_all->columnMargins().end()));
    paintMarginBars(painter, mostOfRows, mostOfColumns);
    const auto caption = [this](double most) {
        return QStringLiteral("%1, \u2264 %2").arg(marginName(m_spec.margins), shortDecimal(most, 2));
    };
    const double under = m_cells.bottom() + matrixGap / 2 + longestMargin;
    drawLabel(painter, m_style.small, m_style.colors.muted,
              {m_cells.left(), under, std::max(m_cells.width(), 120.0), metrics.height()}, Qt::AlignLeft,
              caption(mostOfColumns));
    const SavedPainter saved(painter);
    painter.translate(m_cells.right() + matrixGap / 2 + longestMargin, m_cells.top());
    painter.rotate(90);
    drawLabel(painter, {0, -metrics.height(), std::max(m_cells.height(), 120.0), metrics.height()}, Qt::AlignLeft,
              caption(mostOfRows));
}

} // namespace attn::ui

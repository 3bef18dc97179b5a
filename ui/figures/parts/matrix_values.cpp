// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"

#include <QPainter>

#include <algorithm>
#include <cstddef>

// The numbers in the cells of a matrix.
namespace attn::ui {

namespace {

constexpr double leastValueCell = 34; // width of cells that show their number by themselves
constexpr std::size_t mostValues = 10'000; // numbers that can be drawn before anybody waits

} // namespace

void MatrixFigure::paintCellValues(QPainter& painter) const
{
    const QFontMetricsF metrics(m_style.small);
    const bool fit = m_cellWidth >= leastValueCell && m_cellHeight >= metrics.height() * 1.3;
    const bool asked = m_spec.numbers == CellNumbers::On && m_rows.size() * m_columns.size() <= mostValues;
    if (!asked && (m_spec.numbers != CellNumbers::Automatic || m_content.numbered || !fit))
        return;
    const auto textOf = [&](int row, int column) {
        return m_content.cellLabel ? m_content.cellLabel(row, column)
                                   : m_content.decimalOf(m_content.map.at(row, column), 2);
    };
    painter.setFont(fit ? m_style.small : valueFont());
    for (const int row : m_rows) {
        for (const int column : m_columns) {
            const QRectF cell = cellRect(row, column);
            if (cell.width() < m_cellWidth * 0.9 || cell.height() < m_cellHeight * 0.9 || isBlank(row, column)
                || isNaN(row, column) || m_edits.isHidden(row, column))
                continue;
            painter.setPen(inkOn(colorAt(m_style.colorMap, fraction(row, column))));
            drawLabel(painter, cell, Qt::AlignHCenter, textOf(row, column));
        }
    }
}

// Small enough for the numbers of these cells.
QFont MatrixFigure::valueFont() const
{
    const QFontMetricsF metrics(m_style.small);
    const double widest = metrics.horizontalAdvance(QStringLiteral("\u22120.00"));
    const double scale = std::min(m_cellWidth / widest, m_cellHeight / metrics.height()) * 0.92;
    QFont font = m_style.small;
    font.setPixelSize(std::max(1, static_cast<int>(font.pixelSize() * std::min(1.0, scale))));
    return font;
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a matrix figure of a difference besides its cells.
#include "figures/parts/matrix_figure.h"

#include <QPainter>

#include <cstddef>
#include <vector>

namespace attn::ui {

void MatrixFigure::paintHatching(QPainter& painter) const
{
    if (m_content.map.rows.pairs.empty())
        return;
    const auto hatch = [&](int row, int endRow, double left, double right) {
        drawHatching(painter,
                     QRectF(QPointF(left, rowStart(row)), QPointF(right, rowStart(endRow))).intersected(m_cells),
                     m_style);
    };
    const auto endOf = [](const std::vector<int>& visible, std::size_t first, const auto& isSame) {
        std::size_t end = first;
        while (end < visible.size() && isSame(visible[end]))
            ++end;
        return end;
    };
    for (std::size_t first = 0, end = 0; first < m_rows.size(); first = end) {
        const bool lone = m_content.map.rows.isLone(m_rows[first]);
        end = endOf(m_rows, first, [&](int row) { return m_content.map.rows.isLone(row) == lone; });
        const int endRow = m_rows[end - 1] + 1;
        if (lone) {
            hatch(m_rows[first], endRow, m_cells.left(), m_cells.right());
            continue;
        }
        for (std::size_t left = 0, right = 0; left < m_columns.size(); left = right) {
            const bool loneColumns = m_content.map.columns.isLone(m_columns[left]);
            right =
                endOf(m_columns, left, [&](int column) { return m_content.map.columns.isLone(column) == loneColumns; });
            if (loneColumns)
                hatch(m_rows[first], endRow, columnStart(m_columns[left]), columnStart(m_columns[right - 1] + 1));
        }
    }
}

// Cells that one of two runs has alone are in the colour of their sign.
QColor MatrixFigure::labelInk(const MapAxis& axis, int index, bool generated) const
{
    const ThemeColors& colors = m_style.colors;
    if (axis.isLone(index))
        return axis.pairs[static_cast<std::size_t>(index)].here ? colors.more : colors.less;
    return generated ? colors.generated : colors.ink;
}

} // namespace attn::ui

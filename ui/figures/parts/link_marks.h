// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/alignment_error.h"
#include "figures/look/style.h"

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace attn::ui {

// Links by hand in a matrix: a disc in cells that are linked for sure, a ring in those that may be.
class LinkMarks
{
public:
    explicit LinkMarks(std::vector<GoldCell> cells)
        : m_cells(std::move(cells))
    {
    }

    // cellRect: null for what is not visible; ground: the colour of a cell.
    void paint(QPainter& painter, const std::function<QRectF(const GoldCell& cell)>& cellRect,
               const std::function<QColor(const GoldCell& cell)>& ground) const;

    double legendHeight(const FigureStyle& style) const; // 0: there is none
    // Meanings of the marks, one below the other.
    void paintLegend(QPainter& painter, const FigureStyle& style, QPointF corner) const;

    // Said behind what is said of a cell: " (sure link)"; empty where there is none.
    QString note(int row, int column) const;

private:
    bool has(bool sure) const;

    std::vector<GoldCell> m_cells;
};

} // namespace attn::ui

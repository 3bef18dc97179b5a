// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/matrix_figure.h"

namespace attn::test {

// The box around all points of a figure or of a part of it, a pixel apart, whose hits fit; null: there is none.
template<class Fits>
QRectF areaOf(const ui::Figure& figure, const Fits& fits, QRectF part = {})
{
    if (part.isNull())
        part = QRectF(QPointF(), figure.size());
    QRectF area;
    for (double y = part.top(); y < part.bottom(); ++y) {
        for (double x = part.left(); x < part.right(); ++x) {
            if (fits(figure.hitTest(QPointF(x + 0.5, y + 0.5))))
                area |= QRectF(x, y, 1, 1);
        }
    }
    return area;
}

// A line of the colour bar, near its top.
inline QRectF colorBarOf(const ui::MatrixFigure& figure)
{
    const auto isBar = [](const ui::FigureHit& hit) { return hit.part == ui::FigureHit::Part::ColorBar; };
    return areaOf(figure, isBar, QRectF(0, figure.cellsRect().top() + 1, figure.size().width(), 1));
}

} // namespace attn::test

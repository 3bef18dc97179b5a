// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"

namespace attn::test {

// The box around all points of a figure or of a part of it, a pixel apart, whose hits fit; null: there is none.
template<class Fits>
QRectF areaOf(const ui::Figure& figure, const Fits& fits, const QRectF& part = {})
{
    QRectF area;
    for (int y = 0; y < figure.size().height(); ++y) {
        for (int x = 0; x < figure.size().width(); ++x) {
            if (!part.isNull() && !part.contains(x, y))
                continue;
            if (fits(figure.hitTest(QPointF(x + 0.5, y + 0.5))))
                area |= QRectF(x, y, 1, 1);
        }
    }
    return area;
}

inline QRectF colorBarOf(const ui::Figure& figure)
{
    return areaOf(figure, [](const ui::FigureHit& hit) { return hit.part == ui::FigureHit::Part::ColorBar; });
}

} // namespace attn::test

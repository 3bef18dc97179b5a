// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "figures/figure.h"
#include "figures/look/style.h"

#include <vector>

namespace attn::ui {

// Pairs of a sinusoidal encoding as hands on a dial: a pair (sin wp, cos wp) points wp radians clockwise from the top,
// and an offset k turns it on by kw, whatever the position p is.
struct RotationContent
{
    int position = 0; // p
    int offset = 1; // k
    int width = 64; // even
    std::vector<int> pairs; // one dial for each
};

// About six pairs from the fastest to the slowest.
std::vector<int> rotationPairs(int width);

class RotationFigure final : public Figure
{
public:
    RotationFigure(const FigureSpec& spec, RotationContent content, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // of a dial with its text
    int rows() const override { return (indexSize(m_content.pairs) + m_across - 1) / m_across; }
    int columns() const override { return m_across; }
    QString description() const override;

    // Where the hand of a position points to, on the dial of entry `index` of the pairs.
    QPointF tip(int index, int position) const;

private:
    QPointF centre(int index) const;
    double frequency(int index) const;
    QString textOf(int index) const;
    void paintDial(QPainter& painter, int index, bool pointed) const;

    RotationContent m_content;
    FigureStyle m_style;
    QSizeF m_size;
    int m_across = 3;
    double m_top = 0; // of the dials
    double m_down = 0; // height of a row of dials
    double m_radius = 0;
};

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/matrix_figure.h"
#include "figures/theme.h"

#include <QFont>

namespace attn::ui {

// Two columns of tokens, output left and input right, with a line per weight whose strength is the weight (the view
// of Vig 2019). A pointed-at token shows its own lines only.
class ArcsFigure final : public Figure
{
public:
    ArcsFigure(const FigureSpec& spec, MatrixContent content, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // none: arcs have no cells
    int rows() const override { return m_content.matrix.rows; }
    int columns() const override { return m_content.matrix.columns; }
    QString description() const override { return m_content.description; }

    QRectF rowLabelRect(int row) const;
    QRectF columnLabelRect(int column) const;

private:
    void layOut(QSizeF wanted);
    void paintLines(QPainter& painter, const Highlight& highlight) const;

    MatrixContent m_content;
    ThemeColors m_theme;
    QColor m_line;
    QFont m_font;
    QFont m_titleFont;
    QSizeF m_size;
    double m_top = 0;
    double m_rowPitch = 0;
    double m_columnPitch = 0;
    double m_labelWidth = 0;
    double m_left = 0; // where the lines start and end
    double m_right = 0;
};

} // namespace attn::ui

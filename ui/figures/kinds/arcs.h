// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/style.h"
#include "figures/parts/matrix_figure.h"

#include <QImage>

#include <vector>

namespace attn::ui {

// Two columns of tokens, output left and input right, with a line per weight whose strength is the weight (after the
// head view of Vig 2019). A pointed-at token's own lines stand out.
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
    struct Line
    {
        int row = 0;
        int column = 0;
        double strength = 0; // weight by the largest on the scale, 0 .. 1
    };

    void layOut(QSizeF wanted);
    void chooseLines();
    double strength(int row, int column) const;
    int strongestColumn(int row) const;
    int strongestRow(int column) const;
    bool isOwn(const Line& line, const Highlight& highlight) const;
    void strokeLine(QPainter& painter, const Line& line, int step, double opacity) const;
    const QImage& linePicture(double scale, int step) const;
    void paintLines(QPainter& painter, const Highlight& highlight) const;
    void paintGrounds(QPainter& painter, const Highlight& highlight) const;
    void paintLabels(QPainter& painter, const Highlight& highlight) const;

    MatrixContent m_content;
    FigureStyle m_style;
    QSizeF m_size;
    double m_top = 0;
    double m_rowPitch = 0;
    double m_columnPitch = 0;
    double m_labelWidth = 0;
    double m_left = 0; // where the lines start and end
    double m_right = 0;
    std::vector<Line> m_lines; // faintest first
    mutable QImage m_picture; // of all lines, so that moving the pointer strokes only a token's own; made on first need
    mutable int m_pictureStep = -1;
};

extern const FigureKind arcsKind; // the tokens in two columns, lines between them

} // namespace attn::ui

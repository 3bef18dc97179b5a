// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/theme.h"
#include "trace/attention_map.h"

#include <QFont>
#include <QStringList>

#include <functional>
#include <vector>

namespace attn::ui {

// What a matrix of coloured cells with labelled rows and columns is made of; attention maps and positional encodings
// are such.
struct MatrixContent
{
    AttentionMatrix matrix;
    QStringList rowLabels; // full; elided where they do not fit
    QStringList columnLabels;
    QString title;
    QString subtitle;
    QString rowAxis; // name of the rows: "target (output)"
    QString columnAxis;
    QString valueName; // "attention weight"
    double least = 0; // of the colour scale
    double most = 1;
    std::function<bool(int row, int column)> blank; // cells that cannot have a value
    int markedRow = -1; // the decoding step
    QString empty; // said instead of the matrix when there is none
    QString description;
};

// Cells, labels, colour bar. Cells keep the same width and height and, as long as they can, are nearly square.
class MatrixFigure final : public Figure
{
public:
    MatrixFigure(const FigureSpec& spec, MatrixContent content, QSizeF size);

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override;
    int rows() const override { return m_content.matrix.rows; }
    int columns() const override { return m_content.matrix.columns; }
    QString description() const override { return m_content.description; }

    // For tests: where a label is drawn (rotated bounds), null when it is thinned out.
    QRectF rowLabelRect(int row) const;
    QRectF columnLabelRect(int column) const;
    QRectF matrixRect() const { return m_cells; }

private:
    void layOut(QSizeF wanted);
    void layOutColumnLabels(double room);
    void paintCells(QPainter& painter) const;
    void paintCellsAsImage(QPainter& painter) const;
    void paintCellValues(QPainter& painter) const;
    void paintLabels(QPainter& painter, const Highlight& highlight) const;
    void paintMarks(QPainter& painter, const Highlight& highlight) const;
    void paintColorBar(QPainter& painter) const;
    double fraction(float value) const;
    bool isBlank(int row, int column) const;
    FigureHit hitOfCell(int row, int column) const;
    double rowStart(double row) const;
    double columnStart(double column) const;
    bool rowLabelled(int row) const;
    bool columnLabelled(int column) const;

    FigureSpec m_spec;
    MatrixContent m_content;
    ThemeColors m_theme;
    QSizeF m_size;
    QFont m_font;
    QFont m_small;
    QFont m_titleFont;
    QRectF m_seen; // cells x, y, width, height that are visible
    QRectF m_cells; // where they are painted
    QRectF m_bar; // colour bar
    double m_cellWidth = 0;
    double m_cellHeight = 0;
    double m_rowLabelWidth = 0;
    double m_columnLabelHeight = 0;
    double m_columnAngle = 0; // degrees: 0, 45 or 90
    double m_columnLabelRoom = 0; // longest label along its direction
};

// Numbers between which a colour bar is labelled, and ticks: 3 to 6 round values inside [least, most].
std::vector<double> ticks(double least, double most);

} // namespace attn::ui

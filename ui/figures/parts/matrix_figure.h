// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/style.h"
#include "trace/attention_map.h"

#include <QImage>
#include <QPolygonF>
#include <QStringList>

#include <functional>
#include <limits>
#include <vector>

namespace attn::ui {

// What a matrix of coloured cells with labelled rows and columns is made of; attention maps and positional encodings
// are such.
struct MatrixContent
{
    Numbers matrix;
    QStringList rowLabels; // full; elided where they do not fit
    QStringList columnLabels;
    std::vector<int> rowTokens; // first token of each row; empty: the rows are no tokens
    std::vector<int> columnTokens;
    int firstGenerated = std::numeric_limits<int>::max(); // tokens from here on are labelled as generated ones
    bool numbered = false; // labels are numbers: thinned out to round ones
    FigureTitle title;
    QString rowAxis; // name of the rows: "target (output)"
    QString columnAxis;
    QString valueName; // "attention weight"
    double least = 0; // of the colour scale
    double most = 1;
    bool bar = true; // a colour bar beside it; off where several share one
    std::function<bool(int row, int column)> blank; // cells that cannot have a value
    QString zeroRowText; // written across rows that are zeros throughout; empty: zero is a value like any other
    int markedRow = -1; // the decoding step
    QString empty; // said instead of the matrix when there is none
    QString description;

    int rowToken(int row) const { return tokenOf(rowTokens, row); }
    int columnToken(int column) const { return tokenOf(columnTokens, column); }
    bool isGeneratedRow(int row) const { return rowToken(row) >= firstGenerated; }
    bool isGeneratedColumn(int column) const { return columnToken(column) >= firstGenerated; }

private:
    static int tokenOf(const std::vector<int>& tokens, int index)
    {
        return index >= 0 && static_cast<std::size_t>(index) < tokens.size() ? tokens[index] : -1;
    }
};

// Cells, labels, colour bar. All cells are equally large and, as long as they can, nearly square.
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

    // Where labels are drawn; null or empty for those that are thinned out or not visible.
    QRectF rowLabelRect(int row) const;
    QPolygonF columnLabelShape(int column) const; // turned with the label
    QRectF cellsRect() const { return m_cells; }
    QRectF colorBarRect() const { return m_bar.box; }

private:
    // Visible cells: [first, end) on each axis.
    struct Range
    {
        int first = 0;
        int end = 0;
    };

    Range visibleRows() const;
    Range visibleColumns() const;
    void layOut(QSizeF wanted);
    void layOutCells(QSizeF wanted, double width, double labelRoom);
    void layOutColumnLabels(double room);
    double widestLabel(const QStringList& labels, Range range) const;
    int stride(double labelSize, double cellSize) const;
    double rowStart(double row) const;
    double columnStart(double column) const;
    bool isBlank(int row, int column) const;
    bool isZeroRow(int row) const { return m_zeroRows[row]; }
    double fraction(float value) const;
    const QFont& rowFont(int row) const { return m_content.isGeneratedRow(row) ? m_style.generated : m_style.font; }
    const QColor& rowInk(int row) const
    {
        return m_content.isGeneratedRow(row) ? m_style.colors.generated : m_style.colors.ink;
    }
    double columnLabelLength(int column) const;
    QPointF columnAnchor(int column) const;

    void paintCells(QPainter& painter) const;
    QImage cellImage() const;
    void paintCellsAsImage(QPainter& painter) const;
    void paintCellValues(QPainter& painter) const;
    void paintZeroRows(QPainter& painter) const;
    void paintAxisNames(QPainter& painter) const;
    void paintRowLabel(QPainter& painter, int row, const QFont& font, const QColor& ink) const;
    void paintColumnLabel(QPainter& painter, int column, const QFont& font) const;
    void paintSlantedPdfLabel(QPainter& painter, int column, const QFont& font, const QColor& ink) const;
    void paintLabels(QPainter& painter, const Highlight& highlight, int markedRow) const;
    bool isNearRow(int row, int pointed) const;
    bool isNearColumn(int column, int pointed) const;
    void paintPointed(QPainter& painter, const Highlight& highlight, int markedRow) const;
    void paintMarks(QPainter& painter, const Highlight& highlight, int markedRow) const;
    QString rowName(int row) const;
    QString columnName(int column) const;
    FigureHit hitOfCell(int row, int column) const;
    FigureHit hitOfColumnLabel(QPointF point) const;

    FigureSpec m_spec;
    MatrixContent m_content;
    FigureStyle m_style;
    std::vector<bool> m_zeroRows;
    QImage m_image; // a pixel per visible cell; null when cells are few enough to be painted one by one
    QSizeF m_size;
    QRectF m_seen; // cells x, y, width, height that are visible
    QRectF m_cells; // where they are painted
    ColorBar m_bar;
    double m_cellWidth = 0;
    double m_cellHeight = 0;
    double m_rowLabelWidth = 0;
    double m_columnLabelHeight = 0;
    double m_columnAngle = 0; // degrees: 0, 45 or 90
    double m_columnLabelRoom = 0; // longest label along its direction
};

} // namespace attn::ui

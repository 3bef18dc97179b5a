// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/run_difference.h"
#include "figures/look/value_scale.h"
#include "figures/parts/cell_marks.h"
#include "figures/parts/styled_figure.h"
#include "trace/attention_map.h"

#include <QImage>
#include <QPolygonF>
#include <QStringList>

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace attn::ui {

// What a matrix of coloured cells with labelled rows and columns is made of; attention maps and positional encodings
// are such.
struct MatrixContent
{
    static constexpr int noToken = -1;

    Numbers matrix;
    QStringList rowLabels; // full; elided where they do not fit
    QStringList columnLabels;
    std::vector<int> rowTokens; // first token of each row, or noToken; empty: the rows are no tokens
    std::vector<int> columnTokens;
    int firstGenerated = std::numeric_limits<int>::max(); // tokens from here on are labelled as generated ones
    bool numbered = false; // labels are numbers: thinned out to round ones
    FigureTitle title;
    QString rowAxis; // name of the rows: "target (output)"
    QString columnAxis;
    AttentionRole rowRole = AttentionRole::Other; // colours of these names
    AttentionRole columnRole = AttentionRole::Other;
    QString valueName; // "attention weight"
    double least = 0; // of the colour scale
    double most = 1;
    ColorScale scale = ColorScale::Linear;
    std::vector<double> rowEnds; // where rows have scales of their own: the value at the end of each; empty: they share
    QStringList scaleNotes; // said beside the colour bar
    bool hasMargins = false; // may say sums and the like of its rows and columns
    bool bar = true; // a colour bar beside it; off where several share one
    std::function<bool(int row, int column)> blank; // cells that cannot have a value
    PairedPlaces rowPairs; // of a difference: which rows of the two it is; empty: it is none
    PairedPlaces columnPairs;
    std::function<QString(int row, int column)> cellText; // said of a cell; empty: its value
    std::vector<CellMark> edits; // what edits of the run did to the cells, row by row; empty: nothing
    QString zeroRowText; // written across rows that are zeros throughout; empty: zero is a value like any other
    std::optional<int> markedRow; // the decoding step
    QString empty; // said instead of the matrix when there is none
    QString description;

    // Of values, or of shares of the rows' ends.
    ValueScale valueScale() const
    {
        return rowEnds.empty() ? ValueScale(least, most, scale) : ValueScale(least < 0 ? -1 : 0, 1, scale);
    }
    // A value of the matrix as that scale takes it.
    double onScale(int row, int column) const
    {
        const double value = matrix.at(row, column);
        return rowEnds.empty() ? value : value / rowEnds[static_cast<std::size_t>(row)];
    }

    std::optional<int> rowToken(int row) const { return tokenOf(rowTokens, row); }
    std::optional<int> columnToken(int column) const { return tokenOf(columnTokens, column); }
    bool isDifference() const { return !rowPairs.empty(); }
    // Rows and columns that one of the two has alone: their cells are hatched.
    bool isLoneRow(int row) const { return isDifference() && !rowPairs[row].isPaired(); }
    bool isLoneColumn(int column) const { return isDifference() && !columnPairs[column].isPaired(); }
    bool isLone(int row, int column) const { return isLoneRow(row) || isLoneColumn(column); }
    bool isGeneratedRow(int row) const { return rowToken(row) >= firstGenerated; }
    bool isGeneratedColumn(int column) const { return columnToken(column) >= firstGenerated; }

private:
    static std::optional<int> tokenOf(const std::vector<int>& tokens, int index)
    {
        const bool known = index >= 0 && static_cast<std::size_t>(index) < tokens.size() && tokens[index] != noToken;
        return known ? std::optional(tokens[index]) : std::nullopt;
    }
};

// Cells, labels, colour bar. All cells are equally large and, as long as they can, nearly square.
class MatrixFigure final : public StyledFigure
{
public:
    MatrixFigure(const FigureSpec& spec, MatrixContent content, QSizeF size);

    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override;
    int rows() const override { return m_content.matrix.rows; }
    int columns() const override { return m_content.matrix.columns; }

    // Where labels are drawn; null or empty for those that are thinned out or not visible.
    QRectF rowLabelRect(int row) const;
    QPolygonF columnLabelShape(int column) const; // turned with the label
    QRectF cellsRect() const { return m_cells; }

    std::optional<ScaleBar> scaleBar() const override;
    QStringList rowLabels() const override { return m_content.numbered ? QStringList() : m_content.rowLabels; }
    QStringList columnLabels() const override { return m_content.numbered ? QStringList() : m_content.columnLabels; }
    QImage overview(QSize most) const override;
    FigureTable table() const override;

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitOf(int row, int column) const override;

private:
    static constexpr double matrixGap = 6;

    void layOut();
    void layOutCells(double width, double labelRoom);
    void layOutColumnLabels(double room);
    double axisRoom() const;
    double widestLabel(const QStringList& labels, const std::vector<int>& indices) const;
    int stride(double labelSize, double cellSize) const;
    double rowStart(double row) const;
    double columnStart(double column) const;
    bool isBlank(int row, int column) const;
    bool isNumber(int row, int column) const; // NaN and infinity are none; minus infinity is what masks a score
    double fraction(int row, int column) const; // of the colour scale; NaN for what is no number
    double columnLabelLength(int column) const;
    QPointF columnAnchor(int column) const;

    void paintCells(QPainter& painter) const;
    void paintHatching(QPainter& painter) const;
    QColor labelInk(const PairedPlaces& pairs, int index, bool generated) const;
    void paintNoNumber(QPainter& painter, const QRectF& cell) const;
    void paintBeyond(QPainter& painter, int row, int column) const;
    void paintCellsAsImage(QPainter& painter) const;
    std::optional<double> pooledFraction(int firstRow, int endRow, int firstColumn, int endColumn) const;
    const QImage& picture(double dots) const;
    void paintCellValues(QPainter& painter) const;
    QFont valueFont() const;
    void paintZeroRows(QPainter& painter) const;
    void paintEdits(QPainter& painter) const;
    void paintAxisNames(QPainter& painter) const;
    void paintRowLabel(QPainter& painter, int row, bool pointed) const;
    void paintColumnLabel(QPainter& painter, int column, bool pointed) const;
    void paintSlantedPdfLabel(QPainter& painter, int column, const QFont& font, const QColor& ink) const;
    void paintLabels(QPainter& painter, const Highlight& highlight) const;
    std::vector<int> neededRows(const Highlight& highlight) const;
    std::vector<int> neededColumns(const Highlight& highlight) const;
    bool isNearRow(int row, int needed) const;
    bool isNearColumn(int column, int needed) const;
    void paintNeededRow(QPainter& painter, int row, bool found) const;
    void paintNeededColumn(QPainter& painter, int column, bool found) const;
    void measureMargins();
    double marginRoom() const; // right of the cells, and below them
    QString marginText(QPointF point, bool inRows, bool inColumns, int row, int column) const; // empty beside them
    void paintMargins(QPainter& painter) const;
    void paintMarks(QPainter& painter, const Highlight& highlight) const;
    QString valueText(int row, int column) const;
    QString rowName(int row) const;
    QString columnName(int column) const;

    FigureSpec m_spec;
    MatrixContent m_content;
    std::vector<bool> m_zeroRows;
    std::vector<double> m_rowMargins; // empty: there are none
    std::vector<double> m_columnMargins;
    CellMarks m_edits;
    bool m_pictured = false; // there are too many cells to paint them one by one
    mutable QImage m_picture; // of the visible cells, for so many dots in a pixel; made on first need
    mutable double m_pictureDots = 0;
    QRectF m_seen; // cells x, y, width, height that are visible
    std::vector<int> m_rows; // those of which something is visible
    std::vector<int> m_columns;
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

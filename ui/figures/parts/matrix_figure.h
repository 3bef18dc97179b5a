// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/link_marks.h"
#include "figures/parts/matrix_cells.h"
#include "figures/parts/matrix_content.h"
#include "figures/parts/styled_figure.h"

#include <QImage>
#include <QPolygonF>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace attn::ui {

// Cells, labels, colour bar. All cells are equally large and, as long as they can, nearly square.
class MatrixFigure final : public StyledFigure
{
public:
    MatrixFigure(const FigureSpec& spec, MatrixContent content, QSizeF size);
    // Of cells that are there already, with these visible as FigureSpec::visible says it.
    MatrixFigure(const FigureSpec& spec, std::shared_ptr<const MatrixCells> cells, const QRectF& visible, QSizeF size);

    void prepare(double dots) const override;
    std::unique_ptr<const Figure> laidOutAgain(const QRectF& visible, QSizeF size) const override;
    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override;
    int rows() const override { return m_content.rows(); }
    int columns() const override { return m_content.columns(); }

    // Where labels are drawn; null or empty for those that are thinned out or not visible.
    QRectF rowLabelRect(int row) const;
    QPolygonF columnLabelShape(int column) const; // turned with the label
    QRectF cellsRect() const { return m_cells; }

    std::optional<ScaleBar> scaleBar() const override;
    QStringList rowLabels() const override { return m_content.numbered ? QStringList() : m_content.rowLabels; }
    QStringList columnLabels() const override
    {
        return m_content.hasColumnNumbers() ? QStringList() : m_content.columnLabels;
    }
    QImage overview(QSize most) const override;
    FigureTable table() const override;

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override;
    FigureHit hitOf(int row, int column) const override;

private:
    static constexpr double matrixGap = 6;
    static constexpr double touching = 0.9; // of a line's height: letters of lines that are further apart do not touch

    void layOut();
    void layOutCells(double width, double labelRoom);
    void layOutColumnLabels(double room);
    void leaveOutUnwritten();
    double axisRoom() const;
    static int stride(double labelSize, double cellSize, bool numbered);
    double rowStart(double row) const;
    double columnStart(double column) const;
    bool isBlank(int row, int column) const { return m_all->isBlank(row, column); }
    bool isNaN(int row, int column) const { return m_content.map.isNaN(row, column); }
    double fraction(int row, int column) const; // of the colour scale; NaN for what is no number
    double columnLabelLength(int column) const;
    QPointF columnAnchor(int column) const;

    void paintCells(QPainter& painter) const;
    void paintHatching(QPainter& painter) const;
    QColor labelInk(const MapAxis& axis, int index, bool generated) const;
    void paintBeyond(QPainter& painter, int row, int column) const;
    void paintCellsAsImage(QPainter& painter) const;
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
    double marginRoom() const; // right of the cells, and below them
    QString marginText(QPointF point, bool inRows, bool inColumns, int row, int column) const; // empty beside them
    void paintMargins(QPainter& painter) const;
    void paintMarginBars(QPainter& painter, double mostOfRows, double mostOfColumns) const; // that have whole bars
    void paintMarks(QPainter& painter, const Highlight& highlight) const;
    QString valueText(int row, int column) const;
    QString markNotes(int row, int column) const;
    double legendHeight() const; // below the colour bar
    void paintLegends(QPainter& painter) const;
    QString rowName(int row) const;
    QString columnName(int column) const;

    std::shared_ptr<const MatrixCells> m_all;
    const FigureSpec& m_spec; // of m_all, as what follows
    const MatrixContent& m_content;
    const CellMarks& m_edits;
    LinkMarks m_links;
    QRectF m_visible; // as FigureSpec::visible
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

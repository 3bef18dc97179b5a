// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/matrix_cells.h"
#include "figures/parts/matrix_content.h"
#include "figures/parts/styled_figure.h"

#include <QImage>
#include <QPolygonF>
#include <QStringList>

#include <memory>
#include <numbers>
#include <optional>
#include <vector>

namespace attn::ui {

// Cells, labels, colour bar. All cells are equally large and, as long as they can, nearly square.
class MatrixFigure final : public StyledFigure
{
public:
    MatrixFigure(const FigureSpec& spec, MatrixContent content, QSizeF size);
    // Figure of cells that exist already; `visible` is that of FigureSpec.
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
    static constexpr double touching = 0.94; // of a line's height: letters of lines that are further apart do not touch
    static double slant() { return std::numbers::sqrt2 / 2; } // sine and cosine of 45 degrees
    static constexpr TokenSide sides[] = {TokenSide::Rows, TokenSide::Columns};

    // A label: its room as it lies flat at the origin, and where and how far it is turned.
    struct Label
    {
        QRectF room;
        Qt::AlignmentFlag side;
        QPointF at;
        double angle = 0; // degrees, to the left
    };

    void layOut();
    void layOutCells(double width, double labelRoom);
    void layOutColumnLabels(double room);
    void leaveOutUnwritten();
    double axisRoom() const;
    double marginRoom() const; // right of the cells, and below them
    double rowStart(double row) const;
    double columnStart(double column) const;
    const std::vector<int>& seen(TokenSide side) const { return side == TokenSide::Rows ? m_rows : m_columns; }
    // A visible cell of a row or a column.
    QRectF firstCell(TokenPlace place) const;
    bool isBlank(int row, int column) const { return m_all->isBlank(row, column); }
    bool isColoured(int row, int column) const;
    double fraction(int row, int column) const; // of the colour scale
    QColor ground(int row, int column) const;
    QRectF lineBox(TokenPlace place) const; // of a whole row or column, as far as it is seen

    void paintCells(QPainter& painter) const;
    void paintHatching(QPainter& painter) const;
    void paintBeyond(QPainter& painter, int row, int column) const;
    void paintCellsAsImage(QPainter& painter) const;
    const QImage& picture(double dots) const;
    void paintCellValues(QPainter& painter) const;
    QFont valueFont() const;
    QFont wordFont() const;
    void paintZeroRows(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintHighlight(QPainter& painter, const Highlight& highlight) const;

    static int stride(double labelSize, double cellSize, bool numbered);
    double labelLength(TokenPlace place) const;
    bool isLabelled(TokenPlace place) const; // unless another one has to be there
    Label labelOf(TokenPlace place) const;
    bool isNear(TokenSide side, int index, int needed) const;
    std::vector<int> needed(TokenSide side, const Highlight& highlight) const;
    void paintLabel(QPainter& painter, TokenPlace place, bool strong) const;
    void paintSlantedPdfLabel(QPainter& painter, TokenPlace place, const QFont& font, const QColor& ink) const;
    void paintLabels(QPainter& painter, const Highlight& highlight) const;
    void paintAxisNames(QPainter& painter) const;
    void paintMargins(QPainter& painter) const;

    QString nameOf(TokenPlace place) const;
    QString marginText(QPointF point, TokenPlace place) const; // empty beside them
    QString valueText(int row, int column) const;
    QString markNotes(int row, int column) const;
    std::vector<MarkSample> samples() const; // below the colour bar

    std::shared_ptr<const MatrixCells> m_all;
    const FigureSpec& m_spec; // of m_all, as what follows
    const MatrixContent& m_content;
    const CellMarks& m_edits;
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

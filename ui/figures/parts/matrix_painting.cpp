// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"

#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double paintingGap = 6;
constexpr double leastValueCell = 34; // width of cells that show their number

// Viewers smooth embedded images, so each pixel becomes a block of at least 8 dots.
QImage enlarged(const QImage& image)
{
    constexpr int leastBlock = 8;
    constexpr int mostDots = 8192;
    const int factor = std::clamp(mostDots / std::max(image.width(), image.height()), 1, leastBlock);
    return image.scaled(image.width() * factor, image.height() * factor, Qt::IgnoreAspectRatio, Qt::FastTransformation);
}

} // namespace

void MatrixFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    if (rows() == 0 || columns() == 0) {
        paintEmpty(painter, m_style, m_size, m_content.empty);
        return;
    }
    const int markedRow = highlight.stepRow >= 0 ? highlight.stepRow : m_content.markedRow;
    if (m_image.isNull())
        paintCells(painter);
    else
        paintCellsAsImage(painter);
    paintZeroRows(painter);
    paintCellValues(painter);
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_cells);
    const double left =
        m_cells.left() - paintingGap - m_rowLabelWidth - QFontMetricsF(m_style.small).height() - paintingGap;
    paintHeader(painter, m_style, m_content.title, std::min(left, m_size.width() / 4), m_size.width() - 12);
    paintAxisNames(painter);
    paintLabels(painter, highlight, markedRow);
    paintMarks(painter, highlight, markedRow);
    if (m_content.bar)
        m_bar.paint(painter, m_style);
}

void MatrixFigure::paintCells(QPainter& painter) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(m_cells);
    const Range seenRows = visibleRows();
    const Range seenColumns = visibleColumns();
    // Each cell reaches a little under its right and lower neighbours, so that no seams show in viewers.
    const double overlap = isRaster(painter) ? 0.0 : 0.4;
    for (int row = seenRows.first; row < seenRows.end; ++row) {
        for (int column = seenColumns.first; column < seenColumns.end; ++column) {
            const QRectF cell = cellRect(row, column).adjusted(0, 0, overlap, overlap);
            painter.fillRect(cell,
                             isBlank(row, column)
                                 ? m_style.colors.blank
                                 : colorAt(m_style.colorMap, fraction(m_content.matrix.at(row, column))));
        }
    }
    painter.restore();
}

QImage MatrixFigure::cellImage() const
{
    const Range seenRows = visibleRows();
    const Range seenColumns = visibleColumns();
    const int height = seenRows.end - seenRows.first;
    const int width = seenColumns.end - seenColumns.first;
    const ColorTable& table = colorTable(m_style.colorMap);
    const QRgb blank = m_style.colors.blank.rgb();
    QImage image(width, height, QImage::Format_RGB32);
    for (int row = 0; row < height; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row)); // NOLINT: the documented way to write a line
        for (int column = 0; column < width; ++column) {
            const double part = fraction(m_content.matrix.at(seenRows.first + row, seenColumns.first + column));
            const auto index = part > 0 ? static_cast<std::size_t>(std::min(part, 1.0) * 255 + 0.5) : 0U;
            line[column] = isBlank(seenRows.first + row, seenColumns.first + column) ? blank : table[index];
        }
    }
    return image;
}

void MatrixFigure::paintCellsAsImage(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(m_cells);
    const bool raster = isRaster(painter);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, raster && std::min(m_cellWidth, m_cellHeight) < 1);
    painter.drawImage(QRectF(columnStart(visibleColumns().first), rowStart(visibleRows().first),
                             m_image.width() * m_cellWidth, m_image.height() * m_cellHeight),
                      raster ? m_image : enlarged(m_image));
    painter.restore();
}

void MatrixFigure::paintZeroRows(QPainter& painter) const
{
    const QFontMetricsF metrics(m_style.small);
    const Range seen = visibleRows();
    painter.setFont(m_style.small);
    for (int row = seen.first; row < seen.end; ++row) {
        if (!isZeroRow(row))
            continue;
        const double y = rowStart(row + 0.5);
        const bool fits = m_cellHeight >= metrics.height() && m_cells.contains(QPointF(m_cells.center().x(), y));
        const double text = fits ? std::min(labelWidth(m_content.zeroRowText, metrics), m_cells.width()) : 0;
        painter.setPen(m_style.colors.muted);
        if (fits)
            drawLabel(painter, {m_cells.center().x() - text / 2, y - metrics.height() / 2, text, metrics.height()},
                      Qt::AlignHCenter, m_content.zeroRowText);
        const double reach = (m_cells.width() - text) / 2 - paintingGap;
        if (reach < paintingGap || m_cellHeight < 3)
            continue;
        painter.setPen(QPen(m_style.colors.grid, 1));
        painter.drawLine(QPointF(m_cells.left() + paintingGap, y), QPointF(m_cells.left() + reach, y));
        painter.drawLine(QPointF(m_cells.right() - reach, y), QPointF(m_cells.right() - paintingGap, y));
    }
}

void MatrixFigure::paintCellValues(QPainter& painter) const
{
    const QFontMetricsF metrics(m_style.small);
    if (m_content.numbered || m_cellWidth < leastValueCell || m_cellHeight < metrics.height() * 1.3)
        return;
    painter.setFont(m_style.small);
    const Range seenRows = visibleRows();
    const Range seenColumns = visibleColumns();
    for (int row = seenRows.first; row < seenRows.end; ++row) {
        for (int column = seenColumns.first; column < seenColumns.end; ++column) {
            const QRectF cell = cellRect(row, column);
            if (cell.width() < m_cellWidth * 0.9 || cell.height() < m_cellHeight * 0.9 || isBlank(row, column))
                continue;
            const float value = m_content.matrix.at(row, column);
            painter.setPen(inkOn(colorAt(m_style.colorMap, fraction(value))));
            drawLabel(painter, cell, Qt::AlignHCenter, decimal(static_cast<double>(value), 2));
        }
    }
}

void MatrixFigure::paintAxisNames(QPainter& painter) const
{
    const QFontMetricsF metrics(m_style.small);
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    // In the middle of the labels: slanted ones stand right of their columns.
    const double bottom = m_cells.top() - paintingGap - m_columnLabelHeight - paintingGap / 2;
    const double width = std::max(m_cells.width(), metrics.horizontalAdvance(m_content.columnAxis));
    drawLabel(painter, {m_cells.left(), bottom - metrics.height(), width, metrics.height()},
              m_cells.width() < width ? Qt::AlignLeft : Qt::AlignHCenter, m_content.columnAxis);
    painter.save();
    painter.translate(m_cells.left() - paintingGap - m_rowLabelWidth - paintingGap - metrics.height(),
                      m_cells.center().y());
    painter.rotate(-90);
    const double length = std::max(m_cells.height(), metrics.horizontalAdvance(m_content.rowAxis));
    if (length <= m_size.height())
        drawLabel(painter, {-length / 2, 0, length, metrics.height()}, Qt::AlignHCenter, m_content.rowAxis);
    painter.restore();
}

void MatrixFigure::paintRowLabel(QPainter& painter, int row, const QFont& font, const QColor& ink) const
{
    const double height = QFontMetricsF(m_style.font).height();
    painter.setFont(font);
    painter.setPen(ink);
    drawLabel(
        painter,
        {m_cells.left() - paintingGap - m_rowLabelWidth, rowStart(row + 0.5) - height / 2, m_rowLabelWidth, height},
        Qt::AlignRight, m_content.rowLabels.value(row));
}

void MatrixFigure::paintColumnLabel(QPainter& painter, int column, const QFont& font) const
{
    const double height = QFontMetricsF(m_style.font).height();
    const QColor ink = m_content.isGeneratedColumn(column) ? m_style.colors.generated : m_style.colors.ink;
    if (m_columnAngle == 45 && painter.paintEngine()->type() == QPaintEngine::Pdf)
        return paintSlantedPdfLabel(painter, column, font, ink);
    painter.setFont(font);
    painter.setPen(ink);
    painter.save();
    painter.translate(columnAnchor(column));
    painter.rotate(-m_columnAngle);
    const double room = m_columnLabelRoom + 0.1;
    if (m_columnAngle == 0)
        drawLabel(painter, {-room / 2, -height, room, height}, Qt::AlignHCenter, m_content.columnLabels.value(column));
    else
        drawLabel(painter, {0, -height / 2, room, height}, Qt::AlignLeft, m_content.columnLabels.value(column));
    painter.restore();
}

// What reads a PDF takes slanted text apart, letter by letter: there the labels are outlines, and to be found and
// copied they stand, unseen and level, side by side where their columns begin.
void MatrixFigure::paintSlantedPdfLabel(QPainter& painter, int column, const QFont& font, const QColor& ink) const
{
    const QString label = m_content.columnLabels.value(column);
    const QFontMetricsF metrics(font);
    QPainterPath outline;
    outline.addText(0, (metrics.ascent() - metrics.descent()) / 2, font,
                    elided(label, metrics, m_columnLabelRoom + 0.1));
    painter.save();
    painter.translate(columnAnchor(column));
    painter.save();
    painter.rotate(-m_columnAngle);
    painter.fillPath(outline, ink);
    painter.restore();
    const double scale = std::min(1.0, m_cellWidth * 0.75 / std::max(1.0, metrics.horizontalAdvance(label)));
    painter.scale(scale, scale);
    painter.setFont(font);
    painter.setPen(Qt::transparent);
    painter.drawText(QPointF(0, 0), label);
    painter.restore();
}

void MatrixFigure::paintLabels(QPainter& painter, const Highlight& highlight, int markedRow) const
{
    const Range seenRows = visibleRows();
    for (int row = seenRows.first; row < seenRows.end; ++row) {
        if (!isNearRow(row, highlight.row) && !isNearRow(row, markedRow) && !rowLabelRect(row).isNull())
            paintRowLabel(painter, row, rowFont(row), rowInk(row));
    }
    const Range seenColumns = visibleColumns();
    for (int column = seenColumns.first; column < seenColumns.end; ++column) {
        if (!isNearColumn(column, highlight.column) && !columnLabelShape(column).isEmpty())
            paintColumnLabel(painter, column, m_content.isGeneratedColumn(column) ? m_style.generated : m_style.font);
    }
    paintPointed(painter, highlight, markedRow);
}

// Whether a label would touch that of a row that is pointed at.
bool MatrixFigure::isNearRow(int row, int pointed) const
{
    const Range seen = visibleRows();
    return pointed >= seen.first && pointed < seen.end
        && std::abs(row - pointed) * m_cellHeight < QFontMetricsF(m_style.font).height() * 0.9;
}

bool MatrixFigure::isNearColumn(int column, int pointed) const
{
    const Range seen = visibleColumns();
    if (pointed < seen.first || pointed >= seen.end)
        return false;
    const double height = QFontMetricsF(m_style.font).height();
    const double room = m_columnAngle == 0 ? (columnLabelLength(column) + columnLabelLength(pointed)) / 2 + paintingGap
        : m_columnAngle == 45              ? height * std::sqrt(2.0)
                                           : height;
    return std::abs(column - pointed) * m_cellWidth < room * 0.9;
}

// The labels of the marked row and of the cell under the pointer: always there, in the place of close neighbours.
void MatrixFigure::paintPointed(QPainter& painter, const Highlight& highlight, int markedRow) const
{
    const ThemeColors& colors = m_style.colors;
    const double height = QFontMetricsF(m_style.font).height();
    const Range seenRows = visibleRows();
    for (const int row : {markedRow, highlight.row}) {
        if (row < seenRows.first || row >= seenRows.end)
            continue;
        painter.fillRect(QRectF(m_cells.left() - paintingGap - m_rowLabelWidth - 1, rowStart(row + 0.5) - height / 2,
                                m_rowLabelWidth + 2, height),
                         colors.background);
        paintRowLabel(painter, row, m_style.strong, row == markedRow ? colors.accent : rowInk(row));
    }
    const Range seenColumns = visibleColumns();
    if (const int column = highlight.column; column >= seenColumns.first && column < seenColumns.end) {
        painter.save();
        painter.translate(columnAnchor(column));
        painter.rotate(-m_columnAngle);
        const double width = columnLabelLength(column) + 2;
        painter.fillRect(m_columnAngle == 0 ? QRectF(-width / 2, -height, width, height)
                                            : QRectF(-1, -height / 2, width, height),
                         colors.background);
        painter.restore();
        paintColumnLabel(painter, column, m_style.strong);
    }
}

void MatrixFigure::paintMarks(QPainter& painter, const Highlight& highlight, int markedRow) const
{
    painter.save();
    painter.setBrush(Qt::NoBrush);
    const auto outline = [&](const QRectF& box, const QColor& color, double width) {
        if (box.isEmpty())
            return;
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(box);
    };
    const auto rowBox = [&](int row) {
        return QRectF(m_cells.left(), rowStart(row), m_cells.width(), m_cellHeight).intersected(m_cells);
    };
    const auto columnBox = [&](int column) {
        return QRectF(columnStart(column), m_cells.top(), m_cellWidth, m_cells.height()).intersected(m_cells);
    };
    if (markedRow >= 0 && markedRow < rows())
        outline(rowBox(markedRow), m_style.colors.accent, 2.5);
    if (highlight.row >= 0 && highlight.column >= 0 && highlight.row < rows() && highlight.column < columns()) {
        // A light casing keeps the lines visible on every colour map.
        for (const auto& [color, width] : {std::pair{QColor(255, 255, 255, 150), 3.0}, {m_style.colors.cursor, 1.2}}) {
            outline(rowBox(highlight.row), color, width);
            outline(columnBox(highlight.column), color, width);
        }
    }
    if (const QRectF cell = cellRect(highlight.cursorRow, highlight.cursorColumn); !cell.isNull()) {
        outline(cell, m_style.colors.background, 4);
        outline(cell, m_style.colors.cursor, 2);
    }
    painter.restore();
}

} // namespace attn::ui

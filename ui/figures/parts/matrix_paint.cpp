// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a matrix figure: one by one, or as a picture where they are many, and what is drawn over them.
#include "base/index.h"
#include "base/progress.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"
#include "figures/parts/no_numbers.h"

#include <QPainter>
#include <QTransform>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double vectorDots = 2; // in a pixel of a vector file, before cells share one
constexpr double leastValueCell = 34; // width of cells that show their number by themselves
constexpr double leastWordCell = 18; // likewise those words that fit
constexpr double wordGap = 3; // between two of them
constexpr double leastLabelCell = 44; // likewise a word, and height of those where words stand upright
constexpr double generousCell = 60; // height of cells whose numbers are as large as labels
constexpr std::size_t mostValues = 10'000; // numbers that can be drawn before anybody waits

// Dots for so many cells, fewer where cells are smaller than dots of the device, which could leave them out.
int dotsOf(int cells, double dotsOfCell)
{
    return dotsOfCell >= 1 ? cells : std::clamp(static_cast<int>(std::floor(cells * dotsOfCell + 1e-9)), 1, cells);
}

// Stretches of what is visible that are alike in a test, as [first, end).
template<class Test, class Visit>
void forStretches(const std::vector<int>& visible, const Test& test, const Visit& visit)
{
    for (auto first = visible.begin(), end = first; first != visible.end(); first = end) {
        const bool is = test(*first);
        end = std::find_if(first, visible.end(), [&](int index) { return test(index) != is; });
        visit(is, *first, *(end - 1) + 1);
    }
}

} // namespace

void MatrixFigure::draw(QPainter& painter, const Highlight& highlight) const
{
    if (!m_pictured)
        paintCells(painter);
    else
        paintCellsAsImage(painter);
    paintHatching(painter);
    paintMarks(painter);
    paintZeroRows(painter);
    paintCellValues(painter);
    for (const GoldCell& link : m_content.links)
        paintLink(painter, cellRect(link.row, link.column), link.sure, inkOn(ground(link.row, link.column)));
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_cells);
    if (m_content.map.columns.isSink(m_columns.front()))
        painter.fillRect(QRectF(columnStart(1) - 1, m_cells.top(), 2, m_cells.height()), m_style.colors.background);
    paintMargins(painter);
    if (!m_spec.noAxisNames)
        paintAxisNames(painter);
    paintLabels(painter, highlight);
    if (m_content.written.rows == 0)
        painter.fillRect(rowLabelRect(m_rows.front())
                             | QRectF(m_cells.left(), rowStart(m_rows.front()), m_cells.width(), m_cellHeight),
                         m_style.colors.background);
    paintHighlight(painter, highlight);
    if (!m_content.bar)
        return;
    m_bar.paint(painter, m_style);
    paintLegend(painter, m_style, m_bar.box.bottomLeft(), samples());
}

bool MatrixFigure::isColoured(int row, int column) const
{
    return m_content.map.state(row, column) <= CellState::Edited && !m_all->isZeroRow(row);
}

QColor MatrixFigure::ground(int row, int column) const
{
    return isColoured(row, column) ? colorAt(m_style.colorMap, fraction(row, column)) : m_style.colors.blank;
}

void MatrixFigure::paintCells(QPainter& painter) const
{
    const SavedPainter saved(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(m_cells);
    for (const int row : m_rows) {
        ThreadStop::check();
        for (const int column : m_columns) {
            const QRectF cell = cellRect(row, column);
            fillCell(painter, cell, m_content.map.counted(row, column), ground(row, column), m_style,
                     seamlessCell(painter, cell, m_cells));
            if (isColoured(row, column))
                paintBeyond(painter, row, column);
        }
    }
}

void MatrixFigure::paintBeyond(QPainter& painter, int row, int column) const
{
    const double value = m_content.onScale(row, column);
    const bool above = m_bar.scale.isAbove(value);
    // Smaller values are much more common, and matter less.
    if (above || m_bar.scale.isBelow(value))
        drawBeyond(painter, cellRect(row, column), above, above ? inkOn(ground(row, column)) : m_style.colors.muted);
}

const QImage& MatrixFigure::picture(double dots) const
{
    if (!m_picture.isNull() && qFuzzyCompare(m_pictureDots, dots))
        return m_picture;
    const int down = indexSize(m_rows);
    const int across = indexSize(m_columns);
    const int high = dotsOf(down, m_cellHeight * dots);
    const int wide = dotsOf(across, m_cellWidth * dots);
    m_picture = m_all->picture({m_rows.front(), down, high}, {m_columns.front(), across, wide}, m_style);
    m_pictureDots = dots;
    return m_picture;
}

void MatrixFigure::prepare(double dots) const
{
    if (m_pictured)
        picture(dots);
}

void MatrixFigure::paintCellsAsImage(QPainter& painter) const
{
    constexpr int leastBlock = 8;
    constexpr int mostDots = 8192;
    const QImage& image = picture(isRaster(painter) ? std::abs(painter.deviceTransform().m11()) : vectorDots);
    const SavedPainter saved(painter);
    painter.setClipRect(m_cells);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawCells(painter,
              {columnStart(m_columns.front()), rowStart(m_rows.front()), indexSize(m_columns) * m_cellWidth,
               indexSize(m_rows) * m_cellHeight},
              image, std::clamp(mostDots / std::max(image.width(), image.height()), 1, leastBlock));
}

QImage MatrixFigure::overview(QSize most) const
{
    return m_empty ? QImage() : m_all->overview(QSize(columns(), rows()).boundedTo(most), m_style);
}

// Over what one of two runs has alone.
void MatrixFigure::paintHatching(QPainter& painter) const
{
    const auto isLone = [this](TokenSide side) {
        return [&axis = m_content.axis(side)](int index) { return axis.isLone(index); };
    };
    forStretches(m_rows, isLone(TokenSide::Rows), [&](bool loneRows, int row, int endRow) {
        forStretches(m_columns, isLone(TokenSide::Columns), [&](bool loneColumns, int column, int endColumn) {
            const bool isFirst = column == m_columns.front(); // of lone rows, which are one area
            if (!(loneRows ? isFirst : loneColumns))
                return;
            const QRectF area(QPointF(loneRows ? m_cells.left() : columnStart(column), rowStart(row)),
                              QPointF(loneRows ? m_cells.right() : columnStart(endColumn), rowStart(endRow)));
            drawHatching(painter, area.intersected(m_cells), m_style);
        });
    });
}

void MatrixFigure::paintMarks(QPainter& painter) const
{
    m_edits.paint(painter, m_style,
                  {m_cells, m_rows, m_columns, QTransform(m_cellWidth, 0, 0, m_cellHeight, columnStart(0), rowStart(0)),
                   [this](int row, int column) { return ground(row, column); },
                   [this](int row, int column) { return !m_all->isZeroRow(row) && isBlank(row, column); }});
}

void MatrixFigure::paintZeroRows(QPainter& painter) const
{
    const QFontMetricsF metrics(m_style.small);
    for (const int row : m_rows) {
        if (!m_all->isZeroRow(row))
            continue;
        const double y = rowStart(row + 0.5);
        const bool fits = m_cellHeight >= metrics.height() && m_cells.contains(QPointF(m_cells.center().x(), y));
        const double text = fits ? std::min(labelWidth(m_content.zeroRowText, metrics), m_cells.width()) : 0;
        if (const QRectF label(m_cells.center().x() - text / 2, y - metrics.height() / 2, text, metrics.height());
            fits) {
            painter.fillRect(label.adjusted(-matrixGap, 0, matrixGap, 0), m_style.colors.blank); // over marks of cells
            drawLabel(painter, m_style.small, m_style.colors.muted, label, Qt::AlignHCenter, m_content.zeroRowText);
        }
        const double reach = (m_cells.width() - text) / 2 - matrixGap;
        if (reach < matrixGap || m_cellHeight < 3)
            continue;
        painter.setPen(QPen(m_style.colors.grid, 1));
        painter.drawLine(QPointF(m_cells.left() + matrixGap, y), QPointF(m_cells.left() + reach, y));
        painter.drawLine(QPointF(m_cells.right() - reach, y), QPointF(m_cells.right() - matrixGap, y));
    }
}

void MatrixFigure::paintCellValues(QPainter& painter) const
{
    const QFontMetricsF metrics(m_style.small);
    // Words of narrow cells stand upright.
    const bool upright = m_content.cellLabel && m_cellWidth < leastLabelCell && m_cellWidth >= metrics.height()
        && m_cellHeight >= leastLabelCell;
    const double leastCell = m_content.cellLabel ? leastWordCell : leastValueCell;
    const bool fit = upright || (m_cellWidth >= leastCell && m_cellHeight >= metrics.height() * 1.3);
    const bool asked = m_spec.numbers == CellNumbers::On && m_rows.size() * m_columns.size() <= mostValues;
    const bool large = m_spec.numbers == CellNumbers::Large;
    if (!asked && ((m_spec.numbers != CellNumbers::Automatic && !large) || m_content.numbered || !fit))
        return;
    const double most = std::max(std::abs(m_bar.scale.least()), std::abs(m_bar.scale.most()));
    const double least = large && !m_content.cellLabel ? 0.1 * most : 0;
    const int places = placesOf(m_bar.shares ? 1 : most);
    const bool generous = m_cellWidth >= generousCell && m_cellHeight >= generousCell;
    const bool squeezed = m_content.cellLabel && fit && !upright && m_cellWidth < leastValueCell;
    const QFont font = generous ? m_style.font : squeezed ? wordFont() : fit ? m_style.small : valueFont();
    for (const int row : m_rows) {
        for (const int column : m_columns) {
            const QRectF cell = cellRect(row, column);
            if (cell.width() < m_cellWidth * 0.9 || cell.height() < m_cellHeight * 0.9 || !isColoured(row, column))
                continue;
            if (std::abs(static_cast<double>(m_content.map.at(row, column))) < least)
                continue;
            const QString text = m_content.cellLabel ? m_content.cellLabel(row, column)
                                                     : m_content.decimalOf(m_content.map.at(row, column), places);
            const QColor ink = inkOn(ground(row, column));
            if (squeezed && labelWidth(text, QFontMetricsF(font)) + wordGap > m_cellWidth)
                continue;
            if (!upright) {
                drawLabel(painter, font, ink, cell, Qt::AlignHCenter, text);
                continue;
            }
            const SavedPainter saved(painter);
            painter.translate(cell.center());
            painter.rotate(-90);
            drawLabel(painter, font, ink, {-cell.height() / 2, -cell.width() / 2, cell.height(), cell.width()},
                      Qt::AlignHCenter, text);
        }
    }
}

// Small enough for the words of narrow cells, or as small as can be read.
QFont MatrixFigure::wordFont() const
{
    constexpr double leastScale = 0.75;
    const QFontMetricsF metrics(m_style.small);
    double widest = 1;
    for (const int row : m_rows) {
        for (const int column : m_columns)
            widest = std::max(widest, labelWidth(m_content.cellLabel(row, column), metrics));
    }
    QFont font = m_style.small;
    const double scale = std::clamp((m_cellWidth - wordGap) / widest, leastScale, 1.0);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * scale))));
    return font;
}

// Small enough for the numbers of these cells.
QFont MatrixFigure::valueFont() const
{
    const QFontMetricsF metrics(m_style.small);
    const double widest = metrics.horizontalAdvance(QStringLiteral("\u22120.00"));
    const double scale = std::min(m_cellWidth / widest, m_cellHeight / metrics.height()) * 0.92;
    QFont font = m_style.small;
    font.setPixelSize(std::max(1, static_cast<int>(font.pixelSize() * std::min(1.0, scale))));
    return font;
}

QRectF MatrixFigure::lineBox(TokenPlace place) const
{
    const QRectF all = place.side == TokenSide::Rows
        ? QRectF(m_cells.left(), rowStart(place.index), m_cells.width(), m_cellHeight)
        : QRectF(columnStart(place.index), m_cells.top(), m_cellWidth, m_cells.height());
    return all.intersected(m_cells);
}

void MatrixFigure::paintHighlight(QPainter& painter, const Highlight& highlight) const
{
    const SavedPainter saved(painter);
    painter.setBrush(Qt::NoBrush);
    const auto outline = [&](const QRectF& box, const QColor& color, double width) {
        if (box.isEmpty())
            return;
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(box);
    };
    if (m_content.markedRow)
        paintChosenRow(painter, lineBox({TokenSide::Rows, *m_content.markedRow}), m_style.colors.accent, 2.5);
    if (m_content.markedColumn)
        outline(lineBox({TokenSide::Columns, *m_content.markedColumn}), m_style.colors.accent, 2.5);
    const bool hasRow = highlight.row && highlight.row < rows();
    const bool hasColumn = highlight.column && highlight.column < columns();
    if (hasRow || hasColumn) {
        // A light casing keeps the lines visible on every colour map.
        for (const auto& [color, width] : {std::pair{QColor(255, 255, 255, 150), 3.0}, {m_style.colors.cursor, 1.2}}) {
            if (hasRow)
                outline(lineBox({TokenSide::Rows, *highlight.row}), color, width);
            if (hasColumn)
                outline(lineBox({TokenSide::Columns, *highlight.column}), color, width);
        }
    }
    if (highlight.cursor) {
        const QRectF cell = cellRect(highlight.cursor->row, highlight.cursor->column);
        outline(cell, m_style.colors.background, 4);
        outline(cell, m_style.colors.cursor, 2);
    }
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/matrix_figure.h"

#include "base/index.h"
#include "base/thread_stop.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"

#include <QPainter>
#include <QTransform>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace attn::ui {

namespace {

constexpr double largestCell = 56;
constexpr double widestRowLabel = 0.28; // of the figure's width
constexpr double highestColumnLabel = 0.30; // of the figure's height
constexpr double naturalColumnLabel = 110;
constexpr double naturalCell = 40;
const double slant = std::numbers::sqrt2 / 2; // sine and cosine of 45 degrees

} // namespace

MatrixFigure::MatrixFigure(const FigureSpec& spec, MatrixContent content, QSizeF size)
    : MatrixFigure(spec, std::make_shared<const MatrixCells>(spec, std::move(content), FigureStyle(spec)), spec.visible,
                   size)
{
}

MatrixFigure::MatrixFigure(const FigureSpec& spec, std::shared_ptr<const MatrixCells> cells, const QRectF& visible,
                           QSizeF size)
    : StyledFigure(spec, size)
    , m_all(std::move(cells))
    , m_spec(m_all->spec())
    , m_content(m_all->content())
    , m_edits(m_all->edits())
    , m_links(m_content.links)
    , m_visible(visible)
{
    m_title = m_content.title;
    m_description = m_content.description;
    m_bar.hasAbove = m_all->hasAbove();
    m_bar.hasBelow = m_all->hasBelow();
    addNote(m_title, m_description, noNumbersNote(m_all->noNumbers(), qint64{rows()} * columns()));
    if (rows() == 0 || columns() == 0)
        m_empty = m_content.empty;
    layOut();
    constexpr qint64 mostVectorCells = 64 * 64;
    const int down = indexSize(m_rows);
    const int across = indexSize(m_columns);
    m_pictured = qint64{down} * across > mostVectorCells;
}

std::unique_ptr<const Figure> MatrixFigure::laidOutAgain(const QRectF& visible, QSizeF size) const
{
    return std::make_unique<MatrixFigure>(m_spec, m_all, visible, size);
}

// Of an axis' name.
double MatrixFigure::axisRoom() const
{
    return m_spec.noAxisNames ? 0 : QFontMetricsF(m_style.small).height();
}

// Labels lie flat where all of them fit, slanted where slanted ones do not touch, else upright.
void MatrixFigure::layOutColumnLabels(double room)
{
    const double height = QFontMetricsF(m_style.font).height();
    const double widest = m_all->widestColumnLabel(m_columns);
    m_columnLabelRoom = std::min(widest, room);
    if (widest + matrixGap <= m_cellWidth || m_content.hasColumnNumbers()) {
        m_columnAngle = 0;
        m_columnLabelRoom = widest;
        m_columnLabelHeight = height;
    } else if (m_cellWidth >= height * touching / slant) {
        m_columnAngle = 45;
        m_columnLabelHeight = (m_columnLabelRoom + height / 2) * slant;
    } else {
        m_columnAngle = 90;
        m_columnLabelHeight = m_columnLabelRoom;
    }
}

// Sizes of cells and of the labels above them, which depend on each other.
void MatrixFigure::layOutCells(double width, double labelRoom)
{
    const double line = QFontMetricsF(m_style.font).height();
    const double top = margin + headerHeight() + 2 * matrixGap + axisRoom() + matrixGap;
    const bool natural = m_size.height() <= 0;
    const bool everything = m_visible.isNull();
    constexpr double longSide = 8; // times the other: nearly square cells would leave most of the room empty
    const bool isLong =
        std::max(m_seen.width(), m_seen.height()) > longSide * std::min(m_seen.width(), m_seen.height());
    m_cellWidth = std::min(width / m_seen.width(), natural ? largestCell * 1.25 : largestCell * 2);
    for (int round = 0; round < 2; ++round) {
        layOutColumnLabels(labelRoom);
        if (natural) {
            const double highest = std::max(1.2 * m_size.width() / m_seen.height(), 2.0);
            // Square, or up to 1.6 times as high where that gives every row its label; in long maps as high as needed.
            const double labelled = isLong || line * 1.05 <= m_cellWidth * 1.6 ? line * 1.05 : 0;
            m_cellHeight = std::clamp(m_cellWidth, std::min(labelled, naturalCell), naturalCell);
            m_cellHeight = std::min(m_cellHeight, highest);
        } else {
            const double height = m_size.height() - top - m_columnLabelHeight - matrixGap - margin - marginRoom();
            m_cellHeight = std::min(std::max(10.0, height) / m_seen.height(), largestCell);
        }
        if (everything && !isLong)
            m_cellWidth = std::min(m_cellWidth, m_cellHeight * (m_content.numbered ? 6 : 2));
        if (everything && !isLong && !natural)
            m_cellHeight = std::min(m_cellHeight, std::max(m_cellWidth * 2, line * 1.4));
    }
    layOutColumnLabels(labelRoom);
    m_cells.setTop(top + m_columnLabelHeight);
    m_cells.setSize({m_cellWidth * m_seen.width(), m_cellHeight * m_seen.height()});
}

void MatrixFigure::layOut()
{
    const bool natural = m_size.height() <= 0;
    if (hasNothing())
        return;
    const QRectF all(0, 0, columns(), rows());
    m_seen = m_visible.isNull() ? all : m_visible.intersected(all);
    if (m_seen.isEmpty())
        m_seen = all;
    for (int row = static_cast<int>(m_seen.top()); row < std::ceil(m_seen.bottom() - 1e-9); ++row)
        m_rows.push_back(row);
    for (int column = static_cast<int>(m_seen.left()); column < std::ceil(m_seen.right() - 1e-9); ++column)
        m_columns.push_back(column);
    m_bar.scale = m_content.valueScale();
    m_bar.name = m_content.valueName;
    m_bar.notes = m_content.scaleNotes;
    m_bar.shares = !m_content.rowEnds.empty();
    m_rowLabelWidth = std::min(m_all->widestRowLabel(m_rows), m_size.width() * widestRowLabel);
    const double left = margin + axisRoom() + matrixGap + m_rowLabelWidth + matrixGap;
    const double beside = marginRoom();
    const double right =
        beside + (m_content.bar ? 2 * matrixGap + colorBarWidth + m_bar.labelRoom(m_style) : 0) + margin;
    const double labelRoom = natural ? naturalColumnLabel : m_size.height() * highestColumnLabel;
    layOutCells(std::max(20.0, m_size.width() - left - right), labelRoom);
    // The last slanted labels may lean out further than the colour bar.
    const double lean = m_columnAngle == 45 ? m_columnLabelHeight + matrixGap - m_cellWidth / 2 : 0;
    if (const double missing = lean + margin - right; missing > 0 && m_size.width() - left - right > 2 * missing)
        layOutCells(m_size.width() - left - right - missing, labelRoom);
    const double legend = m_content.bar ? legendHeight() : 0;
    if (natural)
        m_size.setHeight(std::max(m_cells.bottom() + beside, m_cells.top() + 70 + legend) + margin);
    leaveOutUnwritten();
    const double slack = m_size.width() - left - m_cells.width() - std::max(right, lean + margin);
    m_cells.moveLeft(left + std::max(0.0, slack / 2));
    m_titleLeft = std::min(m_cells.left() - 2 * matrixGap - m_rowLabelWidth - axisRoom(), m_size.width() / 4);
    if (!m_content.bar)
        return;
    const double barHeight = std::clamp(m_cells.height(), 70.0, 240.0);
    m_bar.box = QRectF(m_cells.right() + beside + 2 * matrixGap, m_cells.top(), colorBarWidth,
                       std::max(20.0, std::min(barHeight, m_size.height() - margin - m_cells.top() - legend)));
}

// Unless nothing else is visible.
void MatrixFigure::leaveOutUnwritten()
{
    const auto [rows, columns] = m_content.written;
    if (m_rows.front() >= rows || m_columns.front() >= columns)
        return;
    std::erase_if(m_rows, [rows](int row) { return row >= rows; });
    std::erase_if(m_columns, [columns](int column) { return column >= columns; });
}

double MatrixFigure::rowStart(double row) const
{
    return m_cells.top() + (row - m_seen.top()) * m_cellHeight;
}

double MatrixFigure::columnStart(double column) const
{
    return m_cells.left() + (column - m_seen.left()) * m_cellWidth;
}

QRectF MatrixFigure::cellRect(int row, int column) const
{
    if (row < 0 || column < 0 || row >= rows() || column >= columns())
        return {};
    const QRectF cell(columnStart(column), rowStart(row), m_cellWidth, m_cellHeight);
    const QRectF seen = cell.intersected(m_cells);
    return seen.width() > 1e-6 && seen.height() > 1e-6 ? seen : QRectF();
}

// Every how many cells a label of this size fits.
int MatrixFigure::stride(double labelSize, double cellSize, bool numbered)
{
    const int least = std::max(1, static_cast<int>(std::ceil(labelSize / cellSize - 1e-9)));
    if (!numbered || least == 1)
        return least;
    for (int power = 1; power < 1000000; power *= 10) {
        for (const int factor : {1, 2, 5}) {
            if (factor * power >= least)
                return factor * power;
        }
    }
    return least;
}

QRectF MatrixFigure::rowLabelRect(int row) const
{
    const double height = QFontMetricsF(m_style.font).height();
    const QRectF cell = m_empty ? QRectF() : cellRect(row, m_columns.front());
    if (cell.isNull() || row >= m_content.rowLabels.size() || cell.height() < m_cellHeight * 0.5
        || row % stride(height * touching, m_cellHeight, m_content.numbered) != 0)
        return {};
    return {m_cells.left() - matrixGap - m_rowLabelWidth, rowStart(row + 0.5) - height / 2, m_rowLabelWidth, height};
}

QPointF MatrixFigure::columnAnchor(int column) const
{
    return {columnStart(column + 0.5), m_cells.top() - matrixGap};
}

double MatrixFigure::columnLabelLength(int column) const
{
    return std::min(m_all->columnLabelWidth(column), m_columnLabelRoom);
}

QPolygonF MatrixFigure::columnLabelShape(int column) const
{
    const double height = QFontMetricsF(m_style.font).height();
    const QRectF cell = m_empty ? QRectF() : cellRect(m_rows.front(), column);
    const double across = m_columnAngle == 0 ? m_columnLabelRoom + matrixGap
        : m_columnAngle == 45                ? height * touching / slant
                                             : height * touching;
    if (cell.isNull() || column >= m_content.columnLabels.size() || cell.width() < m_cellWidth * 0.5
        || column % stride(across, m_cellWidth, m_content.hasColumnNumbers()) != 0)
        return {};
    const double length = columnLabelLength(column);
    const QPointF anchor = columnAnchor(column);
    QTransform turn = QTransform::fromTranslate(anchor.x(), anchor.y());
    turn.rotate(-m_columnAngle);
    return turn.map(QPolygonF(m_columnAngle == 0 ? QRectF(-length / 2, -height, length, height)
                                                 : QRectF(0, -height / 2, length, height)));
}

double MatrixFigure::fraction(int row, int column) const
{
    if (!m_content.map.hasNumber(row, column))
        return std::numeric_limits<double>::quiet_NaN();
    return m_bar.scale.fraction(m_content.onScale(row, column));
}

// A number alone does not say of what it is one.
QString MatrixFigure::rowName(int row) const
{
    const QString label = m_all->rowNames().value(row);
    return m_content.numbered ? m_content.rowAxis + QLatin1Char(' ') + label : label;
}

QString MatrixFigure::columnName(int column) const
{
    const QString label = m_all->columnNames().value(column);
    return m_content.hasColumnNumbers() ? m_content.columnAxis + QLatin1Char(' ') + label : label;
}

QString MatrixFigure::valueText(int row, int column) const
{
    if (isBlank(row, column) && !m_content.blankText.isEmpty())
        return m_content.blankText;
    if (m_content.cellText)
        return m_content.cellText(row, column);
    const double value = m_content.map.at(row, column);
    return m_all->isZeroRow(row) ? m_content.zeroRowText
        : isBlank(row, column)   ? tr("not visible to this row")
                                 : numberText(value, decimal(value, 4));
}

// Whether it was edited, and linked by hand.
QString MatrixFigure::markNotes(int row, int column) const
{
    return markNote(m_edits.at(row, column)) + m_links.note(row, column);
}

double MatrixFigure::legendHeight() const
{
    return m_edits.legendHeight(m_style) + m_links.legendHeight(m_style);
}

void MatrixFigure::paintLegends(QPainter& painter) const
{
    const QPointF corner = m_bar.box.bottomLeft();
    m_edits.paintLegend(painter, m_style, corner);
    m_links.paintLegend(painter, m_style, corner + QPointF(0, m_edits.legendHeight(m_style)));
}

FigureTable MatrixFigure::table() const
{
    FigureTable table = StyledFigure::table();
    const auto nameOf = [this](FigureCell cell) {
        return cell.row == FigureTable::header ? columnName(cell.column) : rowName(cell.row);
    };
    table.text = [this, nameOf](FigureCell cell) -> QString {
        if (cell.row == FigureTable::header || cell.column == FigureTable::header)
            return nameOf(cell);
        return valueText(cell.row, cell.column) + markNotes(cell.row, cell.column);
    };
    table.tip = [this, nameOf](FigureCell cell) {
        const bool header = cell.row == FigureTable::header || cell.column == FigureTable::header;
        return header ? nameOf(cell) : hitOf(cell.row, cell.column).text;
    };
    table.rect = [this](FigureCell cell) {
        return m_empty                           ? QRectF()
            : cell.row == FigureTable::header    ? columnLabelShape(cell.column).boundingRect()
            : cell.column == FigureTable::header ? rowLabelRect(cell.row)
                                                 : cellRect(cell.row, cell.column);
    };
    if (m_content.markedRow && *m_content.markedRow < table.rows)
        table.chosenRows = {*m_content.markedRow};
    return table;
}

FigureHit MatrixFigure::hitOf(int row, int column) const
{
    const QString between = m_content.hasColumnNumbers() ? QStringLiteral(", ") : QStringLiteral(" \u2190 ");
    FigureHit hit = cellHit(row, column, m_content.map.at(row, column),
                            rowName(row) + between + columnName(column) + QStringLiteral("   ") + valueText(row, column)
                                + markNotes(row, column));
    hit.rowToken = m_content.map.rows.token(row);
    hit.columnToken = m_content.map.columns.token(column);
    hit.site = m_spec.site;
    return hit;
}

FigureHit MatrixFigure::hitTest(QPointF point) const
{
    if (m_empty)
        return {};
    const auto row = static_cast<int>(std::floor(m_seen.top() + (point.y() - m_cells.top()) / m_cellHeight));
    const auto column = static_cast<int>(std::floor(m_seen.left() + (point.x() - m_cells.left()) / m_cellWidth));
    const bool inRows = point.y() >= m_cells.top() && point.y() < m_cells.bottom() && row >= 0 && row <= m_rows.back();
    const bool inColumns =
        point.x() >= m_cells.left() && point.x() < m_cells.right() && column >= 0 && column <= m_columns.back();
    if (inRows && inColumns)
        return hitOf(row, column);
    FigureHit hit = m_bar.hitAt(point);
    if (const QString text = marginText(point, inRows, inColumns, row, column); !text.isEmpty()) {
        hit.part = inRows ? FigureHit::Part::RowLabel : FigureHit::Part::ColumnLabel;
        (inRows ? hit.row : hit.column) = inRows ? row : column;
        (inRows ? hit.rowToken : hit.columnToken) =
            inRows ? m_content.map.rows.token(row) : m_content.map.columns.token(column);
        hit.text = text;
        return hit;
    }
    if (inRows && point.x() < m_cells.left() && point.x() >= m_cells.left() - matrixGap - m_rowLabelWidth) {
        hit.part = FigureHit::Part::RowLabel;
        hit.row = row;
        hit.rowToken = m_content.map.rows.token(row);
        hit.text = m_content.withRowNote(rowName(row));
    }
    const auto label = std::ranges::find_if(m_columns, [&](int i) {
        return point.y() < m_cells.top() && columnLabelShape(i).containsPoint(point, Qt::OddEvenFill);
    });
    if (label != m_columns.end()) {
        hit.part = FigureHit::Part::ColumnLabel;
        hit.column = *label;
        hit.columnToken = m_content.map.columns.token(*label);
        hit.text = columnName(*label);
        if (m_content.map.columns.isSink(*label))
            hit.text += QStringLiteral(": ") + tr("the part of each row that no token gets");
    }
    return hit;
}

void MatrixFigure::draw(QPainter& painter, const Highlight& highlight) const
{
    if (!m_pictured)
        paintCells(painter);
    else
        paintCellsAsImage(painter);
    paintHatching(painter);
    paintEdits(painter);
    paintZeroRows(painter);
    paintCellValues(painter);
    m_links.paint(
        painter, [this](const GoldCell& cell) { return cellRect(cell.row, cell.column); },
        [this](const GoldCell& cell) {
            const bool isColoured =
                m_content.map.hasNumber(cell.row, cell.column) && !m_edits.isHidden(cell.row, cell.column);
            return isColoured ? colorAt(m_style.colorMap, fraction(cell.row, cell.column)) : m_style.colors.blank;
        });
    painter.setPen(QPen(m_style.colors.grid, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_cells);
    if (m_content.map.columns.isSink(m_columns.front()))
        painter.fillRect(QRectF(columnStart(1) - 1, m_cells.top(), 2, m_cells.height()), m_style.colors.background);
    paintMargins(painter);
    if (!m_spec.noAxisNames)
        paintAxisNames(painter);
    paintLabels(painter, highlight);
    paintMarks(painter, highlight);
    if (!m_content.bar)
        return;
    m_bar.paint(painter, m_style);
    paintLegends(painter);
}

void MatrixFigure::paintCells(QPainter& painter) const
{
    const SavedPainter saved(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(m_cells);
    for (const int row : m_rows) {
        ThreadStop::check();
        for (const int column : m_columns) {
            const bool isColoured = !isBlank(row, column) && !isNaN(row, column) && !m_edits.isHidden(row, column);
            painter.fillRect(seamlessCell(painter, cellRect(row, column), m_cells),
                             isColoured ? colorAt(m_style.colorMap, fraction(row, column)) : m_style.colors.blank);
            if (isNaN(row, column) && !isBlank(row, column))
                drawNoNumber(painter, cellRect(row, column), m_style);
            else if (isColoured)
                paintBeyond(painter, row, column);
        }
    }
}

void MatrixFigure::paintEdits(QPainter& painter) const
{
    m_edits.paint(painter, m_style,
                  {m_cells, m_rows, m_columns, QTransform(m_cellWidth, 0, 0, m_cellHeight, columnStart(0), rowStart(0)),
                   [this](int row, int column) { return colorAt(m_style.colorMap, fraction(row, column)); },
                   [this](int row, int column) { return !m_all->isZeroRow(row) && isBlank(row, column); }});
}

void MatrixFigure::paintZeroRows(QPainter& painter) const
{
    const QFontMetricsF metrics(m_style.small);
    painter.setFont(m_style.small);
    for (const int row : m_rows) {
        if (!m_all->isZeroRow(row))
            continue;
        const double y = rowStart(row + 0.5);
        const bool fits = m_cellHeight >= metrics.height() && m_cells.contains(QPointF(m_cells.center().x(), y));
        const double text = fits ? std::min(labelWidth(m_content.zeroRowText, metrics), m_cells.width()) : 0;
        painter.setPen(m_style.colors.muted);
        if (const QRectF label(m_cells.center().x() - text / 2, y - metrics.height() / 2, text, metrics.height());
            fits) {
            painter.fillRect(label.adjusted(-matrixGap, 0, matrixGap, 0), m_style.colors.blank); // over marks of cells
            drawLabel(painter, label, Qt::AlignHCenter, m_content.zeroRowText);
        }
        const double reach = (m_cells.width() - text) / 2 - matrixGap;
        if (reach < matrixGap || m_cellHeight < 3)
            continue;
        painter.setPen(QPen(m_style.colors.grid, 1));
        painter.drawLine(QPointF(m_cells.left() + matrixGap, y), QPointF(m_cells.left() + reach, y));
        painter.drawLine(QPointF(m_cells.right() - reach, y), QPointF(m_cells.right() - matrixGap, y));
    }
}

void MatrixFigure::paintMarks(QPainter& painter, const Highlight& highlight) const
{
    const SavedPainter saved(painter);
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
    if (m_content.markedRow)
        outline(rowBox(*m_content.markedRow), m_style.colors.accent, 2.5);
    if (highlight.row && highlight.column && highlight.row < rows() && highlight.column < columns()) {
        // A light casing keeps the lines visible on every colour map.
        for (const auto& [color, width] : {std::pair{QColor(255, 255, 255, 150), 3.0}, {m_style.colors.cursor, 1.2}}) {
            outline(rowBox(*highlight.row), color, width);
            outline(columnBox(*highlight.column), color, width);
        }
    }
    if (highlight.cursor) {
        const QRectF cell = cellRect(highlight.cursor->row, highlight.cursor->column);
        outline(cell, m_style.colors.background, 4);
        outline(cell, m_style.colors.cursor, 2);
    }
}

} // namespace attn::ui

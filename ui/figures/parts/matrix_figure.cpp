// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/matrix_figure.h"

#include "base/index.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace attn::ui {

namespace {

constexpr double largestCell = 56;
constexpr double highestCell = 84; // where there is a height to fill
constexpr double shareOfHeight = 0.12; // in a large window, whose cells are higher
constexpr double widestRowLabel = 0.28; // of the figure's width
constexpr double highestColumnLabel = 0.30; // of the figure's height
constexpr double naturalColumnLabel = 110;
constexpr double naturalCell = 40;
constexpr double highestBar = 240;

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

// Room for an axis' name.
double MatrixFigure::axisRoom() const
{
    return m_spec.noAxisNames ? 0 : QFontMetricsF(m_style.small).height();
}

// Labels lie flat where all of them fit, slanted where slanted ones do not touch, else upright.
void MatrixFigure::layOutColumnLabels(double room)
{
    const double height = QFontMetricsF(m_style.font).height();
    double widest = 0;
    for (const int column : m_columns)
        widest = std::max(widest, m_all->labelWidth({TokenSide::Columns, column}));
    m_columnLabelRoom = std::min(widest, room);
    if (widest + matrixGap <= m_cellWidth || m_content.hasColumnNumbers()) {
        m_columnAngle = 0;
        m_columnLabelRoom = widest;
        m_columnLabelHeight = height;
    } else if (m_cellWidth >= height * touching / slant()) {
        m_columnAngle = 45;
        m_columnLabelHeight = (m_columnLabelRoom + height / 2) * slant();
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
    constexpr double besideLabel = 16;
    constexpr double longSide = 8; // times the other: nearly square cells would leave most of the room empty
    const bool isLong =
        std::max(m_seen.width(), m_seen.height()) > longSide * std::min(m_seen.width(), m_seen.height());
    const double tallest = std::max(highestCell, shareOfHeight * m_size.height());
    m_cellWidth = std::min(width / m_seen.width(), natural ? largestCell * 1.25 : tallest * 2);
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
            m_cellHeight = std::min(std::max(10.0, height) / m_seen.height(), isLong ? 1.5 * highestCell : tallest);
        }
        // In a low window wider, as long as that is for their labels.
        const double labelled = natural ? 0 : m_columnLabelRoom + besideLabel;
        if (everything && !isLong)
            m_cellWidth = std::min(m_cellWidth, std::max(labelled, m_cellHeight * (m_content.numbered ? 6 : 2)));
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
    for (const int row : m_rows)
        m_rowLabelWidth = std::max(m_rowLabelWidth, m_all->labelWidth({TokenSide::Rows, row}));
    m_rowLabelWidth = std::min(m_rowLabelWidth, m_size.width() * widestRowLabel);
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
    const double legend = m_content.bar ? legendHeight(m_style, samples()) : 0;
    double barHeight = 70; // as long as what is written beside it
    for (const QString& text : m_content.bar ? QStringList(m_bar.name) + m_bar.notes : QStringList())
        barHeight = std::clamp(QFontMetricsF(m_style.small).horizontalAdvance(text), barHeight, highestBar);
    if (natural)
        m_size.setHeight(std::max(m_cells.bottom() + beside, m_cells.top() + barHeight + legend) + margin);
    leaveOutUnwritten();
    const double slack = m_size.width() - left - m_cells.width() - std::max(right, lean + margin);
    m_cells.moveLeft(left + std::max(0.0, slack / 2));
    m_titleLeft = std::min(m_cells.left() - 2 * matrixGap - m_rowLabelWidth - axisRoom(), m_size.width() / 4);
    if (!m_content.bar)
        return;
    barHeight = std::clamp(m_cells.height(), barHeight, highestBar);
    m_bar.box = QRectF(m_cells.right() + beside + 2 * matrixGap, m_cells.top(), colorBarWidth,
                       std::max(20.0, std::min(barHeight, m_size.height() - margin - m_cells.top() - legend)));
}

// Unless nothing else is visible.
void MatrixFigure::leaveOutUnwritten()
{
    const int rows = std::max(1, m_content.written.rows); // of none the first is covered
    const int columns = std::max(1, m_content.written.columns);
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

double MatrixFigure::fraction(int row, int column) const
{
    return m_bar.scale.fraction(m_content.onScale(row, column));
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
    return markNote(m_edits.at(row, column)) + linkNote(m_content.links, row, column);
}

std::vector<MarkSample> MatrixFigure::samples() const
{
    std::vector<MarkSample> all = m_edits.legend(m_style);
    std::ranges::move(linkLegend(m_style, m_content.links), std::back_inserter(all));
    return all;
}

std::optional<ScaleBar> MatrixFigure::scaleBar() const
{
    if (m_empty || !m_content.bar)
        return std::nullopt;
    return ScaleBar{ValueScale(m_content.least, m_content.most, m_content.scale), m_bar.box};
}

FigureTable MatrixFigure::table() const
{
    FigureTable table = StyledFigure::table();
    table.say(
        [this](FigureCell cell) {
            return cell.row == FigureTable::header ? nameOf({TokenSide::Columns, cell.column})
                                                   : nameOf({TokenSide::Rows, cell.row});
        },
        [this](FigureCell cell) -> QString {
            return valueText(cell.row, cell.column) + markNotes(cell.row, cell.column);
        },
        [this](FigureCell cell) { return hitOf(cell.row, cell.column).text; });
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
    FigureHit hit =
        cellHit(row, column, m_content.map.at(row, column),
                nameOf({TokenSide::Rows, row}) + between + nameOf({TokenSide::Columns, column}) + QStringLiteral("   ")
                    + valueText(row, column) + markNotes(row, column) + m_content.askedBy(row));
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
    for (const TokenPlace place : {TokenPlace{TokenSide::Rows, row}, TokenPlace{TokenSide::Columns, column}}) {
        const bool isIn = place.side == TokenSide::Rows ? inRows : inColumns;
        if (const QString text = isIn ? marginText(point, place) : QString(); !text.isEmpty()) {
            FigureHit hit = m_content.hitOf(place, text);
            hit.text = text;
            return hit;
        }
    }
    if (inRows && point.x() < m_cells.left() && point.x() >= m_cells.left() - matrixGap - m_rowLabelWidth)
        return m_content.hitOf({TokenSide::Rows, row}, nameOf({TokenSide::Rows, row}));
    const auto label = std::ranges::find_if(m_columns, [&](int i) {
        return point.y() < m_cells.top() && columnLabelShape(i).containsPoint(point, Qt::OddEvenFill);
    });
    if (label != m_columns.end())
        return m_content.hitOf({TokenSide::Columns, *label}, nameOf({TokenSide::Columns, *label}));
    return m_bar.hitAt(point);
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/matrix_figure.h"

#include "base/index.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QTransform>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn::ui {

namespace {

constexpr double matrixMargin = 12;
constexpr double matrixGap = 6;
constexpr double largestCell = 56;
constexpr double widestRowLabel = 0.28; // of the figure's width
constexpr double highestColumnLabel = 0.30; // of the figure's height
constexpr double naturalColumnLabel = 110;
constexpr double naturalCell = 40;
const double slant = std::numbers::sqrt2 / 2; // sine and cosine of 45 degrees

} // namespace

MatrixFigure::MatrixFigure(const FigureSpec& spec, MatrixContent content, QSizeF size)
    : m_spec(spec)
    , m_content(std::move(content))
    , m_style(spec)
{
    m_zeroRows.resize(rows());
    for (int row = 0; row < rows() && !m_content.zeroRowText.isEmpty(); ++row) {
        const float* first = m_content.matrix.values.data() + static_cast<std::ptrdiff_t>(row) * columns();
        m_zeroRows[row] = std::all_of(first, first + columns(), [](float v) { return v == 0; });
    }
    layOut(size);
    constexpr qint64 mostVectorCells = 64 * 64;
    const Range seenRows = visibleRows();
    const Range seenColumns = visibleColumns();
    if (static_cast<qint64>(seenRows.end - seenRows.first) * (seenColumns.end - seenColumns.first) > mostVectorCells)
        m_image = cellImage();
}

MatrixFigure::Range MatrixFigure::visibleRows() const
{
    return {static_cast<int>(m_seen.top()), std::min(rows(), static_cast<int>(std::ceil(m_seen.bottom() - 1e-9)))};
}

MatrixFigure::Range MatrixFigure::visibleColumns() const
{
    return {static_cast<int>(m_seen.left()), std::min(columns(), static_cast<int>(std::ceil(m_seen.right() - 1e-9)))};
}

double MatrixFigure::widestLabel(const QStringList& labels, Range range) const
{
    const QFontMetricsF metrics(m_style.strong); // a label that is pointed at must not outgrow its room
    double widest = 0;
    for (int i = range.first; i < std::min(range.end, indexSize(labels)); ++i)
        widest = std::max(widest, labelWidth(labels[i], metrics));
    return widest;
}

// Labels lie flat where all of them fit, slanted where slanted ones do not touch, else upright.
void MatrixFigure::layOutColumnLabels(double room)
{
    const double height = QFontMetricsF(m_style.font).height();
    const double widest = widestLabel(m_content.columnLabels, visibleColumns());
    m_columnLabelRoom = std::min(widest, room);
    if (widest + matrixGap <= m_cellWidth || m_content.numbered) {
        m_columnAngle = 0;
        m_columnLabelRoom = widest;
        m_columnLabelHeight = height;
    } else if (m_cellWidth >= height / slant) {
        m_columnAngle = 45;
        m_columnLabelHeight = (m_columnLabelRoom + height / 2) * slant;
    } else {
        m_columnAngle = 90;
        m_columnLabelHeight = m_columnLabelRoom;
    }
}

// Sizes of cells and of the labels above them, which depend on each other.
void MatrixFigure::layOutCells(QSizeF wanted, double width, double labelRoom)
{
    const double line = QFontMetricsF(m_style.font).height();
    const double top =
        matrixMargin + headerHeight(m_style) + 2 * matrixGap + QFontMetricsF(m_style.small).height() + matrixGap;
    const bool natural = wanted.height() <= 0;
    const bool everything = m_spec.visible.isNull();
    m_cellWidth = std::min(width / m_seen.width(), natural ? largestCell * 1.25 : largestCell * 2);
    for (int round = 0; round < 2; ++round) {
        layOutColumnLabels(labelRoom);
        if (natural) {
            const double highest = std::max(1.2 * wanted.width() / m_seen.height(), 2.0);
            // Square, or up to 1.6 times as high where that gives every row its label.
            const double labelled = line * 1.05 <= m_cellWidth * 1.6 ? line * 1.05 : 0;
            m_cellHeight = std::clamp(m_cellWidth, std::min(labelled, naturalCell), naturalCell);
            m_cellHeight = std::min(m_cellHeight, highest);
        } else {
            const double height = wanted.height() - top - m_columnLabelHeight - matrixGap - matrixMargin;
            m_cellHeight = std::min(std::max(10.0, height) / m_seen.height(), largestCell);
        }
        if (everything)
            m_cellWidth = std::min(m_cellWidth, m_cellHeight * (m_content.numbered ? 6 : 2));
        if (everything && !natural)
            m_cellHeight = std::min(m_cellHeight, std::max(m_cellWidth * 2, line * 1.4));
    }
    layOutColumnLabels(labelRoom);
    m_cells.setTop(top + m_columnLabelHeight);
    m_cells.setSize({m_cellWidth * m_seen.width(), m_cellHeight * m_seen.height()});
    if (natural)
        m_size.setHeight(std::max(m_cells.bottom(), m_cells.top() + 70) + matrixMargin);
}

void MatrixFigure::layOut(QSizeF wanted)
{
    m_size = wanted;
    if (rows() == 0 || columns() == 0) {
        if (wanted.height() <= 0)
            m_size.setHeight(wanted.width() * 0.3);
        return;
    }
    const QRectF all(0, 0, columns(), rows());
    m_seen = m_spec.visible.isNull() ? all : m_spec.visible.intersected(all);
    if (m_seen.isEmpty())
        m_seen = all;
    m_bar = {m_content.least, m_content.most, m_content.valueName, {}};
    m_rowLabelWidth = std::min(widestLabel(m_content.rowLabels, visibleRows()), wanted.width() * widestRowLabel);
    const double left = matrixMargin + QFontMetricsF(m_style.small).height() + matrixGap + m_rowLabelWidth + matrixGap;
    const double right = (m_content.bar ? 2 * matrixGap + colorBarWidth + m_bar.labelRoom(m_style) : 0) + matrixMargin;
    const double labelRoom = wanted.height() <= 0 ? naturalColumnLabel : wanted.height() * highestColumnLabel;
    layOutCells(wanted, std::max(20.0, wanted.width() - left - right), labelRoom);
    // The last slanted labels may lean out further than the colour bar.
    const double lean = m_columnAngle == 45 ? m_columnLabelHeight + matrixGap - m_cellWidth / 2 : 0;
    if (const double missing = lean + matrixMargin - right; missing > 0 && wanted.width() - left - right > 2 * missing)
        layOutCells(wanted, wanted.width() - left - right - missing, labelRoom);
    const double slack = wanted.width() - left - m_cells.width() - std::max(right, lean + matrixMargin);
    m_cells.moveLeft(left + std::max(0.0, slack / 2));
    if (!m_content.bar)
        return;
    const double barHeight = std::clamp(m_cells.height(), 70.0, 240.0);
    m_bar.box = QRectF(m_cells.right() + 2 * matrixGap, m_cells.top(), colorBarWidth,
                       std::max(20.0, std::min(barHeight, m_size.height() - matrixMargin - m_cells.top())));
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
int MatrixFigure::stride(double labelSize, double cellSize) const
{
    const int least = std::max(1, static_cast<int>(std::ceil(labelSize / cellSize - 1e-9)));
    if (!m_content.numbered || least == 1)
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
    const QRectF cell = cellRect(row, visibleColumns().first);
    if (cell.isNull() || row >= m_content.rowLabels.size() || cell.height() < m_cellHeight * 0.5
        || row % stride(height, m_cellHeight) != 0)
        return {};
    return {m_cells.left() - matrixGap - m_rowLabelWidth, rowStart(row + 0.5) - height / 2, m_rowLabelWidth, height};
}

QPointF MatrixFigure::columnAnchor(int column) const
{
    return {columnStart(column + 0.5), m_cells.top() - matrixGap};
}

double MatrixFigure::columnLabelLength(int column) const
{
    return std::min(labelWidth(m_content.columnLabels[column], QFontMetricsF(m_style.strong)), m_columnLabelRoom);
}

QPolygonF MatrixFigure::columnLabelShape(int column) const
{
    const double height = QFontMetricsF(m_style.font).height();
    const QRectF cell = cellRect(visibleRows().first, column);
    const double across = m_columnAngle == 0 ? m_columnLabelRoom + matrixGap
        : m_columnAngle == 45                ? height / slant
                                             : height;
    if (cell.isNull() || column >= m_content.columnLabels.size() || cell.width() < m_cellWidth * 0.5
        || column % stride(across, m_cellWidth) != 0)
        return {};
    const double length = columnLabelLength(column);
    const QPointF anchor = columnAnchor(column);
    QTransform turn = QTransform::fromTranslate(anchor.x(), anchor.y());
    turn.rotate(-m_columnAngle);
    return turn.map(QPolygonF(m_columnAngle == 0 ? QRectF(-length / 2, -height, length, height)
                                                 : QRectF(0, -height / 2, length, height)));
}

double MatrixFigure::fraction(float value) const
{
    const double span = m_content.most - m_content.least;
    return span > 0 ? (static_cast<double>(value) - m_content.least) / span : 0;
}

bool MatrixFigure::isBlank(int row, int column) const
{
    return isZeroRow(row) || (m_content.blank && m_content.blank(row, column));
}

// A number alone does not say of what it is one.
QString MatrixFigure::rowName(int row) const
{
    const QString label = m_content.rowLabels.value(row);
    return m_content.numbered ? m_content.rowAxis + QLatin1Char(' ') + label : label;
}

QString MatrixFigure::columnName(int column) const
{
    const QString label = m_content.columnLabels.value(column);
    return m_content.numbered ? m_content.columnAxis + QLatin1Char(' ') + label : label;
}

FigureHit MatrixFigure::hitOfCell(int row, int column) const
{
    FigureHit hit;
    hit.part = FigureHit::Part::Cell;
    hit.row = row;
    hit.column = column;
    hit.rowToken = m_content.rowToken(row);
    hit.columnToken = m_content.columnToken(column);
    hit.site = m_spec.site;
    hit.value = m_content.matrix.at(row, column);
    QString value = decimal(static_cast<double>(hit.value), 4);
    if (isZeroRow(row))
        value = m_content.zeroRowText;
    else if (isBlank(row, column))
        value = QStringLiteral("not visible to this row");
    const QString between = m_content.numbered ? QStringLiteral(", ") : QStringLiteral(" \u2190 ");
    hit.text = QStringList{rowName(row), between, columnName(column), QStringLiteral("   "), value}.join(QString());
    return hit;
}

FigureHit MatrixFigure::hitOfColumnLabel(QPointF point) const
{
    FigureHit hit;
    const Range range = visibleColumns();
    for (int column = range.first; column < range.end; ++column) {
        if (!columnLabelShape(column).containsPoint(point, Qt::OddEvenFill))
            continue;
        hit.part = FigureHit::Part::ColumnLabel;
        hit.column = column;
        hit.columnToken = m_content.columnToken(column);
        hit.text = columnName(column);
        break;
    }
    return hit;
}

FigureHit MatrixFigure::hitTest(QPointF point) const
{
    FigureHit hit;
    if (rows() == 0 || columns() == 0)
        return hit;
    const auto row = static_cast<int>(std::floor(m_seen.top() + (point.y() - m_cells.top()) / m_cellHeight));
    const auto column = static_cast<int>(std::floor(m_seen.left() + (point.x() - m_cells.left()) / m_cellWidth));
    const bool inRows = point.y() >= m_cells.top() && point.y() < m_cells.bottom() && row >= 0 && row < rows();
    const bool inColumns =
        point.x() >= m_cells.left() && point.x() < m_cells.right() && column >= 0 && column < columns();
    if (inRows && inColumns)
        return hitOfCell(row, column);
    if (inRows && point.x() < m_cells.left() && point.x() >= m_cells.left() - matrixGap - m_rowLabelWidth) {
        hit.part = FigureHit::Part::RowLabel;
        hit.row = row;
        hit.rowToken = m_content.rowToken(row);
        hit.text = rowName(row);
    } else if (colorBarRect().contains(point)) {
        hit.part = FigureHit::Part::ColorBar;
        hit.value = static_cast<float>(m_bar.valueAt(point.y()));
        hit.text =
            QStringList{m_content.valueName, significant(m_bar.valueAt(point.y()), 3)}.join(QStringLiteral(": "));
    } else if (point.y() < m_cells.top() && point.y() >= m_cells.top() - matrixGap - m_columnLabelHeight) {
        hit = hitOfColumnLabel(point);
    }
    return hit;
}

} // namespace attn::ui

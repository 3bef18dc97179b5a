// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/matrix_figure.h"

#include "figures/color_map.h"
#include "figures/token_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double margin = 10;
constexpr double gap = 6;
constexpr double barWidth = 12;
constexpr double longestRowLabel = 0.28; // of the width
constexpr double longestColumnLabel = 0.30; // of the height
constexpr double largestCell = 56;
constexpr double valueCell = 34; // cells of at least this size show their number
constexpr int mostVectorCells = 64 * 64;

double luminance(const QColor& color)
{
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QString shortNumber(double value)
{
    QString text = QString::number(value, 'g', 3);
    return text;
}

} // namespace

std::vector<double> ticks(double least, double most)
{
    const double span = most - least;
    if (!(span > 0) || !std::isfinite(span))
        return {least};
    const double rough = span / 4;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = power;
    for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0}) {
        step = factor * power;
        if (span / step <= 5.01)
            break;
    }
    std::vector<double> found;
    for (double i = std::ceil(least / step - 1e-9); i * step <= most + span * 1e-9; ++i)
        found.push_back(i * step);
    return found;
}

MatrixFigure::MatrixFigure(const FigureSpec& spec, MatrixContent content, QSizeF size)
    : m_spec(spec)
    , m_content(std::move(content))
    , m_theme(themeColors(spec.theme))
    , m_font(figureFont(spec.baseFontPoints))
    , m_small(figureFont(spec.baseFontPoints * 0.85))
    , m_titleFont(figureFont(spec.baseFontPoints * 1.1, true))
{
    layOut(size);
}

// --- layout ---

void MatrixFigure::layOutColumnLabels(double room)
{
    const QFontMetricsF metrics(m_font);
    double widest = 0;
    for (const QString& label : m_content.columnLabels)
        widest = std::max(widest, metrics.horizontalAdvance(label));
    m_columnLabelRoom = std::min(widest, room);
    if (widest + gap <= m_cellWidth) {
        m_columnAngle = 0;
        m_columnLabelHeight = metrics.height();
    } else if (m_cellWidth >= metrics.height() * 1.25) {
        m_columnAngle = 45;
        m_columnLabelHeight = m_columnLabelRoom * std::sin(M_PI / 4) + metrics.height() * 0.75;
    } else {
        m_columnAngle = 90;
        m_columnLabelHeight = m_columnLabelRoom;
    }
}

void MatrixFigure::layOut(QSizeF wanted)
{
    m_size = wanted;
    const int rows = m_content.matrix.rows;
    const int columns = m_content.matrix.columns;
    const bool natural = wanted.height() <= 0;
    if (rows == 0 || columns == 0) {
        if (natural)
            m_size.setHeight(wanted.width() * 0.4);
        return;
    }
    m_seen =
        m_spec.visible.isNull() ? QRectF(0, 0, columns, rows) : m_spec.visible.intersected(QRectF(0, 0, columns, rows));
    if (m_seen.isEmpty())
        m_seen = QRectF(0, 0, columns, rows);
    const QFontMetricsF metrics(m_font);
    const QFontMetricsF small(m_small);
    double widest = 0;
    for (const QString& label : m_content.rowLabels)
        widest = std::max(widest, metrics.horizontalAdvance(label));
    m_rowLabelWidth = std::min(widest, wanted.width() * longestRowLabel);
    const double axisName = small.height() + 4;
    const double left = margin + axisName + m_rowLabelWidth + gap;
    const double right =
        margin + barWidth + gap + small.horizontalAdvance(QStringLiteral("0.0000")) + gap + small.height();
    const double title = QFontMetricsF(m_titleFont).height() + small.height() + gap;
    const double width = std::max(20.0, wanted.width() - left - right);
    m_cellWidth = std::min(width / m_seen.width(), largestCell * 1.5);
    // The labels' slant depends on the cells' width, the room above on the slant.
    const double labelRoom = natural ? 110 : wanted.height() * longestColumnLabel;
    layOutColumnLabels(labelRoom);
    const double top = margin + title + axisName + m_columnLabelHeight + gap;
    if (natural) {
        m_cellHeight = std::min({m_cellWidth, largestCell, 30.0});
        m_cellHeight = std::max(m_cellHeight, std::min(metrics.height() * 1.1, m_cellWidth * 1.5));
        m_size.setHeight(top + m_cellHeight * m_seen.height() + margin);
    } else {
        m_cellHeight = std::min(std::max(10.0, wanted.height() - top - margin) / m_seen.height(), largestCell);
    }
    // Cells stay within a factor of two of a square as long as everything is seen.
    if (m_spec.visible.isNull())
        m_cellWidth = std::min(m_cellWidth, std::max(m_cellHeight * 2.4, 6.0));
    layOutColumnLabels(labelRoom);
    const double slack = std::max(0.0, width - m_cellWidth * m_seen.width());
    // A slanted last label leans over the right edge.
    const double lean = m_columnAngle == 45 ? m_columnLabelRoom * std::cos(M_PI / 4) : 0;
    m_cells = QRectF(left + std::min(slack / 2, std::max(0.0, slack - lean) / 2), top, m_cellWidth * m_seen.width(),
                     m_cellHeight * m_seen.height());
    m_bar = QRectF(m_cells.right() + gap * 2, m_cells.top(), barWidth, std::clamp(m_cells.height(), 60.0, 220.0));
    if (m_bar.bottom() > m_size.height() - margin)
        m_bar.setBottom(std::max(m_bar.top() + 30, m_size.height() - margin));
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

bool MatrixFigure::rowLabelled(int row) const
{
    const auto every = std::max(1, static_cast<int>(std::ceil(QFontMetricsF(m_font).height() * 0.95 / m_cellHeight)));
    const QRectF cell = cellRect(row, static_cast<int>(m_seen.left()));
    return row % every == 0 && cell.height() > m_cellHeight * 0.5;
}

bool MatrixFigure::columnLabelled(int column) const
{
    const double least = m_columnAngle == 0 ? 0 : QFontMetricsF(m_font).height() * (m_columnAngle == 45 ? 1.2 : 0.95);
    const auto every = std::max(1, static_cast<int>(std::ceil(least / m_cellWidth)));
    const QRectF cell = cellRect(static_cast<int>(m_seen.top()), column);
    return column % every == 0 && cell.width() > m_cellWidth * 0.5;
}

QRectF MatrixFigure::rowLabelRect(int row) const
{
    if (row < 0 || row >= m_content.rowLabels.size() || !rowLabelled(row))
        return {};
    const double height = QFontMetricsF(m_font).height();
    return {m_cells.left() - gap - m_rowLabelWidth, rowStart(row + 0.5) - height / 2, m_rowLabelWidth, height};
}

QRectF MatrixFigure::columnLabelRect(int column) const
{
    if (column < 0 || column >= m_content.columnLabels.size() || !columnLabelled(column))
        return {};
    const QFontMetricsF metrics(m_font);
    const double length = std::min(metrics.horizontalAdvance(m_content.columnLabels[column]),
                                   std::max(m_columnLabelRoom, m_cellWidth - gap));
    const double middle = columnStart(column + 0.5);
    const double bottom = m_cells.top() - gap;
    if (m_columnAngle == 0)
        return {middle - length / 2, bottom - metrics.height(), length, metrics.height()};
    if (m_columnAngle == 90)
        return {middle - metrics.height() / 2, bottom - length, metrics.height(), length};
    const double reach = length * std::cos(M_PI / 4);
    return {middle, bottom - reach - metrics.height() * 0.5, reach, reach + metrics.height() * 0.5};
}

// --- painting ---

double MatrixFigure::fraction(float value) const
{
    const double span = m_content.most - m_content.least;
    return span > 0 ? (static_cast<double>(value) - m_content.least) / span : 0;
}

bool MatrixFigure::isBlank(int row, int column) const
{
    return m_content.blank && m_content.blank(row, column);
}

void MatrixFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_theme.background);
    if (rows() == 0 || columns() == 0) {
        painter.setFont(m_font);
        painter.setPen(m_theme.muted);
        const QRectF room = QRectF(QPointF(), m_size).adjusted(margin * 3, margin, -margin * 3, -margin);
        painter.drawText(room, static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_content.empty);
        return;
    }
    const auto seenCells = m_seen.width() * m_seen.height();
    if (seenCells > mostVectorCells)
        paintCellsAsImage(painter);
    else
        paintCells(painter);
    paintCellValues(painter);
    painter.setPen(QPen(m_theme.grid, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_cells);
    paintLabels(painter, highlight);
    paintMarks(painter, highlight);
    paintColorBar(painter);
}

void MatrixFigure::paintCells(QPainter& painter) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(m_cells);
    const int firstRow = static_cast<int>(m_seen.top());
    const int firstColumn = static_cast<int>(m_seen.left());
    const int lastRow = std::min(rows() - 1, static_cast<int>(std::ceil(m_seen.bottom())) - 1);
    const int lastColumn = std::min(columns() - 1, static_cast<int>(std::ceil(m_seen.right())) - 1);
    // Each cell reaches a little under its right and lower neighbours, so that no seams show in viewers.
    constexpr double overlap = 0.4;
    for (int row = firstRow; row <= lastRow; ++row) {
        for (int column = firstColumn; column <= lastColumn; ++column) {
            const QRectF cell = cellRect(row, column).adjusted(0, 0, overlap, overlap);
            painter.fillRect(cell,
                             isBlank(row, column)
                                 ? m_theme.blank
                                 : colorAt(m_spec.colorMap, fraction(m_content.matrix.at(row, column))));
        }
    }
    painter.restore();
}

void MatrixFigure::paintCellsAsImage(QPainter& painter) const
{
    const int firstRow = static_cast<int>(m_seen.top());
    const int firstColumn = static_cast<int>(m_seen.left());
    const int height = std::min(rows(), static_cast<int>(std::ceil(m_seen.bottom()))) - firstRow;
    const int width = std::min(columns(), static_cast<int>(std::ceil(m_seen.right()))) - firstColumn;
    const ColorTable& table = colorTable(m_spec.colorMap);
    QImage image(width, height, QImage::Format_RGB32);
    const QRgb blank = m_theme.blank.rgb();
    for (int row = 0; row < height; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row)); // NOLINT: the documented way to write a line
        for (int column = 0; column < width; ++column) {
            const double part =
                std::clamp(fraction(m_content.matrix.at(firstRow + row, firstColumn + column)), 0.0, 1.0);
            line[column] = isBlank(firstRow + row, firstColumn + column)
                ? blank
                : table[static_cast<std::size_t>(std::lround(part * 255))];
        }
    }
    // Viewers smooth small images, so vector outputs get one that is enlarged by a whole factor.
    const bool raster =
        painter.device()->devType() == QInternal::Image || painter.device()->devType() == QInternal::Widget;
    if (!raster) {
        const int factor = std::max(1, static_cast<int>(std::ceil(8.0 / std::min(m_cellWidth, m_cellHeight))));
        const int kept = std::clamp(4096 / std::max(width, height), 1, factor);
        image = image.scaled(width * kept, height * kept, Qt::IgnoreAspectRatio, Qt::FastTransformation);
    }
    painter.save();
    painter.setClipRect(m_cells);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, m_cellWidth < 1 || m_cellHeight < 1);
    painter.drawImage(QRectF(columnStart(firstColumn), rowStart(firstRow), width * m_cellWidth, height * m_cellHeight),
                      image);
    painter.restore();
}

void MatrixFigure::paintCellValues(QPainter& painter) const
{
    const QFontMetricsF metrics(m_small);
    if (m_cellWidth < valueCell || m_cellHeight < metrics.height() * 1.3 || m_content.most > 1000)
        return;
    painter.save();
    painter.setClipRect(m_cells);
    painter.setFont(m_small);
    for (int row = 0; row < rows(); ++row) {
        for (int column = 0; column < columns(); ++column) {
            const QRectF cell = cellRect(row, column);
            if (cell.width() < m_cellWidth * 0.9 || cell.height() < m_cellHeight * 0.9 || isBlank(row, column))
                continue;
            const float value = m_content.matrix.at(row, column);
            const QColor ground = colorAt(m_spec.colorMap, fraction(value));
            painter.setPen(luminance(ground) > 0.35 ? QColor(0x10, 0x10, 0x14) : QColor(0xf4, 0xf4, 0xf6));
            painter.drawText(cell, Qt::AlignCenter, QString::number(static_cast<double>(value), 'f', 2));
        }
    }
    painter.restore();
}

void MatrixFigure::paintLabels(QPainter& painter, const Highlight& highlight) const
{
    const QFontMetricsF metrics(m_font);
    const QFontMetricsF small(m_small);
    QFont strong = m_font;
    strong.setBold(true);
    // Title and axis names.
    painter.setFont(m_titleFont);
    painter.setPen(m_theme.ink);
    const double textWidth = m_size.width() - 2 * margin;
    const double titleHeight = QFontMetricsF(m_titleFont).height();
    painter.drawText(QRectF(margin, margin, textWidth, titleHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     elided(m_content.title, QFontMetricsF(m_titleFont), textWidth));
    painter.setFont(m_small);
    painter.setPen(m_theme.muted);
    painter.drawText(QRectF(margin, margin + titleHeight, textWidth, small.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     elided(m_content.subtitle, small, textWidth));
    painter.drawText(QRectF(m_cells.left(), m_cells.top() - gap - m_columnLabelHeight - small.height() - 2,
                            m_cells.width(), small.height()),
                     Qt::AlignCenter | Qt::TextDontClip, m_content.columnAxis);
    painter.save();
    painter.translate(m_cells.left() - gap - m_rowLabelWidth - small.height() / 2 - 4, m_cells.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-150, -small.height() / 2, 300, small.height()), Qt::AlignCenter, m_content.rowAxis);
    painter.restore();
    // Tokens.
    const int firstRow = static_cast<int>(m_seen.top());
    for (int row = firstRow; row < std::min(rows(), static_cast<int>(std::ceil(m_seen.bottom()))); ++row) {
        const QRectF box = rowLabelRect(row);
        if (box.isNull())
            continue;
        const bool marked = row == highlight.row || row == m_content.markedRow || row == highlight.cursorRow;
        painter.setFont(marked ? strong : m_font);
        painter.setPen(row == m_content.markedRow ? m_theme.accent : m_theme.ink);
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter,
                         elided(m_content.rowLabels[row], metrics, box.width() + 0.5));
    }
    const int firstColumn = static_cast<int>(m_seen.left());
    for (int column = firstColumn; column < std::min(columns(), static_cast<int>(std::ceil(m_seen.right())));
         ++column) {
        if (columnLabelRect(column).isNull())
            continue;
        const bool marked = column == highlight.column || column == highlight.cursorColumn;
        painter.setFont(marked ? strong : m_font);
        painter.setPen(m_theme.ink);
        const double room = m_columnAngle == 0 ? m_cellWidth - gap / 2 : m_columnLabelRoom + 0.5;
        const QString text = elided(m_content.columnLabels[column], metrics, room);
        painter.save();
        painter.translate(columnStart(column + 0.5), m_cells.top() - gap);
        painter.rotate(-m_columnAngle);
        if (m_columnAngle == 0)
            painter.drawText(QRectF(-m_cellWidth / 2, -metrics.height(), m_cellWidth, metrics.height()),
                             Qt::AlignCenter, text);
        else
            painter.drawText(QRectF(0, -metrics.height() / 2, m_columnLabelRoom * 1.3 + 20, metrics.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, text);
        painter.restore();
    }
}

void MatrixFigure::paintMarks(QPainter& painter, const Highlight& highlight) const
{
    painter.save();
    painter.setBrush(Qt::NoBrush);
    const auto outline = [&](QRectF box, const QColor& color, double width) {
        if (box.isEmpty())
            return;
        painter.setPen(QPen(color, width));
        painter.drawRect(box);
    };
    const auto rowBox = [&](int row) {
        return QRectF(m_cells.left(), rowStart(row), m_cells.width(), m_cellHeight).intersected(m_cells);
    };
    const auto columnBox = [&](int column) {
        return QRectF(columnStart(column), m_cells.top(), m_cellWidth, m_cells.height()).intersected(m_cells);
    };
    if (m_content.markedRow >= 0 && m_content.markedRow < rows())
        outline(rowBox(m_content.markedRow), m_theme.accent, 2);
    const bool pointed =
        highlight.row >= 0 && highlight.column >= 0 && highlight.row < rows() && highlight.column < columns();
    if (pointed) {
        QColor line = m_theme.cursor;
        line.setAlphaF(0.7F);
        outline(rowBox(highlight.row), line, 1);
        outline(columnBox(highlight.column), line, 1);
    }
    if (highlight.cursorRow >= 0 && highlight.cursorColumn >= 0) {
        outline(cellRect(highlight.cursorRow, highlight.cursorColumn), m_theme.background, 4);
        outline(cellRect(highlight.cursorRow, highlight.cursorColumn), m_theme.cursor, 2);
    }
    painter.restore();
}

void MatrixFigure::paintColorBar(QPainter& painter) const
{
    const QFontMetricsF small(m_small);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    constexpr int bands = 64;
    for (int i = 0; i < bands; ++i) {
        const double top = m_bar.bottom() - m_bar.height() * (i + 1) / bands;
        painter.fillRect(QRectF(m_bar.left(), top, m_bar.width(), m_bar.height() / bands + 0.4),
                         colorAt(m_spec.colorMap, (i + 0.5) / bands));
    }
    painter.setPen(QPen(m_theme.grid, 1));
    painter.drawRect(m_bar);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setFont(m_small);
    painter.setPen(m_theme.muted);
    double widest = 0;
    for (const double tick : ticks(m_content.least, m_content.most)) {
        const double y =
            m_bar.bottom() - m_bar.height() * (tick - m_content.least) / (m_content.most - m_content.least);
        const QString text = shortNumber(tick);
        widest = std::max(widest, small.horizontalAdvance(text));
        painter.drawLine(QPointF(m_bar.right(), y), QPointF(m_bar.right() + 3, y));
        painter.drawText(QRectF(m_bar.right() + gap, y - small.height() / 2, 60, small.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    painter.translate(m_bar.right() + gap + widest + gap + small.height() / 2, m_bar.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-100, -small.height() / 2, 200, small.height()), Qt::AlignCenter, m_content.valueName);
    painter.restore();
}

// --- hit test ---

FigureHit MatrixFigure::hitOfCell(int row, int column) const
{
    FigureHit hit;
    hit.part = FigureHit::Part::Cell;
    hit.row = row;
    hit.column = column;
    hit.site = m_spec.site;
    hit.value = m_content.matrix.at(row, column);
    hit.text = QStringLiteral("%1 \u2190 %2   %3")
                   .arg(m_content.rowLabels.value(row), m_content.columnLabels.value(column),
                        isBlank(row, column) ? QStringLiteral("\u2013")
                                             : QString::number(static_cast<double>(hit.value), 'f', 4));
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
    if (inRows && point.x() < m_cells.left() && point.x() >= m_cells.left() - gap - m_rowLabelWidth) {
        hit.part = FigureHit::Part::RowLabel;
        hit.row = row;
        hit.text = m_content.rowLabels.value(row);
    } else if (point.y() < m_cells.top() && point.y() >= m_cells.top() - gap - m_columnLabelHeight) {
        for (int i = 0; i < columns(); ++i) {
            if (columnLabelRect(i).contains(point) || (m_columnAngle != 45 && inColumns && i == column)) {
                hit.part = FigureHit::Part::ColumnLabel;
                hit.column = i;
                hit.text = m_content.columnLabels.value(i);
                break;
            }
        }
    } else if (m_bar.contains(point)) {
        hit.part = FigureHit::Part::ColorBar;
        const double part = (m_bar.bottom() - point.y()) / m_bar.height();
        hit.text = shortNumber(m_content.least + part * (m_content.most - m_content.least));
    }
    return hit;
}

} // namespace attn::ui

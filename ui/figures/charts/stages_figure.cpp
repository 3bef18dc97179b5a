// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/stages_figure.h"

#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr double stagesMargin = 14;
constexpr double stagesGap = 6;
constexpr double rangeWidth = 112; // of the text right of a strip
constexpr double stripHeight = 20;
constexpr double highestRow = 16; // of a matrix
constexpr double leastRow = 12; // so that every name can be read
constexpr double highestMatrix = 780;
constexpr int longStrip = 20; // cells; longer ones with names are broken
constexpr int cellsInLine = 16;
constexpr double widestCell = 72;
constexpr int mostRows = 64;
constexpr int mostNumbers = 4096; // more cells are painted as an image

QString number(double value, int digits = 3)
{
    return significant(value, digits);
}

} // namespace

StagesFigure::StagesFigure(const FigureSpec& look, std::vector<StageContent> stages, QSizeF size, int current)
    : m_look(look)
    , m_style(look)
    , m_stages(std::move(stages))
    , m_current(current)
    , m_size(size)
{
    const QFontMetricsF metrics(m_style.small);
    for (const StageContent& stage : m_stages) {
        for (const StageStrip& numbers : stage.strips) {
            m_nameWidth = std::max(m_nameWidth, metrics.horizontalAdvance(numbers.name));
            for (const QString& row : numbers.rowNames)
                m_nameWidth = std::max(m_nameWidth, metrics.horizontalAdvance(row));
        }
    }
    m_nameWidth = std::min(m_nameWidth + 2 * stagesGap, size.width() * 0.25);
    double top = stagesMargin;
    for (const StageContent& stage : m_stages)
        m_blocks.push_back(layOutBlock(stage, top));
    if (m_size.height() <= 0)
        m_size.setHeight(std::max(top, 60.0));
}

StagesFigure::Block StagesFigure::layOutBlock(const StageContent& stage, double& top) const
{
    Block block{&stage, {}, {}, {}, 0};
    const double width = m_size.width() - 2 * stagesMargin;
    block.header = QRectF(stagesMargin, top, width, QFontMetricsF(m_style.title).height());
    top = block.header.bottom() + 2;
    const QRectF room(stagesMargin, top, width, 100000);
    block.text = QFontMetricsF(m_style.font).boundingRect(room, Qt::TextWordWrap, stage.text);
    block.text.setWidth(width);
    top = block.text.bottom() + stagesGap;
    for (const StageStrip& numbers : stage.strips)
        block.strips.push_back(layOutStrip(numbers, top));
    block.bottom = top;
    top += 2 * stagesGap;
    return block;
}

StagesFigure::Strip StagesFigure::layOutStrip(const StageStrip& numbers, double& top) const
{
    Strip strip;
    strip.numbers = &numbers;
    strip.rows = std::min(numbers.rows, mostRows);
    strip.firstRow = std::clamp(numbers.marked - mostRows / 2, 0, std::max(0, numbers.rows - strip.rows));
    if (numbers.rows == 1)
        strip.firstRow = 0;
    strip.most = 0;
    for (const float value : numbers.values) {
        if (std::isfinite(value))
            strip.most = std::max(strip.most, std::abs(static_cast<double>(value)));
    }
    if (strip.numbers->weights || !(strip.most > 0))
        strip.most = 1;
    strip.named = numbers.rows == 1 && !numbers.columnNames.isEmpty();
    const double line = QFontMetricsF(m_style.small).height();
    if (strip.named || numbers.rows > 1)
        top += line + 1; // names of the columns, or of the matrix
    strip.perLine = std::max(1, numbers.columns);
    strip.pitch = stripHeight + line + stagesGap;
    if (strip.named && numbers.columns > longStrip) {
        const int count = (numbers.columns + cellsInLine - 1) / cellsInLine;
        strip.perLine = (numbers.columns + count - 1) / count;
    }
    const double width = m_size.width() - 2 * stagesMargin - m_nameWidth - rangeWidth;
    const double cell = std::min(widestCell, width / strip.perLine);
    const double row = std::clamp(highestMatrix / std::max(1, strip.rows), leastRow, highestRow);
    const double height = numbers.rows == 1 ? (lines(strip) - 1) * strip.pitch + stripHeight : row * strip.rows;
    strip.cells = QRectF(stagesMargin + m_nameWidth, top, std::max(1.0, cell * strip.perLine), height);
    top = strip.cells.bottom() + stagesGap;
    return strip;
}

QRectF StagesFigure::stageRect(int stage) const
{
    const Block& block = m_blocks.at(static_cast<std::size_t>(stage));
    return {0, block.header.top(), m_size.width(), block.bottom - block.header.top()};
}

QRectF StagesFigure::numberRect(int stage, int numbers, int row, int column) const
{
    const Strip& strip = m_blocks.at(static_cast<std::size_t>(stage)).strips.at(static_cast<std::size_t>(numbers));
    return cellOf(strip, row - strip.firstRow, column);
}

std::vector<int> StagesFigure::namedRows(int stage, int numbers) const
{
    return namedRows(m_blocks.at(static_cast<std::size_t>(stage)).strips.at(static_cast<std::size_t>(numbers)));
}

QRectF StagesFigure::cellOf(const Strip& strip, int row, int column) const
{
    const double width = strip.cells.width() / strip.perLine;
    if (strip.numbers->rows == 1)
        return {strip.cells.x() + column % strip.perLine * width,
                strip.cells.y() + column / strip.perLine * strip.pitch, width, stripHeight};
    const double height = strip.cells.height() / strip.rows;
    return {strip.cells.x() + column * width, strip.cells.y() + row * height, width, height};
}

std::pair<int, int> StagesFigure::cellAt(const Strip& strip, QPointF point) const
{
    const std::pair none(-1, -1);
    if (!strip.cells.contains(point))
        return none;
    const QPointF inside = point - strip.cells.topLeft();
    const int across =
        std::clamp(static_cast<int>(inside.x() * strip.perLine / strip.cells.width()), 0, strip.perLine - 1);
    if (strip.numbers->rows > 1)
        return {std::clamp(static_cast<int>(inside.y() * strip.rows / strip.cells.height()), 0, strip.rows - 1),
                across};
    const int line = static_cast<int>(inside.y() / strip.pitch);
    const int column = line * strip.perLine + across;
    if (inside.y() - line * strip.pitch > stripHeight || column >= strip.numbers->columns)
        return none; // a name, or beyond the last one
    return {0, column};
}

QColor StagesFigure::colorOf(const Strip& strip, float value) const
{
    if (!std::isfinite(value))
        return m_style.colors.blank;
    if (strip.numbers->weights)
        return colorAt(m_look.colorMap, static_cast<double>(value));
    return colorAt(divergingColors(), 0.5 + static_cast<double>(value) / strip.most / 2);
}

void StagesFigure::paint(QPainter& painter, const Highlight&) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    if (m_current >= 0 && static_cast<std::size_t>(m_current) < m_blocks.size()) {
        const QRectF stage = stageRect(m_current);
        painter.fillRect(QRectF(0, stage.top(), 4, stage.height()), m_style.colors.accent);
    }
    for (const Block& block : m_blocks)
        paintBlock(painter, block);
}

void StagesFigure::paintBlock(QPainter& painter, const Block& block) const
{
    const StageContent& stage = *block.stage;
    const QString title = stage.title;
    const QString shape = stage.shape;
    painter.setFont(m_style.title);
    painter.setPen(m_style.colors.ink);
    drawLabel(painter, block.header, Qt::AlignLeft, title);
    const double left = QFontMetricsF(m_style.title).horizontalAdvance(title) + 3 * stagesGap;
    const double shapeWidth = QFontMetricsF(m_style.small).horizontalAdvance(shape) + stagesGap;
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    drawLabel(painter, block.header, Qt::AlignRight, shape);
    painter.setFont(m_style.font);
    painter.setPen(m_style.colors.accent);
    drawLabel(painter, block.header.adjusted(left, 0, -shapeWidth, 0), Qt::AlignLeft, stage.formula);
    painter.setPen(m_style.colors.ink);
    painter.drawText(block.text, Qt::TextWordWrap, stage.text);
    for (const Strip& strip : block.strips)
        paintStrip(painter, strip);
}

void StagesFigure::paintStrip(QPainter& painter, const Strip& strip) const
{
    const StageStrip& numbers = *strip.numbers;
    paintCells(painter, strip);
    painter.setPen(m_style.colors.grid);
    painter.setBrush(Qt::NoBrush);
    if (numbers.rows > 1)
        painter.drawRect(strip.cells);
    for (int line = 0; numbers.rows == 1 && line < lines(strip); ++line) {
        const int last = std::min((line + 1) * strip.perLine, numbers.columns) - 1;
        painter.drawRect(cellOf(strip, 0, line * strip.perLine).united(cellOf(strip, 0, last)));
    }
    if (numbers.marked >= 0) {
        const int row = numbers.rows > 1 ? numbers.marked - strip.firstRow : 0;
        const QRectF first = cellOf(strip, row, numbers.rows > 1 ? 0 : numbers.marked);
        const QRectF box =
            numbers.rows > 1 ? QRectF(first.topLeft(), QSizeF(strip.cells.width(), first.height())) : first;
        painter.setPen(QPen(m_style.colors.cursor, 1.5));
        painter.drawRect(box);
    }
    paintNames(painter, strip);
    const auto finite = [](float value) { return std::isfinite(value); };
    std::vector<float> values;
    std::ranges::copy_if(numbers.values, std::back_inserter(values), finite);
    if (values.empty())
        return;
    const auto [least, most] = std::ranges::minmax(values);
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    const QRectF right(strip.cells.right() + stagesGap, strip.cells.top(), rangeWidth - stagesGap,
                       std::min(strip.cells.height(), stripHeight));
    drawLabel(painter, right, Qt::AlignLeft,
              number(static_cast<double>(least)) + QStringLiteral(" … ") + number(static_cast<double>(most)));
}

void StagesFigure::paintCells(QPainter& painter, const Strip& strip) const
{
    const StageStrip& numbers = *strip.numbers;
    const auto valueAt = [&](int row, int column) {
        return numbers.values[static_cast<std::size_t>(strip.firstRow + row) * static_cast<std::size_t>(numbers.columns)
                              + static_cast<std::size_t>(column)];
    };
    if (strip.rows * numbers.columns > mostNumbers) {
        QImage image(numbers.columns, strip.rows, QImage::Format_RGB32);
        for (int row = 0; row < strip.rows; ++row) {
            for (int column = 0; column < numbers.columns; ++column)
                image.setPixelColor(column, row, colorOf(strip, valueAt(row, column)));
        }
        painter.drawImage(strip.cells, image);
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int row = 0; row < strip.rows; ++row) {
        for (int column = 0; column < numbers.columns; ++column)
            painter.fillRect(cellOf(strip, row, column), colorOf(strip, valueAt(row, column)));
    }
    painter.restore();
    if (strip.named)
        paintValues(painter, strip);
}

// Where all cells are wide enough, with as many digits as they have room for; else in the marked one, if that is.
void StagesFigure::paintValues(QPainter& painter, const Strip& strip) const
{
    const StageStrip& numbers = *strip.numbers;
    const QFontMetricsF metrics(m_style.small);
    const double room = cellOf(strip, 0, 0).width() - 4;
    const auto fits = [&](float value, int digits) {
        return metrics.horizontalAdvance(number(static_cast<double>(value), digits)) <= room;
    };
    int digits = 3;
    while (digits > 0 && !std::ranges::all_of(numbers.values, [&](float value) { return fits(value, digits); }))
        --digits;
    painter.setFont(m_style.small);
    for (int column = 0; column < numbers.columns; ++column) {
        const float value = numbers.values[static_cast<std::size_t>(column)];
        if (digits == 0 && (column != numbers.marked || !fits(value, 2)))
            continue;
        painter.setPen(inkOn(colorOf(strip, value)));
        drawLabel(painter, cellOf(strip, 0, column), Qt::AlignHCenter,
                  number(static_cast<double>(value), digits == 0 ? 2 : digits));
    }
}

void StagesFigure::paintNames(QPainter& painter, const Strip& strip) const
{
    const StageStrip& numbers = *strip.numbers;
    const double line = QFontMetricsF(m_style.small).height();
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    const bool matrix = numbers.rows > 1;
    const QRectF nameBox(stagesMargin, matrix ? strip.cells.top() - line - 1 : strip.cells.top(),
                         matrix ? m_size.width() - 2 * stagesMargin : m_nameWidth - stagesGap,
                         matrix ? line : strip.cells.height());
    QString name = numbers.name;
    if (matrix && strip.rows < numbers.rows)
        name += QStringLiteral(": %1 to %2 of 0 to %3")
                    .arg(strip.firstRow)
                    .arg(strip.firstRow + strip.rows - 1)
                    .arg(numbers.rows - 1);
    drawLabel(painter, nameBox, Qt::AlignLeft, name);
    painter.setPen(m_style.colors.ink);
    for (const int row : namedRows(strip)) {
        const QRectF cell = cellOf(strip, row - strip.firstRow, 0);
        const QRectF box(stagesMargin, cell.center().y() - line / 2, m_nameWidth - stagesGap, line);
        drawLabel(painter, box, Qt::AlignRight, numbers.rowNames[row]);
    }
    for (int column = 0; strip.named && column < numbers.columns; ++column) {
        const QRectF cell = cellOf(strip, 0, column);
        if (cell.width() < 16 && column != numbers.marked)
            continue;
        const double room = std::max(cell.width() - 2, column == numbers.marked ? 60.0 : 0.0);
        const QRectF box(cell.center().x() - room / 2, cell.top() - line - 1, room, line);
        drawLabel(painter, box, Qt::AlignHCenter, numbers.columnNames[column]);
    }
}

// As many as do not touch each other, the marked one always.
std::vector<int> StagesFigure::namedRows(const Strip& strip) const
{
    const StageStrip& numbers = *strip.numbers;
    if (numbers.rows <= 1)
        return {};
    const double height = strip.cells.height() / strip.rows;
    const double letters = QFontMetricsF(m_style.small).ascent(); // names may share the room between the lines
    const int stride = std::max(1, static_cast<int>(std::ceil(letters / std::max(1.0, height))));
    const int marked = numbers.marked - strip.firstRow;
    std::vector<int> rows;
    for (int row = 0; row < strip.rows; ++row) {
        const bool regular = row % stride == 0 && (stride == 1 || std::abs(row - marked) >= stride);
        if ((regular || row == marked) && strip.firstRow + row < numbers.rowNames.size())
            rows.push_back(strip.firstRow + row);
    }
    return rows;
}

FigureHit StagesFigure::hitTest(QPointF point) const
{
    for (const Block& block : m_blocks) {
        for (const Strip& strip : block.strips) {
            if (const auto [row, column] = cellAt(strip, point); row >= 0)
                return hitOf(strip, strip.firstRow + row, column);
        }
    }
    return {};
}

FigureHit StagesFigure::hitOf(const Strip& strip, int row, int column) const
{
    const StageStrip& numbers = *strip.numbers;
    FigureHit hit;
    hit.part = FigureHit::Part::Candidate;
    hit.value = numbers.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(numbers.columns)
                               + static_cast<std::size_t>(column)];
    QString place = QString::number(column);
    if (strip.named) {
        hit.column = column;
        place = numbers.columnNames[column];
    } else if (row < numbers.rowNames.size()) {
        hit.column = row;
        place = numbers.rowNames[row] + QStringLiteral(", ") + place;
    }
    hit.text = QStringList{numbers.name, QStringLiteral(" ["), place, QStringLiteral("] = "),
                           significant(static_cast<double>(hit.value), 6)}
                   .join(QString());
    return hit;
}

QString StagesFigure::description() const
{
    QStringList parts;
    for (const StageContent& stage : m_stages)
        parts << stage.title + QStringLiteral(": ") + stage.text;
    return parts.join(QLatin1Char(' '));
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/stages_figure.h"

#include "base/index.h"
#include "base/progress.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/formula_layout.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"
#include "figures/parts/styled_figure.h"
#include "maps/map_range.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace attn::ui {

namespace {

constexpr double stagesMargin = 14;
constexpr double stagesGap = 6;
constexpr double rangeWidth = 112; // of the text right of a strip
constexpr double stripHeight = 20;
constexpr double foldedHeight = 8;
constexpr int longVector = 100; // features
constexpr double highestRow = 16; // of a matrix
constexpr double leastRow = 12; // so that every name can be read
constexpr double highestMatrix = 780;
constexpr int longStrip = 20; // cells; longer ones with names are broken
constexpr int cellsInLine = 16;
constexpr double widestCell = 72;
constexpr int mostRows = 64;
constexpr int mostNumbers = 4096; // more cells are painted as an image
constexpr double formulaPoints = 1.4; // of the text's
constexpr double roleFrame = 1.4; // of what has a colour of its own

// Minus infinity is the score of what is masked.
bool isNoStageNumber(float value)
{
    return !(value < std::numeric_limits<float>::infinity());
}

QString noNumbersOf(const StageContent& stage)
{
    qint64 cells = 0;
    qint64 count = 0;
    for (const StageStrip& strip : stage.strips) {
        cells += std::ssize(strip.values);
        count += std::ranges::count_if(strip.values, isNoStageNumber);
    }
    return noNumbersNote(count, cells);
}

// The stages of one attention step below each other: what happens, as a formula set on a line of its own, shapes, and
// every vector as a strip of coloured cells. Numbers of either sign are coloured around zero, weights from 0 to 1. As
// high as its content.
class StagesFigure final : public StyledFigure
{
public:
    StagesFigure(const FigureSpec& look, std::vector<StageContent> stages, QSizeF size, std::optional<int> current)
        : StyledFigure(look, size)
        , m_stages(std::move(stages))
        , m_current(current)
        , m_formulaFont(figureFont(look.baseFontPoints * formulaPoints, look.fontFamily))
    {
        const QFontMetricsF metrics(m_style.small);
        for (const StageContent& stage : m_stages) {
            for (const StageStrip& numbers : stage.strips) {
                const FormulaLayout& symbol =
                    m_symbols.emplace_back(numbers.symbol, m_style.font, FormulaPlace::Inline);
                m_nameWidth = std::max(m_nameWidth, nameWidth(numbers, symbol));
                for (const QString& row : numbers.rowNames)
                    m_nameWidth = std::max(m_nameWidth, metrics.horizontalAdvance(row));
            }
        }
        m_nameWidth = std::min(m_nameWidth + 2 * stagesGap, size.width() * 0.25);
        double top = stagesMargin;
        QStringList parts;
        for (const StageContent& stage : m_stages) {
            m_blocks.push_back(layOutBlock(stage, top));
            parts << stage.title + QStringLiteral(": ") + stage.text;
            if (const QString note = noNumbersOf(stage); !note.isEmpty())
                parts << capitalized(note) + QLatin1Char('.');
            for (const Formula& formula : stage.formulas)
                parts << formula.reading() + QLatin1Char('.');
        }
        m_description = parts.join(QLatin1Char(' '));
        if (m_size.height() <= 0)
            m_size.setHeight(std::max(top, 60.0));
    }

    // A cell's name and value; `column` is the key's number where the cells stand for keys.
    FigureHit hitTest(QPointF point) const override
    {
        for (const Block& block : m_blocks) {
            for (const SetFormula& formula : block.formulas) {
                if (formula.box.contains(point))
                    return hitOfFormula(*formula.formula);
            }
            for (const Strip& strip : block.strips) {
                if (const auto cell = cellAt(strip, point))
                    return hitOfNumber(strip, strip.firstRow + cell->row, cell->column);
            }
        }
        return {};
    }

    // A row for each vector, from above to below.
    FigureTable table() const override
    {
        struct Line
        {
            const Strip* strip;
            int row;
        };
        std::vector<Line> all;
        FigureTable table;
        for (const Block& block : m_blocks) {
            for (const Strip& strip : block.strips) {
                for (int row = 0; row < strip.numbers->rows; ++row)
                    all.push_back({&strip, row});
                table.columns = std::max(table.columns, strip.numbers->columns);
            }
        }
        table.rows = indexSize(all);
        const auto lines = std::make_shared<const std::vector<Line>>(std::move(all));
        const auto nameOf = [lines](FigureCell cell) {
            if (cell.row == FigureTable::header)
                return QString::number(cell.column);
            const auto& [strip, row] = (*lines)[static_cast<std::size_t>(cell.row)];
            const QString own = strip->numbers->rowNames.value(row);
            return own.isEmpty() ? strip->numbers->name : strip->numbers->name + QStringLiteral(", ") + own;
        };
        // Null: a header, or beyond the end of a shorter vector.
        const auto lineOf = [lines](FigureCell cell) -> const Line* {
            if (FigureTable::isHeader(cell))
                return nullptr;
            const Line& line = (*lines)[static_cast<std::size_t>(cell.row)];
            return cell.column < line.strip->numbers->columns ? &line : nullptr;
        };
        table.say(
            nameOf,
            [=](FigureCell cell) {
                const Line* const line = lineOf(cell);
                return line == nullptr ? QString() : significant(line->strip->numbers->at(line->row, cell.column), 6);
            },
            [=, this](FigureCell cell) {
                const Line* const line = lineOf(cell);
                return line == nullptr ? QString() : hitOfNumber(*line->strip, line->row, cell.column).text;
            });
        table.rect = [=, this](FigureCell cell) {
            const Line* const line = lineOf(cell);
            const int row = line == nullptr ? -1 : line->row - line->strip->firstRow;
            return row >= 0 && row < line->strip->rows ? cellOf(*line->strip, row, cell.column) : QRectF();
        };
        return table;
    }

    QRectF cellRect(int stage, int) const override // of a whole stage
    {
        const Block& block = m_blocks.at(stage);
        return {0, block.header.top(), m_size.width(), block.bottom - block.header.top()};
    }

protected:
    void draw(QPainter& painter, const Highlight&) const override
    {
        if (m_current && *m_current < indexSize(m_blocks)) {
            const QRectF stage = cellRect(*m_current, 0);
            painter.fillRect(QRectF(0, stage.top(), 4, stage.height()), m_style.colors.accent);
        }
        for (const Block& block : m_blocks)
            paintBlock(painter, block);
    }

private:
    // Numbers as laid out; of many rows only those around the marked one.
    struct Strip
    {
        const StageStrip* numbers = nullptr;
        const FormulaLayout* symbol = nullptr;
        int firstRow = 0;
        int rows = 0;
        QRectF cells;
        int stage = 0;
        bool named = false; // the columns' names stand above the cells
        bool folded = false;
        int perLine = 1; // cells beside each other; a long strip with names has several lines
        double pitch = 0; // from one line to the next
        double most = 1; // largest absolute value
    };
    struct SetFormula
    {
        const Formula* formula = nullptr;
        FormulaLayout layout;
        QRectF box;
    };
    struct Block
    {
        const StageContent* stage = nullptr;
        std::vector<SetFormula> formulas;
        QRectF header;
        QRectF text; // wrapped
        std::vector<Strip> strips;
        double bottom = 0;
    };

    Block layOutBlock(const StageContent& stage, double& top)
    {
        Block block{&stage, {}, {}, {}, {}, 0};
        const double width = m_size.width() - 2 * stagesMargin;
        block.header = QRectF(stagesMargin, top, width, QFontMetricsF(m_style.title).height());
        top = block.header.bottom() + 2;
        const QRectF room(stagesMargin, top, width, 100000);
        block.text = QFontMetricsF(m_style.font).boundingRect(room, Qt::TextWordWrap, stage.text);
        block.text.setWidth(width);
        top = block.text.bottom() + stagesGap;
        for (const Formula& formula : stage.formulas)
            block.formulas.push_back(layOutFormula(formula, top));
        for (const StageStrip& numbers : stage.strips)
            block.strips.push_back(layOutStrip(numbers, stage.folded && numbers.isLong(), top));
        block.bottom = top;
        top += 2 * stagesGap;
        return block;
    }

    // Over the cells, whose names have the same letters; further left where it is too long for that.
    SetFormula layOutFormula(const Formula& formula, double& top) const
    {
        SetFormula set{&formula, {formula, m_formulaFont}, {}};
        const double most = m_size.width() - 2 * stagesMargin;
        const double left = set.layout.width() + m_nameWidth <= most ? m_nameWidth : 0;
        const double scale = set.layout.scaleIn(most - left);
        set.box = QRectF(QPointF(stagesMargin + left, top + stagesGap), set.layout.size() * scale);
        top = set.box.bottom() + 1.5 * stagesGap;
        return set;
    }

    static FigureHit hitOfFormula(const Formula& formula)
    {
        FigureHit hit;
        hit.part = FigureHit::Part::Candidate;
        hit.text = formula.reading();
        return hit;
    }

    double nameWidth(const StageStrip& numbers, const FormulaLayout& symbol) const
    {
        const double words = QFontMetricsF(m_style.small).horizontalAdvance(numbers.name);
        return words + (words > 0 && !symbol.empty() ? stagesGap : 0) + symbol.width();
    }

    Strip layOutStrip(const StageStrip& numbers, bool folded, double& top)
    {
        Strip strip;
        strip.numbers = &numbers;
        strip.stage = indexSize(m_blocks);
        strip.folded = folded;
        strip.symbol = &m_symbols.at(m_laidOut++);
        strip.rows = folded ? 1 : std::min(numbers.rows, mostRows);
        strip.firstRow =
            std::clamp(numbers.marked.value_or(0) - strip.rows / 2, 0, std::max(0, numbers.rows - strip.rows));
        if (numbers.rows == 1)
            strip.firstRow = 0;
        if (!numbers.weights)
            strip.most = largestMagnitude(numbers.values);
        strip.named = numbers.rows == 1 && !numbers.columnNames.isEmpty();
        const double line = QFontMetricsF(m_style.small).height();
        if (strip.named || (numbers.rows > 1 && !folded))
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
        const double height = folded ? foldedHeight
            : numbers.rows == 1      ? (lines(strip) - 1) * strip.pitch + stripHeight
                                     : row * strip.rows;
        const double beside = folded ? (stripHeight - foldedHeight) / 2 : 0; // letters are higher
        strip.cells = QRectF(stagesMargin + m_nameWidth, top + beside, std::max(1.0, cell * strip.perLine), height);
        top = strip.cells.bottom() + beside + (folded ? 0 : stagesGap);
        return strip;
    }

    QRectF cellOf(const Strip& strip, int row, int column) const
    {
        const double width = strip.cells.width() / strip.perLine;
        if (strip.numbers->rows == 1) {
            const int line = column / strip.perLine;
            return {strip.cells.x() + column % strip.perLine * width, strip.cells.y() + line * strip.pitch, width,
                    std::min(stripHeight, strip.cells.height())};
        }
        const double height = strip.cells.height() / strip.rows;
        return {strip.cells.x() + column * width, strip.cells.y() + row * height, width, height};
    }

    // The line of cells that a cell lies in; a matrix is one.
    QRectF lineOf(const Strip& strip, int column) const
    {
        if (strip.numbers->rows > 1)
            return strip.cells;
        const int first = column - column % strip.perLine;
        return cellOf(strip, 0, first)
            .united(cellOf(strip, 0, std::min(first + strip.perLine, strip.numbers->columns) - 1));
    }

    static int lines(const Strip& strip) { return (strip.numbers->columns + strip.perLine - 1) / strip.perLine; }

    static std::optional<FigureCell> cellAt(const Strip& strip, QPointF point)
    {
        if (!strip.cells.contains(point))
            return std::nullopt;
        const QPointF inside = point - strip.cells.topLeft();
        const int across =
            std::clamp(static_cast<int>(inside.x() * strip.perLine / strip.cells.width()), 0, strip.perLine - 1);
        if (strip.numbers->rows > 1)
            return FigureCell{
                std::clamp(static_cast<int>(inside.y() * strip.rows / strip.cells.height()), 0, strip.rows - 1),
                across};
        const int line = static_cast<int>(inside.y() / strip.pitch);
        const int column = line * strip.perLine + across;
        if (inside.y() - line * strip.pitch > stripHeight || column >= strip.numbers->columns)
            return std::nullopt; // a name, or beyond the last one
        return FigureCell{0, column};
    }

    FigureHit hitOfNumber(const Strip& strip, int row, int column) const
    {
        const StageStrip& numbers = *strip.numbers;
        FigureHit hit;
        hit.part = FigureHit::Part::Candidate;
        hit.value = numbers.at(row, column);
        QString place = QString::number(column);
        if (strip.named) {
            hit.column = column;
            place = numbers.columnNames[column];
        } else if (row < numbers.rowNames.size()) {
            hit.column = row;
            place = numbers.rowNames[row] + QStringLiteral(", ") + place;
        }
        if (numbers.isLong())
            hit.row = strip.stage;
        const QString number = significant(hit.value, 6);
        hit.text =
            QStringLiteral("%1 [%2] = %3")
                .arg(numbers.title(), place, isNoStageNumber(hit.value) ? numberText(hit.value, number) : number);
        return hit;
    }

    QColor colorOf(const Strip& strip, float value) const
    {
        if (isNoStageNumber(value))
            return m_style.colors.muted;
        if (!std::isfinite(value)) // masked
            return m_style.colors.blank;
        if (strip.numbers->weights)
            return colorAt(m_style.colorMap, value);
        return colorAt(divergingColors(), 0.5 + value / strip.most / 2);
    }

    void paintBlock(QPainter& painter, const Block& block) const
    {
        const StageContent& stage = *block.stage;
        drawLabel(painter, m_style.title, m_style.colors.ink, block.header, Qt::AlignLeft, stage.title);
        const QString note = noNumbersOf(stage);
        drawLabel(painter, m_style.small, m_style.colors.muted, block.header, Qt::AlignRight,
                  note.isEmpty() ? stage.shape : stage.shape + QStringLiteral(" \u00B7 ") + note);
        painter.setFont(m_style.font);
        painter.setPen(m_style.colors.ink);
        painter.drawText(block.text, Qt::TextWordWrap, stage.text);
        for (const SetFormula& formula : block.formulas)
            formula.layout.paintIn(painter, formula.box, m_style.colors, m_style.colors.ink);
        for (const Strip& strip : block.strips)
            paintStrip(painter, strip);
    }

    void paintStrip(QPainter& painter, const Strip& strip) const
    {
        const StageStrip& numbers = *strip.numbers;
        paintCells(painter, strip);
        painter.setPen(numbers.role == AttentionRole::Other ? QPen(m_style.colors.grid)
                                                            : QPen(m_style.colors.ofRole(numbers.role), roleFrame));
        painter.setBrush(Qt::NoBrush);
        if (numbers.rows > 1 || strip.folded)
            painter.drawRect(strip.cells);
        for (int line = 0; !strip.folded && numbers.rows == 1 && line < lines(strip); ++line)
            painter.drawRect(lineOf(strip, line * strip.perLine));
        if (numbers.marked && !strip.folded) {
            const int row = numbers.rows > 1 ? *numbers.marked - strip.firstRow : 0;
            const QRectF first = cellOf(strip, row, numbers.rows > 1 ? 0 : *numbers.marked);
            const QRectF box =
                numbers.rows > 1 ? QRectF(first.topLeft(), QSizeF(strip.cells.width(), first.height())) : first;
            painter.setPen(QPen(m_style.colors.cursor, 1.5));
            painter.drawRect(box);
        }
        paintNames(painter, strip);
        const auto range = rangeOfNumbers(numbers.values);
        if (!range)
            return;
        const double high = strip.folded ? stripHeight : std::min(strip.cells.height(), stripHeight);
        const double up = strip.folded ? (stripHeight - foldedHeight) / 2 : 0;
        const QRectF right(strip.cells.right() + stagesGap, strip.cells.top() - up, rangeWidth - stagesGap, high);
        drawLabel(painter, m_style.small, m_style.colors.muted, right, Qt::AlignLeft,
                  strip.folded ? countOf(numbers)
                               : significant(range->least, 3) + QStringLiteral(" … ") + significant(range->most, 3));
    }

    static QString countOf(const StageStrip& numbers)
    {
        const QString each = QString::number(numbers.columns);
        return tr("%1 numbers").arg(numbers.rows > 1 ? QStringLiteral("%1 × %2").arg(numbers.rows).arg(each) : each);
    }

    void paintCells(QPainter& painter, const Strip& strip) const
    {
        const StageStrip& numbers = *strip.numbers;
        const auto colorAtCell = [&](int row, int column) {
            return colorOf(strip, numbers.at(strip.firstRow + row, column));
        };
        if (strip.rows * numbers.columns > mostNumbers) {
            QImage image(numbers.columns, strip.rows, QImage::Format_RGB32);
            for (int row = 0; row < strip.rows; ++row) {
                for (int column = 0; column < numbers.columns; ++column)
                    image.setPixelColor(column, row, colorAtCell(row, column));
            }
            painter.drawImage(strip.cells, image);
            return;
        }
        {
            const SavedPainter saved(painter);
            painter.setRenderHint(QPainter::Antialiasing, false);
            for (int row = 0; row < strip.rows; ++row) {
                ThreadStop::check();
                for (int column = 0; column < numbers.columns; ++column) {
                    const bool isNumber = !isNoStageNumber(numbers.at(strip.firstRow + row, column));
                    painter.fillRect(seamlessCell(painter, cellOf(strip, row, column), lineOf(strip, column)),
                                     isNumber ? colorAtCell(row, column) : m_style.colors.blank);
                    if (!isNumber)
                        drawNoNumber(painter, cellOf(strip, row, column), m_style);
                }
            }
        }
        if (strip.named)
            paintValues(painter, strip);
    }

    void paintNames(QPainter& painter, const Strip& strip) const
    {
        const StageStrip& numbers = *strip.numbers;
        const double line = QFontMetricsF(m_style.small).height();
        painter.setFont(m_style.small);
        painter.setPen(m_style.colors.muted);
        const bool matrix = numbers.rows > 1 && !strip.folded;
        QRectF nameBox(stagesMargin, matrix ? strip.cells.top() - line - 1 : strip.cells.top(),
                       matrix ? m_size.width() - 2 * stagesMargin : m_nameWidth - stagesGap,
                       matrix ? line : strip.cells.height());
        if (strip.folded)
            nameBox.adjust(0, -(stripHeight - foldedHeight) / 2, 0, (stripHeight - foldedHeight) / 2);
        paintName(painter, nameBox, strip);
        painter.setFont(m_style.small);
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

    // Meaning of the numbers, in words and then as a symbol, and of a matrix which of its rows are on show.
    void paintName(QPainter& painter, QRectF box, const Strip& strip) const
    {
        const StageStrip& numbers = *strip.numbers;
        const bool plain = numbers.role == AttentionRole::Other;
        const QColor ink = plain ? m_style.colors.muted : m_style.colors.ofRole(numbers.role);
        const double all = nameWidth(numbers, *strip.symbol);
        QRectF words = box;
        words.setWidth(std::min(box.width(), all) - (strip.symbol->empty() ? 0 : strip.symbol->width() + stagesGap));
        const QFontMetricsF metrics(m_style.small);
        drawLabel(painter, m_style.small, ink, words, Qt::AlignLeft, numbers.name);
        const double base = box.center().y() + (metrics.ascent() - metrics.descent()) / 2;
        const double symbolAt = numbers.name.isEmpty() ? box.left() : words.right() + stagesGap;
        strip.symbol->paint(painter, {symbolAt, base}, m_style.colors, ink);
        if (numbers.rows <= 1 || strip.folded || strip.rows >= numbers.rows)
            return;
        box.setLeft(box.left() + all);
        drawLabel(
            painter, m_style.small, m_style.colors.muted, box, Qt::AlignLeft,
            tr(": %1 to %2 of 0 to %3").arg(strip.firstRow).arg(strip.firstRow + strip.rows - 1).arg(numbers.rows - 1));
    }

    // Rows that have room for their names, the marked one always among them.
    std::vector<int> namedRows(const Strip& strip) const
    {
        const StageStrip& numbers = *strip.numbers;
        if (numbers.rows <= 1 || strip.folded)
            return {};
        const double height = strip.cells.height() / strip.rows;
        const double letters = QFontMetricsF(m_style.small).ascent(); // names may share the room between the lines
        const int stride = std::max(1, static_cast<int>(std::ceil(letters / std::max(1.0, height))));
        std::vector<int> rows;
        for (int row = 0; row < strip.rows; ++row) {
            const int name = strip.firstRow + row;
            const bool near = numbers.marked && std::abs(name - *numbers.marked) < stride;
            if ((name == numbers.marked || (row % stride == 0 && !near)) && name < numbers.rowNames.size())
                rows.push_back(name);
        }
        return rows;
    }

    // Where all cells are wide enough, with as many digits as they have room for; else in the marked one, if that is.
    void paintValues(QPainter& painter, const Strip& strip) const
    {
        const StageStrip& numbers = *strip.numbers;
        const QFontMetricsF metrics(m_style.small);
        const double room = cellOf(strip, 0, 0).width() - 4;
        const auto fits = [&](float value, int digits) {
            return metrics.horizontalAdvance(significant(value, digits)) <= room;
        };
        int digits = 3;
        while (digits > 0 && !std::ranges::all_of(numbers.values, [&](float value) { return fits(value, digits); }))
            --digits;
        painter.setFont(m_style.small);
        for (int column = 0; column < numbers.columns; ++column) {
            const float value = numbers.values[column];
            if (digits == 0 && (column != numbers.marked || !fits(value, 2)))
                continue;
            painter.setPen(inkOn(colorOf(strip, value)));
            drawLabel(painter, cellOf(strip, 0, column), Qt::AlignHCenter,
                      significant(value, digits == 0 ? 2 : digits));
        }
    }

    std::vector<StageContent> m_stages;
    std::vector<Block> m_blocks;
    std::vector<FormulaLayout> m_symbols; // of all strips, one after the other
    std::size_t m_laidOut = 0; // strips
    std::optional<int> m_current; // the stage that is marked
    QFont m_formulaFont;
    double m_nameWidth = 0;
};

} // namespace

QString StageStrip::title() const
{
    if (symbol.empty())
        return name;
    return name.isEmpty() ? symbol.reading() : name + QLatin1Char(' ') + symbol.reading();
}

bool StageStrip::isLong() const
{
    return columns > longVector && columnNames.isEmpty();
}

std::unique_ptr<const Figure> stagesFigure(const FigureSpec& look, const std::vector<StageContent>& stages, QSizeF size,
                                           std::optional<int> current)
{
    return std::make_unique<StagesFigure>(look, stages, size, current);
}

} // namespace attn::ui

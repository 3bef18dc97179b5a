// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/compare/comparison_figure.h"

#include "base/progress.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_range.h"
#include "figures/look/color_map.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"
#include "maps/map_range.h"
#include "state/strings.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace attn::ui {

namespace {

constexpr double leastWidth = 270; // pixels of a map; narrower ones stand in two rows
constexpr double widestBar = 90; // with its ticks and its name

// Number of maps, of so many, that stand beside each other.
int mapsInRow(int count, double width)
{
    return count > 2 && (width - widestBar) / count < leastWidth ? 2 : std::max(1, count);
}

QStringList readable(const std::vector<std::string>& words)
{
    QStringList labels;
    for (const std::string& word : words)
        labels << readableToken(word);
    return labels;
}

QStringList columnLabels(const Comparison& comparison)
{
    QStringList labels = readable(comparison.columns);
    if (!comparison.columns.empty() && comparison.columns.back().empty())
        labels.back() = QObject::tr("(special)");
    return labels;
}

// "encoder-decoder attention, layer 4, mean of 8 heads"
QString shownName(const ComparedMap& map)
{
    if (!map.site)
        return {};
    if (map.heads > 1 && map.site->stage == Stage::Cross) // in few words: there is little room above a map
        return QObject::tr("encoder-decoder attention, layer %1, mean of %2 heads")
            .arg(QString::number(map.site->layer), QString::number(map.heads));
    const QString name = siteName(*map.site, map.kind);
    return map.heads > 1 ? name + QStringLiteral(", ") + headName(meanOfHeads, map.heads) : name;
}

QString whyEmpty(const ComparedMap& map, NotRun others)
{
    switch (map.state) {
    case ComparedState::Waiting:
        return others == NotRun::Cancelled ? QObject::tr("Not run: the comparison was cancelled")
                                           : QObject::tr("Not run yet");
    case ComparedState::Refused:
        return text(map.problem);
    case ComparedState::Done:
        break;
    }
    return map.site ? QString() : QObject::tr("No attention: the decoder has one vector for the whole sentence");
}

MatrixContent contentOf(const ComparedMap& map, const QStringList& columns, double most, const FigureSpec& look)
{
    MatrixContent content;
    content.title = {text(map.name), shownName(map)};
    content.map.numbers = map.map;
    content.rowLabels = readable(map.words);
    content.columnLabels = columns;
    content.rowAxis = QObject::tr("output");
    content.columnAxis = QObject::tr("source");
    content.valueName = QObject::tr("attention weight");
    setScale(content, look, most);
    content.bar = false; // one stands beside all
    content.description = content.title.title + QStringLiteral(": ") + content.title.subtitle + QLatin1Char('.');
    return content;
}

std::vector<Paragraph> textsOf(const ComparedMap& map)
{
    if (map.tokens == 0)
        return {};
    const double each = map.logProbability / map.tokens;
    return {{text(map.output), Paragraph::Kind::Plain},
            {QObject::tr("log p = %1, %2 per token").arg(decimal(map.logProbability, 2), decimal(each, 3)),
             Paragraph::Kind::Muted}};
}

// Text in the place of a model without a map: why, and what it wrote.
std::vector<Paragraph> comparisonRow(const ComparedMap& map, NotRun others)
{
    std::vector<Paragraph> said{{text(map.name), Paragraph::Kind::Title},
                                {whyEmpty(map, others), Paragraph::Kind::Muted}};
    std::ranges::move(textsOf(map), std::back_inserter(said));
    return said;
}

using RowTable = ComparisonPicture::RowTable;

RowTable matchingRows(const std::vector<const ComparedMap*>& maps)
{
    const std::size_t count = maps.size();
    RowTable table(count, std::vector<std::vector<std::optional<int>>>(count));
    for (std::size_t from = 0; from < count; ++from) {
        for (std::size_t to = 0; to < count; ++to) {
            if (from == to)
                continue;
            ThreadStop::check();
            auto& rows = table[from][to];
            rows.resize(maps[from]->words.size());
            for (const PairedPlace& row : pairedRows(*maps[from], *maps[to])) {
                if (row.isPaired())
                    rows[static_cast<std::size_t>(*row.here)] = row.there;
            }
        }
    }
    return table;
}

// The same source word everywhere, the same output word where a model writes it.
Highlight spread(const RowTable& rows, int panel, const Highlight& highlight)
{
    const auto to = static_cast<std::size_t>(panel);
    const auto from = static_cast<std::size_t>(highlight.panel.value_or(0));
    if (from == to || to >= rows.size() || from >= rows.size())
        return highlight;
    Highlight marks = highlight;
    const auto row = static_cast<std::size_t>(highlight.row.value_or(0));
    marks.row = highlight.row && row < rows[from][to].size() ? rows[from][to][row] : std::nullopt;
    return marks;
}

QString whyNoDifference(const ComparedMap& a, const ComparedMap& b)
{
    for (const ComparedMap* map : {&a, &b}) {
        if (map->map.rows == 0)
            return text(map->name) + QStringLiteral(": ") + whyEmpty(*map, NotRun::Yet);
    }
    if (a.writes && b.writes)
        return QObject::tr("These two wrote no word in common: tick “All write what the first one writes”.");
    return QObject::tr("The rows of these two have no word in common.");
}

double scaleEnd(const Comparison& comparison, const FigureSpec& look)
{
    RangeEnd end(look.clip);
    for (const ComparedMap& map : comparison.maps)
        end.add(Map{.numbers = map.map}, RangeWithout::Nothing);
    return end.value();
}

QByteArray cellsCsv(const QString& name, const QStringList& rows, const QStringList& columns, const Numbers& map)
{
    QString text;
    for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns; ++column) {
            text += csvField(name) + QLatin1Char(',') + csvField(rows.value(row)) + QLatin1Char(',')
                + csvField(columns.value(column)) + QLatin1Char(',')
                + (std::isnan(map.at(row, column)) ? QString() : csvNumber(static_cast<double>(map.at(row, column))))
                + QStringLiteral("\r\n");
        }
    }
    return text.toUtf8();
}

} // namespace

int leastHeight(const Comparison& comparison, int width)
{
    constexpr int line = 16;
    constexpr int besideRows = 150; // titles and column labels
    constexpr int textRow = 100; // of a model without a map
    constexpr int charactersInLine = 60;
    constexpr int highest = 6000;
    int height = 0;
    int texts = 0;
    int maps = 0;
    for (const ComparedMap& map : comparison.maps) {
        const int lines = 2 + static_cast<int>(map.output.size()) / charactersInLine;
        if (map.map.rows == 0) {
            texts += textRow;
            continue;
        }
        ++maps;
        height = std::max(height, besideRows + line * (map.map.rows + lines));
    }
    return std::min(highest, texts + height * (maps > mapsInRow(maps, width) ? 2 : 1));
}

std::size_t drawingCost(const Comparison& comparison)
{
    std::size_t cells = 0;
    std::size_t rows = 0;
    for (const ComparedMap& map : comparison.maps) {
        cells += map.map.values.size();
        rows += map.words.size();
    }
    return cells + rows * rows; // which are paired
}

namespace {

// Maps beside each other, two in a row where they would be too narrow, with what was written right below each.
class MapGrid
{
public:
    // most: the end of the colour scale.
    MapGrid(const std::vector<ComparisonPicture::Map>& maps, double most, const FigureSpec& look)
        : m_maps(maps)
        , m_look(look)
        , m_style(look)
    {
        m_bar.scale = scaleTo(m_look, roundEnd(m_look, most), false);
        m_bar.name = QObject::tr("attention weight");
        m_bar.notes = scaleNotes(m_look);
        if (m_look.range.of == ColorRange::Of::Row) {
            m_bar.scale = {0, 1, m_look.scale};
            m_bar.name = QObject::tr("share of the largest of the row");
            m_bar.shares = true;
        }
    }

    // From `top` down in this size; as high as it wants to be without a height. Maps before texts.
    std::vector<Panel> layOut(double top, QSizeF size)
    {
        const auto count = static_cast<int>(m_maps.size());
        const double barRoom = m_maps.empty() ? 0 : colorBarWidth + m_bar.labelRoom(m_style) + barMargin;
        const double across = size.width() - barRoom;
        const int inRow = mapsInRow(count, size.width());
        const int down = (count + inRow - 1) / inRow;
        m_width = across / inRow;
        m_bottom = top;
        for (int first = 0; first < count; first += inRow)
            addRow(first, std::min(count, first + inRow), size.height() > 0 ? size.height() / down : 0);
        std::ranges::move(m_texts, std::back_inserter(m_panels));
        return std::move(m_panels);
    }

    double bottom() const { return m_bottom; }
    // One for all, right of the first row.
    const ColorBar& bar() const { return m_bar; }

private:
    static constexpr double barMargin = 12;

    void addRow(int first, int end, double height)
    {
        std::vector<std::unique_ptr<TextFigure>> texts;
        double textHeight = 0;
        for (int i = first; i < end; ++i) {
            texts.push_back(
                std::make_unique<TextFigure>(m_look, m_maps[static_cast<std::size_t>(i)].text, QSizeF(m_width, 0)));
            textHeight = std::max(textHeight, texts.back()->size().height());
        }
        const double room = height > 0 ? std::max(140.0, height - textHeight) : 0;
        const double top = m_bottom;
        for (int i = first; i < end; ++i) {
            auto map = std::make_unique<MatrixFigure>(m_look, m_maps[static_cast<std::size_t>(i)].cells, QRectF(),
                                                      QSizeF(m_width, room));
            const double left = (i - first) * m_width;
            const double under = top + map->cellsRect().bottom() + 4;
            if (m_bar.box.isNull())
                m_bar.box = QRectF((end - first) * m_width, top + map->cellsRect().top(), colorBarWidth,
                                   std::clamp(map->cellsRect().height(), 70.0, 240.0));
            auto& text = texts[static_cast<std::size_t>(i - first)];
            m_bottom = std::max(m_bottom, under + text->size().height());
            m_panels.push_back({std::move(map), QPointF(left, top)});
            m_texts.push_back({std::move(text), QPointF(left, under)});
        }
        if (height > 0)
            m_bottom = std::max(m_bottom, top + height);
    }

    const std::vector<ComparisonPicture::Map>& m_maps;
    const FigureSpec& m_look;
    FigureStyle m_style;
    ColorBar m_bar;
    double m_width = 0;
    double m_bottom = 0;
    std::vector<Panel> m_panels;
    std::vector<Panel> m_texts;
};

// A colour bar as a figure of its own.
class BarFigure final : public Figure
{
public:
    BarFigure(const FigureSpec& look, ColorBar bar)
        : m_style(look)
        , m_bar(std::move(bar))
        , m_size(m_bar.box.width() + m_bar.labelRoom(m_style), m_bar.box.height() + 2 * edge)
    {
        m_bar.box.moveTopLeft({0, edge});
    }

    static constexpr double edge = 10; // half of a tick's text

    QSizeF size() const override { return m_size; }
    void paint(QPainter& painter, const Highlight&) const override { m_bar.paint(painter, m_style); }
    QString description() const override { return {}; }

private:
    FigureStyle m_style;
    ColorBar m_bar;
    QSizeF m_size;
};

} // namespace

ComparisonPicture::ComparisonPicture(const Comparison& comparison, const FigureSpec& look, NotRun others)
    : m_look(look)
    , m_most(scaleEnd(comparison, look))
{
    const QStringList columns = columnLabels(comparison);
    std::vector<const ComparedMap*> drawn;
    for (const ComparedMap& map : comparison.maps) {
        ThreadStop::check();
        if (map.map.rows == 0) {
            m_rows.push_back(comparisonRow(map, others));
            continue;
        }
        drawn.push_back(&map);
        m_maps.push_back(
            {std::make_shared<const MatrixCells>(look, contentOf(map, columns, m_most, look), FigureStyle(look)),
             textsOf(map)});
    }
    m_matching = std::make_shared<const RowTable>(matchingRows(drawn));
}

std::unique_ptr<const PanelFigure> ComparisonPicture::layOut(QSizeF size) const
{
    std::vector<Panel> rows;
    double top = 0;
    for (const std::vector<Paragraph>& row : m_rows) {
        rows.push_back({std::make_unique<TextFigure>(m_look, row, QSizeF(size.width(), 0)), QPointF(0, top)});
        top += rows.back().figure->size().height() + 4;
    }
    const bool natural = size.height() <= 0;
    MapGrid grid(m_maps, m_most, m_look);
    std::vector<Panel> panels = grid.layOut(top, {size.width(), natural ? 0 : std::max(1.0, size.height() - top)});
    std::ranges::move(rows, std::back_inserter(panels));
    if (!m_maps.empty())
        panels.push_back(
            {std::make_unique<BarFigure>(m_look, grid.bar()), grid.bar().box.topLeft() - QPointF(0, BarFigure::edge)});
    return std::make_unique<PanelFigure>(
        std::move(panels), QSizeF(size.width(), natural ? grid.bottom() : size.height()),
        themeColors(m_look.theme).background,
        [table = m_matching](int panel, const Highlight& marks) { return spread(*table, panel, marks); });
}

std::unique_ptr<const Figure> layOutDifference(const Comparison& comparison,
                                               const std::shared_ptr<const ComparedDifference>& difference,
                                               const FigureSpec& look, QSizeF size)
{
    const Numbers& map = difference->map;
    const ComparedMap& a = comparison.maps.at(static_cast<std::size_t>(difference->first));
    const ComparedMap& b = comparison.maps.at(static_cast<std::size_t>(difference->second));
    MatrixContent content;
    content.title = {text(a.name) + QStringLiteral(" \u2212 ") + text(b.name),
                     QObject::tr("hatched: words that only one of them writes")};
    PairedPlaces columns;
    for (int column = 0; column < map.columns; ++column)
        columns.push_back({column, column});
    if (map.rows > 0)
        content.map = attn::difference({.numbers = a.map}, {.numbers = b.map}, difference->rows, columns);
    content.cellText = [difference](int row, int column) {
        return difference->rows[static_cast<std::size_t>(row)].isPaired()
            ? signedDecimal(static_cast<double>(difference->map.at(row, column)), 4)
            : QObject::tr("only one of them writes this");
    };
    content.rowLabels = readable(difference->words);
    content.columnLabels = columnLabels(comparison);
    content.rowAxis = QObject::tr("output");
    content.columnAxis = QObject::tr("source");
    content.valueName = QObject::tr("difference of weights");
    setScale(content, look, largestMagnitude(map.values));
    if (map.rows == 0)
        content.empty = whyNoDifference(a, b);
    content.description = content.title.title + QStringLiteral(". ") + content.empty;
    FigureSpec diverging = look;
    diverging.colorMap = differenceColors(look.theme);
    return std::make_unique<MatrixFigure>(diverging, std::move(content), size);
}

QByteArray comparisonCsv(const Comparison& comparison)
{
    QByteArray bytes = "model,output word,source word,weight\r\n";
    for (const ComparedMap& map : comparison.maps)
        bytes += cellsCsv(text(map.name), readable(map.words), columnLabels(comparison), map.map);
    return bytes;
}

QByteArray differenceCsv(const Comparison& comparison, const ComparedDifference& difference)
{
    const QString names = text(comparison.maps.at(static_cast<std::size_t>(difference.first)).name)
        + QStringLiteral(" - ") + text(comparison.maps.at(static_cast<std::size_t>(difference.second)).name);
    return "models,output word,source word,difference\r\n"
        + cellsCsv(names, readable(difference.words), columnLabels(comparison), difference.map);
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/comparison.h"

#include "analysis/map_difference.h"
#include "analysis/word_grid.h"
#include "analysis/words.h"
#include "base/error.h"
#include "figures/color_scale.h"
#include "figures/csv_field.h"
#include "figures/decimal.h"
#include "figures/matrix_figure.h"
#include "figures/shown_matrix.h"
#include "figures/text_figure.h"
#include "figures/theme.h"
#include "figures/token_label.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

namespace attn::ui {

namespace {

constexpr double leastWidth = 330; // pixels of a map; narrower ones stand in two rows

std::vector<std::string> utf8(const QStringList& words)
{
    std::vector<std::string> result;
    for (const QString& word : words)
        result.push_back(word.toStdString());
    return result;
}

std::vector<std::pair<int, int>> commonRows(const ComparedMap& a, const ComparedMap& b)
{
    return commonWords(utf8(a.words), utf8(b.words));
}

ComparedMap mapOf(const ComparedRun& run, const WordGrid& grid)
{
    ComparedMap result;
    result.name = run.name;
    result.empty = run.problem;
    if (!run.trace)
        return result;
    const Trace& trace = *run.trace;
    result.writes = trace.kind() == ModelKind::EncoderDecoder;
    if (const auto& summary = trace.summary(); summary && result.writes) {
        result.output = QString::fromStdString(trace.target().text);
        for (const auto& step : trace.path()) {
            result.logProbability += static_cast<double>(step->step.logProbability);
            ++result.tokens;
        }
    }
    if (const auto& classes = trace.classification()) {
        const auto best = static_cast<std::size_t>(classes->best());
        result.output = QString::fromStdString(classes->labels.at(best));
        result.logProbability = std::log(static_cast<double>(classes->probabilities.at(best)));
        result.tokens = 1;
    }
    if (!run.site) {
        result.empty = QObject::tr("No attention: the decoder has one vector for the whole sentence");
        return result;
    }
    const int heads = trace.heads(*run.site);
    const HeadChoice head = heads == 1 ? HeadChoice(0) : HeadChoice(HeadSummary::Mean);
    result.shown = siteName(*run.site, trace.kind());
    if (heads > 1)
        result.shown += QStringLiteral(", ") + headName(head, heads);
    const AttentionMatrix map = trace.matrix(*run.site, head);
    const auto rows = wordAxis(trace.rowTokens(*run.site));
    std::vector<AxisGroup> columns;
    for (int column = 0; column < map.columns; ++column)
        columns.push_back({{}, column, 1});
    result.map = ontoGrid(merge(map, rows, columns), trace.columnTokens(*run.site), grid);
    for (const AxisGroup& row : rows)
        result.words << readableToken(row.label);
    return result;
}

MatrixContent contentOf(const ComparedMap& map, const QStringList& columns, double most)
{
    MatrixContent content;
    content.title = {map.name, map.shown};
    content.matrix = map.map;
    content.rowLabels = map.words;
    content.columnLabels = columns;
    content.rowAxis = QObject::tr("output");
    content.columnAxis = QObject::tr("source");
    content.valueName = QObject::tr("attention weight");
    content.most = most;
    content.empty = map.empty;
    content.description =
        map.name + QStringLiteral(": ") + (map.empty.isEmpty() ? map.shown : map.empty) + QStringLiteral(".");
    return content;
}

std::unique_ptr<const Figure> mapFigure(const ComparedMap& map, const QStringList& columns, double most,
                                        const FigureSpec& look, QSizeF size)
{
    if (map.map.rows > 0)
        return std::make_unique<MatrixFigure>(look, contentOf(map, columns, most), size);
    const std::vector<Paragraph> said{{map.name, Paragraph::Kind::Strong}, {map.empty, Paragraph::Kind::Plain}};
    return std::make_unique<TextFigure>(look, said, size);
}

std::vector<Paragraph> textsOf(const ComparedMap& map)
{
    if (map.tokens == 0)
        return {};
    const double each = map.logProbability / map.tokens;
    return {{map.output, Paragraph::Kind::Plain},
            {QObject::tr("log p = %1, %2 per token").arg(decimal(map.logProbability, 2), decimal(each, 3)),
             Paragraph::Kind::Muted}};
}

// For every panel, which of its rows has the word of a row in another one; -1: none.
using RowTable = std::vector<std::vector<std::vector<int>>>; // [from][to][row]

RowTable matchingRows(const Comparison& comparison)
{
    const std::size_t count = comparison.maps.size();
    RowTable table(count, std::vector<std::vector<int>>(count));
    for (std::size_t from = 0; from < count; ++from) {
        for (std::size_t to = 0; to < count; ++to) {
            auto& rows = table[from][to];
            rows.assign(static_cast<std::size_t>(comparison.maps[from].words.size()), -1);
            for (const auto& [a, b] : commonRows(comparison.maps[from], comparison.maps[to]))
                rows[static_cast<std::size_t>(a)] = b;
        }
    }
    return table;
}

// The same source word everywhere, the same output word where a model writes it.
Highlight spread(const RowTable& rows, int panel, const Highlight& highlight)
{
    const auto to = static_cast<std::size_t>(panel);
    const auto from = static_cast<std::size_t>(std::max(0, highlight.panel));
    if (from == to || to >= rows.size() || from >= rows.size())
        return highlight;
    Highlight marks = highlight;
    const auto row = static_cast<std::size_t>(std::max(0, highlight.row));
    marks.row = highlight.row >= 0 && row < rows[from][to].size() ? rows[from][to][row] : -1;
    return marks;
}

QString whyNoDifference(const ComparedMap& a, const ComparedMap& b)
{
    for (const ComparedMap* map : {&a, &b}) {
        if (map->map.rows == 0)
            return map->name + QStringLiteral(": ") + map->empty;
    }
    if (a.writes && b.writes)
        return QObject::tr("These two wrote no word in common: tick “All write what the first one writes”.");
    return QObject::tr("The rows of these two have no word in common.");
}

double scaleEnd(const Comparison& comparison)
{
    double most = 0;
    for (const ComparedMap& map : comparison.maps)
        most = std::max(most, weightScaleEnd(map.map.values));
    return most;
}

QByteArray cellsCsv(const QString& name, const QStringList& rows, const QStringList& columns,
                    const AttentionMatrix& map)
{
    QString text;
    for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns; ++column) {
            text += csvField(name) + QLatin1Char(',') + csvField(rows.value(row)) + QLatin1Char(',')
                + csvField(columns.value(column)) + QLatin1Char(',')
                + QString::number(static_cast<double>(map.at(row, column)), 'g', 9) + QStringLiteral("\r\n");
        }
    }
    return text.toUtf8();
}

} // namespace

Comparison comparisonOf(const std::vector<ComparedRun>& runs)
{
    std::vector<Encoding> encodings;
    for (const ComparedRun& run : runs) {
        if (run.trace)
            encodings.push_back(run.site ? run.trace->columnTokens(*run.site) : run.trace->source());
    }
    std::vector<const Encoding*> pointers;
    for (const Encoding& encoding : encodings)
        pointers.push_back(&encoding);
    const WordGrid grid = commonWordGrid(pointers);
    Comparison comparison;
    for (const std::string& label : grid.labels)
        comparison.columns << readableToken(label);
    if (grid.others)
        comparison.columns << QObject::tr("(special)");
    for (const ComparedRun& run : runs)
        comparison.maps.push_back(mapOf(run, grid));
    return comparison;
}

ComparedDifference differenceOf(const Comparison& comparison, int first, int second)
{
    const ComparedMap& a = comparison.maps.at(static_cast<std::size_t>(first));
    const ComparedMap& b = comparison.maps.at(static_cast<std::size_t>(second));
    if (a.map.rows == 0 || b.map.rows == 0)
        return {};
    const auto pairs = commonRows(a, b);
    ComparedDifference difference;
    for (const auto& pair : pairs)
        difference.words << a.words.value(pair.first);
    difference.map = mapDifference(a.map, b.map, pairs);
    difference.variation = meanVariation(difference.map);
    return difference;
}

int leastHeight(const Comparison& comparison)
{
    constexpr int line = 16;
    constexpr int besideRows = 150; // titles and column labels
    constexpr int charactersInLine = 60;
    constexpr int highest = 6000;
    int height = 0;
    for (const ComparedMap& map : comparison.maps)
        height = std::max(
            height, besideRows + line * (map.map.rows + 2 + static_cast<int>(map.output.size()) / charactersInLine));
    return std::min(highest, height * (comparison.maps.size() > 2 ? 2 : 1));
}

std::unique_ptr<const PanelFigure> layOutComparison(const Comparison& comparison, const FigureSpec& look, QSizeF size)
{
    const auto count = static_cast<int>(comparison.maps.size());
    const bool tight = count > 2 && size.width() / count < leastWidth;
    const int across = tight ? 2 : std::max(1, count);
    const int down = (count + across - 1) / across;
    const double width = size.width() / across;
    const bool natural = size.height() <= 0;
    const double most = scaleEnd(comparison);
    std::vector<Panel> maps;
    std::vector<Panel> texts;
    double top = 0;
    for (int first = 0; first < count; first += across) {
        double textHeight = 0;
        double mapHeight = 0;
        for (int i = first; i < std::min(count, first + across); ++i) {
            auto text = std::make_unique<TextFigure>(look, textsOf(comparison.maps[static_cast<std::size_t>(i)]),
                                                     QSizeF(width, 0));
            textHeight = std::max(textHeight, text->size().height());
            texts.push_back({std::move(text), {}});
        }
        const double room = natural ? 0 : std::max(140.0, size.height() / down - textHeight);
        for (int i = first; i < std::min(count, first + across); ++i) {
            auto map = mapFigure(comparison.maps[static_cast<std::size_t>(i)], comparison.columns, most, look,
                                 QSizeF(width, room));
            mapHeight = std::max(mapHeight, map->size().height());
            maps.push_back({std::move(map), QPointF((i - first) * width, top)});
        }
        for (int i = first; i < std::min(count, first + across); ++i)
            texts[static_cast<std::size_t>(i)].origin = QPointF((i - first) * width, top + mapHeight);
        top += mapHeight + textHeight;
    }
    std::ranges::move(texts, std::back_inserter(maps));
    return std::make_unique<PanelFigure>(
        std::move(maps), QSizeF(size.width(), natural ? top : size.height()), themeColors(look.theme).background,
        [rows = matchingRows(comparison)](int panel, const Highlight& marks) { return spread(rows, panel, marks); });
}

std::unique_ptr<const Figure> layOutDifference(const Comparison& comparison, int first, int second,
                                               const FigureSpec& look, QSizeF size)
{
    const ComparedDifference difference = differenceOf(comparison, first, second);
    const QString a = comparison.maps.at(static_cast<std::size_t>(first)).name;
    const QString b = comparison.maps.at(static_cast<std::size_t>(second)).name;
    MatrixContent content;
    content.title = {a + QStringLiteral(" \u2212 ") + b, QObject::tr("rows: the words that both write")};
    content.matrix = difference.map;
    content.rowLabels = difference.words;
    content.columnLabels = comparison.columns;
    content.rowAxis = QObject::tr("output");
    content.columnAxis = QObject::tr("source");
    content.valueName = QObject::tr("difference of weights");
    double largest = 0;
    for (const float value : difference.map.values)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    content.most = largest > 0 ? largest : 1;
    content.least = -content.most;
    if (difference.map.rows == 0)
        content.empty = whyNoDifference(comparison.maps.at(static_cast<std::size_t>(first)),
                                        comparison.maps.at(static_cast<std::size_t>(second)));
    content.description = content.title.title + QStringLiteral(". ") + content.empty;
    FigureSpec diverging = look;
    diverging.colorMap = ColorMapName::Diverging;
    return std::make_unique<MatrixFigure>(diverging, std::move(content), size);
}

QByteArray comparisonCsv(const Comparison& comparison)
{
    QByteArray bytes = "model,output word,source word,weight\r\n";
    for (const ComparedMap& map : comparison.maps)
        bytes += cellsCsv(map.name, map.words, comparison.columns, map.map);
    return bytes;
}

QByteArray differenceCsv(const Comparison& comparison, int first, int second)
{
    const ComparedDifference difference = differenceOf(comparison, first, second);
    const QString names = comparison.maps.at(static_cast<std::size_t>(first)).name + QStringLiteral(" - ")
        + comparison.maps.at(static_cast<std::size_t>(second)).name;
    return "models,output word,source word,difference\r\n"
        + cellsCsv(names, difference.words, comparison.columns, difference.map);
}

} // namespace attn::ui

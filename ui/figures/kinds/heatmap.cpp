// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_range.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "figures/parts/matrix_figure.h"
#include "trace/site.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

namespace attn::ui {

namespace {

// Whether a decoder's words are read, and not written.
bool onlyReads(const FigureSpec& spec, const Trace& trace)
{
    return spec.site.stage == Stage::Decoder
        && (trace.provenance().towers || (trace.continuesSource() && !trace.writesOn()));
}

// Meaning of a decoder's rows, which their labels do not say.
QString rowNote(const FigureSpec& spec, const Trace& trace)
{
    const bool writes = !trace.stepsAreTokens() && trace.hasRowsOfSteps(spec.site) && !onlyReads(spec, trace);
    return writes ? Figure::tr("the step that writes it") : QString();
}

// Name of an axis whose entries are no tokens; else the one given.
QString axisName(AttentionAxis axis, const QString& otherwise)
{
    return axis == AttentionAxis::Text     ? Figure::tr("text")
        : axis == AttentionAxis::Hops      ? Figure::tr("hop")
        : axis == AttentionAxis::Sentences ? Figure::tr("sentence")
                                           : otherwise;
}

// Cells that are shown where words are merged or left out.
std::vector<GoldCell> shownLinks(const FigureSpec& spec, const Trace& trace, const Map& map)
{
    std::vector<GoldCell> shown;
    if (!spec.gold || spec.site.stage != Stage::Cross)
        return shown;
    for (const GoldCell& cell : goldCells(*spec.gold, trace.target(spec.leaf), trace.source())) {
        const auto row = map.rows.indexOf(cell.row);
        const auto column = map.columns.indexOf(cell.column);
        if (!row || !column)
            continue;
        const auto same = std::ranges::find_if(
            shown, [&](const GoldCell& other) { return other.row == *row && other.column == *column; });
        if (same == shown.end())
            shown.push_back({*row, *column, cell.sure});
        else
            same->sure = same->sure || cell.sure;
    }
    return shown;
}

QString describe(const MatrixContent& content)
{
    const auto largest = content.map.largest();
    const bool ofTwo = content.map.isDifference();
    if (!largest && ofTwo)
        return Figure::tr("%1: the two have no numbers in common.").arg(content.title.title);
    if (!largest)
        return Figure::tr("%1 (%2 rows, %3 columns): no weight is a number.")
            .arg(content.title.title, QString::number(content.rows()), QString::number(content.columns()));
    const auto edited = content.map.count(CellState::Edited) + content.map.count(CellState::Hidden);
    const QString marks = edited == 0 ? QString() : Figure::tr(" %1 cells are edited.").arg(edited);
    const QString sentence = ofTwo ? Figure::tr("%1 (%2 rows, %3 columns): the largest difference, %4, is of %5 on %6.")
                                   : Figure::tr("%1 (%2 rows, %3 columns): the largest weight, %4, is of %5 on %6.");
    return sentence.arg(content.title.title, QString::number(content.rows()), QString::number(content.columns()),
                        content.decimalOf(content.map.at(largest->first, largest->second), 2),
                        content.rowLabels.value(largest->first), content.columnLabels.value(largest->second))
        + marks;
}

// Texts of a difference.
void sayOfTwoRuns(MatrixContent& content)
{
    content.cellText = [map = std::make_shared<const Map>(content.map)](int row, int column) {
        return differenceText(*map, row, column);
    };
    content.moreName = Figure::tr("more in the first");
    content.lessName = Figure::tr("more in the second");
}

// Notes, roles and links, which a difference lacks.
void sayOfOneRun(MatrixContent& content, const FigureSpec& spec, const Trace& trace)
{
    const Map& map = content.map;
    content.rowNote = rowNote(spec, trace);
    content.queries = rowQueries(spec, trace, map.rows);
    const bool named = spec.site.stage == Stage::Encoder || onlyReads(spec, trace);
    if (named && map.rows.kind == AttentionAxis::Tokens)
        content.rowRole = AttentionRole::Query;
    if ((named || trace.continuesSource()) && map.columns.kind == AttentionAxis::Tokens)
        content.columnRole = AttentionRole::Key;
    if (spec.computedReading() == nullptr)
        content.zeroRowText = !map.isFiltered ? Figure::tr("attends to nothing")
            : hidesSpecials(spec.mapSpec(), trace) && !spec.columns && !shownTexts(spec.mapSpec(), trace)
            ? Figure::tr("attends to special tokens, which are hidden")
            : Figure::tr("attends to none of these");
    content.hasMargins = true;
    content.moreName = Figure::tr("for");
    content.lessName = Figure::tr("against");
    content.links = shownLinks(spec, trace, map);
}

} // namespace

std::pair<QString, QString> axisTitles(const FigureSpec& spec, const Trace& trace)
{
    const SiteNames& names = siteNames(spec.site.stage, trace.kind(), onlyReads(spec, trace));
    const bool ofSource = spec.site.stage != Stage::Decoder;
    const auto source = [&](const char* name) { return withUnit(translated(name), trace.source()); };
    return {spec.site.stage == Stage::Pooling
                ? translated(names.rows)
                : axisName(trace.rowAxis(spec.site),
                           spec.site.stage == Stage::Encoder ? source(names.rows) : translated(names.rows)),
            axisName(trace.columnAxis(spec.site), ofSource ? source(names.columns) : translated(names.columns))};
}

MatrixContent heatmapContent(const FigureSpec& spec, const Trace& trace)
{
    MatrixContent content;
    content.title = differenceTitle(figureTitle(spec, trace), spec, trace);
    content.map = spec.shownRuns(trace).map(spec.mapSpec());
    const Map& map = content.map;
    content.empty = missingText(map, spec, trace);
    content.description = content.empty;
    if (map.numbers.empty())
        return content;
    content.firstGenerated = trace.firstGenerated();
    content.rowLabels =
        spec.site.stage == Stage::Pooling ? QStringList(Figure::tr("picture")) : axisLabels(map, TokenSide::Rows);
    content.columnLabels = axisLabels(map, TokenSide::Columns);
    std::tie(content.rowAxis, content.columnAxis) = axisTitles(spec, trace);
    if (map.isDifference())
        sayOfTwoRuns(content);
    else
        sayOfOneRun(content, spec, trace);
    content.valueName = valueName(spec);
    setRange(content, spec, trace);
    if (map.hasLone())
        content.title.subtitle += Figure::tr(" \u00B7 hatched: in one of the two only");
    content.markedRow = stepRow(spec, trace, map);
    content.written = writtenPart(spec, trace, map);
    content.description = describe(content);
    return content;
}

const FigureKind heatmapKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<MatrixFigure>(spec, heatmapContent(spec, trace), size);
    },
    .numbers = heatmapContent,
    .zooms = true,
    .cost = shownMapCost};

} // namespace attn::ui

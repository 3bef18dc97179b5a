// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_difference.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_range.h"
#include "figures/look/decimal.h"
#include "figures/parts/matrix_figure.h"
#include "maps/map_range.h"

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

// Experts of a layer, up to the highest that was chosen in any: a trace knows no others.
int expertCount(const Trace& trace, std::optional<StepId> leaf)
{
    int count = 0;
    for (const Site& site : trace.sites()) {
        for (const ChosenExperts& row : trace.experts(site.layer, leaf)) {
            for (const int id : row.ids)
                count = std::max(count, id + 1);
        }
    }
    return count;
}

// Rows are those of the layer's attention, columns some of the experts; those that were not chosen are blank.
Map expertsMap(const FigureSpec& spec, const Trace& trace, const ShownSpan& columns)
{
    FigureSpec ofRows = spec;
    ofRows.head = 0;
    ofRows.columns.reset();
    Map map = mapAxes(trace, ofRows.mapSpec());
    map.columns = {};
    const std::vector<ChosenExperts> chosen = trace.experts(spec.site.layer, spec.leaf);
    if (map.lack != MapLack::Nothing || chosen.empty())
        return map;
    map.numbers = Numbers::zeros(1, indexSize(map.rows.groups), columns.last - columns.first + 1);
    map.states.assign(map.numbers.values.size(), CellState::Blank);
    for (Index row = 0; row < map.numbers.rows; ++row) {
        const AxisGroup& group = map.rows.groups[static_cast<std::size_t>(row)];
        for (int token = group.first; token < std::min(group.first + group.count, indexSize(chosen)); ++token) {
            const auto& [ids, weights] = chosen[static_cast<std::size_t>(token)];
            for (std::size_t place = 0; place < ids.size(); ++place) {
                const Index column = ids[place] - columns.first;
                if (column < 0 || ids[place] > columns.last)
                    continue;
                map.numbers.at(row, column) += weights[place] / static_cast<float>(group.count);
                map.states[static_cast<std::size_t>(std::ptrdiff_t{row} * map.numbers.columns + column)] =
                    CellState::Plain;
            }
        }
    }
    return map;
}

// The experts that the spec asks for.
ShownSpan shownExperts(const FigureSpec& spec, int experts)
{
    const ShownSpan span = spec.columns.value_or(ShownSpan{0, experts - 1});
    const int first = std::min(span.first, experts - 1);
    return {first, std::clamp(span.last, first, experts - 1)};
}

Map expertsDifference(const FigureSpec& spec, const Trace& trace, const ShownSpan& columns)
{
    FigureSpec ofRows = spec;
    ofRows.head = 0;
    ofRows.columns.reset();
    FigureSpec whole = ofRows;
    whole.rows.reset();
    PairedPlaces pairs;
    for (Index column = 0; column <= columns.last - columns.first; ++column)
        pairs.push_back({column, column});
    return difference(expertsMap(whole, trace, columns), expertsMap(specOfOther(whole), spec.against->trace, columns),
                      ofRows.shownRuns(trace).axes(ofRows.mapSpec()).rows.pairs, std::move(pairs));
}

QString whyNoExperts(Site site, const Trace& trace)
{
    for (const Site& other : trace.sites()) {
        if (!trace.experts(other.layer).empty())
            return Figure::tr("Layer %1 has no experts: layer %2 is the first that has some")
                .arg(site.layer)
                .arg(other.layer);
    }
    return Figure::tr("This model has no experts");
}

QString describeExperts(const MatrixContent& content)
{
    std::vector<int> tokens(static_cast<std::size_t>(content.columns())); // that each expert works on
    for (int row = 0; row < content.rows(); ++row) {
        for (int column = 0; column < content.columns(); ++column)
            tokens[static_cast<std::size_t>(column)] += content.map.hasNumber(row, column) ? 1 : 0;
    }
    const auto most = std::ranges::max_element(tokens);
    return Figure::tr("%1 (%2 rows, %3 experts): expert %4 works on most rows, %5.")
        .arg(content.title.title, QString::number(content.rows()), QString::number(content.columns()),
             content.columnLabels.value(most - tokens.begin()), QString::number(*most));
}

MatrixContent expertsContent(const FigureSpec& spec, const Trace& trace)
{
    MatrixContent content;
    FigureSpec titled = spec;
    titled.head = 0;
    if (spec.title.isEmpty())
        titled.title = titleOfRun(Figure::tr("Experts"), trace);
    content.title = differenceTitle(figureTitle(titled, trace), spec, trace);
    const int experts =
        std::max(expertCount(trace, spec.leaf), spec.against ? expertCount(spec.against->trace, {}) : 0);
    const ShownSpan columns = shownExperts(spec, std::max(experts, 1));
    content.map = spec.against ? expertsDifference(spec, trace, columns) : expertsMap(spec, trace, columns);
    Map& map = content.map;
    if (map.numbers.empty()) {
        const Missing missing = missingMap(map, spec, trace);
        content.empty =
            missing == Missing::Nothing ? whyNoExperts(spec.site, trace) : missingText(missing, spec, trace);
        content.description = content.empty;
        return content;
    }
    for (int expert = columns.first; expert <= columns.last; ++expert)
        content.columnLabels << QString::number(expert);
    content.rowLabels = axisLabels(map, TokenSide::Rows);
    if (map.isDifference()) {
        content.valueName = Figure::tr("difference of weights");
        content.cellText = [map](int row, int column) { return differenceText(map, row, column); };
    } else {
        content.queries = rowQueries(spec, trace, map.rows);
        content.valueName = Figure::tr("weight of the expert");
        const auto ofToken = trace.experts(spec.site.layer, spec.leaf).front().ids.size();
        content.title.subtitle += QStringLiteral(" \u00B7 ") + Figure::tr("%1 experts for each token").arg(ofToken);
    }
    content.blankText = Figure::tr("not chosen");
    content.firstGenerated = trace.firstGenerated();
    content.numbersColumns = true;
    content.hasMargins = true;
    content.rowAxis = trace.writesOn() ? axisTitles(spec, trace).first : Figure::tr("token");
    content.columnAxis = Figure::tr("expert");
    RangeEnd end(spec.clip);
    end.add(map, RangeWithout::Nothing);
    setScale(content, spec, end.value());
    content.markedRow = stepRow(spec, trace, map);
    content.description = describeExperts(content);
    return content;
}

} // namespace

// The experts that each token went to in a layer, and their weights.
extern const FigureKind expertsKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<MatrixFigure>(spec, expertsContent(spec, trace), size);
    },
    .numbers = expertsContent,
    .zooms = true,
    .drawsExperts = true,
    .isIn = [](const Trace& trace) { return trace.hasExperts(); },
    .cost = tokensCost};

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_difference.h"

#include "base/index.h"
#include "figures/kinds/shown_range.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/look/translated.h"
#include "figures/parts/matrix_figure.h"
#include "figures/parts/no_numbers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace attn::ui {

namespace {

constexpr qsizetype mostOfAName = 60; // characters

QString quoted(const std::string& text)
{
    const QString line = QString::fromStdString(text).simplified();
    return QStringLiteral("\u201C%1\u201D")
        .arg(line.size() > mostOfAName ? line.left(mostOfAName) + QChar(0x2026) : line);
}

QString prefixName(const Trace& trace)
{
    const auto& ids = trace.provenance().prefixIds;
    if (ids.empty())
        return Figure::tr("from the start");
    QStringList tokens;
    const Trace::Path path = trace.path();
    const int given = std::min(trace.givenSteps(), indexSize(path));
    for (int step = std::max(0, given - indexSize(ids)); step < given; ++step)
        tokens << readableToken(path[step]->text);
    return Figure::tr("from %1").arg(quoted(tokens.join(QLatin1Char(' ')).toStdString()));
}

QString editsName(const Trace& trace)
{
    const auto& edits = trace.provenance().edits;
    if (edits.empty())
        return Figure::tr("unedited");
    return edits.size() == 1 ? Figure::tr("edited: %1").arg(quoted(edits.front()))
                             : Figure::tr("%1 edits").arg(edits.size());
}

// What can differ between two runs, and how that is said.
constexpr QString (*aspects[])(const Trace& trace) = {
    [](const Trace& trace) { return QString::fromStdString(trace.provenance().model); },
    [](const Trace& trace) {
        const Provenance& of = trace.provenance();
        return quoted(of.secondText ? of.text + " / " + *of.secondText : of.text);
    },
    decodingText,
    [](const Trace& trace) { return QString::fromStdString(trace.provenance().precision); },
    prefixName,
    editsName,
};

std::vector<std::string> labelsOf(const std::vector<AxisGroup>& groups)
{
    std::vector<std::string> labels;
    labels.reserve(groups.size());
    for (const AxisGroup& group : groups)
        labels.push_back(group.label);
    return labels;
}

bool hasLone(const PairedPlaces& places)
{
    return !std::all_of(places.begin(), places.end(), std::mem_fn(&PairedPlace::isPaired));
}

std::vector<int> tokensHere(const PairedPlaces& places, const std::vector<AxisGroup>& groups)
{
    std::vector<int> tokens;
    tokens.reserve(places.size());
    for (const PairedPlace& place : places)
        tokens.push_back(place.here ? groups[*place.here].first : MatrixContent::noToken);
    return tokens;
}

// "+0.1234: 0.3412, not 0.2178", or which of them has the cell alone.
QString cellText(const ShownDifference& difference, int row, int column)
{
    const PairedPlace& rowPair = difference.rows[row];
    const PairedPlace& columnPair = difference.columns[column];
    if (rowPair.isPaired() && columnPair.isPaired()) {
        if (isBlankInBoth(difference, row, column))
            return Figure::tr("not visible to this row");
        const float here = difference.here.matrix.at(*rowPair.here, *columnPair.here);
        const float there = difference.there.matrix.at(*rowPair.there, *columnPair.there);
        return Figure::tr("%1 (%2 minus %3)").arg(signedDecimal(here - there, 4), decimal(here, 4), decimal(there, 4));
    }
    if (rowPair.here && columnPair.here)
        return Figure::tr("only in the first: %1")
            .arg(decimal(difference.here.matrix.at(*rowPair.here, *columnPair.here), 4));
    if (rowPair.there && columnPair.there)
        return Figure::tr("only in the second: %1")
            .arg(decimal(difference.there.matrix.at(*rowPair.there, *columnPair.there), 4));
    return Figure::tr("in neither of the two");
}

QString describeDifference(const MatrixContent& content)
{
    const auto& values = content.matrix.values;
    int largest = -1;
    for (int i = 0; i < indexSize(values); ++i) {
        if (std::isfinite(values[i]) && (largest < 0 || std::abs(values[i]) > std::abs(values[largest])))
            largest = i;
    }
    if (largest < 0 && countNoNumbers(content) > 0)
        return Figure::tr("%1 (%2 rows, %3 columns): no weight is a number.")
            .arg(content.title.title, QString::number(content.matrix.rows), QString::number(content.matrix.columns));
    if (largest < 0)
        return Figure::tr("%1: the two have no row and no column in common.").arg(content.title.title);
    return Figure::tr("%1 (%2 rows, %3 columns): the largest difference, %4, is of %5 on %6.")
        .arg(content.title.title, QString::number(content.matrix.rows), QString::number(content.matrix.columns),
             signedDecimal(values[largest], 2), content.rowLabels.value(largest / content.matrix.columns),
             content.columnLabels.value(largest % content.matrix.columns));
}

// For each of the two runs, without a choice of rows and columns: a part is one of the pairs.
std::pair<FigureSpec, FigureSpec> wholeSpecs(const FigureSpec& spec)
{
    std::pair specs(spec, specOfOther(spec));
    for (FigureSpec* one : {&specs.first, &specs.second}) {
        one->rows.reset();
        one->columns.reset();
    }
    return specs;
}

} // namespace

FigureSpec specOfOther(const FigureSpec& spec)
{
    FigureSpec other = spec;
    other.leaf.reset();
    other.against.reset();
    other.stopped = false;
    return other;
}

std::pair<QString, QString> comparedNames(const FigureSpec& spec, const Trace& trace)
{
    QStringList here;
    QStringList there;
    for (const auto& aspect : aspects) {
        const QString one = aspect(trace);
        const QString other = aspect(spec.against->trace);
        if (one != other) {
            here << one;
            there << other;
        }
    }
    for (QStringList* names : {&here, &there})
        names->removeAll(QString());
    const auto named = [](const QString& name, const QStringList& parts, const QString& otherwise) {
        return !name.isEmpty() ? name : parts.isEmpty() ? otherwise : parts.join(QStringLiteral(", "));
    };
    return {named(spec.against->shownName, here, Figure::tr("this run")),
            named(spec.against->name, there, Figure::tr("the other run"))};
}

FigureTitle differenceTitle(FigureTitle alone, const FigureSpec& spec, const Trace& trace)
{
    if (!spec.against)
        return alone;
    const auto [here, there] = comparedNames(spec, trace);
    QStringList parts{Figure::tr("%1 minus %2").arg(here, there), alone.title, alone.subtitle};
    if (spec.title.isEmpty())
        alone.title = parts.takeFirst();
    else
        parts.removeAt(1);
    parts << translated(pairingRows[static_cast<int>(spec.pairing)].said);
    parts.removeAll(QString());
    alone.subtitle = parts.join(QStringLiteral(" \u00B7 "));
    return alone;
}

QStringList pairedLabels(const PairedPlaces& places, const QStringList& here, const QStringList& there)
{
    QStringList labels;
    for (const PairedPlace& place : places) {
        const QString one = place.here ? here.value(*place.here) : QString();
        const QString other = place.there ? there.value(*place.there) : QString();
        const bool both = place.isPaired() && one != other;
        labels << (both ? one + QStringLiteral(" / ") + other : place.here ? one : other);
    }
    return labels;
}

ShownDifference pairedAxes(const FigureSpec& spec, const Trace& trace)
{
    ShownDifference difference;
    const auto [here, there] = wholeSpecs(spec);
    difference.here = shownAxes(here, trace);
    difference.there = shownAxes(there, spec.against->trace);
    difference.missing = missingText(difference.here.missing, spec, trace);
    if (difference.missing.isEmpty() && difference.there.missing != Missing::Nothing)
        difference.missing = Figure::tr("The run that this one is compared with: %1")
                                 .arg(missingText(difference.there.missing, there, spec.against->trace));
    if (!difference.missing.isEmpty())
        return difference;
    const auto paired = [&](const std::vector<AxisGroup>& ofHere, const std::vector<AxisGroup>& ofThere) {
        return pairPlaces(labelsOf(ofHere), labelsOf(ofThere), spec.pairing);
    };
    difference.rows = within(paired(difference.here.rowGroups, difference.there.rowGroups), spec.rows);
    difference.columns = within(paired(difference.here.columnGroups, difference.there.columnGroups), spec.columns);
    if (difference.rows.empty() || difference.columns.empty())
        difference.missing = missingText(Missing::Tokens, spec, trace);
    return difference;
}

Numbers differenceOfRows(const FigureSpec& spec, const Trace& trace, std::pair<int, int> rows,
                         const PairedPlaces& columns)
{
    auto [here, there] = wholeSpecs(spec);
    here.rows = ShownSpan{rows.first, rows.first};
    there.rows = ShownSpan{rows.second, rows.second};
    return matrixDifference(shownMatrix(here, trace).matrix, shownMatrix(there, spec.against->trace).matrix,
                            PairedPlaces{{0, 0}}, columns);
}

ShownDifference shownDifference(const FigureSpec& spec, const Trace& trace)
{
    ShownDifference difference = pairedAxes(spec, trace);
    if (!difference.missing.isEmpty())
        return difference;
    const auto [here, there] = wholeSpecs(spec);
    difference.here.matrix = shownMatrix(here, trace).matrix;
    difference.there.matrix = shownMatrix(there, spec.against->trace).matrix;
    difference.matrix =
        matrixDifference(difference.here.matrix, difference.there.matrix, difference.rows, difference.columns);
    return difference;
}

bool isBlankInBoth(const ShownDifference& difference, int row, int column)
{
    const auto blank = [](const ShownMatrix& shown, int shownRow, int shownColumn) {
        return isFuture(shown.rowGroups[shownRow], shown.columnGroups[shownColumn])
            && !(shown.matrix.at(shownRow, shownColumn) > 0);
    };
    const PairedPlace& rows = difference.rows[row];
    const PairedPlace& columns = difference.columns[column];
    return rows.isPaired() && columns.isPaired() && blank(difference.here, *rows.here, *columns.here)
        && blank(difference.there, *rows.there, *columns.there);
}

MatrixContent differenceContent(const FigureSpec& spec, const Trace& trace)
{
    MatrixContent content;
    content.title = differenceTitle(figureTitle(spec, trace), spec, trace);
    const auto shown = std::make_shared<const ShownDifference>(shownDifference(spec, trace));
    content.empty = shown->missing;
    content.description = content.empty;
    if (shown->matrix.values.empty())
        return content;
    content.matrix = shown->matrix;
    content.rowPairs = shown->rows;
    content.columnPairs = shown->columns;
    if (trace.rowAxis(spec.site) == AttentionAxis::Tokens)
        content.rowTokens = tokensHere(shown->rows, shown->here.rowGroups);
    if (trace.columnAxis(spec.site) == AttentionAxis::Tokens)
        content.columnTokens = tokensHere(shown->columns, shown->here.columnGroups);
    content.firstGenerated = firstGenerated(trace);
    content.rowLabels = pairedLabels(shown->rows, shown->here.rowLabels, shown->there.rowLabels);
    content.columnLabels = pairedLabels(shown->columns, shown->here.columnLabels, shown->there.columnLabels);
    std::tie(content.rowAxis, content.columnAxis) = axisTitles(spec, trace);
    content.valueName = Figure::tr("difference of weights");
    content.cellText = [shown](int row, int column) { return cellText(*shown, row, column); };
    if (spec.site.stage == Stage::Decoder)
        content.blank = [shown](int row, int column) { return isBlankInBoth(*shown, row, column); };
    setDifferenceRange(content, spec, trace, *shown);
    if (hasLone(shown->rows) || hasLone(shown->columns))
        content.title.subtitle += Figure::tr(" \u00B7 hatched: in one of the two only");
    const auto step = stepRow(spec, trace, shown->here);
    const auto marked = std::find_if(shown->rows.begin(), shown->rows.end(),
                                     [&step](const PairedPlace& row) { return step && row.here == step; });
    if (marked != shown->rows.end())
        content.markedRow = static_cast<int>(marked - shown->rows.begin());
    content.description = describeDifference(content);
    return content;
}

} // namespace attn::ui

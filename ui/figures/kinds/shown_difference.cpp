// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_difference.h"

#include "base/index.h"
#include "figures/kinds/edit_words.h"
#include "figures/kinds/shown_range.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"
#include "figures/parts/no_numbers.h"

#include <algorithm>
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
    return edits.size() == 1 ? Figure::tr("edited: %1").arg(editInWords(edits.front(), trace))
                             : Figure::tr("%1 edits").arg(edits.size());
}

// Differences of two runs, and how they are said.
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

bool hasLone(const MapAxis& axis)
{
    return std::ranges::any_of(axis.pairs, [](const PairedPlace& place) { return !place.isPaired(); });
}

QString describeDifference(const MatrixContent& content)
{
    const auto largest = content.map.largest();
    if (!largest && content.map.count(CellState::NaN) > 0)
        return Figure::tr("%1 (%2 rows, %3 columns): no weight is a number.")
            .arg(content.title.title, QString::number(content.rows()), QString::number(content.columns()));
    if (!largest)
        return Figure::tr("%1: the two have no row and no column in common.").arg(content.title.title);
    return Figure::tr("%1 (%2 rows, %3 columns): the largest difference, %4, is of %5 on %6.")
        .arg(content.title.title, QString::number(content.rows()), QString::number(content.columns()),
             signedDecimal(content.map.at(largest->first, largest->second), 2), content.rowLabels.value(largest->first),
             content.columnLabels.value(largest->second));
}

} // namespace

QString differenceText(const Map& map, int row, int column)
{
    const PairedPlace& rowPair = map.rows.pairs[static_cast<std::size_t>(row)];
    const PairedPlace& columnPair = map.columns.pairs[static_cast<std::size_t>(column)];
    const auto here = [&] { return map.compared->first.at(*rowPair.here, *columnPair.here); };
    const auto there = [&] { return map.compared->second.at(*rowPair.there, *columnPair.there); };
    switch (map.state(row, column)) {
    case CellState::Blank:
        return Figure::tr("not visible to this row");
    case CellState::OnlyFirst:
        return Figure::tr("only in the first: %1").arg(decimal(here(), 4));
    case CellState::OnlySecond:
        return Figure::tr("only in the second: %1").arg(decimal(there(), 4));
    case CellState::Neither:
        return Figure::tr("in neither of the two");
    default:
        return Figure::tr("%1 (%2 minus %3)")
            .arg(signedDecimal(here() - there(), 4), decimal(here(), 4), decimal(there(), 4));
    }
}

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

QStringList pairedLabels(const PairedPlaces& places, const MapAxis& here, const MapAxis& there)
{
    const QStringList ofHere = axisLabels(here);
    const QStringList ofThere = axisLabels(there);
    QStringList labels;
    for (const PairedPlace& place : places) {
        const QString one = place.here ? ofHere.value(*place.here) : QString();
        const QString other = place.there ? ofThere.value(*place.there) : QString();
        const bool both = place.isPaired() && one != other;
        labels << (both ? one + QStringLiteral(" / ") + other : place.here ? one : other);
    }
    return labels;
}

Map differenceMap(const FigureSpec& spec, const Trace& trace)
{
    return differenceOf(trace, spec.against->trace, spec.mapSpec());
}

Map differenceAxes(const FigureSpec& spec, const Trace& trace)
{
    return differenceAxes(trace, spec.against->trace, spec.mapSpec());
}

QString missingDifference(const Map& difference, const FigureSpec& spec, const Trace& trace)
{
    const auto& [first, second] = *difference.compared;
    if (first.lack == MapLack::Nothing && second.lack != MapLack::Nothing) {
        const FigureSpec other = specOfOther(spec);
        return Figure::tr("The run that this one is compared with: %1")
            .arg(missingText(missingMap(second, other, spec.against->trace), other, spec.against->trace));
    }
    return missingText(missingMap(difference, spec, trace), spec, trace);
}

MatrixContent differenceContent(const FigureSpec& spec, const Trace& trace)
{
    MatrixContent content;
    content.title = differenceTitle(figureTitle(spec, trace), spec, trace);
    const auto shown = std::make_shared<const Map>(differenceMap(spec, trace));
    content.empty = missingDifference(*shown, spec, trace);
    content.description = content.empty;
    if (shown->numbers.empty())
        return content;
    content.map = *shown;
    content.firstGenerated = trace.firstGenerated();
    content.rowLabels = pairedLabels(shown->rows.pairs, shown->compared->first.rows, shown->compared->second.rows);
    content.columnLabels =
        pairedLabels(shown->columns.pairs, shown->compared->first.columns, shown->compared->second.columns);
    std::tie(content.rowAxis, content.columnAxis) = axisTitles(spec, trace);
    content.valueName = valueName(spec);
    content.cellText = [shown](int row, int column) { return differenceText(*shown, row, column); };
    setRange(content, spec, trace);
    if (hasLone(shown->rows) || hasLone(shown->columns))
        content.title.subtitle += Figure::tr(" \u00B7 hatched: in one of the two only");
    content.markedRow = stepRow(spec, trace, *shown);
    content.written = writtenPart(spec, trace, *shown);
    content.description = describeDifference(content);
    return content;
}

} // namespace attn::ui

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

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/positions.h"

#include "figures/look/color_map.h"
#include "figures/look/language.h"
#include "figures/parts/matrix_figure.h"
#include "maps/map_range.h"

#include <QCoreApplication>

#include <algorithm>

namespace attn::ui {

namespace {

QStringList numbers(const ShownSpan& span)
{
    QStringList labels;
    for (int i = span.first; i <= span.last; ++i)
        labels.append(QString::number(i));
    return labels;
}

QString countText(int shown, int all)
{
    if (all == shown)
        return Figure::tr("%1 positions").arg(all);
    return all > shown ? Figure::tr("first %1 of %2 positions").arg(shown).arg(all)
                       : Figure::tr("first %1 positions").arg(shown);
}

// Rows are positions, columns dimensions; zero in the middle of the colour scale.
MatrixContent positionsContent(const FigureSpec& spec)
{
    MatrixContent content;
    content.title.title = spec.title.isEmpty() ? Figure::tr("Positional encoding") : spec.title;
    if (spec.positions.shape().size() != 2 || spec.positions.empty()) {
        content.empty = Figure::tr("This model has no positional encoding that could be drawn");
        content.description = content.empty;
        return content;
    }
    const NumberView values = spec.positions.matrix();
    const auto within = [](const std::optional<ShownSpan>& asked, int count) {
        const ShownSpan span = asked.value_or(ShownSpan{0, count - 1});
        return ShownSpan{std::min(span.first, count - 1), std::min(span.last, count - 1)};
    };
    const ShownSpan rows = within(spec.rows, values.rows);
    const ShownSpan columns = within(spec.columns, values.columns);
    Numbers& numbersShown = content.map.numbers;
    numbersShown = {rows.last - rows.first + 1, columns.last - columns.first + 1, {}};
    for (int row = rows.first; row <= rows.last; ++row) {
        const auto all = values.row(row);
        numbersShown.values.insert(numbersShown.values.end(), all.begin() + columns.first,
                                   all.begin() + columns.last + 1);
    }
    content.title.subtitle =
        countText(values.rows, spec.allPositions) + Figure::tr(", %1 dimensions").arg(values.columns);
    content.rowLabels = numbers(rows);
    content.columnLabels = numbers(columns);
    content.numbered = true;
    content.rowAxis = Figure::tr("position");
    content.columnAxis = Figure::tr("dimension");
    content.valueName = Figure::tr("value");
    content.most = largestMagnitude(numbersShown.values);
    content.least = -content.most;
    content.description = content.title.title + QStringLiteral(": ") + content.title.subtitle + QLatin1Char('.');
    return content;
}

} // namespace

QString otherPositions(const Positions& positions)
{
    const QString name = QString::fromStdString(positionsText(positions, inWords));
    switch (positions.scheme) {
    case PositionScheme::Rotary:
        return Figure::tr("turns queries and keys by their positions (%1)").arg(name);
    case PositionScheme::Relative:
        return Figure::tr("adds a learned number for each distance to the scores (%1)").arg(name);
    case PositionScheme::Recurrent:
        return Figure::tr("has no positional encoding: a recurrent network reads the words one after the other, "
                          "and that is how it knows their order");
    default:
        return Figure::tr("adds no positional encoding to its embeddings (positions: %1)").arg(name);
    }
}

const FigureKind positionsKind{
    .layOut = [](const FigureSpec& spec, const Trace&, QSizeF size) -> std::unique_ptr<const Figure> {
        FigureSpec aroundZero = spec;
        aroundZero.colorMap = divergingColors();
        return std::make_unique<MatrixFigure>(aroundZero, positionsContent(spec), size);
    },
    .numbers = [](const FigureSpec& spec, const Trace&) { return positionsContent(spec); },
    .zooms = true,
    .drawsSite = false,
    .drawsPositions = true};

} // namespace attn::ui

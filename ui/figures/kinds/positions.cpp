// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/positions.h"

#include "figures/figure.h"
#include "figures/look/color_map.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

QStringList numbers(int count)
{
    QStringList labels;
    labels.reserve(count);
    for (int i = 0; i < count; ++i)
        labels.append(QString::number(i));
    return labels;
}

QString countText(int shown, int all)
{
    if (all == shown)
        return QStringLiteral("%1 positions").arg(all);
    return all > shown ? QStringLiteral("first %1 of %2 positions").arg(shown).arg(all)
                       : QStringLiteral("first %1 positions").arg(shown);
}

} // namespace

QString positionsText(const Positions& positions)
{
    constexpr const char* names[] = {
        QT_TRANSLATE_NOOP("attn::ui", "none"),       QT_TRANSLATE_NOOP("attn::ui", "none (recurrent)"),
        QT_TRANSLATE_NOOP("attn::ui", "sinusoidal"), QT_TRANSLATE_NOOP("attn::ui", "learned"),
        QT_TRANSLATE_NOOP("attn::ui", "rotary"),     QT_TRANSLATE_NOOP("attn::ui", "relative")};
    const QString name = QCoreApplication::translate("attn::ui", names[static_cast<std::size_t>(positions.scheme)]);
    if (!positions.scaling.empty())
        return QCoreApplication::translate("attn::ui", "%1, %2 scaling by %3")
            .arg(name, QString::fromStdString(positions.scaling))
            .arg(positions.factor);
    return positions.buckets == 0
        ? name
        : QCoreApplication::translate("attn::ui", "%1, %2 buckets").arg(name).arg(positions.buckets);
}

QString otherPositions(const Positions& positions)
{
    const QString name = positionsText(positions);
    switch (positions.scheme) {
    case PositionScheme::Rotary:
        return QStringLiteral("turns queries and keys by their positions (%1)").arg(name);
    case PositionScheme::Relative:
        return QStringLiteral("adds a learned number for each distance to the scores (%1)").arg(name);
    case PositionScheme::Recurrent:
        return QStringLiteral("has no positional encoding: a recurrent network reads the words one after the other, "
                              "and that is how it knows their order");
    default:
        return QStringLiteral("adds no positional encoding to its embeddings (positions: %1)").arg(name);
    }
}

MatrixContent positionsContent(const FigureSpec& spec)
{
    MatrixContent content;
    content.title.title = spec.title.isEmpty() ? QStringLiteral("Positional encoding") : spec.title;
    if (spec.positions.shape().size() != 2 || spec.positions.empty()) {
        content.empty = QStringLiteral("This model has no positional encoding that could be drawn");
        content.description = content.empty;
        return content;
    }
    const NumberView values = spec.positions.matrix();
    content.matrix = {values.rows, values.columns, {spec.positions.values().begin(), spec.positions.values().end()}};
    content.title.subtitle =
        countText(values.rows, spec.allPositions) + QStringLiteral(", %1 dimensions").arg(values.columns);
    content.rowLabels = numbers(values.rows);
    content.columnLabels = numbers(values.columns);
    content.numbered = true;
    content.rowAxis = QStringLiteral("position");
    content.columnAxis = QStringLiteral("dimension");
    content.valueName = QStringLiteral("value");
    double largest = 0;
    for (const float value : content.matrix.values) {
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    content.most = largest > 0 ? largest : 1;
    content.least = -content.most;
    content.description = content.title.title + QStringLiteral(": ") + content.title.subtitle + QLatin1Char('.');
    return content;
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

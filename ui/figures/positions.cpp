// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/positions.h"

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

} // namespace

MatrixContent positionsContent(const FigureSpec& spec)
{
    MatrixContent content;
    content.title.title = spec.title.isEmpty() ? QStringLiteral("Positional encoding") : spec.title;
    if (spec.positions.shape().size() != 2 || spec.positions.empty()) {
        content.empty = QStringLiteral("This model has no positional encoding");
        content.description = content.empty;
        return content;
    }
    const MatrixView values = spec.positions.matrix();
    content.matrix = {values.rows, values.columns, {spec.positions.values().begin(), spec.positions.values().end()}};
    content.title.subtitle = QStringLiteral("%1 positions, %2 dimensions").arg(values.rows).arg(values.columns);
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

} // namespace attn::ui

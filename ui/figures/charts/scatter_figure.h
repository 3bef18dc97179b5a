// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "figures/look/style.h"

#include <QPointF>
#include <QString>

#include <optional>
#include <vector>

namespace attn::ui {

// Points of a plane with their names.
struct ScatterContent
{
    struct Point
    {
        // None: its vector holds what is no number, and it is crossed out below the others.
        std::optional<QPointF> at;
        QString label;
        bool special = false; // drawn hollow
        bool chosen = false;
    };

    FigureTitle title;
    std::vector<Point> points;
    QString xAxis;
    QString yAxis;
    QString empty; // said when there are no points
};

// One unit is as long on both axes. Names stand beside their points where they overlap nothing; those that fit nowhere
// are said on hover. One row of cells: the points.
std::unique_ptr<const Figure> scatterFigure(const FigureSpec& spec, const ScatterContent& content, QSizeF size);

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"

#include <QRectF>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace attn::ui {

// A figure as a table, for those who do not see it. It asks the figure, and ends with it.
struct FigureTable
{
    // Row with the names of columns, and column with the names of rows.
    static constexpr int header = -1;

    int rows = 0;
    int columns = 0;
    std::function<QString(FigureCell)> text; // a value, or the name of a row or a column
    std::function<QString(FigureCell)> tip; // all that is said of it when it is pointed at
    std::function<QRectF(FigureCell)> rect; // null: it is not visible
    // Where a hit of the figure stands; empty function: as hitPlace() says.
    std::function<std::optional<FigureCell>(const FigureHit&)> place = {};
    std::vector<int> chosenRows = {}; // that stand out: of the step, of picked words
    std::vector<int> chosenColumns = {};

    bool has(FigureCell cell) const;
    static bool isHeader(FigureCell cell) { return cell.row == header || cell.column == header; }
    using Said = std::function<QString(FigureCell)>;
    // Sets text and tip: names of headers, and what is said of cells, in brief and in full.
    void say(const Said& name, const Said& value, const Said& whole);
    // None: at none of its cells.
    std::optional<FigureCell> placeOf(const FigureHit& hit) const;
};

// A hit that names its row, its column or both.
std::optional<FigureCell> hitPlace(const FigureHit& hit);

} // namespace attn::ui

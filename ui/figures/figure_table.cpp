// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_table.h"

#include "figures/figure.h"

namespace attn::ui {

bool FigureTable::has(FigureCell cell) const
{
    return cell.row >= header && cell.row < rows && cell.column >= header && cell.column < columns
        && (cell.row != header || cell.column != header);
}

void FigureTable::say(const Said& name, const Said& value, const Said& whole)
{
    text = [name, value](FigureCell cell) { return isHeader(cell) ? name(cell) : value(cell); };
    tip = [name, whole](FigureCell cell) { return isHeader(cell) ? name(cell) : whole(cell); };
}

std::optional<FigureCell> FigureTable::placeOf(const FigureHit& hit) const
{
    const auto found = place ? place(hit) : hitPlace(hit);
    return found && has(*found) ? found : std::nullopt;
}

std::optional<FigureCell> hitPlace(const FigureHit& hit)
{
    using Part = FigureHit::Part;
    if ((hit.part == Part::Cell || hit.part == Part::Head) && hit.row && hit.column)
        return FigureCell{*hit.row, *hit.column};
    if (hit.part == Part::RowLabel && hit.row)
        return FigureCell{*hit.row, FigureTable::header};
    if (hit.part == Part::ColumnLabel && hit.column)
        return FigureCell{FigureTable::header, *hit.column};
    return std::nullopt;
}

FigureTable Figure::table() const
{
    FigureTable table{.rows = rows(), .columns = columns(), .text = {}, .tip = {}, .rect = {}};
    if (table.rows == 0 || table.columns == 0)
        table.rows = table.columns = 0;
    const auto name = [names = rowLabels(), columnNames = columnLabels()](FigureCell cell) {
        return cell.row == FigureTable::header ? columnNames.value(cell.column, QString::number(cell.column))
                                               : names.value(cell.row, QString::number(cell.row));
    };
    const auto tipOf = [this](FigureCell cell) { return cellTip(cell); };
    table.say(name, tipOf, tipOf);
    table.rect = [this](FigureCell cell) {
        return FigureTable::isHeader(cell) ? QRectF() : cellRect(cell.row, cell.column);
    };
    return table;
}

QString Figure::cellTip(FigureCell cell) const
{
    const QRectF box = cellRect(cell.row, cell.column);
    return box.isNull() ? QString() : hitTest(box.center()).text;
}

} // namespace attn::ui

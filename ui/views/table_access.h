// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_table.h"

#include <QPointF>
#include <QString>

#include <optional>

class QWidget;

namespace attn::ui {

// A widget whose picture is a table to assistive technology.
class TableSource
{
public:
    TableSource();
    virtual ~TableSource() = default;

    virtual const FigureTable& table() = 0; // of what is on show
    virtual std::optional<FigureCell> keyboardCell() = 0; // where the keyboard is
    virtual std::optional<FigureCell> cellAt(QPointF) { return {}; } // a point of the widget
    virtual void press(FigureCell) { } // as Enter does there
};

// Among the children of the widget's interface: cells row by row, then the names of columns and of rows.
int childOf(const FigureTable& table, FigureCell cell);

// Tell assistive technology, where there is any: where the keyboard has gone, that other words or rows are chosen, that
// the table is another one, what that shows.
void tellPlace(QWidget& widget, const FigureTable& table, FigureCell cell);
void tellChosen(QWidget& widget);
void tellTable(QWidget& widget, const QString& description);

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "figures/figure_table.h"
#include "figures/look/value_scale.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

class QPainter;

namespace attn::ui {

// The part of a figure that says how values are drawn: its colour bar, or an axis in its place.
struct ScaleBar
{
    ValueScale scale; // of values, also where the figure draws shares
    QRectF box; // the end is its top, or right where it is wider than high
};

// A laid out figure: layout (numbers) -> paint (QPainter) -> hit test (numbers). Coordinates are logical pixels
// (1/96 inch) from the figure's upper left corner. Immutable after layout; widgets add input on top, exports call the
// same paint().
class Figure
{
    Q_DECLARE_TR_FUNCTIONS(attn::ui::Figure) // the words of all figures

public:
    virtual ~Figure() = default;

    virtual QSizeF size() const = 0;
    virtual void paint(QPainter& painter, const Highlight& highlight = {}) const = 0;
    virtual FigureHit hitTest(QPointF) const { return {}; }
    // Where a cell lies; null when it is not visible or the figure has no cells.
    virtual QRectF cellRect(int /*row*/, int /*column*/) const { return {}; }
    virtual int rows() const { return 0; } // after merging; 0 when the figure has no cells
    virtual int columns() const { return 0; }
    // Box of the text that was read, where it can be written over; null: there is none.
    virtual QRectF textBox() const { return {}; }
    virtual std::optional<ScaleBar> scaleBar() const { return {}; } // none: there is none
    // Full labels that can be searched for; empty: there are none.
    virtual QStringList rowLabels() const { return {}; }
    virtual QStringList columnLabels() const { return {}; }
    // All cells as a picture of at most so many dots; null: there are none.
    virtual QImage overview(QSize) const { return {}; }
    // Makes beforehand what painting it needs on a screen with so many dots to a pixel, as long as it is nobody else's.
    virtual void prepare(double /*dots*/) const { }
    // The same in another size, with these cells visible as FigureSpec::visible says it; null: it has to be made anew.
    virtual std::unique_ptr<const Figure> laidOutAgain(const QRectF& /*visible*/, QSizeF /*size*/) const
    {
        return nullptr;
    }
    // Everything a screen reader should say about the figure, one sentence or two.
    virtual QString description() const = 0;
    // Its cells for a screen reader; no rows: it has none. Usually those that the keyboard walks through.
    virtual FigureTable table() const;

protected:
    // Text on a cell that is pointed at.
    virtual QString cellTip(FigureCell cell) const;
};

struct MatrixContent;

// One way to draw a trace. Each stands beside its code, and its row in views/view_rows.cpp gives it a name.
struct FigureKind
{
    std::unique_ptr<const Figure> (*layOut)(const FigureSpec& spec, const Trace& trace, QSizeF size);
    MatrixContent (*numbers)(const FigureSpec& spec, const Trace& trace); // as a heatmap would show them
    QByteArray (*csv)(const FigureSpec& spec, const Trace& trace) = nullptr; // null: the numbers
    bool zooms = false; // into rows and columns
    bool walks = false; // from cell to cell by arrow keys; what zooms does
    bool drawsSite = true; // one attention; false: something else of the run
    bool drawsAllHeads = false;
    bool drawsPositions = false; // of the model, and no run
    bool drawsHeadsApart = false; // those of spec.heads, each in its own colour
    bool drawsExperts = false; // of a layer, and no head
    bool (*isIn)(const Trace& trace) = nullptr; // whether a run has what is drawn; null: every run
    std::span<const char* const> readings = {}; // methods (readingMethods()) whose results it draws
    bool comesFirst = false; // it is in front as soon as a run has that
    // Time to lay out and paint, in weights that are gone through; null: never long.
    std::size_t (*cost)(const FigureSpec& spec, const Trace& trace) = nullptr;
};

// Lays a figure out to fill `size` exactly (window) or, with a null height, to its natural height for that width
// (export). Never throws for a trace without the asked-for site: the figure then says what is missing.
inline std::unique_ptr<const Figure> layoutFigure(const FigureSpec& spec, const Trace& trace, QSizeF size)
{
    return spec.kind->layOut(spec, trace, size);
}

} // namespace attn::ui

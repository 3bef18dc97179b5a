// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/alignment.h"
#include "analysis/output_change.h"
#include "base/encoding.h"
#include "figures/figure_choices.h"
#include "tensor/tensor.h"
#include "trace/site.h"
#include "trace/trace.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace attn {
struct ShownRuns;
}

namespace attn::ui {

// Change of the output without a head, by site and head.
using HeadChanges = std::map<std::pair<Site, int>, OutputChange>;

struct FigureKind; // one way to draw a trace, in figure.h
extern const FigureKind heatmapKind;

// A run that another one is compared with.
struct ReferenceRun
{
    Trace trace;
    QString shownName; // what the run on show is called; empty: by what differs
    QString name; // this one, likewise
    OutputScore shownUnderIt; // the output of the run on show as the question of this one sees it
    OutputScore itUnderShown;
};

// Everything that decides how a figure looks, apart from its size: the same spec gives the same figure on the screen,
// in a file and from the command line.
struct FigureSpec : FigureChoices
{
    const FigureKind* kind = &heatmapKind;
    Site site{Stage::Cross, 0};
    HeadReading head;
    ReadingAbout about = {}; // output position that is explained; that of `head` where this explains one
    std::optional<StepId> leaf = {}; // hypothesis to show: its last step; none: the best
    bool untilStep = false; // rows of steps after the current one are still to be written
    std::optional<double> moment = {}; // with that, how far the current one has come, 0 to 1; none: it is written
    bool archive = false; // the trace was read from a file, and no model belongs to it
    bool stopped = false; // the run was ended before it had come to its end
    bool computes = false; // readings are being computed
    std::shared_ptr<const ReferenceRun>
        against; // what is shown is the difference, the run less this one; null: the run
    std::shared_ptr<const Trace> editedFrom = {}; // whose words an edit was made at; null: those of the run itself
    std::shared_ptr<const GoldTexts> gold = {}; // marked in maps of these two texts; null: nothing
    std::shared_ptr<const HeadChanges> without; // of all heads; null: the run was not made without them
    // The largest weight of the head, the layer or all heads, where that was found out already; none: the layout does.
    std::optional<double> rangeEnd = {};
    QRectF visible; // zoom: columns x .. x+width, rows y .. y+height in cells; null: everything
    Tensor positions; // drawn from no trace: [positions, width]
    int allPositions = 0; // drawn from no trace: as many as the model has, of which these are the first; 0: any number
    QString (*gloss)(const QString& word) = nullptr; // under words that were written, empty: none; null: none has one
    std::map<int, double> overColumns; // middles of those below the sentences, by token; empty: words stand in a line
    std::set<StepId> refolded; // of the beam tree: first tokens of what is folded the other way round than usual

    // The reading that a model computed of which it shows numbers; null: it shows weights, or what is made of them.
    const Reading* computedReading() const;
    ShownRuns shownRuns(const Trace& trace) const; // that are shown
    // Whether its numbers have both signs: those of a difference, or of a reading that has them.
    bool isSigned() const;
    bool isForAndAgainst() const; // those of a reading that explains an output token

    // The part of the choices that maps are made by.
    MapSpec mapSpec() const
    {
        return {.site = site,
                .head = head,
                .heads = heads,
                .leaf = leaf,
                .words = words,
                .specials = specials,
                .pair = pair,
                .pairing = pairing,
                .rows = rows,
                .columns = columns,
                .range = range,
                .rangeWithout = rangeWithout,
                .clip = clip};
    }
};

// Contents of a point of a figure.
struct FigureHit
{
    enum class Part : std::uint8_t { Nothing, Cell, RowLabel, ColumnLabel, Head, ColorBar, Candidate, Node, Fold };
    Part part = Part::Nothing;
    std::optional<int> row; // Cell, RowLabel
    std::optional<int> column; // Cell, ColumnLabel
    std::optional<int> rowToken; // first token of the row; none: the rows are no tokens
    std::optional<int> columnToken;
    std::vector<int> columns; // of a rubber band, in place of `column`; empty: there is none
    Site site; // Head: the tile's
    std::optional<int> head; // Head
    std::optional<int> panel; // of several figures beside each other, which
    std::optional<StepId> node; // Node: a step of the beam tree; Fold: the first of those that fold together
    float value = 0; // Cell: weight; Candidate: probability
    QString text; // readable: "chat <- cat  0.83", or the full text of an elided label

    bool isCell() const { return part == Part::Cell; }
    friend bool operator==(const FigureHit&, const FigureHit&) = default;
};

struct FigureCell
{
    int row = 0;
    int column = 0;

    friend bool operator==(const FigureCell&, const FigureCell&) = default;
};

// Marks that come and go without a new layout.
struct Highlight
{
    std::vector<int> foundRows; // that a search has found, rising
    std::vector<int> foundColumns;
    std::optional<int> row; // crosshair under the pointer
    std::optional<int> column;
    std::optional<FigureCell> cursor; // keyboard cell
    Site site; // HeadGrid: the selected head
    std::optional<int> head;
    std::optional<int> panel; // of several figures beside each other, the one that row and column belong to

    // Whether the pointer or the keyboard is at a cell.
    bool isAt(FigureCell cell) const { return (cell.row == row && cell.column == column) || cell == cursor; }
};

} // namespace attn::ui

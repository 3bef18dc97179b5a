// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/beam_tree.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace attn::ui {

// One box of a drawn beam tree: a token, or several that follow each other without a branch. Its column is the position
// of its first token.
struct BeamItem
{
    int segment = 0; // of the tree; tokens from .. to - 1 of it
    int from = 0;
    int to = 0;
    int begin = 0; // first node of the tokens that fold together
    bool folds = false; // these are several
    int column = 0;
    std::optional<int> parent; // item

    int columns() const { return to - from; }
    int end() const { return column + columns(); }
    bool isFolded() const { return columns() > 1; }
};

// Where the tokens of a beam tree lie, in columns and rows: positions from left to right, hypotheses below each other.
// Each token has the rows row .. row + 1 of its column. Nothing overlaps, no lines from parent to child cross, the best
// path is straight. Takes time linear in the tokens.
struct BeamLayout
{
    // Colour of a hypothesis, from strong to pale.
    enum class Strength : std::uint8_t { Best, Kept, Dropped };

    BeamTree tree;
    std::vector<BeamItem> items; // from above to below, parents before children
    std::vector<int> itemOf; // by node
    std::vector<int> leafOf; // by node: the end of the best hypothesis that goes through it
    std::vector<Strength> strengths; // by node
    std::vector<std::vector<int>> columns; // items that cover a position, from above to below
    std::vector<double> nodeRows; // by node
    double rows = 0;
    // Form for few hypotheses: the tokens of a box have one row, and the column after the end of a hypothesis is kept
    // free for words. With many, boxes are as wide as their first token, and a line follows the others from row to row:
    // else the tree would be far higher than there are hypotheses.
    bool roomy = false;

    int node(const BeamItem& item, int place) const { return tree.segments[item.segment].nodes[item.from + place]; }
    int firstNode(const BeamItem& item) const { return node(item, 0); }
    int lastNode(const BeamItem& item) const { return node(item, item.columns() - 1); }
    const BeamItem& itemAt(int node) const { return items[itemOf[node]]; }
    double row(const BeamItem& item, int column) const { return nodeRows[node(item, column - item.column)]; }
    double row(const BeamItem& item) const { return row(item, item.column); }
    // Positions, and the free column after the last.
    int columnCount() const { return static_cast<int>(columns.size()) + (roomy ? 1 : 0); }
    // The item of a column that is nearest to a row; none in a column that has none.
    std::optional<int> nearest(int column, double row) const;
};

// Tokens without a branch are folded into one box, those of a tree of one path are not; what begins with one of
// `refolded` the other way round.
BeamLayout beamLayout(const Trace& trace, const std::set<StepId>& refolded = {});

} // namespace attn::ui

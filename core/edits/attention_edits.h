// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edits/edit.h"
#include "edits/edit_check.h"
#include "tensor/number_view.h"
#include "trace/site.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace attn {

// Effect of an edit on cells of a map's heads; none: nothing, whatever the size of the map. A token that is hidden is a
// column of the maps whose columns are tokens of the source.
std::optional<AttentionEdit> cellsOf(const Edit& edit, const MapExtent& map);

// Effect of the edits of a run on some rows of a site's maps; as a rule, nothing. Masked are the cells whose score is
// -inf: they stay as they are.
class RowEdits
{
public:
    RowEdits() = default; // nothing

    bool empty() const { return m_hides == nullptr && m_changes == nullptr; }

    // Hides cells before the softmax. scores: [heads, rows, columns].
    void hide(MutableView scores) const;
    // Whether there is something to change after the softmax.
    bool changeWeights() const { return m_changes != nullptr; }
    // Changes finished weights, in the order in which the edits were given. Both: [heads, rows, columns].
    void change(MutableView weights, NumberView scores) const;
    // gradient: of what change() makes of `weights`; afterwards of these. All: [heads, rows, columns].
    void changeGradient(MutableView gradient, NumberView weights, NumberView scores) const;

private:
    friend class AttentionEdits;

    template<class Visit>
    void forEachRow(const AttentionEdit& edit, NumberView maps, Visit visit) const;

    const std::vector<AttentionEdit>* m_edits = nullptr;
    const std::vector<Index>* m_hides = nullptr; // null: none
    const std::vector<Index>* m_changes = nullptr;
    Index m_firstRow = 0;
    bool m_samePosition = false; // all rows are row m_firstRow, of one hypothesis each
};

// The edits of a run that concern attention, ready to be applied: of each site its own, so that what is not edited
// costs a look into a map.
class AttentionEdits
{
public:
    AttentionEdits() = default; // none
    // maps: of the model that runs.
    AttentionEdits(std::span<const Edit> edits, std::span<const MapExtent> maps);

    bool empty() const { return m_sites.empty(); }
    // For rows firstRow, firstRow + 1, ... or, with samePosition, all of them row firstRow. Valid as long as this.
    RowEdits rows(Site site, Index firstRow, bool samePosition) const;

private:
    struct SiteEdits
    {
        std::vector<Index> hides; // numbers of edits
        std::vector<Index> changes;
    };

    std::vector<AttentionEdit> m_edits;
    std::map<Site, SiteEdits> m_sites;
};

// Fate of a cell.
enum class CellMark : std::uint8_t { Unedited, Changed, Hidden };

// Marks of the cells of a map whose rows and columns are known: [rows, columns], row by row, and empty where
// they do nothing to it. head: of one; none: of all of them together, where only what every head hides is hidden. Cells
// that a mask hides anyway are not told apart.
std::vector<CellMark> editedCells(std::span<const Edit> edits, const MapExtent& map, std::optional<Index> head);

} // namespace attn

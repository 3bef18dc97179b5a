// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "edits/edited_cells.h"

#include "edits/attention_edits.h"

#include <cstddef>
#include <utility>

namespace attn {

namespace {

// The marks of one map. Edits that can change no mark any more cost nothing: there may be a thousand of whole maps.
class MarkedMap
{
public:
    MarkedMap(Index rows, Index columns)
        : m_rows(rows)
        , m_columns(columns)
        , m_left{std::size_t(rows) * std::size_t(columns), std::size_t(rows) * std::size_t(columns)}
    {
    }

    void mark(const AttentionEdit& edit, CellMark mark)
    {
        std::size_t& left = m_left[mark == CellMark::Hidden ? 1 : 0];
        if (left == 0 || edit.columns.least() >= m_columns)
            return;
        const IndexSet all;
        const IndexSet& columns = edit.change == AttentionChange::Renormalize ? all : edit.columns;
        edit.rows.forEach(m_rows, [&](Index row) {
            columns.forEach(m_columns, [&](Index column) { raise(std::size_t(row) * m_columns + column, mark); });
        });
    }

    std::vector<CellMark> take() { return std::move(m_marks); }

private:
    void raise(std::size_t cell, CellMark mark)
    {
        if (m_marks.empty())
            m_marks.resize(std::size_t(m_rows) * std::size_t(m_columns));
        CellMark& old = m_marks[cell];
        if (old >= mark)
            return;
        if (old == CellMark::Unedited)
            --m_left[0];
        if (mark == CellMark::Hidden)
            --m_left[1];
        old = mark;
    }

    Index m_rows;
    Index m_columns;
    std::size_t m_left[2]; // cells that are unedited, and that are not hidden
    std::vector<CellMark> m_marks;
};

bool coversAll(const IndexSet& set, Index count)
{
    return set.isAll()
        || (set.ranges().size() == 1 && set.ranges().front().first == 0 && set.ranges().front().last >= count - 1);
}

} // namespace

std::vector<CellMark> editedCells(std::span<const Edit> edits, const MapExtent& map, std::optional<Index> head)
{
    MarkedMap marked(map.rows.value_or(0), map.columns.value_or(0));
    for (const Edit& edit : edits) {
        const auto cells = cellsOf(edit, map);
        if (!cells || (head ? !cells->heads.contains(*head) : cells->heads.least() >= map.heads))
            continue;
        const bool hides = cells->change == AttentionChange::Hide && (head || coversAll(cells->heads, map.heads));
        marked.mark(*cells, hides ? CellMark::Hidden : CellMark::Changed);
    }
    return marked.take();
}

} // namespace attn

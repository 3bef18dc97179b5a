// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "edits/attention_edits.h"

#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

namespace attn {

namespace {

constexpr float masked = -std::numeric_limits<float>::infinity();

// One row of one head, whose cells in some columns change.
class EditedRow
{
public:
    EditedRow(std::span<float> weights, std::span<const float> scores, const IndexSet& columns)
        : m_weights(weights)
        , m_scores(scores)
        , m_columns(columns)
    {
    }

    void apply(const AttentionEdit& edit) const
    {
        switch (edit.change) {
        case AttentionChange::Hide: // before the softmax
            break;
        case AttentionChange::Zero:
            return set([](float) { return 0.0F; });
        case AttentionChange::Set:
            return set([&](float) { return edit.value; });
        case AttentionChange::Scale:
            return set([&](float weight) { return weight * edit.value; });
        case AttentionChange::Uniform:
            return share();
        case AttentionChange::Renormalize:
            return renormalize();
        }
    }

    // Turns the gradient of the edited row into that of the row before.
    void applyGradient(const AttentionEdit& edit, std::span<float> gradient) const
    {
        const EditedRow slopes(gradient, m_scores, m_columns);
        switch (edit.change) {
        case AttentionChange::Hide:
            break;
        case AttentionChange::Zero:
        case AttentionChange::Set:
            return slopes.set([](float) { return 0.0F; });
        case AttentionChange::Scale:
            return slopes.set([&](float slope) { return slope * edit.value; });
        case AttentionChange::Uniform: // a symmetric matrix
            return slopes.share();
        case AttentionChange::Renormalize:
            return renormalizeGradient(gradient);
        }
    }

private:
    // Calls visit(column) for the unmasked cells.
    template<class Visit>
    void forEach(Visit visit) const
    {
        m_columns.forEach(indexSize(m_weights), [&](Index column) {
            if (m_scores[column] != masked)
                visit(column);
        });
    }

    template<class Value>
    void set(Value value) const
    {
        forEach([&](Index column) { m_weights[column] = value(m_weights[column]); });
    }

    void share() const
    {
        int count = 0;
        double sum = 0;
        forEach([&](Index column) {
            ++count;
            sum += m_weights[column];
        });
        set([&](float) { return static_cast<float>(sum / count); });
    }

    void renormalize() const
    {
        bool concerned = false;
        forEach([&](Index) { concerned = true; });
        const double sum = std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
        if (!concerned || sum == 0)
            return;
        const IndexSet all;
        EditedRow(m_weights, m_scores, all).set([&](float weight) { return static_cast<float>(weight / sum); });
    }

    // The gradient of w / sum(w): (slope - sum(slope w) / sum(w)) / sum(w).
    void renormalizeGradient(std::span<float> gradient) const
    {
        bool concerned = false;
        forEach([&](Index) { concerned = true; });
        const double sum = std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
        if (!concerned || sum == 0)
            return;
        const double mean = std::inner_product(m_weights.begin(), m_weights.end(), gradient.begin(), 0.0) / sum;
        const IndexSet all;
        EditedRow(gradient, m_scores, all).set([&](float slope) { return static_cast<float>((slope - mean) / sum); });
    }

    std::span<float> m_weights;
    std::span<const float> m_scores;
    const IndexSet& m_columns;
};

} // namespace

std::optional<AttentionEdit> cellsOf(const Edit& edit, const MapExtent& map)
{
    if (const auto* const cells = std::get_if<AttentionEdit>(&edit)) {
        const bool named = (!cells->stage || *cells->stage == map.site.stage) && cells->layers.contains(map.site.layer);
        return named ? std::optional(*cells) : std::nullopt;
    }
    const auto& token = std::get<SourceEdit>(edit);
    if (token.change != SourceChange::Hide || !map.ofSource)
        return std::nullopt;
    AttentionEdit column;
    column.columns = IndexSet({{token.position, token.position}});
    return column;
}

// Calls visit(head, row) for what the edit names of the maps' rows.
template<class Visit>
void RowEdits::forEachRow(const AttentionEdit& edit, NumberView maps, Visit visit) const
{
    const auto visitHeads = [&](Index row) { edit.heads.forEach(maps.heads, [&](Index head) { visit(head, row); }); };
    if (!m_samePosition) {
        edit.rows.forEach(m_firstRow, m_firstRow + maps.rows - 1, [&](Index row) { visitHeads(row - m_firstRow); });
    } else if (edit.rows.contains(m_firstRow)) {
        for (Index row = 0; row < maps.rows; ++row)
            visitHeads(row);
    }
}

void RowEdits::hide(MutableView scores) const
{
    if (m_hides == nullptr)
        return;
    for (const Index number : *m_hides) {
        const AttentionEdit& edit = (*m_edits)[number];
        forEachRow(edit, scores, [&](Index head, Index row) {
            edit.columns.forEach(scores.columns, [&](Index column) { scores.at(head, row, column) = masked; });
        });
    }
}

void RowEdits::change(MutableView weights, NumberView scores) const
{
    if (m_changes == nullptr)
        return;
    for (const Index number : *m_changes) {
        const AttentionEdit& edit = (*m_edits)[number];
        forEachRow(edit, weights, [&](Index head, Index row) {
            EditedRow(weights.row(head, row), scores.row(head, row), edit.columns).apply(edit);
        });
    }
}

void RowEdits::changeGradient(MutableView gradient, NumberView weights, NumberView scores) const
{
    if (m_changes == nullptr)
        return;
    std::vector<Numbers> before; // of each edit
    Numbers now = Numbers::of(weights);
    for (const Index number : *m_changes) {
        before.push_back(now);
        const AttentionEdit& edit = (*m_edits)[number];
        forEachRow(edit, now, [&](Index head, Index row) {
            EditedRow(now.view().row(head, row), scores.row(head, row), edit.columns).apply(edit);
        });
    }
    for (std::size_t i = before.size(); i-- > 0;) {
        const AttentionEdit& edit = (*m_edits)[(*m_changes)[i]];
        forEachRow(edit, gradient, [&](Index head, Index row) {
            EditedRow(before[i].view().row(head, row), scores.row(head, row), edit.columns)
                .applyGradient(edit, gradient.row(head, row));
        });
    }
}

AttentionEdits::AttentionEdits(std::span<const Edit> edits, std::span<const MapExtent> maps)
{
    for (const Edit& edit : edits) {
        const auto number = indexSize(m_edits);
        for (const MapExtent& map : maps) {
            const auto cells = cellsOf(edit, map);
            if (!cells)
                continue;
            SiteEdits& own = m_sites[map.site];
            (cells->change == AttentionChange::Hide ? own.hides : own.changes).push_back(number);
            if (number == indexSize(m_edits))
                m_edits.push_back(*cells);
        }
    }
}

RowEdits AttentionEdits::rows(Site site, Index firstRow, bool samePosition) const
{
    RowEdits result;
    const auto found = m_sites.find(site);
    if (found == m_sites.end())
        return result;
    const auto& [hides, changes] = found->second;
    result.m_edits = &m_edits;
    result.m_hides = hides.empty() ? nullptr : &hides;
    result.m_changes = changes.empty() ? nullptr : &changes;
    result.m_firstRow = firstRow;
    result.m_samePosition = samePosition;
    return result;
}

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

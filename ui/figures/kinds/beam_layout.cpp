// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/beam_layout.h"

#include "base/index.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace attn::ui {

namespace {

constexpr int mostRoomy = 12; // hypotheses at one position
constexpr int beamSweeps = 4; // down and up again, towards parents and children

using Strength = BeamLayout::Strength;

// Which hypothesis is looked at from a node: a final one before others, a better one before a worse, a longer one
// before a shorter.
std::tuple<int, int, float> worth(const BeamNode& leaf)
{
    return {leaf.rank ? -*leaf.rank : std::numeric_limits<int>::min(), leaf.position, leaf.sum};
}

void decideNodes(BeamLayout& layout)
{
    const std::vector<BeamNode>& nodes = layout.tree.nodes;
    layout.leafOf.resize(nodes.size());
    layout.strengths.assign(nodes.size(), Strength::Dropped);
    for (int index = indexSize(nodes) - 1; index >= 0; --index) {
        const BeamNode& node = nodes[index];
        int leaf = index;
        bool kept = node.rank || node.fate == BeamFate::Alive || node.fate == BeamFate::Ended;
        for (const int child : node.children) {
            const int other = layout.leafOf[child];
            if (leaf == index || worth(nodes[other]) > worth(nodes[leaf]))
                leaf = other;
            kept = kept || layout.strengths[child] != Strength::Dropped;
        }
        layout.leafOf[index] = leaf;
        layout.strengths[index] = node.best ? Strength::Best : kept ? Strength::Kept : Strength::Dropped;
    }
}

int widest(const std::vector<BeamNode>& nodes)
{
    std::vector<int> counts;
    for (const BeamNode& node : nodes) {
        counts.resize(std::max(counts.size(), static_cast<std::size_t>(node.position) + 1));
        ++counts[node.position];
    }
    return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

// Items of a segment: given tokens and found ones fold by themselves.
void addItems(BeamLayout& layout, int segment, const std::set<StepId>& refolded)
{
    const std::vector<BeamNode>& nodes = layout.tree.nodes;
    const std::vector<int>& own = layout.tree.segments[segment].nodes;
    const bool onePath = layout.tree.segments.size() == 1;
    std::optional<int> parent;
    if (const auto before = nodes[own.front()].parent)
        parent = layout.itemOf[*before];
    for (int from = 0; from < indexSize(own);) {
        int to = from + 1;
        while (to < indexSize(own) && nodes[own[to]].given == nodes[own[from]].given)
            ++to;
        const bool folds = to - from > 1;
        const bool usual = !onePath || nodes[own[from]].given;
        const bool folded = folds && usual != refolded.contains(StepId{own[from]});
        for (int at = from; at < to; at = folded ? to : at + 1) {
            BeamItem item{segment, at, folded ? to : at + 1, own[from], folds, nodes[own[at]].position, parent};
            parent = indexSize(layout.items);
            for (int place = item.from; place < item.to; ++place)
                layout.itemOf[own[place]] = *parent;
            layout.items.push_back(item);
        }
        from = to;
    }
}

void addAllItems(BeamLayout& layout, const std::set<StepId>& refolded)
{
    const std::vector<BeamSegment>& segments = layout.tree.segments;
    layout.itemOf.resize(layout.tree.nodes.size());
    layout.items.reserve(layout.tree.nodes.size());
    std::vector<int> waiting;
    for (int index = indexSize(segments) - 1; index >= 0; --index) {
        if (!segments[index].parent)
            waiting.push_back(index);
    }
    while (!waiting.empty()) {
        const int segment = waiting.back();
        waiting.pop_back();
        addItems(layout, segment, refolded);
        const std::vector<int>& children = segments[segment].children;
        waiting.insert(waiting.end(), children.rbegin(), children.rend());
    }
    for (int index = 0; index < indexSize(layout.items); ++index) {
        const BeamItem& item = layout.items[index];
        layout.columns.resize(std::max(layout.columns.size(), static_cast<std::size_t>(item.end())));
        for (int column = item.column; column < item.end(); ++column)
            layout.columns[column].push_back(index);
    }
}

// Gives every token its row; those of a box that is to be straight have one together.
class BeamRows
{
public:
    explicit BeamRows(BeamLayout& layout)
        : m_layout(layout)
    {
        std::vector<int> unitOf(layout.tree.nodes.size());
        for (const BeamItem& item : layout.items) {
            const int together = layout.roomy ? item.columns() : 1;
            for (int place = 0; place < item.columns(); place += together)
                add(item, place, together, unitOf);
        }
    }

    void place()
    {
        // Boxes move up as far as those above allow, the best path in one row.
        drop(0);
        double straight = 0;
        for (const Unit& unit : m_units)
            straight = std::max(straight, unit.best ? unit.row : 0.0);
        drop(straight);
        for (int sweep = 0; sweep < beamSweeps; ++sweep) {
            sink();
            rise();
        }
        double least = m_units.empty() ? 0 : m_units.front().row;
        double most = 0;
        for (const Unit& unit : m_units) {
            least = std::min(least, unit.row);
            most = std::max(most, unit.row + 1);
        }
        m_layout.rows = most - least;
        m_layout.nodeRows.resize(m_layout.tree.nodes.size());
        for (const Unit& unit : m_units) {
            for (int place = 0; place < unit.count; ++place)
                m_layout.nodeRows[m_layout.node(m_layout.items[unit.item], unit.place + place)] = unit.row - least;
        }
    }

private:
    // Tokens with one row.
    struct Unit
    {
        int item = 0;
        int place = 0; // of the first in its item
        int count = 1;
        int column = 0;
        int end = 0; // past the last column, with the one that is kept free
        std::optional<int> parent; // unit
        int children = 0;
        bool best = false;
        double row = 0;
    };

    void add(const BeamItem& item, int place, int count, std::vector<int>& unitOf)
    {
        const std::vector<BeamNode>& nodes = m_layout.tree.nodes;
        const int first = m_layout.node(item, place);
        const int last = m_layout.node(item, place + count - 1);
        Unit unit;
        unit.item = m_layout.itemOf[first];
        unit.place = place;
        unit.count = count;
        unit.column = item.column + place;
        unit.end = unit.column + count + (m_layout.roomy && nodes[last].children.empty() ? 1 : 0);
        unit.best = nodes[first].best;
        if (const auto before = nodes[first].parent) {
            unit.parent = unitOf[*before];
            ++m_units[*unit.parent].children;
        }
        for (int at = place; at < place + count; ++at)
            unitOf[m_layout.node(item, at)] = indexSize(m_units);
        m_units.push_back(unit);
    }

    std::vector<double> perColumn(double value) const
    {
        std::vector<double> values(m_layout.columns.size() + 1);
        std::fill(values.begin(), values.end(), value);
        return values;
    }

    void drop(double straight)
    {
        std::vector<double> below = perColumn(0);
        for (Unit& unit : m_units) {
            const auto from = below.begin() + unit.column;
            const auto to = below.begin() + unit.end;
            unit.row = std::max(*std::max_element(from, to), unit.best ? straight : 0.0);
            std::fill(from, to, unit.row + 1);
        }
    }

    std::vector<double> childRows() const
    {
        std::vector<double> sums(m_units.size());
        for (const Unit& unit : m_units) {
            if (unit.parent)
                sums[*unit.parent] += unit.row;
        }
        return sums;
    }

    // Where a unit would lie best: between its parent and the middle of its children.
    double wanted(int index, const std::vector<double>& childRows) const
    {
        const Unit& unit = m_units[index];
        const double before = unit.parent ? m_units[*unit.parent].row : unit.row;
        if (unit.children == 0)
            return before;
        const double after = childRows[index] / unit.children;
        return unit.parent ? (before + after) / 2 : after;
    }

    // Moves boxes, from the lowest up, as far down as they want and those below them allow.
    void sink()
    {
        const std::vector<double> children = childRows();
        double lowest = 0;
        for (const Unit& unit : m_units)
            lowest = std::max(lowest, unit.row + 1);
        std::vector<double> above = perColumn(lowest);
        for (int index = indexSize(m_units) - 1; index >= 0; --index) {
            Unit& unit = m_units[index];
            const auto from = above.begin() + unit.column;
            const auto to = above.begin() + unit.end;
            if (!unit.best)
                unit.row = std::max(unit.row, std::min(*std::min_element(from, to) - 1, wanted(index, children)));
            std::fill(from, to, unit.row);
        }
    }

    // Moves boxes, from the highest down, as far up as they want and those above them allow.
    void rise()
    {
        const std::vector<double> children = childRows();
        std::vector<double> below = perColumn(0);
        for (int index = 0; index < indexSize(m_units); ++index) {
            Unit& unit = m_units[index];
            const auto from = below.begin() + unit.column;
            const auto to = below.begin() + unit.end;
            if (!unit.best)
                unit.row = std::min(unit.row, std::max(*std::max_element(from, to), wanted(index, children)));
            std::fill(from, to, unit.row + 1);
        }
    }

    BeamLayout& m_layout;
    std::vector<Unit> m_units; // from above to below, parents before children
};

} // namespace

std::optional<int> BeamLayout::nearest(int column, double row) const
{
    if (column < 0 || column >= indexSize(columns) || columns[column].empty())
        return std::nullopt;
    const std::vector<int>& all = columns[column];
    const auto top = [&](int item) { return this->row(items[item], column); };
    const auto below = std::partition_point(all.begin(), all.end(), [&](int item) { return top(item) + 1 < row; });
    if (below == all.end())
        return all.back();
    const bool before = below != all.begin() && row - top(*(below - 1)) - 1 < top(*below) - row;
    return before ? *(below - 1) : *below;
}

BeamLayout beamLayout(const Trace& trace, const std::set<StepId>& refolded)
{
    BeamLayout layout;
    layout.tree = beamTree(trace);
    layout.roomy = !layout.tree.nodes.empty() && widest(layout.tree.nodes) <= mostRoomy;
    decideNodes(layout);
    addAllItems(layout, refolded);
    BeamRows(layout).place();
    return layout;
}

} // namespace attn::ui

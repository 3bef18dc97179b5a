// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/beam_layout.h"

#include "base/index.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace attn::ui {

namespace {

constexpr int mostRoomy = 12; // hypotheses at one position that leave room for words
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

// Items of a stretch: given tokens and found ones fold by themselves.
void addItems(BeamLayout& layout, int stretch, const std::set<StepId>& refolded)
{
    const std::vector<BeamNode>& nodes = layout.tree.nodes;
    const std::vector<int>& own = layout.tree.stretches[stretch].nodes;
    const bool onePath = layout.tree.stretches.size() == 1;
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
            BeamItem item{stretch, at, folded ? to : at + 1, own[from], folds, nodes[own[at]].position, 0, parent};
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
    const std::vector<BeamStretch>& stretches = layout.tree.stretches;
    layout.itemOf.resize(layout.tree.nodes.size());
    layout.items.reserve(layout.tree.nodes.size());
    std::vector<int> waiting;
    for (int index = indexSize(stretches) - 1; index >= 0; --index) {
        if (!stretches[index].parent)
            waiting.push_back(index);
    }
    while (!waiting.empty()) {
        const int stretch = waiting.back();
        waiting.pop_back();
        addItems(layout, stretch, refolded);
        const std::vector<int>& children = stretches[stretch].children;
        waiting.insert(waiting.end(), children.rbegin(), children.rend());
    }
    for (int index = 0; index < indexSize(layout.items); ++index) {
        const BeamItem& item = layout.items[index];
        layout.columns.resize(std::max(layout.columns.size(), static_cast<std::size_t>(item.end())));
        for (int column = item.column; column < item.end(); ++column)
            layout.columns[column].push_back(index);
    }
}

// Gives every item its row.
class Rows
{
public:
    explicit Rows(BeamLayout& layout)
        : m_layout(layout)
        , m_items(layout.items)
        , m_best(layout.items.size())
        , m_childCount(layout.items.size())
    {
        for (int index = 0; index < indexSize(m_items); ++index) {
            m_best[index] = layout.strengths[layout.firstNode(m_items[index])] == Strength::Best;
            if (m_items[index].parent)
                ++m_childCount[*m_items[index].parent];
        }
    }

    void place()
    {
        // As high as the ones above allow, the best path in one row.
        drop(0);
        double straight = 0;
        for (int index = 0; index < indexSize(m_items); ++index) {
            if (m_best[index])
                straight = std::max(straight, m_items[index].row);
        }
        drop(straight);
        for (int sweep = 0; sweep < beamSweeps; ++sweep) {
            sink();
            rise();
        }
        double least = m_items.empty() ? 0 : m_items.front().row;
        double most = 0;
        for (const BeamItem& item : m_items)
            least = std::min(least, item.row);
        for (BeamItem& item : m_items) {
            item.row -= least;
            most = std::max(most, item.row + 1);
        }
        m_layout.rows = most;
    }

private:
    // Past its last column, with the one that is kept free for words.
    int end(const BeamItem& item) const
    {
        const bool isLeaf = m_layout.tree.nodes[m_layout.lastNode(item)].children.empty();
        return item.end() + (isLeaf && m_layout.roomy ? 1 : 0);
    }

    std::vector<double> edge(double value) const
    {
        std::vector<double> edge(m_layout.columns.size() + 1);
        std::fill(edge.begin(), edge.end(), value);
        return edge;
    }

    void drop(double straight)
    {
        std::vector<double> below = edge(0);
        for (int index = 0; index < indexSize(m_items); ++index) {
            BeamItem& item = m_items[index];
            const auto from = below.begin() + item.column;
            const auto to = below.begin() + end(item);
            item.row = std::max(*std::max_element(from, to), m_best[index] ? straight : 0.0);
            std::fill(from, to, item.row + 1);
        }
    }

    // Where an item would lie best: between its parent and the middle of its children.
    double wanted(int index, const std::vector<double>& childRows) const
    {
        const BeamItem& item = m_items[index];
        const bool parent = item.parent.has_value();
        const double above = parent ? m_items[*item.parent].row : 0;
        if (m_childCount[index] == 0)
            return parent ? above : item.row;
        const double children = childRows[index] / m_childCount[index];
        return parent ? (above + children) / 2 : children;
    }

    std::vector<double> childRows() const
    {
        std::vector<double> sums(m_items.size());
        for (const BeamItem& item : m_items) {
            if (item.parent)
                sums[*item.parent] += item.row;
        }
        return sums;
    }

    // From below: each as far down as it wants and those below it allow.
    void sink()
    {
        const std::vector<double> children = childRows();
        double lowest = 0;
        for (const BeamItem& item : m_items)
            lowest = std::max(lowest, item.row + 1);
        std::vector<double> floor = edge(lowest);
        for (int index = indexSize(m_items) - 1; index >= 0; --index) {
            BeamItem& item = m_items[index];
            const auto from = floor.begin() + item.column;
            const auto to = floor.begin() + end(item);
            if (!m_best[index])
                item.row = std::max(item.row, std::min(*std::min_element(from, to) - 1, wanted(index, children)));
            std::fill(from, to, item.row);
        }
    }

    // From above: each as far up as it wants and those above it allow.
    void rise()
    {
        const std::vector<double> children = childRows();
        std::vector<double> below = edge(0);
        for (int index = 0; index < indexSize(m_items); ++index) {
            BeamItem& item = m_items[index];
            const auto from = below.begin() + item.column;
            const auto to = below.begin() + end(item);
            if (!m_best[index])
                item.row = std::min(item.row, std::max(*std::max_element(from, to), wanted(index, children)));
            std::fill(from, to, item.row + 1);
        }
    }

    BeamLayout& m_layout;
    std::vector<BeamItem>& m_items;
    std::vector<bool> m_best;
    std::vector<int> m_childCount;
};

} // namespace

std::optional<int> BeamLayout::nearest(int column, double row) const
{
    if (column < 0 || column >= indexSize(columns) || columns[column].empty())
        return std::nullopt;
    const std::vector<int>& all = columns[column];
    const auto below =
        std::partition_point(all.begin(), all.end(), [&](int item) { return items[item].row + 1 < row; });
    if (below == all.end())
        return all.back();
    const bool before = below != all.begin() && row - items[*(below - 1)].row - 1 < items[*below].row - row;
    return before ? *(below - 1) : *below;
}

BeamLayout beamLayout(const Trace& trace, const std::set<StepId>& refolded)
{
    BeamLayout layout;
    layout.tree = beamTree(trace);
    layout.roomy = !layout.tree.nodes.empty() && widest(layout.tree.nodes) <= mostRoomy;
    decideNodes(layout);
    addAllItems(layout, refolded);
    Rows(layout).place();
    return layout;
}

} // namespace attn::ui

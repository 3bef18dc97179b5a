// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/beam_tree.h"

#include "base/index.h"

#include <algorithm>

namespace attn {

namespace {

void addNodes(BeamTree& tree, const Trace& trace)
{
    const int given = trace.givenSteps();
    for (int index = 0; index < trace.stepCount(); ++index) {
        const TraceStep& known = trace.step(StepId{index});
        BeamNode node;
        if (known.step.parent)
            node.parent = numberOf(*known.step.parent);
        node.position = known.step.position;
        node.token = known.step.token;
        node.text = known.text;
        node.logProbability = known.step.logProbability;
        node.sum = known.step.score;
        node.given = known.step.position < given;
        if (known.step.ends)
            node.fate = BeamFate::Ended; // whatever its place will be
        if (node.parent)
            tree.nodes.at(*node.parent).children.push_back(index);
        tree.nodes.push_back(std::move(node));
    }
}

void addRanking(BeamTree& tree, const RunSummary& summary)
{
    for (const Hypothesis& hypothesis : summary.hypotheses) {
        if (!hypothesis.step)
            continue;
        BeamNode& last = tree.nodes.at(numberOf(*hypothesis.step));
        last.rank = indexSize(tree.ranking);
        last.fate = hypothesis.ended ? BeamFate::Ended : BeamFate::AtLimit;
        tree.ranking.push_back({numberOf(*hypothesis.step), hypothesis.sum, hypothesis.score});
    }
    if (tree.ranking.empty())
        return;
    for (std::optional<int> node = tree.ranking.front().node; node; node = tree.nodes[*node].parent)
        tree.nodes[*node].best = true;
}

void decideFates(BeamTree& tree, bool finished)
{
    int deepest = 0;
    for (const BeamNode& node : tree.nodes)
        deepest = std::max(deepest, node.position);
    // While a search goes on, the steps of its last round may not all be known.
    const int undecided = finished ? deepest : deepest - 1;
    for (BeamNode& node : tree.nodes) {
        if (node.rank || node.fate == BeamFate::Ended || !node.children.empty())
            continue;
        if (node.position < undecided)
            node.fate = BeamFate::FellOut;
        else
            node.fate = finished ? BeamFate::Left : BeamFate::Alive;
    }
}

void addStretches(BeamTree& tree)
{
    for (int index = 0; index < indexSize(tree.nodes); ++index) {
        BeamNode& node = tree.nodes[index];
        const BeamNode* const before = node.parent ? &tree.nodes[*node.parent] : nullptr;
        if (before != nullptr && before->children.size() == 1) {
            node.segment = before->segment;
        } else {
            node.segment = indexSize(tree.segments);
            BeamSegment segment;
            if (before != nullptr) {
                segment.parent = before->segment;
                tree.segments[before->segment].children.push_back(node.segment);
            }
            tree.segments.push_back(std::move(segment));
        }
        tree.segments[node.segment].nodes.push_back(index);
    }
}

} // namespace

std::optional<int> BeamTree::droppedAt(int node) const
{
    const BeamNode& last = nodes.at(node);
    return last.fate == BeamFate::FellOut ? std::optional(last.position + 1) : std::nullopt;
}

BeamTree beamTree(const Trace& trace)
{
    BeamTree tree;
    addNodes(tree, trace);
    if (trace.summary())
        addRanking(tree, *trace.summary());
    decideFates(tree, trace.summary().has_value());
    addStretches(tree);
    return tree;
}

} // namespace attn

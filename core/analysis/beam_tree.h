// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/trace.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Fate of a hypothesis after one of its tokens.
enum class BeamFate : std::uint8_t {
    Continued, // at least one continuation was kept
    FellOut, // at the next step: no continuation was among the best
    Ended, // finished with the end token
    AtLimit, // counted as finished when the output could not grow any more
    Left, // alive when the search stopped, because it could not win any more
    Alive // the search goes on
};

// One token of a hypothesis that was kept at its step. Nodes have the numbers of the trace's steps, parents come first.
struct BeamNode
{
    std::optional<int> parent; // none: the first token
    std::vector<int> children;
    int position = 0; // of the token, its depth in the tree
    TokenId token = 0;
    std::string text;
    float logProbability = 0;
    float sum = 0; // of the log probabilities up to here
    BeamFate fate = BeamFate::Continued;
    bool given = false; // a prompt's or a prefix's token, which was not found
    bool best = false; // on the path of the best hypothesis
    std::optional<int> rank; // where a final hypothesis ends: its place in BeamTree::ranking
    int segment = 0; // that it belongs to

    bool hasProbability() const { return std::isfinite(std::exp(double{logProbability})); }
};

// Nodes that follow each other without a branch.
struct BeamSegment
{
    std::vector<int> nodes; // at least one, each the only child of the one before
    std::optional<int> parent; // segment that branched here; none: the first
    std::vector<int> children;
};

// Every hypothesis of a search, whatever the search: greedy and sampled outputs are trees of one path.
struct BeamTree
{
    struct Final
    {
        int node = 0; // its last
        double sum = 0; // of log probabilities
        double score = 0; // sum / length, which the ranking is by
    };

    std::vector<BeamNode> nodes;
    std::vector<BeamSegment> segments;
    std::vector<Final> ranking; // of the final hypotheses, best first; empty while the search goes on

    // The step at which a hypothesis that ends in this node was dropped; none where it was not.
    std::optional<int> droppedAt(int node) const;
};

BeamTree beamTree(const Trace& trace);

} // namespace attn

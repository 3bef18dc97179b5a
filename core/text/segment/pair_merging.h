// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/subword_model.h"

#include <queue>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

namespace attn {

// What two neighbouring symbols become; the smallest rank is merged first.
struct MergedPair
{
    std::uint32_t rank = 0;
    TokenId id = 0;
};

namespace merging {

inline constexpr auto none = static_cast<std::size_t>(-1);

struct Node
{
    Subword symbol;
    std::size_t previous = none;
    std::size_t next = none;
    bool isAlive = true;
};

// Valid while its parts are what they were.
struct Candidate
{
    std::uint32_t rank = 0;
    std::size_t left = 0;
    TokenId merged = 0;

    bool operator>(const Candidate& other) const { return std::tie(rank, left) > std::tie(other.rank, other.left); }
};

} // namespace merging

// Byte pair encoding's loop: merges the pair of smallest rank, the leftmost of several, until find(left, right), an
// std::optional<MergedPair>, knows none. Appends what is left. Takes n log n steps for n symbols.
template<class Find>
void mergePairs(const std::vector<Subword>& symbols, Find find, std::vector<Subword>& subwords)
{
    using merging::Candidate;
    using merging::Node;
    using merging::none;
    std::vector<Node> nodes(symbols.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes[i] = {symbols[i], i > 0 ? i - 1 : none, i + 1 < nodes.size() ? i + 1 : none, true};
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    const auto propose = [&](std::size_t left) {
        if (left == none || nodes[left].next == none)
            return;
        if (const std::optional<MergedPair> merged = find(nodes[left].symbol, nodes[nodes[left].next].symbol))
            candidates.push({merged->rank, left, merged->id});
    };
    for (std::size_t i = 0; i < nodes.size(); ++i)
        propose(i);
    while (!candidates.empty()) {
        const Candidate candidate = candidates.top();
        candidates.pop();
        Node& left = nodes[candidate.left];
        if (!left.isAlive || left.next == none)
            continue;
        Node& right = nodes[left.next];
        const std::optional<MergedPair> merged = find(left.symbol, right.symbol);
        if (!merged || merged->id != candidate.merged)
            continue;
        left.symbol = {merged->id, {left.symbol.range.begin, right.symbol.range.end}};
        left.next = right.next;
        right.isAlive = false;
        if (left.next != none)
            nodes[left.next].previous = candidate.left;
        propose(left.previous);
        propose(candidate.left);
    }
    for (const Node& node : nodes)
        if (node.isAlive)
            subwords.push_back(node.symbol);
}

} // namespace attn

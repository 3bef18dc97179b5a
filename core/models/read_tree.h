// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "models/sequence_model.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace attn {

// The inputs that a decoder has read, as a tree: each live hypothesis is a path to the root. Block is what was computed
// of the inputs that were fed together, a row for each; hypotheses share the blocks that they come from.
template<class Block>
class ReadTree
{
public:
    struct Read
    {
        int before = -1; // the input before it; -1: the first
        std::shared_ptr<const Block> block;
        int row = 0; // of the block
    };

    // Inputs of the one live hypothesis, one after the other.
    void addPositions(const std::shared_ptr<const Block>& block, int rows)
    {
        for (int row = 0; row < rows; ++row)
            add(m_live.at(0), block, row);
        m_inputs += rows;
    }
    // One input of each live hypothesis.
    void addHypotheses(const std::shared_ptr<const Block>& block)
    {
        for (int row = 0; row < indexSize(m_live); ++row)
            add(m_live[row], block, row);
        ++m_inputs;
    }
    void reorder(std::span<const int> parents)
    {
        std::vector<int> next;
        for (const int parent : parents)
            next.push_back(m_live.at(parent));
        m_live = std::move(next);
    }

    // The last of the first `inputs` inputs of a live hypothesis.
    int place(int hypothesis, int inputs) const
    {
        int read = m_live.at(hypothesis);
        for (int left = m_inputs - inputs; left > 0; --left)
            read = m_reads[read].before;
        return read;
    }
    // From the first input to a place.
    std::vector<Read> path(int place) const
    {
        std::vector<Read> reads;
        for (; place >= 0; place = m_reads.at(place).before)
            reads.push_back(m_reads.at(place));
        std::ranges::reverse(reads);
        return reads;
    }

    // Tree of one hypothesis that has read the inputs of a path.
    static ReadTree of(const std::vector<Read>& path)
    {
        ReadTree tree;
        for (const Read& read : path)
            tree.add(tree.m_live[0], read.block, read.row);
        tree.m_inputs = indexSize(path);
        return tree;
    }

private:
    void add(int& last, std::shared_ptr<const Block> block, int row)
    {
        m_reads.push_back({last, std::move(block), row});
        last = indexSize(m_reads) - 1;
    }

    std::vector<Read> m_reads;
    std::vector<int> m_live{-1}; // the last input of each hypothesis
    int m_inputs = 0; // of each
};

// A place in such a tree, which may grow on.
template<class Block>
class ReadMark final : public DecoderMark
{
public:
    ReadMark(std::shared_ptr<const ReadTree<Block>> tree, int place)
        : m_tree(std::move(tree))
        , m_place(place)
    {
    }

    std::vector<typename ReadTree<Block>::Read> path() const { return m_tree->path(m_place); }

private:
    std::shared_ptr<const ReadTree<Block>> m_tree;
    int m_place;
};

} // namespace attn

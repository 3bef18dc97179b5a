// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/quiet_sink.h"

#include <algorithm>
#include <vector>

namespace attn {

// Passes on the last row of what a decoder reports, as a row of `hypothesis`.
class LastRowSink final : public QuietSink
{
public:
    LastRowSink(TraceSink& sink, int hypothesis)
        : m_sink(sink)
        , m_hypothesis(hypothesis)
    {
    }

    void attention(const AttentionBlock& block) override
    {
        const std::vector<float> weights = lastRows(block.weights, block);
        const std::vector<float> scores = lastRows(block.scores, block);
        AttentionBlock last = block;
        last.hypothesis = m_hypothesis;
        last.firstRow = block.firstRow + block.rows - 1;
        last.rows = 1;
        last.weights = weights;
        last.scores = scores;
        m_sink.attention(last);
    }
    void stage(const StageBlock& block) override { m_sink.stage(block); } // of the last row: the capture says so
    void hidden(const HiddenBlock& block) override
    {
        HiddenBlock last = block;
        last.hypothesis = m_hypothesis;
        last.firstRow = block.firstRow + block.rows - 1;
        last.rows = 1;
        last.values = block.values.last(static_cast<std::size_t>(block.width));
        m_sink.hidden(last);
    }

private:
    // [heads, 1, columns] of [heads, rows, columns].
    static std::vector<float> lastRows(std::span<const float> maps, const AttentionBlock& block)
    {
        std::vector<float> result;
        const auto columns = static_cast<std::size_t>(block.columns);
        const std::size_t map = static_cast<std::size_t>(block.rows) * columns;
        for (std::size_t end = map; end <= maps.size() && map > 0; end += map) {
            const auto row = maps.subspan(end - columns, columns);
            result.insert(result.end(), row.begin(), row.end());
        }
        return result;
    }

    TraceSink& m_sink;
    int m_hypothesis;
};

} // namespace attn

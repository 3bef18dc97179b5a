// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/quiet_sink.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace attn {

// Puts together the map of a layer that attends row by row, [length, length]. Where nothing is reported weights are 0
// and scores -inf. Stages go on to another sink.
class RowCollector final : public QuietSink
{
public:
    RowCollector(TraceSink& sink, Site site, int length, const Capture& capture)
        : m_sink(sink)
        , m_site(site)
        , m_length(length)
        , m_weights(capture.attention ? cells() : 0)
        , m_scores(capture.attention && capture.scores ? cells() : 0, -std::numeric_limits<float>::infinity())
    {
    }

    // The whole map, valid as long as the collector.
    AttentionBlock block() const
    {
        AttentionBlock result;
        result.site = m_site;
        result.heads = 1;
        result.rows = m_length;
        result.columns = m_length;
        result.weights = m_weights;
        result.scores = m_scores;
        return result;
    }

    void attention(const AttentionBlock& row) override
    {
        const std::ptrdiff_t begin = std::ptrdiff_t{row.firstRow} * m_length;
        std::ranges::copy(row.weights, m_weights.begin() + begin);
        std::ranges::copy(row.scores, m_scores.begin() + begin);
    }

    void stage(const StageBlock& block) override { m_sink.stage(block); }

private:
    std::size_t cells() const { return static_cast<std::size_t>(m_length) * static_cast<std::size_t>(m_length); }

    TraceSink& m_sink;
    Site m_site;
    int m_length;
    std::vector<float> m_weights;
    std::vector<float> m_scores;
};

} // namespace attn

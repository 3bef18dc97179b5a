// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace_sink.h"

#include <algorithm>
#include <limits>

namespace attn {

// Puts together the map of a layer that attends row by row, [length, length]. Where nothing is reported weights are 0
// and scores -inf. Stages go on to another sink.
class RowCollector final : public QuietSink
{
public:
    RowCollector(TraceSink& sink, Site site, int length, const Capture& capture)
        : m_sink(sink)
        , m_site(site)
    {
        if (capture.attention)
            m_weights = Numbers::zeros(1, length, length);
        if (capture.attention && capture.scores) {
            m_scores = m_weights;
            std::ranges::fill(m_scores.values, -std::numeric_limits<float>::infinity());
        }
    }

    // The whole map, valid as long as the collector.
    AttentionBlock block() const
    {
        AttentionBlock result;
        result.site = m_site;
        result.weights = m_weights.view();
        result.scores = m_scores.view();
        return result;
    }

    void attention(const AttentionBlock& row) override
    {
        std::ranges::copy(row.weights.row(0), m_weights.row(row.firstRow).begin());
        if (!row.scores.empty())
            std::ranges::copy(row.scores.row(0), m_scores.row(row.firstRow).begin());
    }

    void stage(const StageBlock& block) override { m_sink.stage(block); }

private:
    TraceSink& m_sink;
    Site m_site;
    Numbers m_weights;
    Numbers m_scores;
};

} // namespace attn

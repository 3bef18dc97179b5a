// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace_sink.h"

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
        AttentionBlock last = block;
        last.hypothesis = m_hypothesis;
        last.firstRow = block.firstRow + block.weights.rows - 1;
        last.weights = lastRow(block.weights);
        last.scores = lastRow(block.scores);
        m_sink.attention(last);
    }
    void stage(const StageBlock& block) override { m_sink.stage(block); } // of the last row: the capture says so
    void hidden(const HiddenBlock& block) override
    {
        HiddenBlock last = block;
        last.hypothesis = m_hypothesis;
        last.firstRow = block.firstRow + block.values.rows - 1;
        last.values = lastRow(block.values);
        m_sink.hidden(last);
    }

private:
    static NumberView lastRow(NumberView rows) { return rows.empty() ? rows : rows.rowRange(rows.rows - 1, 1); }

    TraceSink& m_sink;
    int m_hypothesis;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"
#include "trace/trace_sink.h"

#include <span>

namespace attn {

// Reports to the sink how one row of one head comes about. Of all other rows it reports nothing.
class StageReport
{
public:
    StageReport() = default; // of no row
    StageReport(TraceSink& sink, int heads, int head, int row)
        : m_sink(&sink)
        , m_heads(heads)
        , m_head(head)
        , m_row(row)
    {
    }

    explicit operator bool() const { return m_sink != nullptr; }
    int head() const { return m_head; }
    int row() const { return m_row; } // of the call's rows, from 0

    void vector(StageKind kind, std::span<const float> values) const;
    void matrix(StageKind kind, NumberView values) const;
    // The row out of [heads, rows, columns].
    void rowOf(StageKind kind, NumberView rows) const;
    // The head's part of all rows, [heads, rows, columns]; query heads may share them.
    void allOf(StageKind kind, NumberView rows) const;
    // query . key of each key, and what they are multiplied with. queries, keys: [heads, rows, width].
    void products(NumberView queries, NumberView keys, float scale) const;

private:
    NumberView ofHead(NumberView rows) const { return rows.head(m_head * rows.heads / m_heads); }

    TraceSink* m_sink = nullptr;
    int m_heads = 1; // of the queries
    int m_head = 0;
    int m_row = 0;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/matmul.h"
#include "tensor/tensor.h"
#include "trace/trace_sink.h"

#include <span>

namespace attn {

// Reports to the sink how one row of one head comes about. Of all other rows it reports nothing.
class StageReport
{
public:
    StageReport() = default; // of no row
    StageReport(TraceSink& sink, int head, int row)
        : m_sink(&sink)
        , m_head(head)
        , m_row(row)
    {
    }

    explicit operator bool() const { return m_sink != nullptr; }
    int head() const { return m_head; }
    int row() const { return m_row; } // of the call's rows, from 0

    void vector(StageKind kind, std::span<const float> values) const;
    void matrix(StageKind kind, MatrixView values) const;
    // The row out of [heads, rows, columns].
    void ofMaps(StageKind kind, std::span<const float> maps, int rows, int columns) const;
    // The head's part of the row out of rows of all heads.
    void ofHead(StageKind kind, HeadRows rows, HeadShape shape) const;
    // The head's part of all rows; query heads may share them.
    void allOfHead(StageKind kind, HeadRows rows, HeadShape shape) const;
    // query . key of each key, and what they are multiplied with.
    void products(std::span<const float> query, HeadRows keys, float scale) const;

private:
    TraceSink* m_sink = nullptr;
    int m_head = 0;
    int m_row = 0;
};

} // namespace attn

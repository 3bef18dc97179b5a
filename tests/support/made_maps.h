// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/map_source.h"

#include <atomic>
#include <cstddef>

namespace attn::test {

// Causal or full maps of any size whose numbers follow from their place, and how many rows were asked for.
class MadeMaps final : public MapSource
{
public:
    MadeMaps(Index heads, Index rows, Index columns, bool hasScores = false)
        : m_heads(heads)
        , m_rows(rows)
        , m_columns(columns)
        , m_hasScores(hasScores)
    {
    }

    static float weight(Index head, Index row, Index column)
    {
        return static_cast<float>(1 + (head * 31 + row * 7 + column * 3) % 11) / 64.0F;
    }
    static float score(Index head, Index row, Index column) { return -weight(head, row, column); }

    Index heads() const override { return m_heads; }
    Index rows() const override { return m_rows; }
    Index columns() const override { return m_columns; }
    bool has(MapPart part) const override { return part == MapPart::Weights || m_hasScores; }
    std::size_t bytes() const override { return 100; }
    void compute(MapPart part, Index head, Index firstRow, MutableView rows) const override
    {
        m_computed += rows.rows;
        for (Index row = 0; row < rows.rows; ++row) {
            for (Index column = 0; column < rows.columns; ++column)
                rows.at(row, column) = part == MapPart::Weights ? weight(head, firstRow + row, column)
                                                                : score(head, firstRow + row, column);
        }
    }

    Index computed() const { return m_computed; } // rows, of all heads
    void forget() { m_computed = 0; }

private:
    Index m_heads;
    Index m_rows;
    Index m_columns;
    bool m_hasScores;
    mutable std::atomic<Index> m_computed = 0;
};

} // namespace attn::test

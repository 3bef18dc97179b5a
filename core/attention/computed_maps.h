// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/attention.h"
#include "attention/positions.h"
#include "attention/score.h"
#include "trace/map_source.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace attn {

// The maps of soft, unedited multi-head attention, computed from its queries and keys by what attend() computes them
// with. A head's map equals the one that the run used to the last bit where all of its rows are asked for at once, and
// within 1e-6 otherwise: oneDNN adds products in another order where there are few rows.
class ComputedMaps final : public MapSource
{
public:
    // Copies queries and keys. positions: of the scores, which it outlives. scores: they are captured, too.
    ComputedMaps(const QueryKeyScores& scores, std::shared_ptr<const PositionScores> positions,
                 const AttentionCall& call, bool capturesScores);

    Index heads() const override { return m_queries.heads; }
    Index rows() const override { return m_queries.rows; }
    Index columns() const override { return m_keys.rows; }
    bool has(MapPart part) const override { return part == MapPart::Weights || m_capturesScores; }
    std::size_t bytes() const override { return (m_queries.values.size() + m_keys.values.size()) * sizeof(float); }
    // Computes on one core, by an engine of its own.
    void compute(MapPart part, Index head, Index firstRow, MutableView rows) const override;

private:
    Numbers m_queries; // [heads, rows, width]
    Numbers m_keys; // [key and value heads, keys, width]
    float m_scale;
    float m_cap;
    std::shared_ptr<const PositionScores> m_positions;
    Mask m_mask;
    int m_window;
    std::vector<float> m_sinks; // of the heads; empty: none
    int m_firstRow;
    bool m_capturesScores;
};

} // namespace attn

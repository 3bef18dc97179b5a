// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/positions.h"
#include "tensor/tensor.h"

#include <optional>

namespace attn {

// The distances of DeBERTa's relative positions (He et al. 2021 and 2023): near ones have a row each, farther ones
// share logarithmically wider rows.
struct DistanceRows
{
    int span = 0; // rows to each side of 0
    int buckets = 0; // position_buckets; 0: every distance has its row
    int positions = 0; // distances beyond share the last row

    // Row of the table for a query `distance` = query position - key position behind the key.
    int row(int distance) const;
};

// Disentangled attention: products of queries with the projected distances (content to position) and of the projected
// distances with keys (position to content).
class DisentangledPositions final : public PositionScores
{
public:
    // keys, queries: the distances' projections, [2 * span, heads * width]; empty: that product is left out.
    DisentangledPositions(DistanceRows distances, int heads, Tensor keys, Tensor queries);

    void add(Engine& engine, const QueryKeyScores& of, Index firstHead, MutableView scores) const override;
    void addGradient(const QueryKeyScores& of, NumberView gradient, MutableView queries,
                     MutableView keys) const override;
    void report(const StageReport& stages, const QueryKeyScores& of) const override;
    std::optional<float> bias(int query, int key, int head) const override;

private:
    DistanceRows m_distances;
    int m_heads;
    Tensor m_keys;
    Tensor m_queries;
};

} // namespace attn

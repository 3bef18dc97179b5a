// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/number_view.h"

namespace attn {

struct HeadShape
{
    int heads = 1; // of the queries
    int width = 0; // of one head
    int sharing = 1; // query heads to one key and value head (grouped-query attention); divides heads

    int keyValueHeads() const { return heads / sharing; }
    // [heads, rows, width] of rows that hold the heads side by side.
    template<typename Number>
    StridedView<Number> queries(StridedView<Number> sideBySide) const
    {
        return sideBySide.split(heads);
    }
    template<typename Number>
    StridedView<Number> keys(StridedView<Number> sideBySide) const
    {
        return sideBySide.split(keyValueHeads());
    }
};

// scores[h] = scale * Q[h] K[h / sharing]^T. queries: [heads, queries, width]; keys: [key and value heads, keys,
// width]; scores: [heads, queries, keys]. Rows are not copied, and however many there are no new primitive is made: the
// numbers of queries and keys are runtime dimensions, which were as fast as fixed ones.
void queryKeyProduct(Engine& engine, NumberView queries, NumberView keys, float scale, MutableView scores);

// context[h] = weights[h] V[h / sharing]. weights: [heads, rows, keys]; values: [key and value heads, keys, width];
// context: [heads, rows, width].
void weightedSum(Engine& engine, NumberView weights, NumberView values, MutableView context);

} // namespace attn

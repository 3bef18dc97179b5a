// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"

namespace attn {

// Rows of heads side by side, as a projection leaves them: head h of row r begins at data + r * stride + h * width.
struct HeadRows
{
    const float* data = nullptr;
    int rows = 0;
    int stride = 0;
};

struct HeadShape
{
    int heads = 1; // of the queries
    int width = 0; // of one head
    int sharing = 1; // query heads to one key and value head (grouped-query attention); divides heads

    int keyValueHeads() const { return heads / sharing; }
};

// scores[h] = scale * Q[h] K[h / sharing]^T, [heads, queries, keys]. Rows are not copied, and however many there are no
// new primitive is made: the numbers of queries and keys are runtime dimensions, which were as fast as fixed ones.
void queryKeyProduct(Engine& engine, HeadShape shape, HeadRows queries, HeadRows keys, float scale, float* scores);

// context[h] = weights[h] V[h / sharing], written side by side into rows of `stride`. weights: [heads, rows,
// values.rows].
void weightedSum(Engine& engine, HeadShape shape, const float* weights, int rows, HeadRows values, float* context,
                 int stride);

} // namespace attn

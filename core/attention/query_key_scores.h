// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/number_view.h"

#include <cstdint>

namespace attn {

class PositionScores; // attention/positions.h

// The scores of queries and keys: scaled dot products, what positions add, and a cap on the sum. The views outlive
// this.
struct QueryKeyScores
{
    NumberView queries; // [heads, rows, width], rotated where the model has rotary positions
    NumberView keys; // [key and value heads, keys, width], likewise
    float scale = 1;
    const PositionScores* positions = nullptr; // null: nothing is added
    int firstRow = 0; // position of the first query
    float cap = 0; // scores become cap tanh(score / cap) (Gemma 2); 0: they stay

    // Unmasked scores of the heads from `first` on, [some heads, rows, keys]: one head, or all that share keys.
    void compute(Engine& engine, Index first, MutableView scores) const;
};

// The numbers of a site's maps, and of the queries and keys that they are computed from.
struct QueryKeySizes
{
    std::uint64_t heads = 0; // of the queries
    std::uint64_t keyHeads = 0;
    std::uint64_t rows = 0;
    std::uint64_t keys = 0;
    std::uint64_t width = 0; // of one head

    static QueryKeySizes of(const QueryKeyScores& scores);

    std::uint64_t maps() const { return heads * rows * keys; }
    std::uint64_t queriesAndKeys() const { return (heads * rows + keyHeads * keys) * width; }
    // Whether a run that keeps maps as queries and keys does so with these: a single row, as each step of decoding
    // adds one, would bring all keys along.
    bool worthKeeping() const { return rows > 1 && queriesAndKeys() < maps(); }
};

} // namespace attn

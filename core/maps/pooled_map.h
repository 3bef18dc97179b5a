// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "maps/map.h"

#include <cstdint>
#include <vector>

namespace attn {

// The value that stands for cells that share a dot.
enum class CellPooling : std::uint8_t { Largest, Mean };

// A map made smaller: each block of cells is one.
struct PooledMap
{
    Numbers numbers; // NaN where a block is no number
    std::vector<CellState> states; // row by row: Plain, NaN, or what all cells of the block are
    std::int64_t cells = 0; // of the map
    std::int64_t noNumbers = 0; // of them

    CellState state(Index row, Index column) const
    {
        return states[static_cast<std::size_t>(std::ptrdiff_t{row} * numbers.columns + column)];
    }
    bool isLone(Index row, Index column) const { return state(row, column) >= CellState::OnlyFirst; }
};

// Map with at most `most` rows and columns. A block has the largest of its numbers, of both signs the one furthest from
// zero, so that a lone peak stays visible, or their mean; it is NaN where one of them is.
PooledMap pooled(const Map& map, Index most, CellPooling pooling);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "maps/pooled_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

// The cell with the largest rank says what its block is.
int rankOf(CellState state)
{
    return state == CellState::NaN ? 3 : state <= CellState::Hidden ? 2 : state != CellState::Blank ? 1 : 0;
}

} // namespace

PooledMap pooled(const Map& map, Index most, CellPooling pooling)
{
    const Index rowBlock = std::max(1, (map.numbers.rows + most - 1) / most);
    const Index columnBlock = std::max(1, (map.numbers.columns + most - 1) / most);
    const Index columns = (map.numbers.columns + columnBlock - 1) / columnBlock;
    PooledMap result{.numbers = Numbers::zeros(1, (map.numbers.rows + rowBlock - 1) / rowBlock, columns),
                     .states = {},
                     .cells = std::ssize(map.numbers.values),
                     .noNumbers = map.count(CellState::NaN)};
    result.states.assign(result.numbers.values.size(), CellState::Blank);
    std::vector<double> sums(result.states.size());
    std::vector<int> counts(result.states.size());
    for (Index row = 0; row < map.numbers.rows; ++row) {
        for (Index column = 0; column < map.numbers.columns; ++column) {
            const auto block =
                static_cast<std::size_t>(std::ptrdiff_t{row / rowBlock} * columns + column / columnBlock);
            const CellState state = map.state(row, column);
            CellState& known = result.states[block];
            if (rankOf(state) > rankOf(known))
                known = state <= CellState::Hidden ? CellState::Plain : state;
            if (state > CellState::Hidden)
                continue;
            const float value = map.at(row, column);
            float& largest = result.numbers.values[block];
            if (counts[block] == 0 || (map.isSigned ? std::abs(largest) < std::abs(value) : largest < value))
                largest = value;
            sums[block] += value;
            ++counts[block];
        }
    }
    for (std::size_t block = 0; block < sums.size(); ++block) {
        float& number = result.numbers.values[block];
        if (result.states[block] == CellState::NaN)
            number = std::numeric_limits<float>::quiet_NaN();
        else if (pooling == CellPooling::Mean && counts[block] > 0)
            number = static_cast<float>(sums[block] / counts[block]);
    }
    return result;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/positions.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attn {

Tensor sinusoidalPositions(std::span<const int> positions, int width, AddedPositions kind)
{
    Tensor table({std::ssize(positions), width});
    const int sines = (width + 1) / 2;
    const double steps = kind == AddedPositions::Sinusoidal ? width / 2.0 : std::max(width / 2 - 1, 1);
    for (int frequency = 0; frequency < sines; ++frequency) {
        const double wavelength = std::pow(10000.0, frequency / steps);
        for (int row = 0; row < indexSize(positions); ++row) {
            const double angle = positions[row] / wavelength;
            const auto values = table.matrix().row(row);
            values[frequency] = static_cast<float>(std::sin(angle));
            if (sines + frequency < width)
                values[sines + frequency] = static_cast<float>(std::cos(angle));
        }
    }
    return table;
}

std::vector<int> PositionTable::numbers(std::span<const TokenId> ids, int first) const
{
    std::vector<int> result;
    result.reserve(ids.size());
    int next = offset + first;
    for (const TokenId id : ids)
        result.push_back(padding == id ? *padding : next++);
    return result;
}

Tensor PositionTable::rows(std::span<const int> numbers) const
{
    if (kind == AddedPositions::Learned)
        return learned->rows(numbers);
    Tensor table = sinusoidalPositions(numbers, width, kind);
    for (int row = 0; row < indexSize(numbers); ++row) {
        if (padding == numbers[row]) // fairseq leaves it empty
            std::ranges::fill(table.matrix().row(row), 0.0F);
    }
    return table;
}

} // namespace attn

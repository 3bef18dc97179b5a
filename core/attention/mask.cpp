// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/mask.h"

#include <algorithm>
#include <limits>

namespace attn {

namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

} // namespace

void applyMask(Mask mask, std::span<float> scores, int rows, int columns, int firstRow, int window)
{
    if (mask == Mask::None || rows == 0 || columns == 0)
        return;
    const auto rowCount = static_cast<std::size_t>(rows);
    const auto columnCount = static_cast<std::size_t>(columns);
    for (std::size_t begin = 0; begin < scores.size(); begin += columnCount) {
        const std::size_t row = begin / columnCount % rowCount;
        const std::size_t position = static_cast<std::size_t>(firstRow) + row;
        const std::size_t visible = std::min(position + (mask == Mask::Causal ? 1 : 0), columnCount);
        std::ranges::fill(scores.subspan(begin + visible, columnCount - visible), minusInfinity);
        const auto width = static_cast<std::size_t>(window);
        if (window > 0 && position + 1 > width)
            std::ranges::fill(scores.subspan(begin, std::min(position + 1 - width, columnCount)), minusInfinity);
    }
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/mask.h"

#include <algorithm>
#include <limits>

namespace attn {

namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

} // namespace

void applyMask(Mask mask, MutableView scores, int firstRow, int window)
{
    if (mask == Mask::None)
        return;
    for (int head = 0; head < scores.heads; ++head) {
        for (int row = 0; row < scores.rows; ++row) {
            const auto values = scores.row(head, row);
            const int position = firstRow + row;
            const int visible = std::min(position + (mask == Mask::Causal ? 1 : 0), scores.columns);
            std::ranges::fill(values.subspan(visible), minusInfinity);
            if (window > 0 && position + 1 > window)
                std::ranges::fill(values.first(std::min(position + 1 - window, scores.columns)), minusInfinity);
        }
    }
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace attn {

enum class Mask : std::uint8_t {
    None,
    Causal, // a query sees the keys up to its own position
};

// Sets the scores of keys that a query may not see to -inf. scores: [heads, rows, columns]; row r is the query at
// position firstRow + r, column c the key at position c.
void applyMask(Mask mask, std::span<float> scores, int rows, int columns, int firstRow);

} // namespace attn

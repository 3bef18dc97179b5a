// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/number_view.h"

#include <cstdint>

namespace attn {

enum class Mask : std::uint8_t {
    None,
    Causal, // a query sees the keys up to its own position
    Earlier, // a query sees the keys before its own position
};

// Sets the scores of keys that a query may not see to -inf. Row r is the query at position firstRow + r, column c
// the key at position c. A causal window of W (Beltagy et al. 2020) leaves the query's own position and the W - 1
// before it; 0: all before it.
void applyMask(Mask mask, MutableView scores, int firstRow, int window = 0);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "trace/source_media.h"

#include <cstdint>
#include <vector>

namespace attn {

// Filters by the numbers that preprocessor_config.json has for them.
enum class Resampling : std::uint8_t { Lanczos = 1, Bilinear = 2, Bicubic = 3 };

// Samples first, first + 1, ... that one output sample is made of, and their weights, whose sum is 1.
struct FilterTaps
{
    Index first = 0;
    std::vector<double> weights;
};

// Taps of each of `to` samples made of `from`, with antialiasing where they become fewer (Pillow's arithmetic).
std::vector<FilterTaps> filterTaps(Resampling filter, Index from, Index to);

// Bit for bit what Pillow makes of it: horizontal before vertical, each with 8-bit results; a side that keeps its size
// is not filtered.
Picture resized(const Picture& picture, Index width, Index height, Resampling filter);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace attn {

// Words between spaces.
int wordCount(std::string_view text);

// Lengths from .. to, and which of the sentences have them.
struct LengthBin
{
    int from = 0;
    int to = 0;
    std::vector<std::size_t> sentences;
};

// At most `bins` ranges of lengths with about equally many sentences; equal lengths are never apart.
std::vector<LengthBin> lengthBins(std::span<const int> lengths, int bins);

} // namespace attn

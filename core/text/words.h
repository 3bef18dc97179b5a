// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// U+2581, which SentencePiece writes where a word starts.
inline constexpr std::string_view wordStartMark = "\xE2\x96\x81";

// The word of every piece, from 0: a piece with the mark in front starts one, -1 where special.
std::vector<int> wordIndices(std::span<const std::string> pieces, const std::vector<bool>& special);

} // namespace attn

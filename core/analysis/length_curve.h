// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct SentencePair
{
    std::string source;
    std::string reference;
};

// Lines of a source, a TAB and a reference; what follows another TAB is left out, empty lines are skipped. Throws
// Error{Format} with the number of a line that has no TAB or an empty side, and for bytes that are no UTF-8;
// Error{Input} for more than `most` pairs.
std::vector<SentencePair> parseSentencePairs(std::string_view text, std::size_t most);

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

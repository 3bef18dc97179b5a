// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Counts that corpus BLEU (Papineni et al. 2002) is made of, for one line or many.
struct BleuCounts
{
    std::array<long, 4> matches{}; // n-grams of the hypothesis that the reference has too, n = 1 .. 4
    std::array<long, 4> totals{}; // n-grams of the hypothesis
    long hypothesisLength = 0; // in tokens
    long referenceLength = 0;

    BleuCounts& operator+=(const BleuCounts& other);
};

// Tokens as mteval-v13a and sacreBLEU's "13a" make them (Post 2018).
std::vector<std::string> tokens13a(std::string_view line);

BleuCounts bleuCounts(std::string_view hypothesis, std::string_view reference);

// In percent, case-sensitive, with exponential smoothing, as sacreBLEU computes it by default. 0 without any match or
// where the hypotheses are too short for 4-grams.
double bleu(const BleuCounts& counts);

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

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/length_curve.h"

#include "base/index.h"

#include <map>

namespace attn {

int wordCount(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\v\f";
    int words = 0;
    for (std::size_t at = 0; (at = text.find_first_not_of(blanks, at)) != std::string_view::npos; ++words)
        at = text.find_first_of(blanks, at);
    return words;
}

std::vector<LengthBin> lengthBins(std::span<const int> lengths, int bins)
{
    std::map<int, std::vector<std::size_t>> byLength;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        byLength[lengths[i]].push_back(i);
    std::vector<LengthBin> result;
    std::size_t placed = 0;
    for (const auto& [length, sentences] : byLength) {
        // A new bin begins where the share of those before it is used up.
        const std::size_t share = lengths.size() * result.size() / static_cast<std::size_t>(bins);
        const bool opens = result.empty() || (placed >= share && indexSize(result) < bins);
        if (opens)
            result.push_back({length, length, {}});
        LengthBin& bin = result.back();
        bin.to = length;
        bin.sentences.insert(bin.sentences.end(), sentences.begin(), sentences.end());
        placed += sentences.size();
    }
    return result;
}

} // namespace attn

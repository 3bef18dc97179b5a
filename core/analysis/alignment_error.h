// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/alignment.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace attn {

// Links of a sentence pair by hand, (source, target), words counted from 0.
struct GoldLinks
{
    std::set<std::pair<int, int>> sure;
    std::set<std::pair<int, int>> possible; // the sure ones too
};

// "0-0 1?1": `-` marks a sure link, `?` a possible one; a link that has both is sure. base: number of the first word in
// the text. Throws Error{Input} that names `where` for what is no link and for a word that the sentences do not have.
GoldLinks parseGoldLinks(std::string_view text, int sourceWords, int targetWords, int base, const std::string& where);

// Found links against gold links, over a corpus (Och and Ney 2003).
struct AlignmentScore
{
    std::int64_t found = 0; // A
    std::int64_t foundSure = 0; // A and S
    std::int64_t foundPossible = 0; // A and P
    std::int64_t sure = 0; // S

    void add(const std::vector<AlignmentLink>& links, const GoldLinks& gold);

    double precision() const; // |A and P| / |A|; 0 without links
    std::optional<double> recall() const; // |A and S| / |S|; none without sure links
    double errorRate() const; // AER, 1 - (|A and S| + |A and P|) / (|A| + |S|); 1 without any
};

} // namespace attn

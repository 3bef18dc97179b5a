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
#include <vector>

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

// The links of two texts.
struct GoldTexts
{
    std::string source;
    std::string target;
    GoldLinks links;
};

// A cell of a map, and whether its row's and column's words are linked for sure.
struct GoldCell
{
    Index row = 0;
    Index column = 0;
    bool sure = false;
};

// Cells of the tokens of linked words; none where rows and columns are tokens of other texts.
std::vector<GoldCell> goldCells(const GoldTexts& gold, const Encoding& rows, const Encoding& columns);

// Found links against gold links, over a corpus (Och and Ney 2003).
struct AlignmentScore
{
    std::int64_t found = 0; // A
    std::int64_t foundSure = 0; // A and S
    std::int64_t foundPossible = 0; // A and P
    std::int64_t sure = 0; // S

    void add(const std::vector<AlignmentLink>& links, const GoldLinks& gold);
    AlignmentScore& operator+=(const AlignmentScore& other);
    bool empty() const { return found == 0 && sure == 0; } // of nothing to find, and nothing was

    double precision() const; // |A and P| / |A|; 0 without links
    std::optional<double> recall() const; // |A and S| / |S|; none without sure links
    double errorRate() const; // AER, 1 - (|A and S| + |A and P|) / (|A| + |S|); 1 without any
};

} // namespace attn

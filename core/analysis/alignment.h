// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/attention_map.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// Hard alignments, as batch writes them. A word here is what blanks separate in the text, a full stop at its end
// included, as tools for alignments count; figures part punctuation from words instead (textWords()).

// A row of a matrix and the column of its largest weight: target and source, tokens or words, numbered from 0.
struct AlignmentLink
{
    int source = 0;
    int target = 0;
    float weight = 0;

    friend bool operator==(const AlignmentLink&, const AlignmentLink&) = default;
};

// One for each row in order, the first of equal columns; none for a row without a positive weight. NaN,
// NaN or infinite, is passed over.
std::vector<AlignmentLink> strongestLinks(const Numbers& matrix);

// For every token the word between blanks that holds its first byte that is no blank, of a token of blanks alone the
// one that follows; noWord for special tokens and where no word follows. Tokens whose place in the text is not known
// are words each.
std::vector<int> blankSeparatedWords(const Encoding& encoding);

// Row of a target token in a map: that of the step that predicts it, or the next, at which the decoder reads it (Chen
// et al. 2020); there the last token has none.
enum class TokenRow : std::uint8_t { Predicting, Reading };

// [target words, source words] of `matrix`, [target tokens, source tokens]: a word's weight on a word is the sum over
// the source word's tokens, averaged over the target word's.
Numbers wordWeights(const Numbers& matrix, const Encoding& source, const Encoding& target,
                    TokenRow row = TokenRow::Predicting);
// The same by the words of the tokens, as blankSeparatedWords() finds them.
Numbers wordWeights(const Numbers& matrix, const std::vector<int>& sourceWords, const std::vector<int>& targetWords,
                    TokenRow row);
// The strongest links of these.
std::vector<AlignmentLink> wordLinks(const Numbers& matrix, const Encoding& source, const Encoding& target,
                                     TokenRow row = TokenRow::Predicting);

// Measures of an alignment that need no links by hand. Coverage and absentmindedness are 0 at best, else negative
// (Rikters and Fishel 2017).
struct AlignmentMeasures
{
    double confidence = 0; // mean over target words of the largest weight of the row
    double coverage = 0; // deviation of the sums of columns from one
    double absentOut = 0; // absentmindedness: how far target words spread their weight, the negative entropy
    double absentIn = 0; // and how far the weight on source words comes from many
    int absent = 0; // source words that are linked to nothing
    int repeated = 0; // and to several words

    double score() const { return coverage + absentOut + absentIn; }
};

// words: [target words, source words], with its links.
AlignmentMeasures alignmentMeasures(const Numbers& words, std::span<const AlignmentLink> links);

// Pharaoh format, "source-target": "0-0 1-2".
std::string pharaoh(const std::vector<AlignmentLink>& links);

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

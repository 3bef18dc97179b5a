// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/alignment_error.h"

#include "analysis/word_order.h"
#include "base/error.h"
#include "base/plain_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace attn {

namespace {

int goldWord(std::string_view text, int words, int base, const char* side, const std::string& where)
{
    const auto number = parsedNumber<int>(text);
    if (!number)
        throw Error(ErrorKind::Input, where, fmt::format("'{}' is no number of a {} word", text, side),
                    "write links as 0-0 or 0?0");
    if (*number < base || *number - base >= words)
        throw Error(ErrorKind::Input, where,
                    fmt::format("the {} has no word {}, only {} to {}", side, *number, base, base + words - 1),
                    base == 0 ? "files that count from 1 need --gold-base 1" : "");
    return *number - base;
}

// Blanks may differ.
bool hasWordsOf(const Encoding& encoding, std::string_view text)
{
    const std::vector<ByteSpan> own = blankSeparated(encoding.text);
    const std::vector<ByteSpan> others = blankSeparated(text);
    return std::ranges::equal(
        own, others, {},
        [&](const ByteSpan& span) { return std::string_view(encoding.text).substr(span.begin, span.end - span.begin); },
        [&](const ByteSpan& span) { return text.substr(span.begin, span.end - span.begin); });
}

} // namespace

GoldLinks parseGoldLinks(std::string_view text, int sourceWords, int targetWords, int base, const std::string& where)
{
    GoldLinks links;
    for (const ByteSpan& span : blankSeparated(text)) {
        const std::string_view link = text.substr(span.begin, span.end - span.begin);
        const std::size_t marker = link.find_first_of("-?");
        if (marker == std::string_view::npos)
            throw Error(ErrorKind::Input, where, fmt::format("'{}' is no link", link), "write links as 0-0 or 0?0");
        const std::pair<int, int> words{goldWord(link.substr(0, marker), sourceWords, base, "source", where),
                                        goldWord(link.substr(marker + 1), targetWords, base, "target", where)};
        links.possible.insert(words);
        if (link[marker] == '-')
            links.sure.insert(words);
    }
    return links;
}

std::vector<GoldCell> goldCells(const GoldTexts& gold, const Encoding& rows, const Encoding& columns)
{
    std::vector<GoldCell> cells;
    if (!hasWordsOf(rows, gold.target) || !hasWordsOf(columns, gold.source))
        return cells;
    const std::vector<int> targetWords = blankSeparatedWords(rows);
    const std::vector<int> sourceWords = blankSeparatedWords(columns);
    for (Index row = 0; row < indexSize(targetWords); ++row) {
        for (Index column = 0; column < indexSize(sourceWords); ++column) {
            const std::pair<int, int> words{sourceWords[column], targetWords[row]};
            if (gold.links.possible.contains(words))
                cells.push_back({row, column, gold.links.sure.contains(words)});
        }
    }
    return cells;
}

void AlignmentScore::add(const std::vector<AlignmentLink>& links, const GoldLinks& gold)
{
    for (const AlignmentLink& link : links) {
        const std::pair<int, int> words{link.source, link.target};
        ++found;
        foundSure += gold.sure.contains(words) ? 1 : 0;
        foundPossible += gold.possible.contains(words) ? 1 : 0;
    }
    sure += std::ssize(gold.sure);
}

AlignmentScore& AlignmentScore::operator+=(const AlignmentScore& other)
{
    found += other.found;
    foundSure += other.foundSure;
    foundPossible += other.foundPossible;
    sure += other.sure;
    return *this;
}

double AlignmentScore::precision() const
{
    return found == 0 ? 0 : static_cast<double>(foundPossible) / static_cast<double>(found);
}

std::optional<double> AlignmentScore::recall() const
{
    return sure == 0 ? std::nullopt : std::optional(static_cast<double>(foundSure) / static_cast<double>(sure));
}

double AlignmentScore::errorRate() const
{
    return found + sure == 0 ? 1
                             : 1 - static_cast<double>(foundSure + foundPossible) / static_cast<double>(found + sure);
}

} // namespace attn

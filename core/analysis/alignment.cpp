// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/alignment.h"

#include "analysis/word_order.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/plain_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace attn {

namespace {

int numberOfWords(const std::vector<int>& words)
{
    return words.empty() ? 0 : std::ranges::max(words) + 1;
}

} // namespace

std::vector<AlignmentLink> strongestLinks(const Numbers& matrix)
{
    std::vector<AlignmentLink> links;
    for (int row = 0; row < matrix.rows; ++row) {
        AlignmentLink best{0, row, 0};
        for (int column = 0; column < matrix.columns; ++column) {
            if (const float weight = matrix.at(row, column); std::isfinite(weight) && weight > best.weight)
                best = {column, row, weight};
        }
        if (best.weight > 0)
            links.push_back(best);
    }
    return links;
}

std::vector<int> blankSeparatedWords(const Encoding& encoding)
{
    const std::string& text = encoding.text;
    const bool hasPlaces = encoding.spans.size() == encoding.size()
        && std::ranges::all_of(encoding.spans, [&](const ByteSpan& span) { return span.end <= text.size(); });
    const std::vector<ByteSpan> spans = blankSeparated(text);
    std::vector<int> words;
    int next = 0;
    for (std::size_t token = 0; token < encoding.size(); ++token) {
        if (isSpecial(encoding, token)) {
            words.push_back(noWord);
            continue;
        }
        if (!hasPlaces) {
            words.push_back(next++);
            continue;
        }
        // The first word that ends behind it. A token without bytes of its own is at the end of the word before it, if
        // there is one.
        std::size_t byte = encoding.spans[token].begin;
        if (encoding.spans[token].end <= byte && byte > 0)
            --byte;
        const auto word = std::ranges::upper_bound(spans, byte, {}, &ByteSpan::end);
        words.push_back(word == spans.end() ? noWord : static_cast<int>(word - spans.begin()));
    }
    return words;
}

Numbers wordWeights(const Numbers& matrix, const Encoding& source, const Encoding& target, TokenRow row)
{
    return wordWeights(matrix, blankSeparatedWords(source), blankSeparatedWords(target), row);
}

Numbers wordWeights(const Numbers& matrix, const std::vector<int>& sourceWords, const std::vector<int>& targetWords,
                    TokenRow row)
{
    Numbers merged{numberOfWords(targetWords), numberOfWords(sourceWords), {}};
    const std::ptrdiff_t width = merged.columns;
    std::vector<double> sums(merged.rows * width);
    std::vector<int> tokens(merged.rows);
    const Index first = row == TokenRow::Reading ? 1 : 0;
    for (Index token = 0; token + first < matrix.rows; ++token) {
        const int word = targetWords.at(token);
        if (word < 0)
            continue;
        ++tokens[word];
        for (Index column = 0; column < matrix.columns; ++column) {
            if (const int from = sourceWords.at(column); from >= 0)
                sums[word * width + from] += matrix.at(token + first, column);
        }
    }
    for (std::ptrdiff_t i = 0; i < std::ssize(sums); ++i)
        merged.values.push_back(static_cast<float>(sums[i] / std::max(1, tokens[i / width])));
    return merged;
}

std::vector<AlignmentLink> wordLinks(const Numbers& matrix, const Encoding& source, const Encoding& target,
                                     TokenRow row)
{
    return strongestLinks(wordWeights(matrix, source, target, row));
}

AlignmentMeasures alignmentMeasures(const Numbers& words, std::span<const AlignmentLink> links)
{
    AlignmentMeasures measures;
    if (words.rows == 0 || words.columns == 0)
        return measures;
    std::vector<double> rowSums(words.rows);
    std::vector<double> columnSums(words.columns);
    std::vector<double> entropies[2] = {rowSums, columnSums}; // sums of w ln w: of a row, and of a column
    for (Index row = 0; row < words.rows; ++row) {
        double largest = 0;
        for (Index column = 0; column < words.columns; ++column) {
            const auto weight = static_cast<double>(words.at(row, column));
            if (!(weight > 0) || !std::isfinite(weight))
                continue;
            largest = std::max(largest, weight);
            rowSums[row] += weight;
            columnSums[column] += weight;
            entropies[0][row] += weight * std::log(weight);
            entropies[1][column] += weight * std::log(weight);
        }
        measures.confidence += largest / words.rows;
    }
    for (const double sum : columnSums)
        measures.coverage -= std::log1p((1 - sum) * (1 - sum)) / words.columns;
    // The sum of (w / sum) ln (w / sum).
    const auto ofOne = [](double entropy, double sum) { return sum > 0 ? entropy / sum - std::log(sum) : 0; };
    for (Index row = 0; row < words.rows; ++row)
        measures.absentOut += ofOne(entropies[0][row], rowSums[row]) / words.rows;
    for (Index column = 0; column < words.columns; ++column)
        measures.absentIn += ofOne(entropies[1][column], columnSums[column]) / words.rows;
    std::vector<int> linked(words.columns);
    for (const AlignmentLink& link : links)
        ++linked[link.source];
    measures.absent = static_cast<int>(std::ranges::count(linked, 0));
    measures.repeated = static_cast<int>(std::ranges::count_if(linked, [](int count) { return count > 1; }));
    return measures;
}

std::string pharaoh(const std::vector<AlignmentLink>& links)
{
    std::string line;
    for (const AlignmentLink& link : links)
        line += fmt::format("{}{}-{}", line.empty() ? "" : " ", link.source, link.target);
    return line;
}

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

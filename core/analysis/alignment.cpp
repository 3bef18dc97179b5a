// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/alignment.h"

#include "analysis/word_order.h"
#include "base/encoding.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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

} // namespace attn

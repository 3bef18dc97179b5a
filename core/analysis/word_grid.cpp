// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/word_grid.h"

#include "analysis/words.h"
#include "base/encoding.h"
#include "base/index.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>

namespace attn {

namespace {

constexpr std::string_view space = " \t\r\n";

// Where a token's text begins, without the space before it; none for tokens that stand for no text.
std::optional<std::size_t> beginOf(const Encoding& encoding, std::size_t token)
{
    if (token >= encoding.spans.size() || isSpecial(encoding, token))
        return std::nullopt;
    const ByteSpan span = encoding.spans[token];
    if (span.begin >= span.end || span.end > encoding.text.size())
        return std::nullopt;
    const std::size_t begin = encoding.text.find_first_not_of(space, span.begin);
    return begin < span.end ? begin : span.begin;
}

// Bytes at which a word begins; tokens without word numbers are words each.
std::vector<std::size_t> wordStarts(const Encoding& encoding, bool& others)
{
    const std::vector<int> words = textWords(encoding);
    std::vector<std::size_t> starts;
    int previous = noWord;
    for (std::size_t token = 0; token < encoding.size(); ++token) {
        const auto begin = beginOf(encoding, token);
        if (!begin) {
            others = true;
            previous = noWord;
            continue;
        }
        const int word = token < words.size() ? words[token] : noWord;
        if (word == noWord || word != previous)
            starts.push_back(*begin);
        previous = word;
    }
    std::ranges::sort(starts);
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    return starts;
}

} // namespace

WordGrid commonWordGrid(std::span<const Encoding* const> encodings)
{
    WordGrid grid;
    if (encodings.empty())
        return grid;
    std::size_t first = std::string::npos;
    for (std::size_t i = 0; i < encodings.size(); ++i) {
        const auto starts = wordStarts(*encodings[i], grid.others);
        if (!starts.empty())
            first = std::min(first, starts.front());
        if (i == 0) {
            grid.starts = starts;
            continue;
        }
        std::vector<std::size_t> common;
        std::ranges::set_intersection(grid.starts, starts, std::back_inserter(common));
        grid.starts = std::move(common);
    }
    if (first != std::string::npos && (grid.starts.empty() || grid.starts.front() != first))
        grid.starts.insert(grid.starts.begin(), first);
    const std::string& text = encodings.front()->text;
    for (std::size_t i = 0; i < grid.starts.size(); ++i) {
        const std::size_t end = std::min(i + 1 < grid.starts.size() ? grid.starts[i + 1] : text.size(), text.size());
        const std::size_t begin = std::min(grid.starts[i], end);
        const std::size_t last = text.find_last_not_of(space, end == 0 ? 0 : end - 1);
        grid.labels.push_back(last == std::string::npos || last < begin ? std::string()
                                                                        : text.substr(begin, last + 1 - begin));
    }
    return grid;
}

Numbers ontoGrid(const Numbers& matrix, const Encoding& columns, const WordGrid& grid)
{
    Numbers result = Numbers::zeros(1, matrix.rows, grid.columns());
    for (int column = 0; column < matrix.columns; ++column) {
        const auto begin = beginOf(columns, column);
        auto target = std::ssize(grid.starts);
        if (begin)
            target =
                std::max<std::ptrdiff_t>(0, std::ranges::upper_bound(grid.starts, *begin) - grid.starts.begin() - 1);
        if (target >= result.columns)
            continue;
        for (int row = 0; row < matrix.rows; ++row)
            result.row(row)[target] += matrix.at(row, column);
    }
    return result;
}

} // namespace attn

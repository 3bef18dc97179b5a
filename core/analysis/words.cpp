// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words.h"

#include "base/encoding.h"
#include "base/error.h"
#include "base/index.h"
#include "base/token_text.h"
#include "base/utf8.h"
#include "text/unicode/character_map.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace attn {

namespace {

// Text without white space around it.
std::string_view trimmed(std::string_view text)
{
    std::size_t begin = text.size();
    std::size_t end = 0;
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t character = position;
        if (isWhitespace(nextCodePoint(text, position)))
            continue;
        begin = std::min(begin, character);
        end = position;
    }
    return text.substr(begin, end - std::min(begin, end));
}

// The word as it stands in the text; without a text, its pieces put together.
std::string wordLabel(const Encoding& encoding, std::size_t first, std::size_t end)
{
    if (end <= encoding.spans.size() && encoding.spans[end - 1].end <= encoding.text.size()
        && encoding.spans[first].begin < encoding.spans[end - 1].end) {
        const ByteSpan span{encoding.spans[first].begin, encoding.spans[end - 1].end};
        const auto word = trimmed(std::string_view(encoding.text).substr(span.begin, span.end - span.begin));
        if (!word.empty())
            return visibleText(word);
    }
    std::string label;
    for (std::size_t token = first; token < end; ++token)
        label += token == first || token < encoding.labels.size() ? tokenLabel(encoding, token)
                                                                  : visibleText(encoding.tokens[token]);
    return label;
}

enum class PieceKind : std::uint8_t { Blank, Punctuation, Letters };

PieceKind kindOf(const Encoding& encoding, std::size_t token)
{
    std::string_view piece = token < encoding.labels.size() ? encoding.labels[token] : encoding.tokens[token];
    if (piece.starts_with(wordStartMark))
        piece.remove_prefix(wordStartMark.size());
    auto kind = PieceKind::Blank;
    for (std::size_t position = 0; position < piece.size();) {
        const char32_t c = nextCodePoint(piece, position);
        if (isWhitespace(c))
            continue;
        if (!isPunctuation(c))
            return PieceKind::Letters;
        kind = PieceKind::Punctuation;
    }
    return kind;
}

// Where the letters of the tokenizer's word [first, end) begin and end; [first, end) where it has none.
std::pair<Index, Index> lettersOf(const Encoding& encoding, Index first, Index end)
{
    Index from = first;
    while (from < end && kindOf(encoding, from) != PieceKind::Letters)
        ++from;
    if (from == end)
        return {first, end};
    Index to = end;
    while (kindOf(encoding, to - 1) == PieceKind::Punctuation)
        --to;
    while (from > first && kindOf(encoding, from - 1) == PieceKind::Blank)
        --from;
    return {from, to};
}

// Groups of neighbours with the same number; tokens of no word stay alone.
std::vector<AxisGroup> groupsOf(const Encoding& encoding, const std::vector<int>& words)
{
    std::vector<AxisGroup> groups;
    const Index count = indexSize(encoding);
    for (Index first = 0; first < count;) {
        Index end = first + 1;
        while (words[first] != noWord && end < count && words[end] == words[first])
            ++end;
        groups.push_back({words[first] != noWord ? wordLabel(encoding, first, end) : tokenLabel(encoding, first), first,
                          end - first});
        first = end;
    }
    return groups;
}

bool hasWords(const Encoding& encoding)
{
    return encoding.words.size() == encoding.size() && encoding.tokens.size() == encoding.size();
}

void requireCover(const std::vector<AxisGroup>& groups, int size)
{
    int covered = 0;
    for (const AxisGroup& group : groups) {
        if (group.first - groups.front().first != covered || group.count < 1 || group.count > size - covered)
            throw Error(ErrorKind::Input, "axis", "the groups do not cover the matrix");
        covered += group.count;
    }
    if (covered != size)
        throw Error(ErrorKind::Input, "axis", "the groups do not cover the matrix");
}

} // namespace

std::vector<AxisGroup> tokenAxis(const Encoding& encoding)
{
    std::vector<AxisGroup> groups;
    groups.reserve(encoding.size());
    for (Index token = 0; token < indexSize(encoding); ++token)
        groups.push_back({tokenLabel(encoding, token), token, 1});
    return groups;
}

std::vector<int> textWords(const Encoding& encoding)
{
    if (!hasWords(encoding))
        return {};
    std::vector<int> words(encoding.size(), noWord);
    int next = 0;
    const Index count = indexSize(encoding);
    for (Index first = 0; first < count;) {
        Index end = first + 1;
        if (encoding.words[first] != noWord) {
            while (end < count && encoding.words[end] == encoding.words[first])
                ++end;
            const auto [from, to] = lettersOf(encoding, first, end);
            for (const auto& [begin, stop] : {std::pair(first, from), std::pair(from, to), std::pair(to, end)}) {
                if (begin < stop)
                    std::fill(words.begin() + begin, words.begin() + stop, next++);
            }
        }
        first = end;
    }
    return words;
}

std::vector<AxisGroup> wordAxis(const Encoding& encoding)
{
    return hasWords(encoding) ? groupsOf(encoding, textWords(encoding)) : tokenAxis(encoding);
}

Numbers merge(const Numbers& matrix, const std::vector<AxisGroup>& rows, const std::vector<AxisGroup>& columns)
{
    requireCover(rows, matrix.rows);
    requireCover(columns, matrix.columns);
    Numbers merged{indexSize(rows), indexSize(columns), {}};
    merged.values.reserve(rows.size() * columns.size());
    for (const AxisGroup& row : rows)
        for (const AxisGroup& column : columns) {
            double sum = 0;
            for (int r = row.first; r < row.first + row.count; ++r)
                for (int c = column.first; c < column.first + column.count; ++c)
                    sum += matrix.at(r - rows.front().first, c - columns.front().first);
            merged.values.push_back(static_cast<float>(sum / row.count));
        }
    return merged;
}

std::vector<ChangedWord> changedWords(const std::vector<AxisGroup>& now, const std::vector<AxisGroup>& before)
{
    const auto same = [](const AxisGroup& one, const AxisGroup& other) { return one.label == other.label; };
    const auto begin = std::ranges::mismatch(now, before, same);
    const auto end = std::mismatch(now.rbegin(), std::make_reverse_iterator(begin.in1), before.rbegin(),
                                   std::make_reverse_iterator(begin.in2), same);
    const bool asMany = end.first.base() - begin.in1 == end.second.base() - begin.in2;
    std::vector<ChangedWord> changed;
    const auto count = static_cast<int>(end.first.base() - begin.in1);
    const auto first = static_cast<int>(begin.in1 - now.begin());
    for (int i = 0; i < count; ++i) {
        if (!asMany)
            changed.push_back({first + i, {}});
        else if (!same(begin.in1[i], begin.in2[i]))
            changed.push_back({first + i, static_cast<int>(begin.in2 - before.begin()) + i});
    }
    return changed;
}

std::vector<UnknownWord> unknownWords(const Encoding& encoding, TokenId unknown)
{
    std::vector<UnknownWord> found;
    const std::size_t size = encoding.size();
    if (encoding.words.size() != size || encoding.spans.size() != size || encoding.tokens.size() != size)
        return found;
    const auto& pieces = encoding.labels.empty() ? encoding.tokens : encoding.labels;
    for (std::size_t first = 0, end = 0; first < size; first = end) {
        end = first + 1;
        while (encoding.words[first] != noWord && end < size && encoding.words[end] == encoding.words[first])
            ++end;
        const auto isUnknown = [unknown](TokenId id) { return id == unknown; };
        constexpr const char* blanks = " \t\r\n"; // that spans may begin with
        const std::size_t last = std::min(encoding.spans[end - 1].end, encoding.text.size());
        const std::size_t begin = encoding.text.find_first_not_of(blanks, encoding.spans[first].begin);
        if (begin >= last || !std::any_of(encoding.ids.data() + first, encoding.ids.data() + end, isUnknown))
            continue;
        UnknownWord word{encoding.text.substr(begin, last - begin), {pieces.data() + first, pieces.data() + end}};
        if (std::ranges::find(found, word.text, &UnknownWord::text) == found.end())
            found.push_back(std::move(word));
    }
    return found;
}

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

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/length_curve.h"

#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"

#include <fmt/format.h>
#include <map>

namespace attn {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

std::string_view trimmedLine(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool isUtf8(std::string_view text)
{
    constexpr std::size_t replacementLength = 3;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (nextCodePoint(text, at) == replacementCharacter && at - begin != replacementLength)
            return false;
    }
    return true;
}

SentencePair pairOf(std::string_view line, std::size_t number)
{
    const std::string where = fmt::format("line {}", number);
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos)
        throw Error(ErrorKind::Format, where, "has no tab character",
                    "write a source, a tab and a reference on each line");
    const std::string_view source = trimmedLine(line.substr(0, tab));
    const std::string_view rest = line.substr(tab + 1);
    const std::string_view reference = trimmedLine(rest.substr(0, rest.find('\t')));
    if (source.empty() || reference.empty())
        throw Error(ErrorKind::Format, where, source.empty() ? "has no source" : "has no reference",
                    "write a source, a tab and a reference on each line");
    if (!isUtf8(line))
        throw Error(ErrorKind::Format, where, "is not UTF-8", "save the file as UTF-8");
    return {std::string(source), std::string(reference)};
}

} // namespace

std::vector<SentencePair> parseSentencePairs(std::string_view text, std::size_t most)
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark))
        text.remove_prefix(mark.size());
    std::vector<SentencePair> pairs;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (trimmedLine(line).empty())
            continue;
        if (pairs.size() == most)
            throw Error(ErrorKind::Input, "file", fmt::format("has more than {} sentences", most),
                        "choose a smaller part of it");
        pairs.push_back(pairOf(line, number));
    }
    return pairs;
}

int wordCount(std::string_view text)
{
    int words = 0;
    for (text = trimmedLine(text); !text.empty(); ++words)
        text = trimmedLine(text.substr(std::min(text.find_first_of(blanks), text.size())));
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

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/bleu.h"

#include "base/index.h"
#include "base/utf8.h"

#include <unicode/regex.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace attn {

namespace {

using NGrams = std::map<std::vector<std::string>, long>;

bool isSpace(char32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680
        || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

std::vector<std::string> splitAtSpaces(std::string_view text)
{
    std::vector<std::string> words(1);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (!isSpace(nextCodePoint(text, at)))
            words.back() += text.substr(begin, at - begin);
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

NGrams nGrams(const std::vector<std::string>& tokens, std::ptrdiff_t length)
{
    NGrams grams;
    for (auto first = tokens.begin(); tokens.end() - first >= length; ++first)
        ++grams[{first, first + length}];
    return grams;
}

} // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other)
{
    for (std::size_t n = 0; n < 4; ++n) {
        matches[n] += other.matches[n];
        totals[n] += other.totals[n];
    }
    hypothesisLength += other.hypothesisLength;
    referenceLength += other.referenceLength;
    return *this;
}

std::vector<std::string> tokens13a(std::string_view line)
{
    constexpr std::pair<const char*, const char*> rules[] = {
        {"<skipped>", ""},
        {"-\n", ""},
        {"\n", " "},
        {"&quot;", "\""},
        {"&amp;", "&"},
        {"&lt;", "<"},
        {"&gt;", ">"},
        {R"([\{-~\[-` -\&(-+:-@/])", " $0 "}, // all but the point, the comma, the hyphen and the apostrophe
        {"([^0-9])([.,])", "$1 $2 "},
        {"([.,])([^0-9])", " $1 $2"},
        {"([0-9])(-)", "$1 $2 "}};
    const std::string padded = ' ' + std::string(line) + ' ';
    auto found = icu::UnicodeString::fromUTF8(padded);
    for (const auto& [pattern, replacement] : rules) {
        UErrorCode status = U_ZERO_ERROR;
        icu::RegexMatcher matcher(icu::UnicodeString::fromUTF8(pattern), found, 0, status);
        found = matcher.replaceAll(icu::UnicodeString::fromUTF8(replacement), status);
    }
    std::string text;
    found.toUTF8String(text);
    return splitAtSpaces(text);
}

BleuCounts bleuCounts(std::string_view hypothesis, std::string_view reference)
{
    const std::vector<std::string> mine = tokens13a(hypothesis);
    const std::vector<std::string> theirs = tokens13a(reference);
    BleuCounts counts;
    counts.hypothesisLength = std::ssize(mine);
    counts.referenceLength = std::ssize(theirs);
    for (std::size_t n = 0; n < 4; ++n) {
        const auto length = static_cast<std::ptrdiff_t>(n) + 1;
        const NGrams expected = nGrams(theirs, length);
        for (const auto& [gram, count] : nGrams(mine, length)) {
            counts.totals[n] += count;
            if (const auto found = expected.find(gram); found != expected.end())
                counts.matches[n] += std::min(count, found->second);
        }
    }
    return counts;
}

double bleu(const BleuCounts& counts)
{
    if (counts.matches[0] == 0 || std::ranges::find(counts.totals, 0) != counts.totals.end())
        return 0;
    double smooth = 1;
    double logs = 0;
    for (std::size_t n = 0; n < 4; ++n) {
        const auto total = static_cast<double>(counts.totals[n]);
        if (counts.matches[n] == 0)
            smooth *= 2;
        logs += std::log(counts.matches[n] > 0 ? static_cast<double>(counts.matches[n]) / total : 1 / (smooth * total));
    }
    const auto shortBy = 1 - static_cast<double>(counts.referenceLength) / static_cast<double>(counts.hypothesisLength);
    return 100 * std::exp(std::min(0.0, shortBy) + logs / 4);
}

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

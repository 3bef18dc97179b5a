// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/bleu.h"

#include "base/utf8.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace attn {

namespace {

using NGrams = std::map<std::vector<std::string>, long>;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isPoint(char c)
{
    return c == '.' || c == ',';
}

// ASCII marks that always stand alone: all but the point, the comma, the hyphen and the apostrophe.
bool isMark(char c)
{
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+')
        || (c >= ':' && c <= '@') || c == '/';
}

void replaceAll(std::string& text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

// Where two neighbouring bytes match, they are written as `spaced` says; like a regular expression, what has matched
// is not looked at again.
template<class First, class Second>
std::string separated(const std::string& text, First first, Second second, std::string_view before,
                      std::string_view after)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i + 1 < text.size() && first(text[i]) && second(text[i + 1])) {
            result += before;
            result += text[i];
            result += ' ';
            result += text[i + 1];
            result += after;
            ++i;
        } else {
            result += text[i];
        }
    }
    return result;
}

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
    std::string text(line);
    replaceAll(text, "<skipped>", "");
    replaceAll(text, "-\n", "");
    replaceAll(text, "\n", " ");
    for (const auto& [entity, character] :
         {std::pair{"&quot;", "\""}, std::pair{"&amp;", "&"}, std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}})
        replaceAll(text, entity, character);
    std::string marked = " ";
    for (const char c : text) {
        if (isMark(c))
            marked += {' ', c, ' '};
        else
            marked += c;
    }
    marked += ' ';
    const auto isNoDigit = [](char c) { return !isDigit(c); };
    marked = separated(marked, isNoDigit, isPoint, "", " ");
    marked = separated(marked, isPoint, isNoDigit, " ", "");
    marked = separated(
        marked, isDigit, [](char c) { return c == '-'; }, "", " ");
    return splitAtSpaces(marked);
}

BleuCounts bleuCounts(std::string_view hypothesis, std::string_view reference)
{
    const std::vector<std::string> mine = tokens13a(hypothesis);
    const std::vector<std::string> theirs = tokens13a(reference);
    BleuCounts counts;
    counts.hypothesisLength = std::ssize(mine);
    counts.referenceLength = std::ssize(theirs);
    for (std::size_t n = 0; n < 4; ++n) {
        const NGrams expected = nGrams(theirs, n + 1);
        for (const auto& [gram, count] : nGrams(mine, n + 1)) {
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

} // namespace attn

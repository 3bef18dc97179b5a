// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/unicode/regex.h"

#include "base/error.h"

#include <unicode/regex.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace attn {

namespace {

constexpr std::int32_t mostStepsPerMatch = 1000; // ICU's unit, some milliseconds
constexpr std::chrono::seconds mostTime{20};

// The library's compiler calls itself for what is inside.
constexpr std::size_t longestPattern = 65'536;
constexpr int deepestPattern = 256;

void checkPattern(std::string_view pattern, const std::string& where)
{
    if (pattern.size() > longestPattern)
        throw Error(ErrorKind::Unsupported, where,
                    fmt::format("has a regular expression of {} bytes, more than the {} that are read", pattern.size(),
                                longestPattern));
    int depth = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '\\')
            ++i;
        else if (pattern[i] == '(' || pattern[i] == '[')
            ++depth;
        else if (pattern[i] == ')' || pattern[i] == ']')
            --depth;
        if (depth > deepestPattern)
            throw Error(ErrorKind::Unsupported, where,
                        fmt::format("has a regular expression nested deeper than {} levels", deepestPattern));
    }
}

[[noreturn]] void throwTooSlow(const std::string& pattern)
{
    throw Error(ErrorKind::Resource, "text",
                fmt::format("the tokenizer's expression \"{}\" takes too long on it", pattern), "shorten the text");
}

// ICU's \s lacks U+000B and U+0085, its \h means something else.
std::string inIcuDialect(std::string_view pattern)
{
    std::string result;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '\\' || i + 1 == pattern.size()) {
            result += pattern[i];
            continue;
        }
        switch (pattern[++i]) {
        case 's':
            result += "\\p{White_Space}";
            break;
        case 'S':
            result += "\\P{White_Space}";
            break;
        case 'h':
            result += "[0-9A-Fa-f]";
            break;
        default:
            result += '\\';
            result += pattern[i];
        }
    }
    return result;
}

struct TextCloser
{
    void operator()(UText* text) const { utext_close(text); }
};

} // namespace

struct Regex::Compiled
{
    std::string source;
    std::string literal; // searched as it is when `pattern` is null
    std::unique_ptr<icu::RegexPattern> pattern;
};

Regex::Regex(std::shared_ptr<const Compiled> compiled)
    : m_compiled(std::move(compiled))
{
}

Regex::Regex(std::string_view pattern, const std::string& where)
{
    checkPattern(pattern, where);
    UErrorCode status = U_ZERO_ERROR;
    UParseError position{};
    const std::string translated = inIcuDialect(pattern);
    auto compiled = std::make_shared<Compiled>();
    compiled->source = pattern;
    compiled->pattern.reset(icu::RegexPattern::compile(icu::UnicodeString::fromUTF8(translated), 0, position, status));
    if (U_FAILURE(status) != 0)
        throw Error(ErrorKind::Unsupported, where,
                    fmt::format("the regular expression \"{}\" is not understood ({})", pattern, u_errorName(status)));
    m_compiled = std::move(compiled);
}

Regex Regex::literal(std::string_view text)
{
    auto compiled = std::make_shared<Compiled>();
    compiled->source = text;
    compiled->literal = text;
    return Regex(std::move(compiled));
}

std::vector<ByteSpan> Regex::matches(std::string_view text) const
{
    std::vector<ByteSpan> found;
    if (!m_compiled->pattern) {
        const std::string& wanted = m_compiled->literal;
        for (std::size_t begin = wanted.empty() ? std::string_view::npos : text.find(wanted);
             begin != std::string_view::npos; begin = text.find(wanted, begin + wanted.size()))
            found.push_back({begin, begin + wanted.size()});
        return found;
    }
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UText, TextCloser> view(utext_openUTF8(nullptr, text.data(), std::ssize(text), &status));
    const std::unique_ptr<icu::RegexMatcher> matcher(m_compiled->pattern->matcher(status));
    if (U_SUCCESS(status) != 0) {
        matcher->reset(view.get());
        matcher->setTimeLimit(mostStepsPerMatch, status);
    }
    const auto start = std::chrono::steady_clock::now();
    while (U_SUCCESS(status) != 0 && matcher->find(status) != 0) {
        const auto begin = matcher->start64(status); // of UTF-8, in bytes
        found.push_back({static_cast<std::size_t>(begin), static_cast<std::size_t>(matcher->end64(status))});
        if (found.size() % 256 == 0 && std::chrono::steady_clock::now() - start > mostTime)
            throwTooSlow(m_compiled->source);
    }
    if (U_FAILURE(status) != 0) // time or backtracking stack used up
        throwTooSlow(m_compiled->source);
    return found;
}

} // namespace attn

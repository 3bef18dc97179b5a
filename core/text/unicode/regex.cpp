// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/unicode/regex.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"

#include <unicode/regex.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <new>
#include <optional>
#include <utility>

namespace attn {

namespace {

using SearchClock = std::chrono::steady_clock;

struct SearchTime
{
    std::optional<SearchClock::duration> left; // of the text at hand; none where there is none
    SearchClock::time_point end; // of the search under way
    unsigned reads = 0;
    std::int32_t steps = 0; // of the search under way
    std::int32_t stepsBefore = 0; // those of its matches so far
    std::size_t sets = 0; // of the expressions that have been compiled
};
thread_local SearchTime searchTime;

struct SearchIsOver
{
};

bool isTimeUp()
{
    return SearchClock::now() >= searchTime.end;
}

bool isOver()
{
    return isTimeUp() || ThreadStop::isRequested();
}

// ICU's access to UTF-8.
const UTextFuncs& plainAccess()
{
    static const UTextFuncs* const functions = [] {
        UErrorCode status = U_ZERO_ERROR;
        UText text = UTEXT_INITIALIZER;
        utext_openUTF8(&text, "", 0, &status);
        const UTextFuncs* const found = text.pFuncs;
        utext_close(&text);
        if (U_FAILURE(status) != 0)
            throw std::bad_alloc();
        return found;
    }();
    return *functions;
}

// ICU reads some 32 characters at a time.
UBool U_CALLCONV readWithinTime(UText* text, std::int64_t index, UBool forward)
{
    constexpr unsigned readsPerLook = 64;
    if (++searchTime.reads % readsPerLook == 0 && isOver())
        throw SearchIsOver();
    return plainAccess().access(text, index, forward);
}

// ICU counts the steps of all matches of a search, and so does its own limit.
UBool U_CALLCONV goesOn(const void* /*context*/, std::int32_t steps)
{
    searchTime.steps = steps;
    const auto ofMatch = static_cast<std::uint64_t>(steps - searchTime.stepsBefore);
    return static_cast<UBool>(!isOver() && ofMatch < limit(Limit::RegexSteps));
}

// The library's compiler calls itself for what is inside.
constexpr std::size_t longestPattern = 65'536;
constexpr int deepestPattern = 64;

void checkPattern(std::string_view pattern, const std::string& where)
{
    if (pattern.size() > longestPattern)
        throw Error(ErrorKind::Unsupported, where,
                    fmt::format("has a regular expression of {} bytes, more than the {} that are read", pattern.size(),
                                longestPattern));
    int groups = 0;
    int sets = 0; // in which parentheses are letters
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '\\')
            ++i;
        else if (pattern[i] == '[')
            ++sets;
        else if (pattern[i] == ']' && sets > 0)
            --sets;
        else if (pattern[i] == '(' && sets == 0)
            ++groups;
        else if (pattern[i] == ')' && sets == 0 && groups > 0)
            --groups;
        if (groups + sets > deepestPattern)
            throw Error(ErrorKind::Unsupported, where,
                        fmt::format("has a regular expression nested deeper than {} levels", deepestPattern));
    }
}

// Limit of sets of characters, and names of characters. The compiler takes up to milliseconds for one, and does not
// look at the clock; real tokenizers have less than a hundred.
constexpr std::size_t mostSets = 512;

std::size_t setsIn(std::string_view pattern)
{
    std::size_t sets = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool isEscape = pattern[i] == '\\' && i + 1 < pattern.size();
        if (isEscape)
            ++i;
        const bool isSet =
            isEscape ? std::string_view("pPN").find(pattern[i]) != std::string_view::npos : pattern[i] == '[';
        sets += isSet ? 1 : 0;
    }
    return sets;
}

void checkSets(std::string_view pattern, const std::string& where)
{
    const std::size_t before = searchTime.left ? searchTime.sets : 0;
    searchTime.sets = before + setsIn(pattern);
    if (searchTime.sets > mostSets)
        throw Error(ErrorKind::Unsupported, where,
                    fmt::format("has regular expressions with more than {} sets of characters", mostSets));
}

[[noreturn]] void throwTooSlow(const std::string& pattern, Limit which)
{
    ThreadStop::check();
    throw Error(ErrorKind::Resource, "text",
                fmt::format("the tokenizer's expression \"{}\" takes too long on it", pattern),
                fmt::format("shorten the text; {}", otherLimit(which)));
}

[[noreturn]] void throwSearchFailed(const std::string& pattern, UErrorCode status)
{
    if (status == U_REGEX_STOPPED_BY_CALLER)
        throwTooSlow(pattern, isTimeUp() ? Limit::RegexTime : Limit::RegexSteps);
    throw Error(ErrorKind::Resource, "text",
                fmt::format("the tokenizer's expression \"{}\" needs too much memory on it", pattern),
                "shorten the text");
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
using OpenText = std::unique_ptr<UText, TextCloser>;

// Looks at the clock while it is read. The engine's callback comes every 10,000 times that it notes a way back, which a
// back-reference or a look ahead over a long text need not do; so reading ends by an exception.
OpenText openTimed(std::string_view text, UErrorCode& status)
{
    static const UTextFuncs timedAccess = [] {
        UTextFuncs functions = plainAccess();
        functions.access = readWithinTime;
        return functions;
    }();
    OpenText opened(utext_openUTF8(nullptr, text.data(), std::ssize(text), &status));
    if (opened)
        opened->pFuncs = &timedAccess;
    return opened;
}

std::vector<ByteSpan> literalMatches(std::string_view text, std::string_view wanted)
{
    std::vector<ByteSpan> found;
    for (std::size_t begin = 0; !wanted.empty() && begin + wanted.size() <= text.size();) {
        // Takes linear time, unlike std::string_view::find.
        const void* const place = memmem(text.data() + begin, text.size() - begin, wanted.data(), wanted.size());
        if (place == nullptr)
            break;
        begin = static_cast<std::size_t>(static_cast<const char*>(place) - text.data());
        found.push_back({begin, begin + wanted.size()});
        begin += wanted.size();
    }
    return found;
}

} // namespace

RegexBudget::RegexBudget()
    : m_isOutermost(!searchTime.left)
{
    constexpr std::uint64_t longest = 1'000'000'000; // seconds that the clock's type holds
    if (!m_isOutermost)
        return;
    searchTime.sets = 0;
    searchTime.left = std::chrono::seconds(std::min(limit(Limit::RegexTime), longest));
}

RegexBudget::~RegexBudget()
{
    if (m_isOutermost)
        searchTime.left.reset();
}

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
    ThreadStop::check();
    checkPattern(pattern, where);
    UErrorCode status = U_ZERO_ERROR;
    UParseError position{};
    const std::string translated = inIcuDialect(pattern);
    checkSets(translated, where);
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
    if (!m_compiled->pattern)
        return literalMatches(text, m_compiled->literal);
    const RegexBudget budget;
    SearchClock::duration& left = *searchTime.left;
    searchTime.end = SearchClock::now() + left;
    searchTime.steps = searchTime.stepsBefore = 0;
    if (isOver())
        throwTooSlow(m_compiled->source, Limit::RegexTime);
    UErrorCode status = U_ZERO_ERROR;
    const OpenText view = openTimed(text, status);
    const std::unique_ptr<icu::RegexMatcher> matcher(m_compiled->pattern->matcher(status));
    if (U_SUCCESS(status) != 0) {
        matcher->reset(view.get());
        matcher->setMatchCallback(goesOn, nullptr, status);
    }
    std::vector<ByteSpan> found;
    try {
        while (U_SUCCESS(status) != 0 && matcher->find(status) != 0) {
            const auto begin = matcher->start64(status); // of UTF-8, in bytes
            found.push_back({static_cast<std::size_t>(begin), static_cast<std::size_t>(matcher->end64(status))});
            searchTime.stepsBefore = searchTime.steps;
        }
    } catch (const SearchIsOver&) {
        throwTooSlow(m_compiled->source, Limit::RegexTime);
    }
    if (U_FAILURE(status) != 0)
        throwSearchFailed(m_compiled->source, status);
    left = searchTime.end - SearchClock::now();
    return found;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"
#include "text/steps/steps.h"
#include "text/unicode/character_map.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

namespace attn {

namespace {

// Fate of the delimiters that a text is split at.
enum class SplitBehavior : std::uint8_t { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

SplitBehavior readBehavior(const JsonObject& spec, const std::string& fallback)
{
    using enum SplitBehavior;
    constexpr std::pair<std::string_view, SplitBehavior> behaviors[] = {{"Removed", Removed},
                                                                        {"Isolated", Isolated},
                                                                        {"MergedWithPrevious", MergedWithPrevious},
                                                                        {"MergedWithNext", MergedWithNext},
                                                                        {"Contiguous", Contiguous}};
    return chosen(behaviors, spec, "behavior", spec.stringOr("behavior", fallback));
}

// A segment of a text; delimiters and what lies between them alternate freely.
struct Segment
{
    ByteSpan range;
    bool isDelimiter = false;
};

std::vector<Segment> segments(const std::vector<ByteSpan>& delimiters, std::size_t size, bool invert)
{
    std::vector<Segment> result;
    std::size_t position = 0;
    const auto add = [&](ByteSpan range, bool isDelimiter) {
        if (range.begin < range.end)
            result.push_back({range, isDelimiter != invert});
    };
    for (const ByteSpan delimiter : delimiters) {
        add({position, delimiter.begin}, false);
        add(delimiter, true);
        position = delimiter.end;
    }
    add({position, size}, false);
    return result;
}

std::vector<ByteSpan> joined(const std::vector<Segment>& parts, SplitBehavior behavior)
{
    std::vector<ByteSpan> result;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool follows = i > 0 && !result.empty();
        const bool previousDelimits = i > 0 && parts[i - 1].isDelimiter;
        bool joins = false;
        switch (behavior) {
        case SplitBehavior::Removed:
            if (parts[i].isDelimiter)
                continue;
            break;
        case SplitBehavior::Isolated:
            break;
        case SplitBehavior::MergedWithPrevious:
            joins = parts[i].isDelimiter && !previousDelimits;
            break;
        case SplitBehavior::MergedWithNext:
            joins = previousDelimits && !parts[i].isDelimiter;
            break;
        case SplitBehavior::Contiguous:
            joins = parts[i].isDelimiter == previousDelimits;
            break;
        }
        if (joins && follows)
            result.back().end = parts[i].range.end;
        else
            result.push_back(parts[i].range);
    }
    return result;
}

void splitInto(std::vector<AlignedText>& result, const AlignedText& text, const std::vector<ByteSpan>& delimiters,
               SplitBehavior behavior, bool invert = false)
{
    for (const ByteSpan range : joined(segments(delimiters, text.size(), invert), behavior))
        result.push_back(text.slice(range));
}

// A step that looks at each text by itself: cut(text, result). All it makes of them has to find room.
template<class Cut>
PreTokenizer eachText(Cut cut)
{
    return [cut = std::move(cut)](const std::vector<AlignedText>& texts) {
        std::vector<AlignedText> result;
        std::uint64_t bytes = 0;
        std::uint64_t grown = 0;
        for (const AlignedText& text : texts) {
            ThreadStop::check();
            const auto before = std::ssize(result);
            cut(text, result);
            for (auto part = result.begin() + before; part != result.end(); ++part) {
                bytes += part->size();
                grown += part->growth();
            }
            requireTextRoom(bytes);
        }
        GrowthBudget::spend(grown);
        return result;
    };
}

PreTokenizer splitAtCharacters(bool (*isDelimiter)(char32_t), SplitBehavior behavior)
{
    return eachText([isDelimiter, behavior](const AlignedText& text, std::vector<AlignedText>& result) {
        std::vector<ByteSpan> delimiters;
        forEachCharacter(text.text(), [&](const Character& character) {
            if (isDelimiter(character.codePoint))
                delimiters.push_back(character.range);
        });
        splitInto(result, text, delimiters, behavior);
    });
}

PreTokenizer splitAtPattern(Regex pattern, SplitBehavior behavior, bool invert)
{
    return eachText(
        [pattern = std::move(pattern), behavior, invert](const AlignedText& text, std::vector<AlignedText>& result) {
            splitInto(result, text, pattern.matches(text.text()), behavior, invert);
        });
}

PreTokenizer inSequence(std::vector<PreTokenizer> steps)
{
    return [steps = std::move(steps)](std::vector<AlignedText> texts) {
        for (const PreTokenizer& step : steps)
            texts = step(std::move(texts));
        return texts;
    };
}

PreTokenizer bytePreTokenizer(const JsonObject& spec)
{
    const bool addsSpace = spec.boolOr("add_prefix_space", true);
    const bool splits = spec.boolOr("use_regex", true);
    return eachText([addsSpace, splits, words = Regex(gpt2Words, "ByteLevel")](const AlignedText& given,
                                                                               std::vector<AlignedText>& result) {
        const AlignedText text =
            addsSpace && !given.empty() && !given.text().starts_with(' ') ? given.withPrefix(" ") : given;
        const auto matches = splits ? words.matches(text.text()) : std::vector<ByteSpan>{};
        std::vector<AlignedText> split;
        splitInto(split, text, matches, SplitBehavior::Isolated);
        for (const AlignedText& part : split)
            result.push_back(part.inByteLevel());
    });
}

PreTokenizer metaspace(const JsonObject& spec)
{
    const std::string replacement = spec.stringOr("replacement", "\u2581");
    const PrependScheme scheme = readPrependScheme(spec);
    return eachText([replacement, scheme, splits = spec.boolOr("split", true), blank = Regex::literal(" "),
                     mark = Regex::literal(replacement)](const AlignedText& given, std::vector<AlignedText>& result) {
        AlignedText text = given.replaced(blank.matches(given.text()), replacement);
        const bool prepends = !given.empty()
            && (scheme == PrependScheme::Always || (scheme == PrependScheme::First && text.sourceBegin(0) == 0));
        if (prepends && !text.text().starts_with(replacement))
            text = text.withPrefix(replacement);
        const auto marks = splits ? mark.matches(text.text()) : std::vector<ByteSpan>{};
        splitInto(result, text, marks, SplitBehavior::MergedWithNext);
    });
}

// Words, and runs of other signs.
void cutWhitespace(const AlignedText& text, std::vector<AlignedText>& result)
{
    enum class Kind : std::uint8_t { Space, Word, Sign };
    std::vector<ByteSpan> runs;
    Kind last = Kind::Space;
    forEachCharacter(text.text(), [&](const Character& character) {
        const char32_t c = character.codePoint;
        const Kind kind = isWordCharacter(c) ? Kind::Word : isWhitespace(c) ? Kind::Space : Kind::Sign;
        if (kind == last && kind != Kind::Space)
            runs.back().end = character.range.end;
        else if (kind != Kind::Space)
            runs.push_back(character.range);
        last = kind;
    });
    for (const ByteSpan run : runs)
        result.push_back(text.slice(run));
}

constexpr std::pair<std::string_view, PreTokenizer (*)(const JsonObject& spec)> preTokenizers[] = {
    {"Sequence", [](const JsonObject& spec) { return inSequence(readSteps(spec, "pretokenizers", readPreTokenizer)); }},
    {"BertPreTokenizer",
     [](const JsonObject& /*spec*/) {
         return inSequence({splitAtCharacters(isWhitespace, SplitBehavior::Removed),
                            splitAtCharacters(isPunctuation, SplitBehavior::Isolated)});
     }},
    {"ByteLevel", bytePreTokenizer},
    {"Metaspace", metaspace},
    {"Whitespace", [](const JsonObject& /*spec*/) { return eachText(cutWhitespace); }},
    {"WhitespaceSplit",
     [](const JsonObject& /*spec*/) { return splitAtCharacters(isWhitespace, SplitBehavior::Removed); }},
    {"Punctuation",
     [](const JsonObject& spec) { return splitAtCharacters(isPunctuation, readBehavior(spec, "Isolated")); }},
    {"Digits",
     [](const JsonObject& spec) {
         return splitAtCharacters(
             isNumeric, spec.boolOr("individual_digits", false) ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
     }},
    {"CharDelimiterSplit",
     [](const JsonObject& spec) {
         return splitAtPattern(Regex::literal(spec.requireString("delimiter")), SplitBehavior::Removed, false);
     }},
    {"Split",
     [](const JsonObject& spec) {
         return splitAtPattern(readPattern(spec), readBehavior(spec, {}), spec.boolOr("invert", false));
     }},
};

} // namespace

PreTokenizer readPreTokenizer(const JsonObject& spec)
{
    return chosen(preTokenizers, spec, "pre-tokenizer", spec.requireString("type"))(spec);
}

PreTokenizer byteLevelWords(const std::vector<std::string>& expressions)
{
    std::vector<PreTokenizer> steps;
    for (const std::string& expression : expressions)
        steps.push_back(splitAtPattern(Regex(expression, "words"), SplitBehavior::Isolated, false));
    const Json bytes{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
    steps.push_back(bytePreTokenizer(JsonObject(bytes, "words")));
    return inSequence(std::move(steps));
}

} // namespace attn

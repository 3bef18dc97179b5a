// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/steps/pre_tokenizer.h"

#include "text/unicode/byte_level.h"
#include "text/unicode/characters.h"
#include "text/unicode/word_expressions.h"

#include <iterator>
#include <utility>

namespace attn {

namespace {

// A stretch of a text; delimiters and what lies between them alternate freely.
struct Stretch
{
    ByteSpan range;
    bool isDelimiter = false;
};

std::vector<Stretch> stretches(const std::vector<ByteSpan>& delimiters, std::size_t size, bool invert)
{
    std::vector<Stretch> result;
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

std::vector<ByteSpan> joined(const std::vector<Stretch>& parts, SplitBehavior behavior)
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
    for (const ByteSpan range : joined(stretches(delimiters, text.size(), invert), behavior))
        result.push_back(text.slice(range));
}

template<class IsDelimiter>
PreTokenizer splitAtCharacters(IsDelimiter isDelimiter, SplitBehavior behavior)
{
    return [isDelimiter, behavior](const std::vector<AlignedText>& texts) {
        std::vector<AlignedText> result;
        for (const AlignedText& text : texts) {
            std::vector<ByteSpan> delimiters;
            forEachCharacter(text.text(), [&](const Character& character) {
                if (isDelimiter(character.codePoint))
                    delimiters.push_back(character.range);
            });
            splitInto(result, text, delimiters, behavior);
        }
        return result;
    };
}

AlignedText withPrefix(const AlignedText& text, const std::string& prefix)
{
    AlignedText result;
    const std::size_t position = text.sourceBegin(0);
    result.append(prefix, {position, position});
    result.append(text, {0, text.size()});
    return result;
}

} // namespace

PreTokenizer preTokenizerSequence(std::vector<PreTokenizer> steps)
{
    return [steps = std::move(steps)](std::vector<AlignedText> texts) {
        for (const PreTokenizer& step : steps)
            texts = step(std::move(texts));
        return texts;
    };
}

PreTokenizer bertPreTokenizer()
{
    return preTokenizerSequence({whitespaceSplitPreTokenizer(), punctuationPreTokenizer(SplitBehavior::Isolated)});
}

PreTokenizer byteLevelPreTokenizer(const ByteLevelOptions& options)
{
    return [options, words = Regex(gpt2Words, "ByteLevel")](const std::vector<AlignedText>& texts) {
        std::vector<AlignedText> split;
        for (const AlignedText& given : texts) {
            if (given.empty())
                continue;
            const bool prefixed = options.addPrefixSpace && !given.text().starts_with(' ');
            const AlignedText text = prefixed ? withPrefix(given, " ") : given;
            if (options.useRegex)
                splitInto(split, text, words.matches(text.text()), SplitBehavior::Isolated);
            else
                split.push_back(text);
        }
        for (AlignedText& text : split)
            text = toByteLevel(text);
        return split;
    };
}

PreTokenizer metaspacePreTokenizer(MetaspaceOptions options)
{
    const Regex blank = Regex::literal(" ");
    const Regex mark = Regex::literal(options.replacement);
    return [options = std::move(options), blank, mark](const std::vector<AlignedText>& texts) {
        std::vector<AlignedText> result;
        for (const AlignedText& given : texts) {
            if (given.empty())
                continue;
            AlignedText text;
            std::size_t position = 0;
            for (const ByteSpan match : blank.matches(given.text())) {
                text.append(given, {position, match.begin});
                text.append(options.replacement, given.source(match));
                position = match.end;
            }
            text.append(given, {position, given.size()});
            const bool prepends = options.prepend == PrependScheme::Always
                || (options.prepend == PrependScheme::First && text.sourceBegin(0) == 0);
            if (prepends && !text.text().starts_with(options.replacement))
                text = withPrefix(text, options.replacement);
            if (options.split)
                splitInto(result, text, mark.matches(text.text()), SplitBehavior::MergedWithNext);
            else
                result.push_back(std::move(text));
        }
        return result;
    };
}

PreTokenizer whitespacePreTokenizer()
{
    return [](const std::vector<AlignedText>& texts) {
        enum class Kind { Space, Word, Sign };
        std::vector<AlignedText> result;
        for (const AlignedText& text : texts) {
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
        return result;
    };
}

PreTokenizer whitespaceSplitPreTokenizer()
{
    return splitAtCharacters(isWhitespace, SplitBehavior::Removed);
}

PreTokenizer punctuationPreTokenizer(SplitBehavior behavior)
{
    return splitAtCharacters(isPunctuation, behavior);
}

PreTokenizer digitsPreTokenizer(bool individual)
{
    return splitAtCharacters(isNumeric, individual ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

PreTokenizer delimiterPreTokenizer(const std::string& delimiter)
{
    return splitPreTokenizer(Regex::literal(delimiter), SplitBehavior::Removed, false);
}

PreTokenizer splitPreTokenizer(Regex pattern, SplitBehavior behavior, bool invert)
{
    return [pattern = std::move(pattern), behavior, invert](const std::vector<AlignedText>& texts) {
        std::vector<AlignedText> result;
        for (const AlignedText& text : texts)
            splitInto(result, text, pattern.matches(text.text()), behavior, invert);
        return result;
    };
}

} // namespace attn

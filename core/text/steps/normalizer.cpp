// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/steps/normalizer.h"

#include "text/unicode/byte_level.h"
#include "text/unicode/character_map.h"
#include "text/unicode/characters.h"

#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <iterator>
#include <optional>
#include <utility>

namespace attn {

namespace {

// A character's replacement: nothing drops it.
using Replacement = std::optional<char32_t>;

template<class Replace>
AlignedText mapCharacters(const AlignedText& text, Replace replace)
{
    AlignedText result;
    forEachCharacter(text.text(), [&](const Character& character) {
        const Replacement replacement = replace(character.codePoint);
        if (replacement == character.codePoint)
            result.append(text, character.range);
        else if (replacement)
            result.append(*replacement, text.source(character.range));
    });
    return result;
}

// Dropped marks belong to the letter before them.
template<class IsDropped>
AlignedText withoutMarks(const AlignedText& text, IsDropped isDropped)
{
    AlignedText result;
    forEachCharacter(text.text(), [&](const Character& character) {
        if (isDropped(character.codePoint))
            result.extendLast(text.source(character.range).end);
        else
            result.append(text, character.range);
    });
    return result;
}

AlignedText lowercased(const AlignedText& text)
{
    constexpr char32_t dottedCapitalI = 0x0130; // the only one that becomes two characters
    constexpr char32_t dotAbove = 0x0307;
    AlignedText result;
    forEachCharacter(text.text(), [&](const Character& character) {
        const auto lower = static_cast<char32_t>(u_tolower(static_cast<UChar32>(character.codePoint)));
        if (lower == character.codePoint) {
            result.append(text, character.range);
            return;
        }
        const ByteSpan source = text.source(character.range);
        result.append(lower, source);
        if (character.codePoint == dottedCapitalI)
            result.append(dotAbove, source);
    });
    return result;
}

AlignedText cleaned(const AlignedText& text)
{
    return mapCharacters(text, [](char32_t c) -> Replacement {
        if (isWhitespace(c) && (c == U'\t' || c == U'\n' || c == U'\r' || !isControl(c)))
            return U' ';
        if (c == 0 || c == replacementCharacter || isControl(c))
            return std::nullopt;
        return c;
    });
}

AlignedText withChineseSeparated(const AlignedText& text)
{
    AlignedText result;
    forEachCharacter(text.text(), [&](const Character& character) {
        if (!isChineseCharacter(character.codePoint)) {
            result.append(text, character.range);
            return;
        }
        const ByteSpan source = text.source(character.range);
        result.append(U' ', {source.begin, source.begin});
        result.append(text, character.range);
        result.append(U' ', {source.end, source.end});
    });
    return result;
}

AlignedText replaced(const AlignedText& text, const Regex& pattern, const std::string& content)
{
    AlignedText result;
    std::size_t position = 0;
    for (const ByteSpan match : pattern.matches(text.text())) {
        result.append(text, {position, match.begin});
        result.append(content, text.source(match));
        position = match.end;
    }
    result.append(text, {position, text.size()});
    return result;
}

AlignedText stripped(const AlignedText& text, bool left, bool right)
{
    std::optional<ByteSpan> kept;
    forEachCharacter(text.text(), [&](const Character& character) {
        if (isWhitespace(character.codePoint))
            return;
        if (!kept)
            kept = character.range;
        kept->end = character.range.end;
    });
    if (!kept)
        return left || right ? AlignedText() : text;
    return text.slice({left ? kept->begin : 0, right ? kept->end : text.size()});
}

Replacement nmtReplacement(char32_t c)
{
    const bool dropped =
        (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
    if (dropped)
        return std::nullopt;
    const bool blank = c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 || (c >= 0x200B && c <= 0x200F)
        || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == replacementCharacter;
    return blank ? U' ' : c;
}

// Calls visit(range) for every extended grapheme cluster.
template<class Visit>
void forEachGrapheme(const std::string& text, Visit visit)
{
    UErrorCode status = U_ZERO_ERROR;
    UText* view = utext_openUTF8(nullptr, text.data(), std::ssize(text), &status);
    const std::unique_ptr<icu::BreakIterator> clusters(
        icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
    if (U_SUCCESS(status) != 0)
        clusters->setText(view, status);
    if (U_SUCCESS(status) != 0) {
        std::int32_t begin = clusters->first();
        for (std::int32_t end = clusters->next(); end != icu::BreakIterator::DONE; end = clusters->next()) {
            visit(ByteSpan{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
            begin = end;
        }
    }
    utext_close(view);
}

AlignedText mapped(const AlignedText& text, const CharacterMap& map)
{
    constexpr std::size_t shortCluster = 6; // bytes; longer ones are mapped by character
    AlignedText result;
    const auto append = [&](ByteSpan range) {
        const auto replacement = map.find(std::string_view(text.text()).substr(range.begin, range.end - range.begin));
        if (replacement)
            result.append(*replacement, text.source(range));
        return replacement.has_value();
    };
    forEachGrapheme(text.text(), [&](ByteSpan cluster) {
        if (cluster.end - cluster.begin < shortCluster && append(cluster))
            return;
        const std::string_view characters =
            std::string_view(text.text()).substr(cluster.begin, cluster.end - cluster.begin);
        forEachCharacter(characters, [&](const Character& character) {
            const ByteSpan range{cluster.begin + character.range.begin, cluster.begin + character.range.end};
            if (!append(range))
                result.append(text, range);
        });
    });
    return result;
}

} // namespace

Normalizer normalizerSequence(std::vector<Normalizer> steps)
{
    return [steps = std::move(steps)](AlignedText text) {
        for (const Normalizer& step : steps)
            text = step(std::move(text));
        return text;
    };
}

Normalizer bertNormalizer(const BertNormalization& options)
{
    return [options, decompose = unicodeNormalizer(UnicodeForm::NFD)](AlignedText text) {
        if (options.cleanText)
            text = cleaned(text);
        if (options.separateChinese)
            text = withChineseSeparated(text);
        if (options.stripAccents)
            text = withoutMarks(decompose(std::move(text)), isNonspacingMark);
        return options.lowercase ? lowercased(text) : text;
    };
}

Normalizer lowercaseNormalizer()
{
    return [](const AlignedText& text) { return lowercased(text); };
}

Normalizer stripNormalizer(bool left, bool right)
{
    return [left, right](const AlignedText& text) { return stripped(text, left, right); };
}

Normalizer stripAccentsNormalizer()
{
    return [](const AlignedText& text) { return withoutMarks(text, isMark); };
}

Normalizer replaceNormalizer(Regex pattern, std::string content)
{
    return [pattern = std::move(pattern), content = std::move(content)](const AlignedText& text) {
        return replaced(text, pattern, content);
    };
}

Normalizer prependNormalizer(std::string prefix)
{
    return [prefix = std::move(prefix)](AlignedText text) {
        if (text.empty())
            return text;
        AlignedText result;
        result.append(prefix, {text.sourceBegin(0), text.sourceBegin(0)});
        result.append(text, {0, text.size()});
        return result;
    };
}

Normalizer nmtNormalizer()
{
    return [](const AlignedText& text) { return mapCharacters(text, nmtReplacement); };
}

Normalizer precompiledNormalizer(std::shared_ptr<const CharacterMap> map)
{
    return [map = std::move(map)](const AlignedText& text) { return mapped(text, *map); };
}

Normalizer byteLevelNormalizer()
{
    return [](const AlignedText& text) { return toByteLevel(text); };
}

} // namespace attn

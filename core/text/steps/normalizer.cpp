// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "text/steps/steps.h"
#include "text/unicode/character_map.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

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
        const char32_t lower = u_tolower(static_cast<UChar32>(character.codePoint));
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
    constexpr std::size_t clustersPerLook = 4096;
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UText, decltype(&utext_close)> view(
        utext_openUTF8(nullptr, text.data(), std::ssize(text), &status), utext_close);
    const std::unique_ptr<icu::BreakIterator> clusters(
        icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
    if (U_SUCCESS(status) != 0)
        clusters->setText(view.get(), status);
    if (U_SUCCESS(status) != 0) {
        std::int32_t begin = clusters->first();
        std::size_t visited = 0;
        for (std::int32_t end = clusters->next(); end != icu::BreakIterator::DONE; end = clusters->next()) {
            if (++visited % clustersPerLook == 0)
                ThreadStop::check();
            visit(ByteSpan{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
            begin = end;
        }
    }
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

// ICU puts marks in order one by one, which takes quadratic time for very many of them behind one letter.
constexpr std::size_t longStretch = 256; // bytes

// An equivalent text whose marks are in order already.
icu::UnicodeString withMarksInOrder(const icu::Normalizer2& normalizer, std::string_view text)
{
    std::vector<std::pair<std::uint8_t, UChar32>> characters; // behind their combining classes
    icu::UnicodeString parts;
    forEachCharacter(text, [&](const Character& character) {
        const auto given = static_cast<UChar32>(character.codePoint);
        if (normalizer.getDecomposition(given, parts) == 0)
            parts.setTo(given);
        for (std::int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1))
            characters.emplace_back(normalizer.getCombiningClass(parts.char32At(i)), parts.char32At(i));
    });
    const auto combines = [](const auto& character) { return character.first != 0; };
    for (auto begin = characters.begin(); begin != characters.end();) {
        const auto end = std::find_if_not(begin, characters.end(), combines);
        std::stable_sort(begin, end, [](const auto& a, const auto& b) { return a.first < b.first; });
        begin = std::find_if(end, characters.end(), combines);
    }
    icu::UnicodeString result;
    for (const auto& [combiningClass, character] : characters)
        result.append(character);
    return result;
}

std::string inForm(const icu::Normalizer2& normalizer, std::string_view text)
{
    UErrorCode status = U_ZERO_ERROR;
    std::string result;
    normalizer
        .normalize(text.size() > longStretch
                       ? withMarksInOrder(normalizer, text)
                       : icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())}),
                   status)
        .toUTF8String(result);
    if (U_FAILURE(status) != 0)
        throw Error(ErrorKind::Input, "text", "cannot be normalized");
    return result;
}

// Calls visit(range) for every stretch that normalization treats by itself.
template<class Visit>
void forEachNormalized(const icu::Normalizer2& normalizer, std::string_view text, Visit visit)
{
    std::size_t begin = 0;
    forEachCharacter(text, [&](const Character& character) {
        if (character.range.begin > begin
            && normalizer.hasBoundaryBefore(static_cast<UChar32>(character.codePoint)) != 0)
            visit(ByteSpan{std::exchange(begin, character.range.begin), character.range.begin});
    });
    if (begin < text.size())
        visit(ByteSpan{begin, text.size()});
}

// A change in a stretch stands for all of it.
AlignedText normalizedByStretches(const icu::Normalizer2& normalizer, const AlignedText& text)
{
    AlignedText result;
    forEachNormalized(normalizer, text.text(), [&](ByteSpan range) {
        const auto stretch = std::string_view(text.text()).substr(range.begin, range.end - range.begin);
        const std::string changed = inForm(normalizer, stretch);
        if (changed == stretch)
            result.append(text, range);
        else
            result.append(changed, text.source(range));
    });
    return result;
}

// Quickly where ICU can tell so.
bool isInForm(const icu::Normalizer2& normalizer, std::string_view text)
{
    bool hasLong = false;
    forEachNormalized(normalizer, text,
                      [&](ByteSpan range) { hasLong = hasLong || range.end - range.begin > longStretch; });
    UErrorCode status = U_ZERO_ERROR;
    const icu::StringPiece bytes(text.data(), static_cast<std::int32_t>(text.size()));
    return !hasLong && normalizer.isNormalizedUTF8(bytes, status) != 0 && U_SUCCESS(status) != 0;
}

// One of Unicode's normalization forms.
template<const icu::Normalizer2* (*Instance)(UErrorCode&)>
Normalizer unicodeForm(const JsonObject& /*spec*/)
{
    UErrorCode problem = U_ZERO_ERROR;
    const icu::Normalizer2* normalizer = Instance(problem);
    if (U_FAILURE(problem) != 0)
        throw Error(ErrorKind::Resource, "Unicode", "ICU's normalization data is missing", "install ICU completely");
    return [normalizer](AlignedText text) {
        if (isInForm(*normalizer, text.text()))
            return text;
        return normalizedByStretches(*normalizer, text);
    };
}

Normalizer bertNormalizer(const JsonObject& spec)
{
    const bool lowercases = spec.boolOr("lowercase", true);
    return [lowercases, cleans = spec.boolOr("clean_text", true),
            separatesChinese = spec.boolOr("handle_chinese_chars", true),
            stripsAccents = spec.boolOr("strip_accents", lowercases),
            decompose = unicodeForm<icu::Normalizer2::getNFDInstance>(spec)](AlignedText text) {
        if (cleans)
            text = cleaned(text);
        if (separatesChinese)
            text = withChineseSeparated(text);
        if (stripsAccents)
            text = withoutMarks(decompose(std::move(text)), isNonspacingMark);
        return lowercases ? lowercased(text) : text;
    };
}

// SentencePiece's precompiled replacements; null where the model was trained without.
Normalizer precompiledNormalizer(const JsonObject& spec)
{
    const std::string encoded = spec.stringOr("precompiled_charsmap", {});
    if (encoded.empty())
        return [](AlignedText text) { return text; };
    return [map = std::make_shared<const CharacterMap>(CharacterMap::fromBase64(encoded, spec.place()))](
               const AlignedText& text) { return mapped(text, *map); };
}

constexpr std::pair<std::string_view, Normalizer (*)(const JsonObject& spec)> normalizers[] = {
    {"Sequence",
     [](const JsonObject& spec) -> Normalizer {
         return [steps = readSteps(spec, "normalizers", readNormalizer)](AlignedText text) {
             const GrowthBudget budget(text.size());
             for (const Normalizer& step : steps) {
                 ThreadStop::check();
                 text = step(std::move(text));
                 GrowthBudget::spend(text.growth());
             }
             return text;
         };
     }},
    {"BertNormalizer", bertNormalizer},
    {"NFC", unicodeForm<icu::Normalizer2::getNFCInstance>},
    {"NFD", unicodeForm<icu::Normalizer2::getNFDInstance>},
    {"NFKC", unicodeForm<icu::Normalizer2::getNFKCInstance>},
    {"NFKD", unicodeForm<icu::Normalizer2::getNFKDInstance>},
    {"Lowercase", [](const JsonObject& /*spec*/) -> Normalizer { return lowercased; }},
    {"Strip",
     [](const JsonObject& spec) -> Normalizer {
         return [left = spec.boolOr("strip_left", true), right = spec.boolOr("strip_right", true)](
                    const AlignedText& text) { return stripped(text, left, right); };
     }},
    {"StripAccents",
     [](const JsonObject& /*spec*/) -> Normalizer {
         return [](const AlignedText& text) { return withoutMarks(text, isMark); };
     }},
    {"Replace",
     [](const JsonObject& spec) -> Normalizer {
         return [pattern = readPattern(spec), content = spec.requireString("content")](const AlignedText& text) {
             return text.replaced(pattern.matches(text.text()), content);
         };
     }},
    {"Prepend",
     [](const JsonObject& spec) -> Normalizer {
         return [prefix = spec.requireString("prepend")](const AlignedText& text) {
             return text.empty() ? text : text.withPrefix(prefix);
         };
     }},
    {"Nmt",
     [](const JsonObject& /*spec*/) -> Normalizer {
         return [](const AlignedText& text) { return mapCharacters(text, nmtReplacement); };
     }},
    {"ByteLevel",
     [](const JsonObject& /*spec*/) -> Normalizer {
         return [](const AlignedText& text) { return text.inByteLevel(); };
     }},
    {"Precompiled", precompiledNormalizer},
};

} // namespace

Normalizer readNormalizer(const JsonObject& spec)
{
    constexpr std::uint64_t bytesOfStep = 96; // for each of a text: with what it becomes and where that differs
    return [step = chosen(normalizers, spec, "normalizer", spec.requireString("type"))(spec)](AlignedText text) {
        requireMemory(text.size() * bytesOfStep, "text");
        return step(std::move(text));
    };
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "text/steps/normalizer.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <utility>

namespace attn {

namespace {

const icu::Normalizer2& instance(UnicodeForm form)
{
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* normalizer = nullptr;
    switch (form) {
    case UnicodeForm::NFC:
        normalizer = icu::Normalizer2::getNFCInstance(status);
        break;
    case UnicodeForm::NFD:
        normalizer = icu::Normalizer2::getNFDInstance(status);
        break;
    case UnicodeForm::NFKC:
        normalizer = icu::Normalizer2::getNFKCInstance(status);
        break;
    case UnicodeForm::NFKD:
        normalizer = icu::Normalizer2::getNFKDInstance(status);
        break;
    }
    if (U_FAILURE(status) != 0)
        throw Error(ErrorKind::Resource, "Unicode", "ICU's normalization data is missing", "install ICU completely");
    return *normalizer;
}

std::string normalized(const icu::Normalizer2& normalizer, std::string_view text)
{
    UErrorCode status = U_ZERO_ERROR;
    std::string result;
    normalizer.normalize(icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())}), status)
        .toUTF8String(result);
    if (U_FAILURE(status) != 0)
        throw Error(ErrorKind::Input, "text", "cannot be normalized");
    return result;
}

// Stretches that normalization treats each by itself: what changes in one stands for all of it.
AlignedText normalizedByStretches(const icu::Normalizer2& normalizer, const AlignedText& text)
{
    AlignedText result;
    std::size_t begin = 0;
    const auto flush = [&](std::size_t end) {
        const auto stretch = std::string_view(text.text()).substr(begin, end - begin);
        const std::string changed = normalized(normalizer, stretch);
        if (changed == stretch)
            result.append(text, {begin, end});
        else
            result.append(changed, text.source({begin, end}));
        begin = end;
    };
    forEachCharacter(text.text(), [&](const Character& character) {
        if (character.range.begin > begin
            && normalizer.hasBoundaryBefore(static_cast<UChar32>(character.codePoint)) != 0)
            flush(character.range.begin);
    });
    if (begin < text.size())
        flush(text.size());
    return result;
}

} // namespace

Normalizer unicodeNormalizer(UnicodeForm form)
{
    return [&normalizer = instance(form)](AlignedText text) {
        UErrorCode status = U_ZERO_ERROR;
        const icu::StringPiece bytes(text.text().data(), static_cast<std::int32_t>(text.size()));
        if (normalizer.isNormalizedUTF8(bytes, status) != 0 && U_SUCCESS(status) != 0)
            return text;
        return normalizedByStretches(normalizer, text);
    };
}

} // namespace attn

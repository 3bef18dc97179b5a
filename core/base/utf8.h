// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

// Marks English source text for translation, as QT_TRANSLATE_NOOP does: the core has no Qt, the window translates it.
#define ATTN_TRANSLATE_NOOP(context, text) text

namespace attn {

inline constexpr char32_t replacementCharacter = 0xFFFD;

// Appends a code point; U+FFFD for surrogates and values beyond Unicode.
void appendUtf8(std::string& text, char32_t codePoint);

// The code point at `position`, which moves behind it. A byte that starts no well-formed sequence counts as U+FFFD by
// itself. Requires position < text.size().
char32_t nextCodePoint(std::string_view text, std::size_t& position);

// The byte at which `text` stops being UTF-8; its size when it does not.
std::size_t validUtf8Prefix(std::string_view text);

// Throws Error{Input} saying at which byte `text` stops being UTF-8.
void requireUtf8(std::string_view text, const std::string& where);

// U+2581, which SentencePiece writes where a word starts.
inline constexpr std::string_view wordStartMark = "\xE2\x96\x81";

// GPT-2's spelling of bytes (Radford et al. 2019): every byte has a printable character of its own, a blank is "Ġ".

char32_t byteLevelCharacter(unsigned char byte);
// The bytes that `spelled` stands for; nothing when it holds a character that stands for none.
std::optional<std::string> fromByteLevel(std::string_view spelled);

// The byte that a piece such as "<0x0A>" stands for, as vocabularies with byte fallback spell it.
std::optional<char> byteOfPiece(std::string_view piece);

// Bytes of a part of a text as people read it: well-formed characters as they are, the bytes of others as "<E6 97>",
// a leading blank as the mark of a word's start.
std::string readableBytes(std::string_view text);

// A text for people by its English source, as QCoreApplication::translate gives it. The window hands one over; what
// the commands print stays English.
using Translate = std::string (*)(const char* context, const char* english);
inline std::string inEnglish(const char*, const char* english)
{
    return english;
}

// "%1 with %2" with these values in the places.
inline std::string filled(std::string_view text, std::initializer_list<std::string_view> values)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto place = static_cast<std::size_t>(text[i] == '%' && i + 1 < text.size() ? text[i + 1] - '1' : -1);
        if (place < values.size())
            ++i;
        result += place < values.size() ? values.begin()[place] : text.substr(i, 1);
    }
    return result;
}

} // namespace attn

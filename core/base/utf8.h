// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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

} // namespace attn

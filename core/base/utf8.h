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

} // namespace attn

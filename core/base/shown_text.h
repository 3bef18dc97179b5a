// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

// Names in files may hold anything. What a terminal would obey, what turns the direction of the letters around it, byte
// order marks and what is no UTF-8 are spelled out: "\x1b", "\u202e".
std::string escaped(std::string_view text);

// A JSON document that a terminal may be shown: its texts spell control characters of more than a byte, DEL and those
// that turn the direction of letters as "\u009b". They are read back as they were.
std::string escapedJson(std::string_view document);

// As escaped(), with the middle of words of more than `longest` characters left out: "aaaa…aaaa".
std::string shown(std::string_view text, std::size_t longest);

} // namespace attn

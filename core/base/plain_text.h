// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace attn {

// Names in files may hold anything. What a terminal would obey, what turns the direction of the letters around it, byte
// order marks and what is no UTF-8 are spelled out: "\x1b", "\u202e".
std::string escaped(std::string_view text);

// A JSON document that a terminal may be shown: its texts spell control characters of more than a byte, DEL and those
// that turn the direction of letters as "\u009b". They are read back as they were.
std::string escapedJson(std::string_view document);

// escaped(), with the middle of words of more than `longest` characters left out: "aaaa…aaaa".
std::string shown(std::string_view text, std::size_t longest);

// A whole text as a finite number, in any locale; none where it is something else or does not fit. Words such as nan
// are not given to libstdc++ 12, which reads them beyond their end.
template<class Number>
std::optional<Number> parsedNumber(std::string_view text)
{
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    if (text.size() == sign || std::string_view("0123456789.").find(text[sign]) == std::string_view::npos)
        return std::nullopt;
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, value);
    return problem == std::errc() && stopped == end ? std::optional(value) : std::nullopt;
}

// FNV-1a with 64 bits (Fowler, Noll and Vo): the same on every machine and in every version. It tells texts apart, and
// is no protection from who wants two to be the same. Of several texts, `before` is the one of those before it.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t before = 0xcbf29ce484222325)
{
    std::uint64_t hash = before;
    for (const char byte : bytes) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 0x100000001b3;
    }
    return hash;
}

} // namespace attn

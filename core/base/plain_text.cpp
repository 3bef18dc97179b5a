// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_text.h"

#include "base/utf8.h"

#include <algorithm>

namespace attn {

namespace {

// A control character that JSON does not spell out, or one that directs the letters around it.
bool isCommandInJson(char32_t c)
{
    return (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E)
        || (c >= 0x2066 && c <= 0x2069);
}

// One of these, any other control character, one that ends lines, or one that texts do not keep: the byte order mark,
// and what is none.
bool isCommand(char32_t c)
{
    return c < 0x20 || isCommandInJson(c) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF;
}

std::string hexDigits(char32_t value, int digits)
{
    constexpr std::string_view letters = "0123456789abcdef";
    std::string text;
    for (int digit = digits - 1; digit >= 0; --digit)
        text += letters[value >> (4 * digit) & 0xFU];
    return text;
}

// Where the character after `count` more of them begins.
std::size_t skip(std::string_view text, std::size_t position, std::size_t count)
{
    for (; count > 0 && position < text.size(); --count)
        nextCodePoint(text, position);
    return position;
}

} // namespace

std::string escaped(std::string_view text)
{
    std::string result;
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t begin = position;
        const char32_t c = nextCodePoint(text, position);
        const std::string_view bytes = text.substr(begin, position - begin);
        if (c == replacementCharacter && bytes.size() == 1)
            result += "\\x" + hexDigits(static_cast<unsigned char>(bytes.front()), 2);
        else if (isCommand(c))
            result += c < 0x100 ? "\\x" + hexDigits(c, 2) : "\\u" + hexDigits(c, 4);
        else
            result += bytes;
    }
    return result;
}

std::string escapedJson(std::string_view document)
{
    std::string result;
    result.reserve(document.size());
    for (std::size_t position = 0; position < document.size();) {
        const std::size_t begin = position;
        const char32_t c = nextCodePoint(document, position);
        if (isCommandInJson(c))
            result += "\\u" + hexDigits(c, 4);
        else
            result += document.substr(begin, position - begin);
    }
    return result;
}

std::string shown(std::string_view text, std::size_t longest)
{
    const std::string all = escaped(text);
    std::string result;
    for (std::string_view rest = all; !rest.empty();) {
        const std::string_view word = rest.substr(0, std::min(rest.find(' '), rest.size()));
        const auto characters = static_cast<std::size_t>(
            std::ranges::count_if(word, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
        if (characters <= longest) {
            result += word;
        } else {
            result += word.substr(0, skip(word, 0, longest / 2));
            result += "…";
            result += word.substr(skip(word, 0, characters - (longest - longest / 2 - 1)));
        }
        const std::size_t blanks = std::min(rest.find_first_not_of(' ', word.size()), rest.size());
        result += rest.substr(word.size(), blanks - word.size());
        rest.remove_prefix(blanks);
    }
    return result;
}

} // namespace attn

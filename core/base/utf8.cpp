// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"

#include "base/error.h"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace attn {

namespace {

bool isScalarValue(char32_t codePoint)
{
    return codePoint <= 0x10FFFF && (codePoint < 0xD800 || codePoint > 0xDFFF);
}

} // namespace

void appendUtf8(std::string& text, char32_t codePoint)
{
    if (!isScalarValue(codePoint))
        codePoint = replacementCharacter;
    const auto append = [&text](char32_t byte) { text += static_cast<char>(byte); };
    if (codePoint < 0x80) {
        append(codePoint);
        return;
    }
    if (codePoint < 0x800) {
        append(0xC0 | (codePoint >> 6));
    } else {
        if (codePoint < 0x10000) {
            append(0xE0 | (codePoint >> 12));
        } else {
            append(0xF0 | (codePoint >> 18));
            append(0x80 | ((codePoint >> 12) & 0x3F));
        }
        append(0x80 | ((codePoint >> 6) & 0x3F));
    }
    append(0x80 | (codePoint & 0x3F));
}

char32_t nextCodePoint(std::string_view text, std::size_t& position)
{
    const auto byteAt = [text](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[i])); };
    const std::size_t start = position++;
    const char32_t lead = byteAt(start);
    if (lead < 0x80)
        return lead;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() - start < length)
        return replacementCharacter;
    char32_t codePoint = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byteAt(start + i) & 0xC0) != 0x80)
            return replacementCharacter;
        codePoint = (codePoint << 6) | (byteAt(start + i) & 0x3F);
    }
    const char32_t smallest = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
    if (codePoint < smallest || !isScalarValue(codePoint))
        return replacementCharacter;
    position = start + length;
    return codePoint;
}

std::size_t validUtf8Prefix(std::string_view text)
{
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t start = position;
        // The character U+FFFD itself takes three bytes.
        if (nextCodePoint(text, position) == replacementCharacter && position - start == 1)
            return start;
    }
    return text.size();
}

void requireUtf8(std::string_view text, const std::string& where)
{
    if (const std::size_t valid = validUtf8Prefix(text); valid != text.size())
        throw Error(ErrorKind::Input, where, "is not UTF-8 (byte " + std::to_string(valid) + ')', "save it as UTF-8");
}

namespace {

constexpr std::size_t byteCount = 256;
constexpr char32_t firstStandIn = 0x100;
constexpr char32_t standIns = 68; // bytes that are not printable in Latin-1

constexpr bool isPrintable(std::size_t byte)
{
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
}

constexpr std::array<char32_t, byteCount> characters = [] {
    std::array<char32_t, byteCount> table{};
    char32_t next = firstStandIn;
    for (std::size_t byte = 0; byte < byteCount; ++byte)
        table[byte] = isPrintable(byte) ? static_cast<char32_t>(byte) : next++;
    return table;
}();

constexpr std::array<int, firstStandIn + standIns> bytes = [] {
    std::array<int, firstStandIn + standIns> table{};
    table.fill(-1);
    for (std::size_t byte = 0; byte < byteCount; ++byte)
        table[characters[byte]] = static_cast<int>(byte);
    return table;
}();

std::string hexadecimal(unsigned char byte)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    return {digits[byte / 16U], digits[byte % 16U]};
}

} // namespace

char32_t byteLevelCharacter(unsigned char byte)
{
    return characters[byte];
}

std::optional<std::string> fromByteLevel(std::string_view spelled)
{
    std::string result;
    for (std::size_t position = 0; position < spelled.size();) {
        const char32_t character = nextCodePoint(spelled, position);
        const int byte = character < bytes.size() ? bytes[character] : -1;
        if (byte < 0)
            return std::nullopt;
        result += static_cast<char>(byte);
    }
    return result;
}

std::optional<char> byteOfPiece(std::string_view piece)
{
    unsigned char byte = 0;
    if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>')
        return std::nullopt;
    const char* const end = piece.data() + 5;
    const auto [read, error] = std::from_chars(piece.data() + 3, end, byte, 16);
    return error == std::errc{} && read == end ? std::optional(static_cast<char>(byte)) : std::nullopt;
}

std::string readableBytes(std::string_view text)
{
    std::string label;
    if (text.starts_with(' ')) {
        text.remove_prefix(1);
        label += wordStartMark;
    }
    std::string broken; // bytes of no character
    const auto flush = [&] {
        if (!broken.empty())
            label += '<' + std::exchange(broken, {}) + '>';
    };
    for (std::size_t position = 0; position < text.size();) {
        const std::size_t begin = position;
        const char32_t character = nextCodePoint(text, position);
        if (character == replacementCharacter && position - begin == 1) {
            broken += broken.empty() ? "" : " ";
            broken += hexadecimal(static_cast<unsigned char>(text[begin]));
            continue;
        }
        flush();
        label += text.substr(begin, position - begin);
    }
    flush();
    return label;
}

} // namespace attn

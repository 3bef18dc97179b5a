// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/byte_spelling.h"

#include "base/utf8.h"

#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace attn {

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

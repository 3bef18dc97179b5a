// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/byte_level.h"

#include "text/unicode.h"

#include <fmt/format.h>

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

} // namespace

AlignedText toByteLevel(const AlignedText& text)
{
    AlignedText result;
    for (std::size_t i = 0; i < text.size(); ++i)
        result.append(characters[static_cast<unsigned char>(text.text()[i])], text.source({i, i + 1}));
    return result;
}

std::string toByteLevel(std::string_view text)
{
    std::string result;
    for (const char byte : text)
        appendUtf8(result, characters[static_cast<unsigned char>(byte)]);
    return result;
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

std::string readableBytes(std::string_view text)
{
    if (text.size() > 1 && text.front() == ' ')
        text.remove_prefix(1);
    std::string label;
    while (!text.empty()) {
        const std::size_t valid = validUtf8Prefix(text);
        label += text.substr(0, valid);
        text.remove_prefix(valid);
        std::string broken;
        while (!text.empty() && validUtf8Prefix(text) == 0) {
            broken += fmt::format("{}{:02X}", broken.empty() ? "" : " ", static_cast<unsigned char>(text.front()));
            text.remove_prefix(1);
        }
        if (!broken.empty())
            label += '<' + broken + '>';
    }
    return label;
}

} // namespace attn

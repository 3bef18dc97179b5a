// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/subword_model.h"

#include <charconv>
#include <fmt/format.h>

namespace attn {

SubwordModel::SubwordModel(SharedVocabulary vocabulary, std::string description, bool hasByteFallback)
    : m_vocabulary(std::move(vocabulary))
    , m_description(std::move(description))
{
    for (int byte = 0; hasByteFallback && byte < 256; ++byte)
        m_bytes.push_back(m_vocabulary->find(fmt::format("<0x{:02X}>", byte)));
}

bool SubwordModel::appendBytes(std::string_view text, ByteSpan character, std::vector<Subword>& subwords) const
{
    const auto idAt = [&](std::size_t i) { return m_bytes[static_cast<unsigned char>(text[i])]; };
    for (std::size_t i = character.begin; i < character.end; ++i)
        if (!hasByteFallback() || !idAt(i))
            return false;
    for (std::size_t i = character.begin; i < character.end; ++i)
        subwords.push_back({*idAt(i), {i, i + 1}});
    return true;
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

std::optional<Merge> mergeIn(std::string_view line)
{
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos)
        return std::nullopt;
    return Merge(line.substr(0, blank), line.substr(blank + 1));
}

} // namespace attn

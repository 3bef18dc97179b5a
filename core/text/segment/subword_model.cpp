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

std::optional<Merge> mergeIn(std::string_view line)
{
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos)
        return std::nullopt;
    return Merge(line.substr(0, blank), line.substr(blank + 1));
}

} // namespace attn

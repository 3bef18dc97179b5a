// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/vocabulary.h"

#include "base/error.h"
#include "base/index.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "io/identify.h"
#include "io/mapped_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <span>
#include <utility>

namespace attn {

Vocabulary::Vocabulary(std::vector<std::string> pieces, Equal found, std::set<TokenId> gaps)
    : m_pieces(std::move(pieces))
    , m_gaps(std::move(gaps))
{
    m_ids.reserve(m_pieces.size());
    for (Index id = 0; id < indexSize(m_pieces); ++id) {
        if (m_gaps.contains(id))
            continue;
        const auto [entry, isNew] = m_ids.emplace(m_pieces[id], id);
        if (!isNew && found == Equal::Last)
            entry->second = id;
    }
}

SharedVocabulary Vocabulary::fromLines(const std::filesystem::path& path, Equal found)
{
    std::vector<std::string> pieces = readTextLines(path);
    if (pieces.empty())
        throw Error(ErrorKind::Format, path.string(), "is empty", "it should hold one word a line");
    return std::make_shared<const Vocabulary>(std::move(pieces), found);
}

SharedVocabulary Vocabulary::fromJson(const JsonObject& object, Ids ids)
{
    const Json& json = object.json();
    if (json.empty())
        throw Error(ErrorKind::Format, object.place(), "is empty");
    constexpr Index mostGaps = 100'000;
    const Index count = indexSize(json);
    const TokenId largest = ids == Ids::Dense ? count - 1 : std::numeric_limits<TokenId>::max();
    std::vector<std::optional<std::string>> found;
    for (const auto& [piece, value] : json.items()) {
        const auto id = indexIn(value, largest);
        if (!id)
            object.refuse(piece, fmt::format("an integer from 0 to {}", largest));
        if (*id >= count + mostGaps)
            throw Error(ErrorKind::Format, object.place(),
                        fmt::format("gives \"{}\" the id {}, though there are {} pieces", piece, *id, count));
        found.resize(std::max(indexSize(found), *id + 1));
        if (found[*id])
            throw Error(ErrorKind::Format, object.place(), fmt::format("gives the id {} twice", *id));
        found[*id] = piece;
    }
    std::vector<std::string> pieces;
    std::set<TokenId> gaps;
    for (auto& piece : found) {
        if (!piece)
            gaps.insert(indexSize(pieces));
        pieces.push_back(std::move(piece).value_or(std::string()));
    }
    return std::make_shared<const Vocabulary>(std::move(pieces), Equal::First, std::move(gaps));
}

std::optional<TokenId> Vocabulary::find(std::string_view piece) const
{
    const auto found = m_ids.find(piece);
    return found == m_ids.end() ? std::nullopt : std::optional(found->second);
}

TokenId Vocabulary::requireUnknown(const std::string& piece, const std::string& where) const
{
    const auto id = find(piece);
    if (!id)
        throw Error(ErrorKind::Format, where, fmt::format("its vocabulary lacks the unknown token \"{}\"", piece));
    return *id;
}

bool Vocabulary::contains(TokenId id) const
{
    return id >= 0 && id < indexSize(m_pieces) && !m_gaps.contains(id);
}

std::string Vocabulary::piece(TokenId id) const
{
    return contains(id) ? m_pieces[id] : unknownPiece(id);
}

std::vector<std::string> readTextLines(const std::filesystem::path& path)
{
    const std::string text = readWholeFile(path, Limit::Vocabulary);
    if (!text.empty()) // which has no lines
        refuseByStart(std::as_bytes(std::span(text)), path.string());
    std::string_view rest = text;
    if (const std::size_t valid = validUtf8Prefix(rest); valid != rest.size())
        throw Error(ErrorKind::Format, path.string(), fmt::format("is not UTF-8 (byte {})", valid),
                    "it is damaged or cut off: get the file again");
    constexpr std::uint64_t bytesOfLine = 150; // of a vocabulary or a list of merges, beside its text
    const auto breaks = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    requireMemory(2 * text.size() + std::min(breaks + 1, limit(Limit::Pieces)) * bytesOfLine, path.string());
    std::vector<std::string> lines;
    while (!rest.empty()) {
        if (lines.size() == limit(Limit::Pieces))
            throw Error(ErrorKind::Format, path.string(), fmt::format("has more than {} lines", lines.size()),
                        otherLimit(Limit::Pieces));
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.emplace_back(line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return lines;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/segment/vocabulary.h"

#include "base/error.h"
#include "base/index.h"
#include "io/json.h"
#include "io/mapped_file.h"
#include "text/unicode/unicode.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace attn {

Vocabulary::Vocabulary(std::vector<std::string> pieces)
    : m_pieces(std::move(pieces))
{
    m_ids.reserve(m_pieces.size());
    for (Index id = 0; id < indexSize(m_pieces); ++id)
        m_ids.emplace(m_pieces[id], id);
}

Vocabulary::Vocabulary(const std::vector<std::pair<std::string, TokenId>>& pieces, const std::string& where)
{
    constexpr std::size_t mostGaps = 100'000;
    std::vector<bool> seen;
    for (const auto& [piece, id] : pieces) {
        const auto index = static_cast<std::size_t>(id);
        if (id < 0 || index >= pieces.size() + mostGaps)
            throw Error(ErrorKind::Format, where,
                        fmt::format("gives \"{}\" the id {}, though there are {} pieces", piece, id, pieces.size()));
        if (index >= m_pieces.size()) {
            m_pieces.resize(index + 1);
            seen.resize(index + 1);
        }
        if (seen[index])
            throw Error(ErrorKind::Format, where, fmt::format("gives the id {} twice", id));
        seen[index] = true;
        m_pieces[index] = piece;
    }
    m_ids.reserve(m_pieces.size());
    for (Index id = 0; id < indexSize(m_pieces); ++id) {
        if (seen[id])
            m_ids.emplace(m_pieces[id], id);
        else
            m_gaps.insert(id);
    }
}

Vocabulary Vocabulary::fromLines(const std::filesystem::path& path, Equal found)
{
    const MappedFile file(path);
    std::string_view rest = file.text();
    if (const std::size_t valid = validUtf8Prefix(rest); valid != rest.size())
        throw Error(ErrorKind::Format, path.string(), fmt::format("is not UTF-8 (byte {})", valid));
    std::vector<std::string> pieces;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        pieces.emplace_back(line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (pieces.empty())
        throw Error(ErrorKind::Format, path.string(), "is empty", "it should hold one word a line");
    Vocabulary vocabulary(std::move(pieces));
    if (found == Equal::Last)
        for (Index id = 0; id < indexSize(vocabulary.m_pieces); ++id)
            vocabulary.m_ids.find(vocabulary.m_pieces[id])->second = id;
    return vocabulary;
}

Vocabulary Vocabulary::fromJson(const std::filesystem::path& path)
{
    const JsonObject object(path);
    const auto count = std::ssize(object.json());
    if (count == 0)
        throw Error(ErrorKind::Format, path.string(), "is empty");
    std::vector<std::string> pieces(count);
    std::vector<bool> seen(pieces.size());
    for (const auto& [piece, value] : object.json().items()) {
        const auto id = object.requireInt(piece, 0, count - 1);
        if (seen[id])
            throw Error(ErrorKind::Format, path.string(), fmt::format("gives the id {} twice", id));
        seen[id] = true;
        pieces[id] = piece;
    }
    return Vocabulary(std::move(pieces));
}

std::optional<TokenId> Vocabulary::find(std::string_view piece) const
{
    const auto found = m_ids.find(piece);
    return found == m_ids.end() ? std::nullopt : std::optional(found->second);
}

bool Vocabulary::contains(TokenId id) const
{
    return id >= 0 && id < indexSize(m_pieces) && !m_gaps.contains(id);
}

std::string Vocabulary::piece(TokenId id) const
{
    return contains(id) ? m_pieces[id] : unknownPiece(id);
}

} // namespace attn

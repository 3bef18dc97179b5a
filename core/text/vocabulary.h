// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Pieces and their ids.
class Vocabulary
{
public:
    Vocabulary() = default;
    // The position is the id. The first of equal pieces is found.
    explicit Vocabulary(std::vector<std::string> pieces);

    // One piece a line, the line number is the id.
    static Vocabulary fromLines(const std::filesystem::path& path);
    // {"piece": id, ...}: every id from 0 on exactly once. Throws Error{File, Format}.
    static Vocabulary fromJson(const std::filesystem::path& path);

    std::size_t size() const { return m_pieces.size(); }
    std::optional<TokenId> find(std::string_view piece) const;
    bool contains(TokenId id) const { return id >= 0 && static_cast<std::size_t>(id) < m_pieces.size(); }
    std::string piece(TokenId id) const; // "<id>" for ids outside

private:
    std::vector<std::string> m_pieces;
    std::map<std::string, TokenId, std::less<>> m_ids;
};

// Tokens that stand for no text, and the one for text outside the vocabulary.
struct SpecialTokens
{
    std::optional<TokenId> unknown;
    std::optional<TokenId> end;
    std::set<TokenId> silent; // padding, start, end, language tokens: shown as special, left out of the text

    bool isSpecial(TokenId id) const { return silent.contains(id); }
};

} // namespace attn

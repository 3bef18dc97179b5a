// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace attn {

// Pieces and their ids.
class Vocabulary
{
public:
    Vocabulary() = default;
    // The position is the id. The first of equal pieces is found.
    explicit Vocabulary(std::vector<std::string> pieces);
    // Ids may leave gaps, which are spelled like ids outside. Throws Error{Format} for ids that are negative, given
    // twice, or far beyond the number of pieces.
    Vocabulary(const std::vector<std::pair<std::string, TokenId>>& pieces, const std::string& where);
    Vocabulary(Vocabulary&&) noexcept = default;
    Vocabulary& operator=(Vocabulary&&) noexcept = default;
    Vocabulary(const Vocabulary&) = delete;
    Vocabulary& operator=(const Vocabulary&) = delete;
    ~Vocabulary() = default;

    // One piece a line, the line number is the id. Of equal lines `found` is found.
    enum class Equal { First, Last };
    static Vocabulary fromLines(const std::filesystem::path& path, Equal found = Equal::First);
    // {"piece": id, ...}: every id from 0 on exactly once. Throws Error{File, Format}.
    static Vocabulary fromJson(const std::filesystem::path& path);

    std::size_t size() const { return m_pieces.size(); } // one more than the largest id
    std::optional<TokenId> find(std::string_view piece) const;
    bool contains(TokenId id) const;
    std::string piece(TokenId id) const; // "<id>" for ids outside

private:
    std::vector<std::string> m_pieces;
    std::unordered_map<std::string_view, TokenId> m_ids; // the keys are those of m_pieces
    std::set<TokenId> m_gaps;
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

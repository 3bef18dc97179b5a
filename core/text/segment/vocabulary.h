// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "io/json.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace attn {

class Vocabulary;
using SharedVocabulary = std::shared_ptr<const Vocabulary>;

// Pieces and their ids.
class Vocabulary
{
public:
    // Which of equal pieces is found.
    enum class Equal : std::uint8_t { First, Last };
    // The position is the id; those in `gaps` are no pieces, and are spelled like ids outside.
    explicit Vocabulary(std::vector<std::string> pieces, Equal found = Equal::First, std::set<TokenId> gaps = {});
    Vocabulary(const Vocabulary&) = delete;
    Vocabulary& operator=(const Vocabulary&) = delete;
    ~Vocabulary() = default;

    // One piece a line, the line number is the id. Throws Error{File, Format}, as the next one.
    static SharedVocabulary fromLines(const std::filesystem::path& path, Equal found = Equal::First);
    // {"piece": id, ...}. Dense: every id from 0 on exactly once; gaps may not go far beyond the number of pieces.
    enum class Ids : std::uint8_t { Dense, WithGaps };
    static SharedVocabulary fromJson(const JsonObject& object, Ids ids);

    const std::vector<std::string>& pieces() const { return m_pieces; } // by id; empty in a gap
    std::size_t size() const { return m_pieces.size(); } // one more than the largest id
    std::optional<TokenId> find(std::string_view piece) const;
    TokenId requireUnknown(const std::string& piece, const std::string& where) const; // throws Error{Format}
    bool contains(TokenId id) const;
    std::string piece(TokenId id) const; // "<id>" for ids outside

private:
    std::vector<std::string> m_pieces;
    std::unordered_map<std::string_view, TokenId> m_ids; // the keys are those of m_pieces
    std::set<TokenId> m_gaps;
};

// The lines of a file in UTF-8. Throws Error{File, Format}.
std::vector<std::string> readTextLines(const std::filesystem::path& path);

} // namespace attn

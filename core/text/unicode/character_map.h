// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/token_text.h" // isWhitespace

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Unicode properties of a character as tokenizers ask for them.

namespace attn {

// SentencePiece's precompiled normalization: a double-array trie from byte sequences to replacement texts.
class CharacterMap
{
public:
    // [size of the trie][trie][zero-terminated replacement texts]. Throws Error{Format}; every walk through an accepted
    // trie stays inside and ends.
    CharacterMap(std::span<const std::byte> bytes, const std::string& where);
    static CharacterMap fromBase64(std::string_view text, const std::string& where);

    // The replacement for the shortest mapped prefix of `text`, as Hugging Face's library looks it up.
    std::optional<std::string_view> find(std::string_view text) const;
    struct Match
    {
        std::string_view replacement;
        std::size_t length = 0; // of the prefix
    };
    // The same for the longest mapped prefix, as SentencePiece looks it up.
    std::optional<Match> findLongest(std::string_view text) const;

private:
    // Calls visit(Match) for every mapped prefix, the shortest first, as long as it returns true.
    template<class Visit>
    void visitPrefixes(std::string_view text, Visit visit) const;

    std::vector<std::uint32_t> m_units;
    std::string m_replacements;
};

bool isPunctuation(char32_t c); // categories P*, and every ASCII symbol
bool isNumeric(char32_t c); // categories N*
bool isMark(char32_t c); // categories M*
bool isNonspacingMark(char32_t c); // category Mn
bool isControl(char32_t c); // categories Cc, Cf and Co; not Cn, what is unassigned
bool isWordCharacter(char32_t c); // regular expressions' \w
bool isChineseCharacter(char32_t c); // CJK ideographs, as BERT counts them

} // namespace attn

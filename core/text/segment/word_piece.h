// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/prefix_index.h"
#include "text/segment/subword_model.h"

#include <cstddef>

namespace attn {

struct WordPieceOptions
{
    std::string unknown = "[UNK]";
    std::string continuation = "##"; // in front of pieces that do not start a word
    std::size_t longestWord = 100; // characters; longer words are unknown
};

// The longest piece from the left, again and again (Schuster and Nakajima 2012; Wu et al. 2016). A word that cannot be
// cut up completely is unknown as a whole.
class WordPiece final : public SubwordModel
{
public:
    // Throws Error{Format} when the vocabulary lacks the unknown token.
    WordPiece(Vocabulary vocabulary, WordPieceOptions options, const std::string& where);

    void cut(std::string_view word, std::vector<Subword>& subwords) const override;
    const Vocabulary& vocabulary() const override { return m_vocabulary; }
    std::string description() const override;

private:
    Vocabulary m_vocabulary;
    WordPieceOptions m_options;
    TokenId m_unknown;
    std::vector<std::string> m_pieces; // by id; the indexes refer to them
    PrefixIndex m_starts; // pieces that start a word
    PrefixIndex m_continuations; // the others, without their mark
};

// Whole stretches are looked up; others are unknown.
class WordLookup final : public SubwordModel
{
public:
    WordLookup(Vocabulary vocabulary, const std::string& unknown, const std::string& where);

    void cut(std::string_view word, std::vector<Subword>& subwords) const override;
    const Vocabulary& vocabulary() const override { return m_vocabulary; }
    std::string description() const override;

private:
    Vocabulary m_vocabulary;
    TokenId m_unknown;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/sentence_piece.h"
#include "text/segment/vocabulary.h"
#include "text/tokenizer.h"

#include <memory>
#include <string>

namespace attn {

// SentencePiece with a vocabulary that gives the pieces their ids: its own, or Marian's shared vocab.json.
class SubwordTokenizer final : public Tokenizer
{
public:
    // A language code such as ">>fra<<" at the start of a text becomes a token when the vocabulary has it. One that it
    // lacks is text, or with Marian one unknown token.
    enum class UnknownCode { Text, Token };
    // appendEnd: encode() adds special.end.
    SubwordTokenizer(std::shared_ptr<const SentencePieceModel> model, std::shared_ptr<const Vocabulary> vocabulary,
                     SpecialTokens special, bool appendEnd, UnknownCode unknownCode = UnknownCode::Text);

    Encoding encode(std::string_view text) const override;
    std::string decode(std::span<const TokenId> ids) const override;
    Encoding describe(std::span<const TokenId> ids) const override;
    std::string description() const override;
    NamedTokens namedTokens() const override;

private:
    TokenId idOf(const SentencePieceModel::Piece& piece) const;
    std::size_t languageCode(std::string_view text, std::optional<TokenId>& id) const;

    std::shared_ptr<const SentencePieceModel> m_model;
    std::shared_ptr<const Vocabulary> m_vocabulary;
    SpecialTokens m_special;
    bool m_appendEnd;
    UnknownCode m_unknownCode;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/segmenter.h"
#include "text/segment/sentence_piece.h"
#include "text/segment/vocabulary.h"

#include <memory>
#include <vector>

namespace attn {

// A SentencePiece model whose pieces a network numbers in its own way.
class SentencePieceSegmenter final : public Segmenter
{
public:
    // `ids` gives every piece of the model the id that `vocabulary` spells. `inner`, which may be null, is the same
    // model for what stands behind an added token: it puts no blank in front.
    SentencePieceSegmenter(std::shared_ptr<const SentencePieceModel> model, Vocabulary vocabulary,
                           std::vector<TokenId> ids, std::shared_ptr<const SentencePieceModel> inner);

    std::vector<PlacedToken> encode(std::string_view text, ByteSpan segment) const override;
    std::vector<std::size_t> wordStarts(std::string_view text) const override;
    std::vector<std::string> decode(std::vector<std::string> pieces) const override;
    bool contains(TokenId id) const override { return m_vocabulary.contains(id); }
    std::string piece(TokenId id) const override { return m_vocabulary.piece(id); }
    std::string description() const override;
    bool spellsBytes() const override { return m_hasBytes; }
    std::string label(const std::string& piece) const override;

private:
    std::vector<SentencePieceModel::Piece> pieces(std::string_view stretch, bool isFirst) const;

    std::shared_ptr<const SentencePieceModel> m_model;
    std::shared_ptr<const SentencePieceModel> m_inner;
    Vocabulary m_vocabulary;
    std::vector<TokenId> m_ids;
    bool m_hasBytes;
};

} // namespace attn

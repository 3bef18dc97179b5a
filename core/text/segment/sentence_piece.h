// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "text/segment/prefix_index.h"
#include "text/segment/sentence_piece_file.h"
#include "text/segment/subword_model.h"
#include "text/steps/steps.h"
#include "text/tokenizer.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A SentencePiece model (Kudo and Richardson 2018): text to pieces and back, as the library of that name does it.
class SentencePieceModel
{
public:
    // Throws Error{File, Format, Resource}.
    explicit SentencePieceModel(const std::filesystem::path& path);
    SentencePieceModel(std::span<const std::byte> message, const std::string& where);
    SentencePieceModel(SentencePieceFile file, const std::string& where);

    struct Piece
    {
        std::string text; // for unknown pieces the normalized text itself
        ByteSpan span; // in the text that was encoded, with the white space in front
        TokenId id = 0; // in pieces()
    };
    // Continued: behind an added token, without the blank that the model puts in front of a text.
    enum class TextPart : std::uint8_t { Whole, Continued };
    // Throws Error{Input} for text that is not UTF-8, Error{Resource} for one that the model's normalization makes so
    // much longer that requireTextRoom refuses it.
    std::vector<Piece> encode(std::string_view text, TextPart part = TextPart::Whole) const;
    // Turns each piece into the text that it stands for. Throws Error{Resource} as encode does.
    void decode(std::vector<std::string>& pieces) const;

    const std::vector<std::string>& pieces() const { return vocabulary().pieces(); } // by id
    std::vector<TokenId> controlTokens() const;
    NamedTokens named() const; // begin, end, padding and unknown
    std::string algorithm() const; // "unigram", "BPE", "word", "character"

private:
    void prepare(const std::string& where);
    const Vocabulary& vocabulary() const { return *m_file.pieces.vocabulary; }
    std::optional<TokenId> idOf(const std::string& piece, PieceType type) const;
    void cut(const AlignedText& text, std::vector<Subword>& subwords) const;
    void appendBytes(const AlignedText& text, ByteSpan range, std::vector<Piece>& pieces) const;
    std::string readable(std::string_view piece, bool& isStart) const;

    SentencePieceFile m_file;
    PrefixIndex m_userDefined; // pieces that are neither normalized nor cut
    std::shared_ptr<const SubwordModel> m_model; // null for words and characters
    TokenId m_unknown = 0;
};

// A SentencePiece model whose pieces a network numbers in its own way.
struct SentencePieceParts
{
    std::shared_ptr<const SentencePieceModel> model;
    SharedVocabulary vocabulary = {}; // gives the pieces their ids
    TokenId unknown = 0; // of what it lacks
    std::set<TokenId> silent = {}; // what no text becomes
    SentencePieceModel::TextPart behindTokens = SentencePieceModel::TextPart::Whole; // text behind an added token
};
std::shared_ptr<const SubwordModel> sentencePieceSubwords(SentencePieceParts parts);
TokenDecoder sentencePieceDecoder(std::shared_ptr<const SentencePieceModel> model);

} // namespace attn

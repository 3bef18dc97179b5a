// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "text/segment/subword_model.h"
#include "text/steps/token_decoder.h"
#include "text/tokenizer.h"
#include "text/unicode/character_map.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace attn {

// A SentencePiece model (Kudo and Richardson 2018): text to pieces and back.
class SentencePieceModel
{
public:
    static constexpr std::size_t longestPiece = 4096; // in bytes; the library calls itself once for each

    // Throws Error{File, Format}; a damaged model is refused before it can do harm.
    explicit SentencePieceModel(const std::filesystem::path& path);
    SentencePieceModel(std::span<const std::byte> proto, const std::string& where);
    ~SentencePieceModel();

    struct Piece
    {
        std::string text; // for unknown pieces the text itself
        ByteSpan span; // in the text that was encoded, with the white space in front
    };
    // Throws Error{Input} for text that is not UTF-8, Error{Resource} for one that the model's normalization makes so
    // much longer that requireTextRoom refuses it, or for a very long one that it would take too long to cut.
    std::vector<Piece> encode(std::string_view text) const;

    struct Decoded
    {
        std::string text;
        std::vector<ByteSpan> spans; // one per piece
    };
    Decoded decode(const std::vector<std::string>& pieces) const; // Throws Error{Resource} as encode does

    std::vector<std::string> pieces() const; // by id
    std::vector<TokenId> controlTokens() const;
    NamedTokens named() const; // begin, end, padding and unknown
    const std::string& algorithm() const { return m_algorithm; } // "unigram", "BPE", "word", "character"

private:
    void load(std::span<const std::byte> proto, const std::string& where);
    std::string readable(const std::string& piece, bool first) const;
    const sentencepiece::SentencePieceProcessor* byteSpeller() const;
    std::vector<Piece> encodeLong(std::string_view text, std::uint64_t bytes) const;

    std::unique_ptr<sentencepiece::SentencePieceProcessor> m_processor;
    bool m_spellsBytes = false; // of the unknown characters of every text
    mutable std::once_flag m_isAsked; // for the next
    mutable std::unique_ptr<sentencepiece::SentencePieceProcessor> m_byteSpeller; // of long texts; may stay null
    std::string m_algorithm;
    std::optional<CharacterMap> m_normalizer;
    std::optional<CharacterMap> m_denormalizer;
};

// A SentencePiece model whose pieces a network numbers in its own way.
struct SentencePieceParts
{
    std::shared_ptr<const SentencePieceModel> model;
    SharedVocabulary vocabulary = {}; // gives the pieces their ids
    TokenId unknown = 0; // of what it lacks
    std::set<TokenId> silent = {}; // what no text becomes
    std::shared_ptr<const SentencePieceModel> inner = {}; // the same for what stands behind an added token; may be null
};
std::shared_ptr<const SubwordModel> sentencePieceSubwords(SentencePieceParts parts);
TokenDecoder sentencePieceDecoder(std::shared_ptr<const SentencePieceModel> model);

} // namespace attn

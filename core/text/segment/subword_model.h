// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "text/segment/vocabulary.h"
#include "text/unicode/aligned_text.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// A subword and where it stands in the stretch of text that was cut up.
struct Subword
{
    TokenId id = 0;
    ByteSpan range;
    bool startsWord = false; // whatever the stretch says
};

// Cuts a stretch of normalized text into the pieces of a vocabulary. Immutable.
class SubwordModel
{
public:
    virtual ~SubwordModel() = default;
    SubwordModel(const SubwordModel&) = delete;
    SubwordModel& operator=(const SubwordModel&) = delete;

    virtual void cut(const AlignedText& text, std::vector<Subword>& subwords) const = 0;
    const Vocabulary& vocabulary() const { return *m_vocabulary; }
    const std::string& description() const { return m_description; } // "WordPiece, 30522 pieces"
    bool hasByteFallback() const { return !m_bytes.empty(); } // pieces "<0x0A>" stand for bytes

protected:
    SubwordModel(SharedVocabulary vocabulary, std::string description, bool hasByteFallback = false);
    // Adds a character as the pieces of its bytes, if there is byte fallback and the vocabulary has them all.
    bool appendBytes(std::string_view text, ByteSpan character, std::vector<Subword>& subwords) const;

private:
    SharedVocabulary m_vocabulary;
    std::string m_description;
    std::vector<std::optional<TokenId>> m_bytes; // by byte
};

// All of these throw Error{Format} naming `where`.

using Merge = std::pair<std::string, std::string>;
// Both sides of "a b", where a line is that.
std::optional<Merge> mergeIn(std::string_view line);

struct BpeOptions
{
    std::optional<std::string> unknown = {};
    std::string continuation = {}; // in front of pieces that do not start a word
    std::string wordEnd = {}; // behind pieces that end a word
    bool fuseUnknown = false; // neighbouring unknown characters become one token
    bool byteFallback = false; // unknown characters become "<0x..>" pieces, if the vocabulary has them all
    bool ignoreMerges = false; // a stretch that is a piece is not cut
    std::string name = "BPE";
};

// Byte pair encoding (Sennrich et al. 2016): the pair that was merged earliest in training is merged first, the
// leftmost where it occurs more than once.
std::shared_ptr<const SubwordModel> bpeModel(const SharedVocabulary& vocabulary, const std::vector<Merge>& merges,
                                             BpeOptions options, const std::string& where);

// SentencePiece's types of pieces, which GGUF files number in the same way.
enum class PieceType : std::uint8_t { Normal = 1, Unknown, Control, UserDefined, Unused, Byte };

// Whether text can become such a piece by merging or scoring.
constexpr bool isText(PieceType type)
{
    return type == PieceType::Normal || type == PieceType::UserDefined || type == PieceType::Unused;
}

struct ScoredPieces
{
    SharedVocabulary vocabulary = {};
    std::vector<double> scores = {}; // one per piece: log probabilities or, of merges, the order
    std::vector<PieceType> types = {}; // one per piece; none where all are normal

    PieceType type(TokenId id) const { return types.empty() ? PieceType::Normal : types[id]; }
};

// SentencePiece's byte pair encoding: two neighbours merge when the vocabulary has their joined text, the piece with
// the highest score first. User-defined pieces are found first and stay as they are; unused ones are taken apart again.
// Characters outside become "<0x..>" pieces, where there is byte fallback and the vocabulary has them, or unknown.
std::shared_ptr<const SubwordModel> scoredBpeModel(ScoredPieces pieces, std::optional<TokenId> unknown,
                                                   bool byteFallback, const std::string& where);

struct UnigramOptions
{
    std::optional<TokenId> unknown = {};
    bool byteFallback = false; // unknown characters become "<0x..>" pieces
    bool singlePrecision = false; // sums of scores are rounded as SentencePiece rounds them
};

// The most probable sequence of pieces (Kudo 2018), by Viterbi's algorithm. Neighbouring unknown characters become one
// token; cut() throws Error{Input} for one that a vocabulary without an unknown token lacks.
std::shared_ptr<const SubwordModel> unigramModel(ScoredPieces pieces, UnigramOptions options, const std::string& where);

struct WordPieceOptions
{
    std::string unknown = "[UNK]";
    std::string continuation = "##"; // in front of pieces that do not start a word
    std::size_t longestWord = 100; // characters; longer words are unknown
};

// The longest piece from the left, again and again (Schuster and Nakajima 2012; Wu et al. 2016). A word that cannot be
// cut up completely is unknown as a whole.
std::shared_ptr<const SubwordModel> wordPieceModel(const SharedVocabulary& vocabulary, WordPieceOptions options,
                                                   const std::string& where);

// Whole stretches are looked up; others, and tokens that are `silent`, are unknown.
std::shared_ptr<const SubwordModel> wordListModel(const SharedVocabulary& vocabulary, TokenId unknown,
                                                  std::set<TokenId> silent);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

using TokenId = std::int32_t;

// Vectors of ids and of words are whole where one has neither. Archives and other files write both as -1.
constexpr TokenId noTokenId = -1; // a row or column that is no token, or a token that an archive does not name
constexpr int noWord = -1; // a token that belongs to no word: special tokens

// Bytes [begin, end) of a UTF-8 text.
struct ByteSpan
{
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const ByteSpan&, const ByteSpan&) = default;
};

// NaN in place of every number of a box or a span: a token that lies nowhere.
constexpr float nowhere = std::numeric_limits<float>::quiet_NaN();

// A rectangle of a picture, in fractions of its width and height; beyond 0 to 1 where a model pads.
struct PictureBox
{
    float left = 0;
    float top = 0;
    float right = 0;
    float bottom = 0;

    bool isPlace() const { return left <= right; }
    friend bool operator==(const PictureBox&, const PictureBox&) = default;
};

// Seconds [begin, end) of a sound.
struct TimeSpan
{
    float begin = 0;
    float end = 0;

    bool isPlace() const { return begin <= end; }
    friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

// An input as a model sees it: tokens, each with its place in a text, a picture or a sound. All vectors but `ids` are
// either empty (ids without a tokenizer) or as long as `ids`.
struct Encoding
{
    std::vector<TokenId> ids;
    std::vector<std::string> tokens; // pieces as the vocabulary spells them, e.g. "▁house"
    std::vector<ByteSpan> spans; // in `text`; empty spans for tokens that stand for no text
    std::vector<int> words; // index of the word a token belongs to, from 0, or noWord
    std::vector<bool> special; // end, start, padding, language tokens
    std::vector<int> segments; // of a sentence pair: 0 for the first text's tokens, 1 for the second's; else empty
    std::string text; // what was encoded or decoded
    std::vector<std::string> labels; // like `tokens` but readable ("▁дом") where those are spelled in bytes; else empty
    std::vector<PictureBox> boxes = {}; // of a picture's patches; NaN for tokens without a place
    std::vector<TimeSpan> times = {}; // of a sound, or of words that were heard in it; NaN likewise

    std::size_t size() const { return ids.size(); }
};

// Name of a token whose piece is not known.
inline std::string unknownPiece(TokenId id)
{
    return '<' + std::to_string(id) + '>';
}

// Encoding of ids without a tokenizer.
inline Encoding plainEncoding(std::vector<TokenId> ids)
{
    Encoding result;
    result.ids = std::move(ids);
    for (const TokenId id : result.ids)
        result.tokens.push_back(unknownPiece(id));
    return result;
}

// Turns ids back into an Encoding. Implemented by tokenizers and by archives; the trace uses it to name tokens.
class TokenDescriber
{
public:
    virtual ~TokenDescriber() = default;

    // An id outside the vocabulary is spelled "<id>", never an error.
    virtual Encoding describe(std::span<const TokenId> ids) const = 0;
};

// Whether a token stands for no text: end, start, padding. Masks and unknown words stand for words.
template<typename Position>
bool isSpecial(const Encoding& encoding, Position token)
{
    return std::cmp_less(token, encoding.special.size()) && encoding.special[static_cast<std::size_t>(token)];
}

// Whether a piece is a mask to be filled, by the spelling that vocabularies share.
inline bool isMaskPiece(std::string_view piece)
{
    return piece == "[MASK]" || piece == "<mask>";
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct AddedToken;

// A token with its place in the text.
struct PlacedToken
{
    TokenId id = 0;
    ByteSpan span;
    int word = 0; // from 0 in the segment
    const AddedToken* added = nullptr; // the added token that this is
};

// Turns a stretch of text that holds no special tokens into tokens, and pieces back into text. Immutable.
class Segmenter
{
public:
    virtual ~Segmenter() = default;

    // Spans are in `text`; words ascend.
    virtual std::vector<PlacedToken> encode(std::string_view text, ByteSpan segment) const = 0;
    // Where words begin in `text`, ascending.
    virtual std::vector<std::size_t> wordStarts(std::string_view text) const = 0;
    // What each piece adds to the text, as bytes: a piece may hold part of a character.
    virtual std::vector<std::string> decode(std::vector<std::string> pieces) const = 0;

    virtual bool contains(TokenId id) const = 0;
    virtual std::string piece(TokenId id) const = 0; // "<id>" for ids outside
    virtual std::string description() const = 0;
    // Whether pieces are spelled in bytes, and how one of them reads to people ("Ð¼Ð¸" as "ми").
    virtual bool spellsBytes() const { return false; }
    virtual std::string label(const std::string& piece) const { return piece; }
};

} // namespace attn

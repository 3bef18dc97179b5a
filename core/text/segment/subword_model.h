// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "text/segment/vocabulary.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A subword and where it stands in the stretch of text that was cut up.
struct Subword
{
    TokenId id = 0;
    ByteSpan range;
};

// Cuts a stretch of normalized text into the pieces of a vocabulary. Immutable.
class SubwordModel
{
public:
    virtual ~SubwordModel() = default;

    virtual void cut(std::string_view text, std::vector<Subword>& subwords) const = 0;
    virtual const Vocabulary& vocabulary() const = 0;
    virtual std::string description() const = 0; // "WordPiece, 30522 pieces"
    // Whether pieces "<0x0A>" stand for bytes.
    virtual bool hasByteFallback() const { return false; }
};

// "<0x0A>", as byte fallback spells bytes.
std::string bytePiece(unsigned char byte);
// The byte that such a piece stands for, or -1.
int byteOfPiece(std::string_view piece);

} // namespace attn

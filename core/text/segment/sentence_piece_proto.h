// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace attn {

// The parts of a serialized SentencePiece model that its library trusts without looking.
struct SentencePieceProto
{
    std::string algorithm; // "unigram", "BPE", "word", "character"
    std::size_t pieces = 0;
};

// Walks the protocol buffer and checks the normalization tables (a double-array trie that the library follows without
// bounds). Throws Error{Format}.
SentencePieceProto checkSentencePieceProto(std::span<const std::byte> proto, const std::string& where);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Join of a word to what stands before it.
enum class Joint : std::uint8_t { Beginning, Blank, Direct };

// The usual way of a word: it begins a text, or follows after a blank, but directly where it is punctuation that
// closes.
Joint jointOf(std::string_view word, bool begins);

struct WordPieces
{
    std::vector<TokenId> ids;
    std::vector<std::string> tokens; // as the vocabulary spells them
};

// The tokens that a word adds to a text, without those that belong to every text. Throws Error{Input} for a word that
// is not UTF-8.
WordPieces wordPieces(const Tokenizer& tokenizer, std::string_view word, Joint joint);

// A text as SigLIP reads it: lowered, without ASCII punctuation, with single blanks.
std::string plainWords(std::string_view text);

} // namespace attn

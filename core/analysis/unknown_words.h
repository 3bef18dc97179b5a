// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"

#include <string>
#include <vector>

namespace attn {

// A word that a vocabulary lacks, and the pieces that the model reads in its place.
struct UnknownWord
{
    std::string text;
    std::vector<std::string> pieces; // as the vocabulary spells them, at least one of them the unknown token
};

// The words of an encoded text that hold the unknown token, each once, in their order. A token that belongs to no word
// counts as one. Empty for ids without a text.
std::vector<UnknownWord> unknownWords(const Encoding& encoding, TokenId unknown);

} // namespace attn

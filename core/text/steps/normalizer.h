// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/unicode/aligned_text.h"
#include "text/unicode/regex.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace attn {

class CharacterMap;

// What a tokenizer does to a text before it looks for words. The steps are those of Hugging Face's `tokenizers`, under
// the same names. Immutable and callable from any thread.
using Normalizer = std::function<AlignedText(AlignedText)>;

enum class UnicodeForm { NFC, NFD, NFKC, NFKD };

struct BertNormalization
{
    bool cleanText = true; // drop controls, make every white space a blank
    bool separateChinese = true; // blanks around CJK ideographs
    bool stripAccents = true;
    bool lowercase = true;
};

Normalizer normalizerSequence(std::vector<Normalizer> steps);
Normalizer unicodeNormalizer(UnicodeForm form);
Normalizer bertNormalizer(const BertNormalization& options);
Normalizer lowercaseNormalizer(); // character by character, without context
Normalizer stripNormalizer(bool left, bool right);
Normalizer stripAccentsNormalizer(); // drops every mark
Normalizer replaceNormalizer(Regex pattern, std::string content);
Normalizer prependNormalizer(std::string prefix); // not to an empty text
Normalizer nmtNormalizer(); // SentencePiece's: drops some controls, other white space becomes blanks
// SentencePiece's precompiled replacements, applied to grapheme clusters.
Normalizer precompiledNormalizer(std::shared_ptr<const CharacterMap> map);
Normalizer byteLevelNormalizer();

} // namespace attn

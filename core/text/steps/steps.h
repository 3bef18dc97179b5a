// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "io/json.h"
#include "text/unicode/aligned_text.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Change of a text before a tokenizer looks for words. The steps are those of Hugging Face's `tokenizers`, under
// the same names. Immutable and callable from any thread.
using Normalizer = std::function<AlignedText(AlignedText)>;

// Throws Error{Format, Unsupported}.
Normalizer readNormalizer(const JsonObject& spec);

// Cuts a normalized text into the stretches that subwords never cross. The steps are those of Hugging Face's
// `tokenizers`, under the same names. Immutable and callable from any thread.
using PreTokenizer = std::function<std::vector<AlignedText>(std::vector<AlignedText>)>;

// Throws Error{Format, Unsupported}.
PreTokenizer readPreTokenizer(const JsonObject& spec);

// The expressions by which byte-level tokenizers find words, in Oniguruma's dialect; the first is Radford et al. 2019.
inline constexpr std::string_view gpt2Words =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view qwen2Words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view llama3Words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";
// Splits by one of them, or by several one after the other, and spells the words in bytes.
PreTokenizer byteLevelWords(const std::vector<std::string>& expressions);

// Turns pieces back into text, in place: one text per piece, possibly only part of a character. The steps are those of
// Hugging Face's `tokenizers`, under the same names.
using TokenDecoder = std::function<void(std::vector<std::string>&)>;

// Throws Error{Format, Unsupported}.
TokenDecoder readTokenDecoder(const JsonObject& spec);
TokenDecoder spaceDecoder(); // blanks between pieces

// The sentences of a text, without the white space around them: cut at line feeds and after . ? ! … (and closing quotes
// and brackets behind them) that white space follows. Sentences of nothing but white space are left out.
std::vector<ByteSpan> sentencesOf(std::string_view text);

} // namespace attn

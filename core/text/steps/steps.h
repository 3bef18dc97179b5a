// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "io/json.h"
#include "text/unicode/aligned_text.h"
#include "text/unicode/regex.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

// Normalizers, pre-tokenizers and decoders are steps that tokenizer.json describes, {"type": "Lowercase"}; other files
// get theirs by such descriptions, too. What is common to reading them:

// A list has at most so many steps, those of lists in it included.
constexpr std::size_t mostSteps = 64;
// The steps of such a list. Throws Error{Format}.
std::vector<JsonObject> requireSteps(const JsonObject& spec, std::string_view field);

// Throws Error{Unsupported} that names `value` of `field`.
[[noreturn]] void refuseStep(const JsonObject& spec, std::string_view field, std::string_view value);

// Value of the row with this name; refuses a name without one.
template<class Value, std::size_t Count>
const Value& chosen(const std::pair<std::string_view, Value> (&rows)[Count], const JsonObject& spec,
                    std::string_view field, std::string_view name)
{
    const auto found = std::ranges::find(rows, name, &std::pair<std::string_view, Value>::first);
    if (found == std::end(rows))
        refuseStep(spec, field, name);
    return found->second;
}

template<class Step>
std::vector<Step> readSteps(const JsonObject& spec, std::string_view field, Step (*read)(const JsonObject&))
{
    std::vector<Step> steps;
    for (const JsonObject& step : requireSteps(spec, field))
        steps.push_back(read(step));
    return steps;
}

// {"String": "..."} or {"Regex": "..."}.
Regex readPattern(const JsonObject& spec);

enum class PrependScheme : std::uint8_t { Always, First, Never };
// Older files have add_prefix_space, newer ones prepend_scheme.
PrependScheme readPrependScheme(const JsonObject& spec);

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

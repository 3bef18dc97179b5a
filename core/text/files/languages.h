// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/files/tokenizer_config.h"
#include "text/pipeline_tokenizer.h"
#include "text/tokenizer.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Which languages a multilingual family was published with, and where it puts the token of a text's language.
struct LanguageScheme
{
    std::array<std::string_view, 2> codes; // with blanks between, in the order of their ids
    std::string_view telling; // a language's token by which a tokenizer without a class is known
    bool byVocabulary = false; // M2M-100: vocab.json numbers the pieces, and the token of "fr" is "__fr__"
    bool codeAtEnd = false; // the source's token stands behind its end token, not in front of the text
    bool startsDecoder = false; // decoding starts from the target's token; else it is the first to be produced

    const LanguageScheme* other = nullptr; // of the configurations that ask for it
    bool (*isOther)(const TokenizerConfig& config) = nullptr;

    const LanguageScheme& in(const TokenizerConfig& config) const { return other && isOther(config) ? *other : *this; }
    std::vector<std::string> published() const; // the codes one by one
    std::string token(std::string_view code) const;
};

// Languages of the tokenizer classes.
extern const LanguageScheme mbartLanguages, mbart50Languages, m2m100Languages, nllbLanguages;

// Gives a multilingual model's tokenizer the languages that its configuration names.
Tokenizers withConfiguredLanguages(const std::shared_ptr<const PipelineTokenizer>& tokenizer,
                                   const TokenizerConfig& config, const LanguageScheme& scheme);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/files/tokenizer_config.h"
#include "text/pipeline_tokenizer.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <memory>

namespace attn {

// Tokenizers without a tokenizer.json, from vocabularies or SentencePiece models whose pieces a network numbers in its
// own way. All throw Error{File, Format}.

// vocab.txt: BERT's basic tokenizer and WordPiece.
std::shared_ptr<const PipelineTokenizer> loadBertVocabulary(const TokenizerConfig& config);

enum class ByteLevelKind : std::uint8_t {
    Gpt2, // nothing around the text
    Roberta, // also BART: <s> text </s>
    Qwen2 // GPT-2's with other words
};
// vocab.json and merges.txt: byte-level BPE.
std::shared_ptr<const PipelineTokenizer> loadByteLevelBpe(const TokenizerConfig& config, ByteLevelKind kind);

// tokenizer.model: <s> text. Also Mistral.
std::shared_ptr<const PipelineTokenizer> loadLlamaSentencePiece(const TokenizerConfig& config);
// spiece.model: text </s>, sentinels <extra_id_0> ... above the pieces. Also mT5.
std::shared_ptr<const PipelineTokenizer> loadT5SentencePiece(const TokenizerConfig& config);
// sentencepiece.bpe.model with fairseq's four tokens in front: <s> text </s>.
std::shared_ptr<const PipelineTokenizer> loadXlmRobertaSentencePiece(const TokenizerConfig& config);
// The same, or sentencepiece.bpe.model with vocab.json for M2M-100, with language codes behind the pieces.
Tokenizers loadMultilingualSentencePiece(const TokenizerConfig& config, LanguageScheme scheme);

// Gives a multilingual model's tokenizer the languages that its configuration names.
Tokenizers withConfiguredLanguages(const std::shared_ptr<const PipelineTokenizer>& tokenizer,
                                   const TokenizerConfig& config, LanguageScheme scheme);

// Adds tokens, those with a job of their own among them by these spellings.
void addTokens(PipelineTokenizer::Parts& parts, std::vector<AddedToken> tokens, const NamedSpellings& named,
               const std::string& where);

} // namespace attn

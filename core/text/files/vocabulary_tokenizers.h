// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/files/tokenizer_config.h"
#include "text/pipeline_tokenizer.h"

#include <memory>

namespace attn {

// Tokenizers from their plain files.

// BERT's basic tokenizer and WordPiece from vocab.txt. Throws Error{File, Format}.
std::shared_ptr<const PipelineTokenizer> loadBertVocabulary(const TokenizerConfig& config);

enum class ByteLevelKind {
    Gpt2, // nothing around the text
    Roberta, // also BART: <s> text </s>
    Qwen2 // GPT-2's with other words
};

// Byte-level BPE from vocab.json and merges.txt. Throws Error{File, Format}.
std::shared_ptr<const PipelineTokenizer> loadByteLevelBpe(const TokenizerConfig& config, ByteLevelKind kind);

// The tokens with a job of their own that `tokens` or `find` know, by their spellings.
NamedTokens namedTokens(const NamedSpellings& spellings, const AddedTokens& tokens);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/files/tokenizer_config.h"
#include "text/pipeline_tokenizer.h"

#include <memory>

namespace attn {

// tokenizer.json with what tokenizer_config.json and added_tokens.json say otherwise, where the tokenizer's class lets
// them: Llama's add_bos_token and add_eos_token; add_prefix_space of GPT-2, RoBERTa and BART; do_lower_case,
// strip_accents and tokenize_chinese_chars of BERT; and of every class the added tokens that the file lacks. Throws
// Error{File, Format, Unsupported}.
std::shared_ptr<const PipelineTokenizer> loadConfiguredJson(const TokenizerConfig& config);

} // namespace attn

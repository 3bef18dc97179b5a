// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizer.h"

namespace attn {

class GgufFile;

// The tokenizer that a GGUF file carries: "llama" (SentencePiece's byte pair encoding), "gpt2" (byte-level) or "bert"
// (WordPiece). Both sides are null when it carries none. Throws Error{Format, Unsupported}.
Tokenizers loadGgufTokenizers(const GgufFile& file);

} // namespace attn

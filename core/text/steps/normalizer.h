// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "text/unicode/aligned_text.h"

#include <functional>

namespace attn {

// What a tokenizer does to a text before it looks for words. The steps are those of Hugging Face's `tokenizers`, under
// the same names. Immutable and callable from any thread.
using Normalizer = std::function<AlignedText(AlignedText)>;

// Throws Error{Format, Unsupported}.
Normalizer readNormalizer(const JsonObject& spec);

} // namespace attn

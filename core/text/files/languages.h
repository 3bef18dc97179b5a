// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/pipeline_tokenizer.h"
#include "text/tokenizer.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// The language codes that a family was published with, in the order of their ids.
std::vector<std::string> publishedLanguages(LanguageScheme scheme);
// "__fr__" for M2M-100's "fr", the code itself for the others.
std::string languageToken(LanguageScheme scheme, std::string_view code);

// Both sides of a multilingual model. An empty target leaves the target side without a language. Throws Error{Input}
// for a language without a token.
Tokenizers multilingualTokenizers(const std::shared_ptr<const PipelineTokenizer>& tokenizer, Languages languages);

} // namespace attn

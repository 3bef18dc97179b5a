// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "text/pipeline_tokenizer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// The spellings that tokenizer_config.json and special_tokens_map.json give; empty where they do not.
using NamedSpellings = Named<std::string>;

// The configured spellings, with the usual ones where there are none.
NamedSpellings withDefaults(NamedSpellings named, const NamedSpellings& usual);

// Adds tokens, those with a job of their own among them by these spellings.
void addTokens(PipelineTokenizer::Parts& parts, std::vector<AddedToken> tokens, const NamedSpellings& named,
               const std::string& where);

// Tokenizer from tokenizer.json, the file of Hugging Face's `tokenizers`. `more` are added tokens that it may lack;
// those that do not fit its vocabulary are left out. Throws Error{Format} for a broken file and Error{Unsupported}
// naming the part that is not known.
std::shared_ptr<const PipelineTokenizer> buildTokenizerJson(Json json, const std::string& where,
                                                            const NamedSpellings& named,
                                                            const std::vector<AddedToken>& more);

// An entry of added_tokens; its id is that of its place in the list or given beside it.
AddedToken readAddedToken(const JsonObject& entry, TokenId id);

// The file's model.
std::shared_ptr<const SubwordModel> readSubwordModel(const JsonObject& spec, bool isByteLevel);

} // namespace attn

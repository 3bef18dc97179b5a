// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "text/pipeline_tokenizer.h"
#include "text/segment/subword_model.h"
#include "text/steps/added_tokens.h"
#include "text/steps/normalizer.h"
#include "text/steps/pre_tokenizer.h"
#include "text/steps/token_decoder.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Spellings of the tokens with a job of their own, as tokenizer_config.json and special_tokens_map.json give them;
// empty where they do not.
struct NamedSpellings
{
    std::string bos;
    std::string eos;
    std::string sep;
    std::string cls;
    std::string mask;
    std::string pad;
    std::string unk;
};

// From tokenizer.json, the file of Hugging Face's `tokenizers`. `more` are added tokens that it may lack; those that do
// not fit its vocabulary are left out. Throws Error{Format} for a broken file and Error{Unsupported} naming the part
// that is not known.
std::shared_ptr<const PipelineTokenizer> buildTokenizerJson(Json document, const std::string& where,
                                                            const NamedSpellings& named,
                                                            const std::vector<AddedToken>& more);

// An entry of added_tokens; its id is that of its place in the list or given beside it.
AddedToken readAddedToken(const JsonObject& entry, TokenId id);

// The parts of the file. A list in it has at most so many steps:
constexpr std::size_t mostSteps = 64;
// Throws Error{Unsupported} that names `value` of `field`.
[[noreturn]] void refuseStep(const JsonObject& spec, std::string_view field, std::string_view value);
Normalizer readNormalizer(const JsonObject& spec);
PreTokenizer readPreTokenizer(const JsonObject& spec);
TokenDecoder readTokenDecoder(const JsonObject& spec);
std::shared_ptr<const SubwordModel> readSubwordModel(const JsonObject& spec, bool isByteLevel);

} // namespace attn

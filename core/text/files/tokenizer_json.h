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

class JsonSpec;

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
std::shared_ptr<const PipelineTokenizer> buildTokenizerJson(const Json& json, const std::string& where,
                                                            const NamedSpellings& named,
                                                            const std::vector<AddedToken>& more);

// The parts of the file.
Normalizer readNormalizer(const JsonSpec& spec);
PreTokenizer readPreTokenizer(const JsonSpec& spec);
TokenDecoder readTokenDecoder(const JsonSpec& spec);
std::shared_ptr<const SubwordModel> readSubwordModel(const JsonSpec& spec, bool isByteLevel);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "decoding/decode.h"
#include "models/model_info.h"
#include "models/speech.h"
#include "question/question.h"
#include "text/tokenizer.h"

#include <memory>
#include <string>
#include <vector>

namespace attn {

// --source-language of a model that finds out for itself.
inline constexpr const char* heardLanguage = "auto";

// Throws Error{Input} naming what a question asks of a model that cannot do it: a language, a task, times.
void checkSpeech(const Question& question, const ModelInfo& info);

// Tokens of a text without those that a tokenizer puts around it.
std::vector<TokenId> spokenTokens(const Tokenizer& tokenizer, const std::string& text);

// Puts the prompt before what is given of an output, unless that is given as ids with a prompt of their own. Throws
// Error{Input}.
void addPrompt(const Question& question, const Speech& speech, GivenOutput& given);

// A tokenizer that also names times: "<|0.02|>", which stand for no text.
std::shared_ptr<const TokenDescriber> withTimeNames(std::shared_ptr<const TokenDescriber> tokenizer,
                                                    std::shared_ptr<const Speech> speech);

} // namespace attn

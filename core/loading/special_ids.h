// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "loading/model_loader.h"

#include <string>
#include <vector>

namespace attn {

// A special token of a model, by its name in config.json: "eos" of eos_token_id.
struct NamedId
{
    const char* name = "";
    TokenId id = 0;
    std::string token = {}; // as the tokenizer spells it; empty without one
};

// What config.json and generation_config.json name, and the tokenizer where they do not. Throws Error{File, Format}.
std::vector<NamedId> namedIds(const LoadedModel& model);

// The special tokens that config.json and generation_config.json name, for a model without tokenizer files; none where
// there is no config.json. Throws Error{File, Format}.
std::vector<TokenId> specialIds(const LoadedModel& model);

} // namespace attn

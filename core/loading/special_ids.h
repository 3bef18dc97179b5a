// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "loading/model_loader.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A special token of a model, by its name in config.json: "eos" of eos_token_id.
struct NamedId
{
    const char* name = "";
    TokenId id = 0;
    std::string token = {}; // as the tokenizer spells it; empty without one
};

// Ids that the model's configuration names, and the tokenizer where that does not.
std::vector<NamedId> namedIds(const LoadedModel& model);

// One of them as the source has it, by its name: the tokenizer's, or what the configuration names without one.
std::optional<TokenId> sourceIdNamed(const LoadedModel& model, std::string_view name);

// The special tokens that the model's configuration names, for a model without tokenizer files; none without one.
std::vector<TokenId> specialIds(const LoadedModel& model);

} // namespace attn

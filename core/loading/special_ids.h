// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "loading/model_loader.h"

#include <vector>

namespace attn {

// The special tokens that config.json and generation_config.json name, for a model without tokenizer files; none where
// there is no config.json. Throws Error{File, Format}.
std::vector<TokenId> specialIds(const LoadedModel& model);

} // namespace attn

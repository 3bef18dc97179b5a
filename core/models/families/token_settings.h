// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "models/model_info.h"

namespace attn {

// Start token, end token, bad tokens and languages, as Hugging Face's configurations name them. Ids must lie within
// info.targetVocabulary. Throws Error{Format}.
void readTokenSettings(const JsonObject& config, ModelInfo& info);

} // namespace attn

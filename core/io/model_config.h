// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"

#include <filesystem>
#include <optional>

namespace attn {

// config.json of a checkpoint directory with what generation_config.json beside it says about decoding: start, end and
// padding tokens, forced tokens, tokens that are never produced, and those of a model of speech. Where both name one of
// these, generation_config.json is right, as it is for Hugging Face's transformers; its other settings and nulls count
// for nothing. Throws Error{File, Format} naming the file.
JsonObject readModelConfig(const std::filesystem::path& directory);

} // namespace attn

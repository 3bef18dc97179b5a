// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/gguf.h"
#include "io/json.h"

#include <cstdint>
#include <string>

namespace attn {

// The architectures whose GGUF files are read, and what changes with them.
enum class GgufArchitecture : std::uint8_t { Llama, Qwen2, Gpt2, Bert };

// Throws Error{Unsupported} for another architecture, for a mixture of experts and for one part of a split model.
GgufArchitecture ggufArchitecture(const GgufFile& file);

// Heads of queries, keys and values, and features of a head.
struct GgufHeads
{
    std::int64_t queries = 1;
    std::int64_t keys = 1;
    std::int64_t features = 1;
};
GgufHeads ggufHeads(const GgufFile& file);

// What config.json would say of the same model. Throws Error{Format, Unsupported} naming file and key.
JsonObject ggufConfig(const GgufFile& file);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/gguf_metadata.h"
#include "io/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace attn {

// One tensor, without ".weight" and ".bias".
struct GgufName
{
    std::string stored; // llama.cpp's name, in a layer without "blk.N."
    std::string name; // Hugging Face's, in a layer without what stands before and the number
};

// How llama.cpp stores the models of one architecture. The families of models know it.
struct GgufLayout
{
    std::string_view architecture; // as general.architecture names it
    std::string_view modelType = {}; // as config.json does
    Json (*config)(const GgufMetadata& metadata); // what config.json would say besides tokens and type
    std::vector<GgufName> whole = {}; // tensors outside the layers
    std::vector<GgufName> inLayer = {};
    std::string layers = {}; // Hugging Face's beginning of a layer's tensors, before the number
    // Queries and keys lie as features that are turned together (2i, 2i + 1), not as halves (i, i + D/2).
    bool neighbouringPairs = false;
    bool transposed = false; // Hugging Face stores the layers' matrices as [inputs, outputs]
};

} // namespace attn

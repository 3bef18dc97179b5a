// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/gguf_layout.h"
#include "checkpoint/stored_tensor.h"
#include "io/json.h"

#include <cstddef>
#include <span>
#include <string>

namespace attn {

// A GGUF file's model in Hugging Face's terms.
struct GgufModel
{
    JsonObject config;
    StoredTensors tensors; // under Hugging Face's names, shapes and row order; the views point into the file
};

bool isGguf(std::span<const std::byte> file);

// Reads a model of one of the architectures stored as f32, f16, bf16 or q8_0. Throws Error{Format, Unsupported}; other
// architectures and quantisations are refused by name.
GgufModel readGgufModel(std::span<const std::byte> file, const std::string& where, std::span<const GgufLayout> layouts);

} // namespace attn

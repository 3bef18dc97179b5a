// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/stored_tensor.h"

#include <cstddef>
#include <span>
#include <string>

namespace attn {

// Whether a file begins as a safetensors file does: a length that fits, then a JSON object.
bool isSafetensors(std::span<const std::byte> file);

// The tensors of a safetensors file: a header length, a JSON header, then values without gaps. The views point into
// `file`; tensors of unknown types are there but cannot be read. Throws Error{Format, Unsupported}; sizes, offsets,
// gaps, overlaps and duplicate names are checked.
StoredTensors readSafetensors(std::span<const std::byte> file, const std::string& where);

} // namespace attn

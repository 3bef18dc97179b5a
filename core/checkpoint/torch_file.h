// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/stored_tensor.h"

#include <cstddef>
#include <span>
#include <string>

namespace attn {

// Whether the first bytes are those of torch.save: a zip archive or a pickle.
bool isTorchFile(std::span<const std::byte> file);

// The tensors of a file that PyTorch's torch.save wrote, as a zip archive or in the older form: a dictionary of tensors
// by name, or a dictionary that holds one. The views point into `file`. Nothing in it is run; whatever is not a tensor
// is refused by name or ignored. Throws Error{Format, Unsupported}.
StoredTensors readTorchFile(std::span<const std::byte> file, const std::string& where);

} // namespace attn

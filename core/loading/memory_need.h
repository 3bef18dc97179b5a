// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/checkpoint.h"

#include <cstdint>

namespace attn {

// Bytes of memory that loading a checkpoint takes at its height: matrices become float32 whatever they are stored as,
// tables that rows are looked up in stay in the mapped file, and one tensor at a time exists twice while it is packed.
std::uint64_t neededMemory(const Checkpoint& checkpoint);

} // namespace attn

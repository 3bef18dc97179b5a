// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace attn {

class Engine; // nn/engine.h

namespace app {

// Most that this machine does in a second, the best of several times, with as many threads as the
// engine has: operations of the program's own linear layer of 512 rows, 768 inputs and 3072 outputs.
double peakFlops(Engine& engine);
// And bytes read from memory.
double peakBytes(const Engine& engine);

// The most memory that this process has had, in bytes (VmHWM); 0: the system does not say.
std::uint64_t peakMemory();

} // namespace app

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace attn {

class Engine; // nn/engine.h

namespace app {

// What this machine is measured to do at most, with as many threads as the engine has.
struct MachinePeak
{
    double flops = 0; // a second, of the program's own linear layer: 512 rows, 768 inputs, 3072 outputs
    double bytes = 0; // a second, read from memory
};

// The best of several times each.
MachinePeak measuredPeak(Engine& engine);

// The most memory that this process has had, in bytes (VmHWM); 0: the system does not say.
std::uint64_t peakMemory();

} // namespace app

} // namespace attn

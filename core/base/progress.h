// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace attn {

// How far a long piece of work has come.
struct Progress
{
    double fraction = 0; // 0 .. 1
    std::string what; // "encoder layer 2 of 3", "step 14", ready to be shown
};

using ProgressCallback = std::function<void(const Progress&)>;

} // namespace attn

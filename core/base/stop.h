// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <stop_token>

namespace attn {

[[noreturn]] inline void throwStopped()
{
    throw Error(ErrorKind::Cancelled, "run", "cancelled");
}

// Call between layers, steps and tensors. Throws Error{Cancelled} once the user has asked to stop.
inline void throwIfStopped(const std::stop_token& stop)
{
    if (stop.stop_requested())
        throwStopped();
}

} // namespace attn

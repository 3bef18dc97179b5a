// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/trace.h"

#include <span>
#include <vector>

namespace attn {

// The tokens that every path of a run was made to begin with: a prompt's after its first, and the prefix's.
std::vector<TokenId> givenTokens(const Trace& trace);

// The steps from the root that produced these tokens one after the other, as far as there are such.
Trace::Path stepsAlong(const Trace& trace, std::span<const TokenId> tokens);

} // namespace attn

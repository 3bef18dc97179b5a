// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/number_view.h"

#include <cstdint>
#include <functional>

namespace attn {

// Calls `body` with the number of each row, on as many threads as `work` is worth, which is counted in multiply-adds.
// The body throws nothing and uses no engine.
void eachRow(Engine& engine, Index rows, std::int64_t work, const std::function<void(Index row)>& body);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/number_view.h"

#include <cstdint>

namespace attn {

// How often the same width comes back: a map whose width is new at every step would need a new primitive every time.
enum class SoftmaxWidth : std::uint8_t { Fixed, Growing };

// Softmax of each row of maps without gaps, in place; the maximum is subtracted first. A row of nothing but -inf
// becomes zeros. Growing pads the width to a power of two, so that new primitives are needed ever more rarely.
void softmax(Engine& engine, MutableView maps, SoftmaxWidth width = SoftmaxWidth::Fixed);

} // namespace attn

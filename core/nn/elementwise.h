// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "tensor/tensor.h"

#include <span>

namespace attn {

// left += right, of the same size.
void add(Engine& engine, std::span<float> left, std::span<const float> right);

// left *= right, element by element, of the same size.
void multiply(Engine& engine, std::span<float> left, std::span<const float> right);

// sums[g][r] = vectors[g] + matrix[r]: [groups, rows, width] from [groups, width] and [rows, width].
void addToRows(Engine& engine, NumberView vectors, NumberView matrix, MutableView sums);

} // namespace attn

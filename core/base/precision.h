// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace attn {

// Numbers that the matrix products of linear layers are computed in. BF16: weights and, with AVX-512, inputs rounded to
// bfloat16, sums in float32; everything else stays float32, without AVX-512 also layers that do not fill vectors.
// Q8: inputs of layers whose weights are stored in blocks are rounded to 8 bits for each block, as llama.cpp does.
enum class Precision : std::uint8_t { F32, BF16, Q8 };

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor.h"

namespace attn {

// Sinusoidal positions (Vaswani et al. 2017, section 3.5), laid out as fairseq and Marian do: the sines of all
// frequencies in the first half, the cosines in the second. [positions, width], from position `first`.
Tensor sinusoidalPositions(int first, int positions, int width);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor.h"

#include <cstdint>
#include <random>

namespace attn::test {

// Normal values, the same for the same seed everywhere.
inline Tensor randomTensor(const Shape& shape, std::uint32_t seed, float deviation = 1.0F)
{
    std::mt19937 generator(seed);
    Tensor tensor(shape);
    for (float& value : tensor.values()) {
        float sum = 0; // twelve uniforms: libraries do not agree on std::normal_distribution
        for (int i = 0; i < 12; ++i)
            sum += static_cast<float>(generator() >> 8) / static_cast<float>(1 << 24);
        value = (sum - 6.0F) * deviation;
    }
    return tensor;
}

} // namespace attn::test

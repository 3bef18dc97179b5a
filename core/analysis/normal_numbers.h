// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <span>

namespace attn {

// Normally distributed numbers, the same for a seed on every machine (Box and Muller 1958).
class NormalNumbers
{
public:
    explicit NormalNumbers(std::uint64_t seed)
        : m_bits(seed)
    {
    }

    double next()
    {
        const double radius = std::sqrt(-2 * std::log(uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }
    void fill(std::span<float> values, double deviation = 1)
    {
        for (float& value : values)
            value = static_cast<float>(deviation * next());
    }

private:
    double uniform() { return (static_cast<double>(m_bits() >> 11) + 0.5) * 0x1p-53; } // 0 < u < 1

    std::mt19937_64 m_bits;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/positions.h"

#include <cmath>

namespace attn {

Tensor sinusoidalPositions(int first, int positions, int width)
{
    Tensor table({positions, width});
    const int sines = (width + 1) / 2;
    for (int frequency = 0; frequency < sines; ++frequency) {
        const double wavelength = std::pow(10000.0, 2.0 * frequency / width);
        for (int row = 0; row < positions; ++row) {
            const double angle = (first + row) / wavelength;
            float* values = table.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(width);
            values[frequency] = static_cast<float>(std::sin(angle));
            if (sines + frequency < width)
                values[sines + frequency] = static_cast<float>(std::cos(angle));
        }
    }
    return table;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "nn/engine.h"
#include "nn/linear.h"
#include "support/random_tensor.h"

#include <algorithm>

namespace attn::test {

inline bool multipliesBfloat16()
{
    try {
        const Engine engine(1, Precision::BF16);
        return true;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Unsupported)
            throw;
        return false;
    }
}

// Also in layers that do not fill the processor's vectors.
inline bool roundsSmallLayersToBfloat16()
{
    if (!multipliesBfloat16())
        return false;
    const Tensor weight = randomTensor({3, 5}, 1);
    const Tensor input = randomTensor({1, 5}, 2);
    Engine exact(1);
    Engine rounding(1, Precision::BF16);
    const Tensor expected = Linear(exact, weight).apply(exact, input.matrix());
    return !std::ranges::equal(Linear(rounding, weight).apply(rounding, input.matrix()).values(), expected.values());
}

} // namespace attn::test

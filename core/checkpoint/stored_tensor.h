// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tensor/tensor_view.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace attn {

// One loop over stored values: so many of them, so many values apart.
struct Axis
{
    std::int64_t size = 0;
    std::int64_t stride = 0;
};

// A tensor in a weight file. Its values lie row by row, or in the order that `axes` say: outermost first, their sizes
// multiplying to the shape's, every reachable value inside view.bytes. One that is not read has no bytes, the type
// Other and says why.
struct StoredTensor
{
    TensorView view;
    std::vector<Axis> axes; // empty: row by row
    std::string problem; // "is stored as F8_E4M3, which is not read"; empty: none
};

using StoredTensors = std::map<std::string, StoredTensor, std::less<>>;

// Row by row, widened. Throws Error{Unsupported} for integers and what is not read.
Tensor toFloat32(const StoredTensor& tensor);

} // namespace attn

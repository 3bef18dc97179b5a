// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tensor/tensor.h"

#include "base/error.h"

#include <algorithm>
#include <string>

namespace attn {

void toFloat32(DType dtype, std::span<const std::byte> stored, std::span<float> values)
{
    if (values.size() % valuesPerBlock(dtype) != 0 || stored.size() != storedBytes(dtype, values.size()))
        throw Error(ErrorKind::Format, "tensor",
                    std::to_string(stored.size()) + " bytes for " + std::to_string(values.size()) + " values of "
                        + std::string(name(dtype)));
    if (!isWidened(dtype) && !values.empty())
        throw Error(ErrorKind::Unsupported, "tensor", "is stored as " + std::string(name(dtype)) + ", not as a weight");
    if (!values.empty())
        rowOf(dtype).widen(stored.data(), values.data(), values.size());
}

Tensor toFloat32(const TensorView& view)
{
    Tensor tensor(view.shape);
    toFloat32(view.dtype, view.bytes, tensor.values());
    return tensor;
}

Tensor joined(std::initializer_list<NumberView> parts)
{
    const int rows = parts.begin()->rows;
    int columns = 0;
    for (const NumberView& part : parts)
        columns += part.columns;
    Tensor result({rows, columns});
    float* output = result.data();
    for (int row = 0; row < rows; ++row) {
        for (const NumberView& part : parts)
            output = std::ranges::copy(part.row(row), output).out;
    }
    return result;
}

Tensor meanOfRows(NumberView matrix)
{
    Tensor mean({1, matrix.columns});
    for (Index column = 0; column < matrix.columns; ++column) {
        double sum = 0;
        for (Index row = 0; row < matrix.rows; ++row)
            sum += matrix.at(row, column);
        mean.data()[column] = static_cast<float>(sum / matrix.rows);
    }
    return mean;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tensor/tensor_view.h"

#include "base/error.h"
#include "base/half.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace attn {

namespace {

void narrow(std::span<const std::byte> stored, std::span<float> values)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        double value = 0;
        std::memcpy(&value, stored.data() + i * sizeof value, sizeof value);
        values[i] = static_cast<float>(value);
    }
}

void dequantize(std::span<const std::byte> stored, std::span<float> values)
{
    constexpr std::size_t count = valuesPerBlock(DType::Q8_0);
    for (std::size_t block = 0; block < values.size() / count; ++block) {
        const std::byte* bytes = stored.data() + block * blockBytes(DType::Q8_0);
        std::uint16_t half = 0;
        std::memcpy(&half, bytes, sizeof half);
        const float scale = halfToFloat(half);
        for (std::size_t i = 0; i < count; ++i)
            values[block * count + i] = scale * static_cast<float>(static_cast<std::int8_t>(bytes[sizeof half + i]));
    }
}

} // namespace

void toFloat32(DType dtype, std::span<const std::byte> stored, std::span<float> values)
{
    if (values.size() % valuesPerBlock(dtype) != 0 || stored.size() != storedBytes(dtype, values.size()))
        throw Error(ErrorKind::Format, "tensor",
                    std::to_string(stored.size()) + " bytes for " + std::to_string(values.size()) + " values of "
                        + std::string(name(dtype)));
    switch (dtype) {
    case DType::F32:
        if (!values.empty())
            std::memcpy(values.data(), stored.data(), stored.size());
        break;
    case DType::F16:
        halfToFloat(stored, values);
        break;
    case DType::BF16:
        bfloat16ToFloat(stored, values);
        break;
    case DType::F64:
        narrow(stored, values);
        break;
    case DType::Q8_0:
        dequantize(stored, values);
        break;
    default:
        if (!values.empty())
            throw Error(ErrorKind::Unsupported, "tensor",
                        "is stored as " + std::string(name(dtype)) + "; weights must be f32, f16, bf16, f64 or q8_0");
    }
}

Tensor toFloat32(const TensorView& view)
{
    Tensor tensor(view.shape);
    toFloat32(view.dtype, view.bytes, tensor.values());
    return tensor;
}

std::string_view name(DType type)
{
    switch (type) {
    case DType::F32:
        return "f32";
    case DType::F16:
        return "f16";
    case DType::BF16:
        return "bf16";
    case DType::F64:
        return "f64";
    case DType::I64:
        return "i64";
    case DType::I32:
        return "i32";
    case DType::I16:
        return "i16";
    case DType::I8:
        return "i8";
    case DType::U8:
        return "u8";
    case DType::Bool:
        return "bool";
    case DType::Q8_0:
        return "q8_0";
    case DType::Other:
        break;
    }
    return "other";
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

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/stored_tensor.h"

#include "base/error.h"
#include "base/progress.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace attn {

namespace {

// Calls row(first stored value, first value of the result) for every combination of all axes but the innermost.
template<class Row>
void forEachRow(std::span<const Axis> axes, Row row)
{
    const auto outer = axes.first(axes.size() - 1);
    const auto length = static_cast<std::size_t>(axes.back().size);
    std::vector<std::int64_t> index(outer.size(), 0);
    std::size_t written = 0;
    while (true) {
        std::int64_t from = 0;
        for (std::size_t axis = 0; axis < outer.size(); ++axis)
            from += index[axis] * outer[axis].stride;
        row(from, written);
        written += length;
        std::size_t axis = outer.size();
        while (axis > 0 && ++index[axis - 1] == outer[axis - 1].size)
            index[--axis] = 0;
        if (axis == 0)
            return;
    }
}

// The values' bytes in the order of the result. What lies between them, which a file may claim without holding it, is
// not touched.
template<std::size_t Width>
std::vector<std::byte> gatheredOf(const StoredTensor& tensor)
{
    const auto length = static_cast<std::size_t>(tensor.axes.back().size);
    const auto stride = static_cast<std::size_t>(tensor.axes.back().stride);
    std::vector<std::byte> result(static_cast<std::size_t>(elementCount(tensor.view.shape)) * Width);
    forEachRow(tensor.axes, [&](std::size_t from, std::size_t to) {
        ThreadStop::check();
        for (std::size_t i = 0; i < length; ++i)
            std::memcpy(result.data() + (to + i) * Width, tensor.view.bytes.data() + (from + i * stride) * Width,
                        Width);
    });
    return result;
}

std::vector<std::byte> gathered(const StoredTensor& tensor)
{
    switch (blockBytes(tensor.view.dtype)) {
    case 1:
        return gatheredOf<1>(tensor);
    case 2:
        return gatheredOf<2>(tensor);
    case 4:
        return gatheredOf<4>(tensor);
    default:
        return gatheredOf<8>(tensor);
    }
}

} // namespace

Tensor toFloat32(const StoredTensor& tensor)
{
    const TensorView& view = tensor.view;
    if (!tensor.problem.empty())
        throw Error(ErrorKind::Unsupported, "tensor", tensor.problem);
    if (tensor.axes.empty() || elementCount(view.shape) == 0)
        return toFloat32(view);
    Tensor result(view.shape);
    const auto length = static_cast<std::size_t>(tensor.axes.back().size);
    if (tensor.axes.back().stride == 1 && length % valuesPerBlock(view.dtype) == 0) {
        forEachRow(tensor.axes, [&](std::size_t from, std::size_t to) {
            toFloat32(view.dtype, view.bytes.subspan(storedBytes(view.dtype, from), storedBytes(view.dtype, length)),
                      result.values().subspan(to, length));
        });
        return result;
    }
    if (const std::size_t block = valuesPerBlock(view.dtype); block > 1) { // whose values lie in several rows
        Tensor widened({static_cast<std::int64_t>(view.bytes.size() / blockBytes(view.dtype) * block)});
        toFloat32(view.dtype, view.bytes, widened.values());
        return toFloat32(StoredTensor{{DType::F32, view.shape, std::as_bytes(widened.values())}, tensor.axes, {}});
    }
    toFloat32(view.dtype, gathered(tensor), result.values());
    return result;
}

std::optional<std::vector<std::byte>> storedInOrder(const StoredTensor& tensor)
{
    const DType dtype = tensor.view.dtype;
    const std::size_t block = valuesPerBlock(dtype);
    if (tensor.axes.empty() || tensor.axes.back().stride != 1 || tensor.axes.back().size % block != 0)
        return std::nullopt;
    const auto length = storedBytes(dtype, static_cast<std::size_t>(tensor.axes.back().size));
    std::vector<std::byte> result(storedBytes(dtype, static_cast<std::size_t>(elementCount(tensor.view.shape))));
    forEachRow(tensor.axes, [&](std::size_t from, std::size_t to) {
        ThreadStop::check();
        std::memcpy(result.data() + storedBytes(dtype, to), tensor.view.bytes.data() + storedBytes(dtype, from),
                    length);
    });
    return result;
}

} // namespace attn

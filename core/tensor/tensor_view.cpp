// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tensor/tensor_view.h"

#include "base/error.h"
#include "base/half.h"

#include <cstring>
#include <string>

namespace attn {

Tensor toFloat32(const TensorView& view)
{
    Tensor tensor(view.shape);
    if (view.bytes.size() != tensor.size() * byteSize(view.dtype))
        throw Error(ErrorKind::Format, "tensor",
                    std::to_string(view.bytes.size()) + " bytes for " + std::to_string(tensor.size()) + " values of "
                        + std::string(name(view.dtype)));
    if (tensor.empty())
        return tensor;
    switch (view.dtype) {
    case DType::F32:
        std::memcpy(tensor.data(), view.bytes.data(), view.bytes.size());
        break;
    case DType::F16:
        halfToFloat(view.bytes, tensor.values());
        break;
    case DType::BF16:
        bfloat16ToFloat(view.bytes, tensor.values());
        break;
    case DType::F64:
        for (std::size_t i = 0; i < tensor.size(); ++i) {
            double value = 0;
            std::memcpy(&value, view.bytes.data() + i * sizeof value, sizeof value);
            tensor.data()[i] = static_cast<float>(value);
        }
        break;
    default:
        throw Error(ErrorKind::Unsupported, "tensor",
                    "is stored as " + std::string(name(view.dtype)) + "; weights must be f32, f16, bf16 or f64");
    }
    return tensor;
}

} // namespace attn

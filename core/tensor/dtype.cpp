// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tensor/dtype.h"

namespace attn {

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

} // namespace attn

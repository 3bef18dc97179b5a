// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/stored_rows.h"

namespace attn {

// stored_rows.cpp, compiled for each of these.
namespace baseline {
StoredRows rowsOfType(DType type);
}
#ifdef ATTN_X86
namespace avx2 {
StoredRows rowsOfType(DType type);
}
namespace avx512 {
StoredRows rowsOfType(DType type);
}
#endif

StoredRows storedRows(DType type)
{
#ifdef ATTN_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512dq"))
        return avx512::rowsOfType(type);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2::rowsOfType(type);
#endif
    return baseline::rowsOfType(type);
}

} // namespace attn

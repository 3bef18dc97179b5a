// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/stored_rows.h"

namespace attn {

// stored_rows.cpp, compiled for each of these.
namespace baseline {
StoredRows rowsOfType(DType type);
RoundedRows roundedOfType(DType type);
} // namespace baseline
#ifdef ATTN_X86
namespace avx2 {
StoredRows rowsOfType(DType type);
RoundedRows roundedOfType(DType type);
} // namespace avx2
namespace avx512 {
StoredRows rowsOfType(DType type);
RoundedRows roundedOfType(DType type);
RoundedPanels panelsOfType(DType type);
} // namespace avx512
#endif

namespace {

struct InstructionSet
{
    StoredRows (*rows)(DType type) = baseline::rowsOfType;
    RoundedRows (*rounded)(DType type) = baseline::roundedOfType;
    RoundedPanels (*panels)(DType type) = nullptr;
};

InstructionSet best()
{
#ifdef ATTN_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512dq"))
        return {avx512::rowsOfType, avx512::roundedOfType,
                __builtin_cpu_supports("avx512vnni") ? avx512::panelsOfType : nullptr};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {avx2::rowsOfType, avx2::roundedOfType, nullptr};
#endif
    return {};
}

} // namespace

StoredRows storedRows(DType type)
{
    return best().rows(type);
}

RoundedRows roundedRows(DType type)
{
    return best().rounded(type);
}

RoundedPanels roundedPanels(DType type)
{
    const InstructionSet set = best();
    return set.panels != nullptr ? set.panels(type) : nullptr;
}

std::size_t panelRoom(std::int64_t inputs)
{
    const auto least = static_cast<std::size_t>(inputs) / 16 * panelOutputs; // groups
    return least * 16 + 2 * least * sizeof(float); // levels, scales, minima
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/half.h"

#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace attn {

namespace {

std::uint16_t load16(const std::byte* stored)
{
    std::uint16_t value = 0;
    std::memcpy(&value, stored, sizeof value);
    return value;
}

#if defined(__x86_64__)
// Asking takes microseconds, and in a virtual machine tens of them.
bool askForHalfConversion()
{
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __builtin_cpu_supports("avx") != 0 && __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

__attribute__((target("avx,f16c"))) std::size_t widenHalvesInEights(const std::byte* stored, float* values,
                                                                    std::size_t count)
{
    std::size_t done = 0;
    for (; done + 8 <= count; done += 8) {
        __m128i halves;
        std::memcpy(&halves, stored + 2 * done, sizeof halves);
        _mm256_storeu_ps(values + done, _mm256_cvtph_ps(halves));
    }
    return done;
}
#endif

} // namespace

void halfToFloat(std::span<const std::byte> stored, std::span<float> values)
{
    std::size_t done = 0;
#if defined(__x86_64__)
    static const bool hasHalfConversion = askForHalfConversion();
    if (hasHalfConversion)
        done = widenHalvesInEights(stored.data(), values.data(), values.size());
#endif
    for (; done < values.size(); ++done)
        values[done] = halfToFloat(load16(stored.data() + 2 * done));
}

void bfloat16ToFloat(std::span<const std::byte> stored, std::span<float> values)
{
    const std::byte* source = stored.data();
    float* target = values.data();
    for (std::size_t i = 0; i < values.size(); ++i)
        target[i] = bfloat16ToFloat(load16(source + 2 * i));
}

} // namespace attn

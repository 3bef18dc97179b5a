// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

extern "C" [[gnu::weak]] void __asan_init(); // there where AddressSanitizer is
extern "C" [[gnu::weak]] void __tsan_init(); // there where ThreadSanitizer is

namespace attn::test {

inline bool hasAddressSanitizer()
{
    return &__asan_init != nullptr;
}

inline bool hasThreadSanitizer()
{
    return &__tsan_init != nullptr;
}

// How many times longer than usual something may take, and of how many one is looked at where there are many alike.
inline int slowdown()
{
    return hasAddressSanitizer() || hasThreadSanitizer() ? 10 : 1;
}

} // namespace attn::test

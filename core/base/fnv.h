// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace attn {

// FNV-1a with 64 bits (Fowler, Noll and Vo): the same on every machine and in every version. It tells texts apart, and
// is no protection from who wants two to be the same. Of several texts, `before` is the one of those before it.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t before = 0xcbf29ce484222325)
{
    std::uint64_t hash = before;
    for (const char byte : bytes) {
        hash ^= static_cast<unsigned char>(byte);
        hash *= 0x100000001b3;
    }
    return hash;
}

} // namespace attn

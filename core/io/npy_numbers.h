// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/half.h"
#include "io/npy.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace attn {

// Calls visit(i, value) with each of the little-endian numbers in `bytes`, in their stored type (f16 as float).
template<class Visit>
void forEachNumber(NpyKind kind, std::size_t width, std::span<const std::byte> bytes, Visit visit)
{
    const auto walk = [&]<class Stored>(Stored value) {
        for (std::size_t i = 0; i < bytes.size() / sizeof value; ++i) {
            std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
            visit(i, value);
        }
    };
    switch (kind) {
    case NpyKind::Bool:
        for (std::size_t i = 0; i < bytes.size(); ++i)
            visit(i, static_cast<std::uint8_t>(bytes[i] != std::byte{0}));
        break;
    case NpyKind::Signed:
        width == 1       ? walk(std::int8_t{})
            : width == 2 ? walk(std::int16_t{})
            : width == 4 ? walk(std::int32_t{})
                         : walk(std::int64_t{});
        break;
    case NpyKind::Unsigned:
        width == 1       ? walk(std::uint8_t{})
            : width == 2 ? walk(std::uint16_t{})
            : width == 4 ? walk(std::uint32_t{})
                         : walk(std::uint64_t{});
        break;
    case NpyKind::Float:
        if (width == 8) {
            walk(double{});
        } else if (width == 4) {
            walk(float{});
        } else {
            for (std::size_t i = 0; i < bytes.size() / 2; ++i) {
                std::uint16_t half = 0;
                std::memcpy(&half, bytes.data() + 2 * i, sizeof half);
                visit(i, halfToFloat(half));
            }
        }
        break;
    case NpyKind::Text:
        break;
    }
}

} // namespace attn

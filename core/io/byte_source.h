// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace attn {

// Bytes that are read once, from the first to the last.
struct ByteSource
{
    std::size_t size = 0;
    // Fills all of `part` with the bytes that come next. Throws Error{File, Format} when they do not come.
    std::function<void(std::span<std::byte> part)> read;
};

// Source of bytes in memory.
inline ByteSource sourceOf(std::vector<std::byte> bytes)
{
    const auto kept = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return {kept->size(), [kept, read = std::size_t{0}](std::span<std::byte> part) mutable {
                std::ranges::copy(std::span(*kept).subspan(read, part.size()), part.begin());
                read += part.size();
            }};
}

} // namespace attn

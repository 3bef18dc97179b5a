// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace attn {

// Bytes that are read once, from the first to the last.
struct ByteSource
{
    std::size_t size = 0;
    // Fills all of `part` with the bytes that come next. Throws Error{File, Format} when they do not come.
    std::function<void(std::span<std::byte> part)> read;
};

} // namespace attn

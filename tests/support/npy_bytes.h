// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/npy_stream.h"

#include <algorithm>
#include <span>
#include <string>

namespace attn::test {

// A .npy file that lies in memory and outlives what reads it.
inline NpyStream npyStream(std::span<const std::byte> file, std::string where)
{
    const auto next = [file](std::span<std::byte> part) mutable {
        std::ranges::copy(file.first(part.size()), part.begin());
        file = file.subspan(part.size());
    };
    return {{file.size(), next}, std::move(where)};
}

inline NpyArray readNpy(std::span<const std::byte> file, std::string where)
{
    return npyStream(file, std::move(where)).all();
}

} // namespace attn::test

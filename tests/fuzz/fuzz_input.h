// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace attn::fuzz {

inline std::span<const std::byte> bytes(const std::uint8_t* data, std::size_t size)
{
    return std::as_bytes(std::span(data, size));
}

inline std::string_view text(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

// Runs `read`; an Error is an answer, anything else a finding.
template<class Read>
int answer(Read read)
{
    try {
        read();
    } catch (const Error&) {
        return 0;
    }
    return 0;
}

} // namespace attn::fuzz

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
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

static_assert(std::endian::native == std::endian::little, "stored numbers are read in place");

// The way into untrusted bytes: every read checks first how many are left. Throws Error{Format}.
class ByteReader
{
public:
    ByteReader(std::span<const std::byte> bytes, std::string where)
        : m_bytes(bytes)
        , m_where(std::move(where))
    {
    }

    std::size_t position() const { return m_position; }
    std::size_t remaining() const { return m_bytes.size() - m_position; }

    std::span<const std::byte> take(std::uint64_t count)
    {
        if (count > remaining())
            throw Error(ErrorKind::Format, m_where,
                        "ends too early: " + std::to_string(count) + " bytes expected at byte "
                            + std::to_string(m_position) + ", " + std::to_string(remaining()) + " left",
                        "the file is incomplete or damaged");
        const auto part = m_bytes.subspan(m_position, count);
        m_position += part.size();
        return part;
    }

    // A little-endian number.
    template<std::integral T>
    T integer()
    {
        T value = 0;
        std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
        return value;
    }

    // A count of things that take at least `itemBytes` each: checked before anything is allocated for them.
    template<std::unsigned_integral T>
    T count(std::size_t itemBytes)
    {
        const T value = integer<T>();
        if (value > remaining() / itemBytes)
            throw Error(ErrorKind::Format, m_where,
                        "claims " + std::to_string(value) + " entries, more than fit into the rest of the file",
                        "the file is damaged");
        return value;
    }

private:
    std::span<const std::byte> m_bytes;
    std::string m_where;
    std::size_t m_position = 0;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/npy.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// What stands in front of the values of a .npy file.
struct NpyHeader
{
    NpyKind kind = NpyKind::Float;
    std::size_t itemSize = 0;
    bool bigEndian = false;
    bool fortranOrder = false;
    std::vector<std::int64_t> shape;
    std::size_t size = 0; // elements; size * itemSize does not overflow
    std::size_t dataOffset = 0; // of the values in the file
};

// How many bytes stand in front of the values, from the file's first npyPreamble bytes or from all of a shorter file.
// Throws Error{Format, Unsupported}.
inline constexpr std::size_t npyPreamble = 12;
std::size_t npyHeaderSize(std::span<const std::byte> start, const std::string& where);

// From at least that many bytes. Throws Error{Format, Unsupported}. The values themselves are not looked at.
NpyHeader parseNpyHeader(std::span<const std::byte> file, const std::string& where);

// Version 1, padded so that the values start at a multiple of 64 bytes. `descriptor` is NumPy's, e.g. "<f4".
std::string formatNpyHeader(std::string_view descriptor, std::span<const std::int64_t> shape);

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/memory.h"
#include "io/byte_reader.h"
#include "io/npy.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Header in front of the values of a .npy file.
struct NpyHeader
{
    NpyKind kind = NpyKind::Float;
    std::size_t itemSize = 0;
    bool bigEndian = false;
    bool fortranOrder = false;
    NpyArray::Shape shape;
    std::size_t size = 0; // elements; size * itemSize does not overflow
};

// An array whose values are read when they are asked for: a .npy file of version 1 to 3, either byte order, C or
// Fortran order, or an array in memory. Throws Error{File, Format, Unsupported} naming the array, and Error{Cancelled}
// by ThreadStop.
class NpyStream
{
public:
    NpyStream(ByteSource file, std::string where); // reads the header
    explicit NpyStream(NpyArray array);

    const NpyArray::Shape& shape() const { return m_header.shape; }
    NpyKind kind() const { return m_header.kind; }
    std::size_t itemSize() const { return m_header.itemSize; } // bytes
    std::size_t size() const { return m_header.size; } // elements

    // Bytes that are held beside the numbers that are asked for: of an array in memory, or one that is turned around.
    std::size_t heldBytes() const;

    // The next numbers, converted and in row-major order. What they need beside their own place does not grow with
    // them, apart from arrays in Fortran order. Throws Error{Input} when there are not so many left.
    NumberVector<float> floats(std::size_t count);
    // The whole array, of which no number has been read yet.
    NpyArray all();

private:
    std::vector<std::byte> read(std::size_t items);

    NpyHeader m_header;
    ByteSource m_file;
    std::string m_where;
    std::optional<NpyArray> m_array; // in memory, or turned around
    std::size_t m_read = 0; // elements
};

} // namespace attn

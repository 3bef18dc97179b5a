// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/half.h"
#include "base/memory.h"
#include "io/byte_reader.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

inline constexpr std::string_view npyMagic = "\x93NUMPY"; // what a .npy file begins with

enum class NpyKind : std::uint8_t { Bool, Signed, Unsigned, Float, Text };

// An array in NumPy's .npy format (NEP 1): numbers and unicode strings, no pickled objects.
class NpyArray
{
public:
    using Shape = std::vector<std::int64_t>; // empty: 0-dimensional, one element

    // Values are row-major and as many as the shape says.
    static NpyArray fromFloats(Shape shape, std::span<const float> values);
    static NpyArray fromIntegers(Shape shape, std::span<const std::int64_t> values);
    static NpyArray fromBytes(Shape shape, std::span<const std::uint8_t> values);
    static NpyArray fromBooleans(Shape shape, const std::vector<bool>& values);
    static NpyArray fromTexts(Shape shape, std::span<const std::string> values); // <U of the longest text
    static NpyArray fromText(std::string_view value); // 0-dimensional

    const Shape& shape() const { return m_shape; }
    NpyKind kind() const { return m_kind; }
    std::size_t itemSize() const { return m_itemSize; } // bytes of an element
    std::size_t size() const { return m_size; } // elements
    std::span<const std::byte> bytes() const { return m_bytes; } // little-endian, row-major

    // Any number type, converted. Throws Error{Format} for text.
    std::vector<float> floats() const;
    void floats(std::size_t first, std::span<float> values) const; // a part of them
    // Integer types and bool. Throws Error{Format} for the others and for values beyond int64.
    std::vector<std::int64_t> integers() const;
    // UTF-8, trailing zeros removed as NumPy does. Throws Error{Format} for numbers.
    std::vector<std::string> texts() const;

private:
    friend class NpyStream;

    NpyArray(Shape shape, NpyKind kind, std::size_t itemSize, std::size_t values);
    [[noreturn]] void refuse(std::string_view wanted) const;

    std::string m_where = "array";
    Shape m_shape;
    NpyKind m_kind;
    std::size_t m_itemSize;
    std::size_t m_size;
    std::vector<std::byte> m_bytes;
};

std::vector<std::byte> writeNpy(const NpyArray& array);

// The next numbers of an array in row-major order, some at a time: at least one, and no more than there are.
using NumberParts = std::function<NumberVector<float>()>;

// The same of float32 numbers that come in parts, of which one is held at a time.
ByteSource writeNpy(const NpyArray::Shape& shape, NumberParts parts);

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

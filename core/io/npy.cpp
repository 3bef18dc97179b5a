// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/npy.h"

#include "base/error.h"
#include "base/half.h"
#include "base/utf8.h"
#include "io/npy_header.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace attn {

namespace {

// Texts of no characters take no bytes, so that the file's length does not bound their number.
constexpr std::size_t mostEmptyTexts = std::size_t{1} << 20;

template<class T>
T load(const std::byte* stored)
{
    T value;
    std::memcpy(&value, stored, sizeof value);
    return value;
}

// Calls visit with each value of a number array in its stored type (f16 as float).
template<class Visit>
void forEachNumber(const NpyArray& array, Visit visit)
{
    const auto walk = [&]<class Stored>(Stored) {
        for (std::size_t i = 0; i < array.size(); ++i)
            visit(i, load<Stored>(array.bytes().data() + i * sizeof(Stored)));
    };
    const std::size_t width = array.itemSize();
    switch (array.kind()) {
    case NpyKind::Bool:
        for (std::size_t i = 0; i < array.size(); ++i)
            visit(i, static_cast<std::uint8_t>(array.bytes()[i] != std::byte{0}));
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
        if (width == 8)
            walk(double{});
        else if (width == 4)
            walk(float{});
        else
            for (std::size_t i = 0; i < array.size(); ++i)
                visit(i, halfToFloat(load<std::uint16_t>(array.bytes().data() + 2 * i)));
        break;
    case NpyKind::Text:
        break;
    }
}

void swapBytes(std::vector<std::byte>& bytes, std::size_t width)
{
    for (auto unit = bytes.begin(); unit != bytes.end(); unit += static_cast<std::ptrdiff_t>(width))
        std::reverse(unit, unit + static_cast<std::ptrdiff_t>(width));
}

// Column-major to row-major.
std::vector<std::byte> rowMajor(std::span<const std::byte> bytes, const NpyHeader& header)
{
    std::vector<std::size_t> strides(header.shape.size(), 1); // in elements, of the column-major source
    for (std::size_t axis = 1; axis < strides.size(); ++axis)
        strides[axis] = strides[axis - 1] * static_cast<std::size_t>(header.shape[axis - 1]);
    std::vector<std::int64_t> index(header.shape.size(), 0);
    std::vector<std::byte> ordered(bytes.size());
    std::size_t source = 0;
    for (std::size_t target = 0; target < header.size; ++target) {
        std::memcpy(ordered.data() + target * header.itemSize, bytes.data() + source * header.itemSize,
                    header.itemSize);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            source += strides[axis];
            if (++index[axis] < header.shape[axis])
                break;
            source -= strides[axis] * static_cast<std::size_t>(header.shape[axis]);
            index[axis] = 0;
        }
    }
    return ordered;
}

std::u32string codePoints(std::string_view text)
{
    std::u32string points;
    for (std::size_t position = 0; position < text.size();)
        points += nextCodePoint(text, position);
    return points;
}

std::size_t checkedCount(const NpyArray::Shape& shape, std::size_t values)
{
    std::size_t count = 1;
    for (const std::int64_t dimension : shape)
        count *= static_cast<std::size_t>(dimension);
    if (count != values)
        throw Error(ErrorKind::Input, "array", fmt::format("{} values for a shape of {}", values, count));
    return count;
}

std::string descriptor(const NpyArray& array)
{
    switch (array.kind()) {
    case NpyKind::Bool:
        return "|b1";
    case NpyKind::Signed:
        return fmt::format("{}i{}", array.itemSize() == 1 ? '|' : '<', array.itemSize());
    case NpyKind::Unsigned:
        return fmt::format("{}u{}", array.itemSize() == 1 ? '|' : '<', array.itemSize());
    case NpyKind::Float:
        return fmt::format("<f{}", array.itemSize());
    case NpyKind::Text:
        return fmt::format("<U{}", array.itemSize() / sizeof(char32_t));
    }
    return {};
}

} // namespace

NpyArray NpyArray::fromFloats(Shape shape, std::span<const float> values)
{
    NpyArray array;
    array.m_size = checkedCount(shape, values.size());
    array.m_shape = std::move(shape);
    array.m_kind = NpyKind::Float;
    array.m_itemSize = sizeof(float);
    const auto bytes = std::as_bytes(values);
    array.m_bytes.assign(bytes.begin(), bytes.end());
    return array;
}

NpyArray NpyArray::fromIntegers(Shape shape, std::span<const std::int64_t> values)
{
    NpyArray array;
    array.m_size = checkedCount(shape, values.size());
    array.m_shape = std::move(shape);
    array.m_kind = NpyKind::Signed;
    array.m_itemSize = sizeof(std::int64_t);
    const auto bytes = std::as_bytes(values);
    array.m_bytes.assign(bytes.begin(), bytes.end());
    return array;
}

NpyArray NpyArray::fromTexts(Shape shape, std::span<const std::string> values)
{
    NpyArray array;
    array.m_size = checkedCount(shape, values.size());
    array.m_shape = std::move(shape);
    array.m_kind = NpyKind::Text;
    std::vector<std::u32string> texts;
    std::size_t longest = 1; // NumPy has no text type of width 0
    for (const std::string& value : values) {
        texts.push_back(codePoints(value));
        longest = std::max(longest, texts.back().size());
    }
    array.m_itemSize = longest * sizeof(char32_t);
    array.m_bytes.resize(array.m_size * array.m_itemSize);
    for (std::size_t i = 0; i < texts.size(); ++i)
        std::memcpy(array.m_bytes.data() + i * array.m_itemSize, texts[i].data(), texts[i].size() * sizeof(char32_t));
    return array;
}

NpyArray NpyArray::fromText(std::string_view value)
{
    const std::string text(value);
    return fromTexts({}, std::span(&text, 1));
}

void NpyArray::refuse(std::string_view wanted) const
{
    throw Error(ErrorKind::Format, m_where,
                fmt::format("expected {}, found the type \"{}\"", wanted, descriptor(*this)));
}

std::vector<float> NpyArray::floats() const
{
    if (!isNumber())
        refuse("numbers");
    std::vector<float> values(m_size);
    if (m_kind == NpyKind::Float && m_itemSize == sizeof(float) && m_size != 0)
        std::memcpy(values.data(), m_bytes.data(), m_bytes.size());
    else
        forEachNumber(*this, [&](std::size_t i, auto value) { values[i] = static_cast<float>(value); });
    return values;
}

std::vector<std::int64_t> NpyArray::integers() const
{
    if (m_kind == NpyKind::Text || m_kind == NpyKind::Float)
        refuse("integers");
    std::vector<std::int64_t> values(m_size);
    forEachNumber(*this, [&](std::size_t i, auto value) {
        if constexpr (std::is_same_v<decltype(value), std::uint64_t>)
            if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                throw Error(ErrorKind::Format, m_where, fmt::format("holds {}, beyond the largest int64", value));
        values[i] = static_cast<std::int64_t>(value);
    });
    return values;
}

std::vector<std::string> NpyArray::texts() const
{
    if (m_kind != NpyKind::Text)
        refuse("text");
    const std::size_t width = m_itemSize / sizeof(char32_t);
    std::vector<std::string> values(m_size);
    for (std::size_t i = 0; i < m_size; ++i) {
        std::u32string points(width, U'\0');
        if (width != 0)
            std::memcpy(points.data(), m_bytes.data() + i * m_itemSize, m_itemSize);
        points.resize(points.find_last_not_of(U'\0') + 1);
        for (const char32_t point : points)
            appendUtf8(values[i], point);
    }
    return values;
}

NpyArray readNpy(std::span<const std::byte> file, const std::string& where)
{
    const NpyHeader header = parseNpyHeader(file, where);
    const auto data = file.subspan(header.dataOffset);
    if (header.size * header.itemSize != data.size())
        throw Error(ErrorKind::Format, where,
                    fmt::format("should hold {} bytes of values, holds {}", header.size * header.itemSize, data.size()),
                    "the file is incomplete or damaged");
    if (header.itemSize == 0 && header.size > mostEmptyTexts)
        throw Error(ErrorKind::Format, where, fmt::format("claims {} texts of no characters", header.size));

    NpyArray array;
    array.m_where = where;
    array.m_shape = header.shape;
    array.m_kind = header.kind;
    array.m_itemSize = header.itemSize;
    array.m_size = header.size;
    if (header.fortranOrder && header.shape.size() > 1)
        array.m_bytes = rowMajor(data, header);
    else
        array.m_bytes.assign(data.begin(), data.end());
    const std::size_t unit = header.kind == NpyKind::Text ? sizeof(char32_t) : header.itemSize;
    if (header.bigEndian && unit > 1)
        swapBytes(array.m_bytes, unit);
    return array;
}

std::vector<std::byte> writeNpy(const NpyArray& array)
{
    const std::string header = formatNpyHeader(descriptor(array), array.shape());
    const auto start = std::as_bytes(std::span(header));
    std::vector<std::byte> file;
    file.reserve(start.size() + array.bytes().size());
    file.insert(file.end(), start.begin(), start.end());
    file.insert(file.end(), array.bytes().begin(), array.bytes().end());
    return file;
}

} // namespace attn

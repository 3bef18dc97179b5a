// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/npy_stream.h"

#include "base/error.h"
#include "io/npy_numbers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

static_assert(std::endian::native == std::endian::little); // as NpyArray's bytes are

// Texts of no characters take no bytes, so that the file's length does not bound their number.
constexpr std::size_t mostEmptyTexts = std::size_t{1} << 20;
// Values are read in parts that stay in a processor's cache; memory is used as they come, whatever the header claims.
constexpr std::size_t partBytes = std::size_t{256} << 10;

void swapBytes(std::span<std::byte> bytes, std::size_t width)
{
    for (std::size_t unit = 0; unit < bytes.size(); unit += width)
        std::ranges::reverse(bytes.subspan(unit, width));
}

// Bytes of a number, or of a character.
std::size_t unitBytes(const NpyHeader& header)
{
    return header.kind == NpyKind::Text ? sizeof(char32_t) : header.itemSize;
}

bool isColumnMajor(const NpyHeader& header)
{
    return header.fortranOrder && header.shape.size() > 1;
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

NpyHeader readHeader(const ByteSource& file, const std::string& where)
{
    std::vector<std::byte> start(std::min(npyPreamble, file.size));
    file.read(start);
    const std::size_t preamble = start.size();
    start.resize(std::clamp(npyHeaderSize(start, where), preamble, file.size));
    file.read(std::span(start).subspan(preamble));
    NpyHeader header = parseNpyHeader(start, where);
    const std::size_t values = file.size - header.dataOffset;
    if (header.size * header.itemSize != values)
        throw Error(ErrorKind::Format, where,
                    fmt::format("should hold {} bytes of values, holds {}", header.size * header.itemSize, values),
                    "the file is incomplete or damaged");
    if (header.itemSize == 0 && header.size > mostEmptyTexts)
        throw Error(ErrorKind::Format, where, fmt::format("claims {} texts of no characters", header.size));
    return header;
}

} // namespace

NpyStream::NpyStream(ByteSource file, std::string where)
    : m_header(readHeader(file, where))
    , m_file(std::move(file))
    , m_where(std::move(where))
{
}

NpyStream::NpyStream(NpyArray array)
    : m_array(std::move(array))
{
    m_header.kind = m_array->kind();
    m_header.itemSize = m_array->itemSize();
    m_header.shape = m_array->shape();
    m_header.size = m_array->size();
}

// Little-endian.
std::vector<std::byte> NpyStream::read(std::size_t items)
{
    const std::size_t unit = unitBytes(m_header);
    const std::size_t total = items * m_header.itemSize;
    std::vector<std::byte> bytes;
    bytes.reserve(total);
    while (bytes.size() < total) {
        const std::size_t done = bytes.size();
        bytes.resize(std::min(total, done + partBytes));
        m_file.read(std::span(bytes).subspan(done));
    }
    if (m_header.bigEndian && unit > 1)
        swapBytes(bytes, unit);
    return bytes;
}

NpyArray NpyStream::all()
{
    if (m_array)
        return *m_array;
    NpyArray array;
    array.m_where = m_where;
    array.m_shape = m_header.shape;
    array.m_kind = m_header.kind;
    array.m_itemSize = m_header.itemSize;
    array.m_size = m_header.size;
    array.m_bytes = read(m_header.size);
    if (isColumnMajor(m_header))
        array.m_bytes = rowMajor(array.m_bytes, m_header);
    return array;
}

std::vector<float> NpyStream::floats(std::size_t count)
{
    if (isColumnMajor(m_header) && !m_array)
        m_array = all();
    if (m_array)
        return m_array->floats(std::exchange(m_read, m_read + count), count);
    if (m_header.kind == NpyKind::Text)
        throw Error(ErrorKind::Format, m_where, "holds text where numbers are expected");
    if (count > m_header.size - m_read)
        throw Error(ErrorKind::Input, m_where,
                    fmt::format("has {} numbers left, not {}", m_header.size - m_read, count));
    m_read += count;
    const bool asStored = m_header.kind == NpyKind::Float && m_header.itemSize == sizeof(float) && !m_header.bigEndian;
    const std::size_t part = partBytes / sizeof(float);
    std::vector<float> values;
    values.reserve(count);
    while (values.size() < count) {
        const std::size_t done = values.size();
        values.resize(std::min(count, done + part));
        const auto next = std::span(values).subspan(done);
        if (asStored)
            m_file.read(std::as_writable_bytes(next));
        else
            forEachNumber(m_header.kind, m_header.itemSize, read(next.size()),
                          [&](std::size_t i, auto value) { next[i] = static_cast<float>(value); });
    }
    return values;
}

} // namespace attn

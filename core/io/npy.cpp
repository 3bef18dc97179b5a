// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/npy.h"

#include "base/error.h"
#include "base/utf8.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace attn {

namespace {

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
        count *= dimension;
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

std::string headerOf(const NpyArray::Shape& shape, const std::string& type)
{
    constexpr std::size_t preamble = 10; // magic, version, length
    constexpr std::size_t alignment = 64; // of the values
    std::string dimensions = fmt::format("{}", fmt::join(shape, ", "));
    if (shape.size() == 1)
        dimensions += ',';
    std::string dictionary =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, dimensions);
    dictionary.append(alignment - 1 - (preamble + dictionary.size()) % alignment, ' ');
    dictionary += '\n';
    std::string header(npyMagic);
    header += '\x01';
    header += '\0';
    header += static_cast<char>(dictionary.size() & 0xFF);
    header += static_cast<char>(dictionary.size() >> 8);
    return header + dictionary;
}

} // namespace

NpyArray::NpyArray(Shape shape, NpyKind kind, std::size_t itemSize, std::size_t values)
    : m_shape(std::move(shape))
    , m_kind(kind)
    , m_itemSize(itemSize)
    , m_size(checkedCount(m_shape, values))
{
}

NpyArray NpyArray::fromFloats(Shape shape, std::span<const float> values)
{
    NpyArray array(std::move(shape), NpyKind::Float, sizeof(float), values.size());
    const auto bytes = std::as_bytes(values);
    array.m_bytes.assign(bytes.begin(), bytes.end());
    return array;
}

NpyArray NpyArray::fromIntegers(Shape shape, std::span<const std::int64_t> values)
{
    NpyArray array(std::move(shape), NpyKind::Signed, sizeof(std::int64_t), values.size());
    const auto bytes = std::as_bytes(values);
    array.m_bytes.assign(bytes.begin(), bytes.end());
    return array;
}

NpyArray NpyArray::fromBytes(Shape shape, std::span<const std::uint8_t> values)
{
    NpyArray array(std::move(shape), NpyKind::Unsigned, 1, values.size());
    const auto bytes = std::as_bytes(values);
    array.m_bytes.assign(bytes.begin(), bytes.end());
    return array;
}

NpyArray NpyArray::fromBooleans(Shape shape, const std::vector<bool>& values)
{
    NpyArray array(std::move(shape), NpyKind::Bool, 1, values.size());
    for (const bool value : values)
        array.m_bytes.push_back(static_cast<std::byte>(value));
    return array;
}

NpyArray NpyArray::fromTexts(Shape shape, std::span<const std::string> values)
{
    std::vector<std::u32string> texts;
    std::size_t longest = 1; // NumPy has no text type of width 0
    for (const std::string& value : values) {
        texts.push_back(codePoints(value));
        longest = std::max(longest, texts.back().size());
    }
    NpyArray array(std::move(shape), NpyKind::Text, longest * sizeof(char32_t), values.size());
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
    std::vector<float> values(m_size);
    floats(0, values);
    return values;
}

void NpyArray::floats(std::size_t first, std::span<float> values) const
{
    if (m_kind == NpyKind::Text)
        refuse("numbers");
    if (first > m_size || values.size() > m_size - first)
        throw Error(ErrorKind::Input, m_where, fmt::format("has no {} numbers from {} on", values.size(), first));
    const auto bytes = std::span(m_bytes).subspan(first * m_itemSize, values.size() * m_itemSize);
    if (m_kind == NpyKind::Float && m_itemSize == sizeof(float))
        std::ranges::copy(bytes, std::as_writable_bytes(values).begin());
    else
        forEachNumber(m_kind, m_itemSize, bytes,
                      [&](std::size_t i, auto value) { values[i] = static_cast<float>(value); });
}

std::vector<std::int64_t> NpyArray::integers() const
{
    if (m_kind == NpyKind::Text || m_kind == NpyKind::Float)
        refuse("integers");
    std::vector<std::int64_t> values(m_size);
    forEachNumber(m_kind, m_itemSize, m_bytes, [&](std::size_t i, auto value) {
        if constexpr (std::is_same_v<decltype(value), std::uint64_t>)
            if (!std::in_range<std::int64_t>(value))
                throw Error(ErrorKind::Format, m_where, fmt::format("holds {}, beyond the largest int64", value));
        values[i] = static_cast<std::int64_t>(value); // NOLINT(bugprone-signed-char-misuse): an int8
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

std::vector<std::byte> writeNpy(const NpyArray& array)
{
    const std::string header = headerOf(array.shape(), descriptor(array));
    const auto start = std::as_bytes(std::span(header));
    std::vector<std::byte> file;
    file.reserve(start.size() + array.bytes().size());
    file.insert(file.end(), start.begin(), start.end());
    file.insert(file.end(), array.bytes().begin(), array.bytes().end());
    return file;
}

ByteSource writeNpy(const NpyArray::Shape& shape, NumberParts parts)
{
    struct Writing
    {
        std::string header;
        NumberVector<float> numbers;
        NumberParts parts;
        std::span<const std::byte> left; // of the header or the numbers
    };
    const auto writing = std::make_shared<Writing>(Writing{headerOf(shape, "<f4"), {}, std::move(parts), {}});
    writing->left = std::as_bytes(std::span(writing->header));
    std::size_t size = sizeof(float);
    for (const std::int64_t dimension : shape)
        size *= static_cast<std::size_t>(dimension);
    return {writing->header.size() + size, [writing](std::span<std::byte> part) {
                while (!part.empty()) {
                    if (writing->left.empty()) {
                        writing->numbers = {}; // before the next are made
                        writing->numbers = writing->parts();
                        if (writing->numbers.empty())
                            throw Error(ErrorKind::Input, "array", "has fewer numbers than its shape");
                        writing->left = std::as_bytes(std::span(std::as_const(writing->numbers)));
                    }
                    const std::size_t count = std::min(part.size(), writing->left.size());
                    std::ranges::copy(writing->left.first(count), part.begin());
                    writing->left = writing->left.subspan(count);
                    part = part.subspan(count);
                }
            }};
}

} // namespace attn

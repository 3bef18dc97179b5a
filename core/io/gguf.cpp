// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/gguf.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/byte_reader.h"
#include "io/mapped_file.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <utility>

namespace attn {

namespace {

constexpr std::string_view ggufMagic = "GGUF";
constexpr std::uint64_t longestKey = 1024; // tensor names too
constexpr std::uint64_t longestText = std::uint64_t{64} << 20;
constexpr std::uint32_t mostGgufDimensions = 4;
constexpr std::int64_t usualAlignment = 32;
constexpr std::int64_t largestAlignment = 1 << 20;
constexpr int deepestArray = 4;
constexpr std::size_t smallestTensorEntry = 8 + 4 + 4 + 8;
constexpr std::size_t smallestMetadataEntry = 8 + 4 + 1;
constexpr std::uint64_t tensorRowBytes = 288; // in the tables, beside a long name
constexpr std::uint64_t valueRowBytes = 128;
constexpr auto damagedGguf = "the file is incomplete or damaged";

std::string readText(ByteReader& reader, const std::string& where, std::uint64_t longest)
{
    const auto length = reader.integer<std::uint64_t>();
    if (length > longest)
        throw Error(ErrorKind::Format, where,
                    fmt::format("has a text of {} bytes, more than the {} that are read", length, longest),
                    damagedGguf);
    const auto bytes = reader.take(length);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct GgufTypeRow
{
    std::string_view name;
    std::size_t size; // the least that a value takes, in bytes
};

// Types by GgufFile::Type.
constexpr GgufTypeRow ggufTypes[] = {{"an unsigned 8-bit integer", 1},
                                     {"an 8-bit integer", 1},
                                     {"an unsigned 16-bit integer", 2},
                                     {"a 16-bit integer", 2},
                                     {"an unsigned 32-bit integer", 4},
                                     {"a 32-bit integer", 4},
                                     {"a 32-bit number", 4},
                                     {"a truth value", 1},
                                     {"a text", 8}, // its length
                                     {"a list", 12}, // type and count
                                     {"an unsigned 64-bit integer", 8},
                                     {"a 64-bit integer", 8},
                                     {"a 64-bit number", 8}};

} // namespace

GgufFile::GgufFile(const std::filesystem::path& path)
    : m_where(path.string())
    , m_file(std::make_unique<MappedFile>(path))
{
    parse(m_file->bytes());
    requireUnchanged();
}

GgufFile::GgufFile(std::span<const std::byte> bytes, std::string where)
    : m_where(std::move(where))
{
    parse(bytes);
}

GgufFile::~GgufFile() = default;
GgufFile::GgufFile(GgufFile&&) noexcept = default;
GgufFile& GgufFile::operator=(GgufFile&&) noexcept = default;

void GgufFile::parse(std::span<const std::byte> bytes)
{
    m_bytes = bytes;
    ByteReader reader(bytes, m_where);
    const auto start = reader.take(std::min(bytes.size(), ggufMagic.size()));
    if (std::string_view(reinterpret_cast<const char*>(start.data()), start.size()) != ggufMagic)
        throw Error(ErrorKind::Format, m_where, "is not a GGUF file", damagedGguf);
    const auto version = reader.integer<std::uint32_t>();
    if ((version & 0xFFFFU) == 0 && version != 0)
        throw Error(ErrorKind::Unsupported, m_where, "is a big-endian GGUF file", "use the little-endian one");
    if (version != 2 && version != 3)
        throw Error(ErrorKind::Unsupported, m_where, fmt::format("is GGUF version {}", version),
                    "versions 2 and 3 are read; convert the model again");
    const auto tensorCount = reader.count<std::uint64_t>(smallestTensorEntry);
    const auto valueCount = reader.count<std::uint64_t>(smallestMetadataEntry);
    requireMemory(tensorCount * tensorRowBytes + valueCount * valueRowBytes, m_where);
    parseMetadata(reader, valueCount);
    parseTensors(reader, tensorCount);
}

void GgufFile::parseMetadata(ByteReader& reader, std::uint64_t count)
{
    for (std::uint64_t i = 0; i < count; ++i) {
        std::string key = readText(reader, m_where, longestKey);
        if (key.empty())
            throw Error(ErrorKind::Format, m_where, fmt::format("entry {} has no key", i), damagedGguf);
        Value value = readValue(reader, m_bytes, key);
        const auto [position, inserted] = m_values.emplace(std::move(key), value);
        if (!inserted)
            refuse(position->first, "stands in the file twice");
    }
}

GgufFile::Type GgufFile::readType(ByteReader& reader, std::string_view key) const
{
    const auto number = reader.integer<std::uint32_t>();
    if (number > static_cast<std::uint32_t>(Type::F64))
        refuse(key, fmt::format("has the unknown type {}", number));
    return static_cast<Type>(number);
}

std::uint64_t GgufFile::readCount(ByteReader& reader, Type element, std::string_view key) const
{
    const auto count = reader.integer<std::uint64_t>();
    if (count > reader.remaining() / smallestSize(element))
        refuse(key, fmt::format("is a list of {}, more than fit into the rest of the file", count));
    return count;
}

GgufFile::Value GgufFile::readValue(ByteReader& reader, std::span<const std::byte> bytes, std::string_view key) const
{
    Value value;
    value.type = readType(reader, key);
    if (value.type == Type::Array) {
        value.element = readType(reader, key);
        value.count = readCount(reader, value.element, key);
    }
    const std::size_t begin = reader.position();
    skip(reader, value.type == Type::Array ? value.element : value.type, value.count, key, 1);
    value.bytes = bytes.subspan(begin, reader.position() - begin);
    return value;
}

void GgufFile::skip(ByteReader& reader, Type type, std::uint64_t count, std::string_view key, int depth) const
{
    if (type != Type::Text && type != Type::Array) {
        reader.take(count * smallestSize(type)); // the caller has checked the product
        return;
    }
    if (depth > deepestArray)
        refuse(key, fmt::format("holds arrays nested deeper than {} levels", deepestArray));
    for (std::uint64_t i = 0; i < count; ++i) {
        if (type == Type::Text) {
            const auto length = reader.integer<std::uint64_t>();
            if (length > longestText)
                refuse(key, fmt::format("has a text of {} bytes, more than the {} that are read", length, longestText));
            reader.take(length);
        } else {
            const Type element = readType(reader, key);
            skip(reader, element, readCount(reader, element, key), key, depth + 1);
        }
    }
}

void GgufFile::parseTensors(ByteReader& reader, std::uint64_t count)
{
    std::vector<std::uint64_t> offsets;
    std::set<std::string_view> names;
    m_tensors.reserve(count); // entries do not move: `names` points into them
    for (std::uint64_t i = 0; i < count; ++i) {
        m_tensors.push_back(parseTensor(reader, offsets.emplace_back()));
        if (!names.insert(m_tensors.back().name).second)
            refuse(m_tensors.back().name, "is the name of two tensors");
    }
    locateTensors(m_bytes, reader.position(), offsets);
}

GgufTensor GgufFile::parseTensor(ByteReader& reader, std::uint64_t& offset) const
{
    GgufTensor tensor;
    tensor.name = readText(reader, m_where, longestKey);
    const auto dimensions = reader.integer<std::uint32_t>();
    if (dimensions > mostGgufDimensions)
        refuse(tensor.name, fmt::format("has {} dimensions, more than {}", dimensions, mostGgufDimensions));
    std::uint64_t elements = 1;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
        const auto dimension = reader.integer<std::uint64_t>();
        if (dimension == 0)
            refuse(tensor.name, "has a dimension of 0");
        if (dimension > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / elements)
            refuse(tensor.name, "has a shape too large for any memory");
        elements *= dimension;
        tensor.shape.insert(tensor.shape.begin(), static_cast<std::int64_t>(dimension));
    }
    tensor.type = reader.integer<std::uint32_t>();
    offset = reader.integer<std::uint64_t>();
    return tensor;
}

void GgufFile::locateTensors(std::span<const std::byte> bytes, std::size_t headerEnd,
                             const std::vector<std::uint64_t>& offsets)
{
    constexpr auto key = "general.alignment";
    const std::int64_t alignment = integer(key).value_or(usualAlignment);
    if (alignment < 1 || alignment > largestAlignment || !std::has_single_bit(static_cast<std::uint64_t>(alignment)))
        refuse(key, fmt::format("is {}, not a power of two up to {}", alignment, largestAlignment));
    const std::size_t step = alignment;
    const std::size_t begin = (headerEnd + step - 1) / step * step;
    const std::size_t available = begin <= bytes.size() ? bytes.size() - begin : 0;
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        GgufTensor& tensor = m_tensors[i];
        if (offsets[i] % step != 0)
            refuse(tensor.name, fmt::format("lies at byte {}, not at a multiple of {}", offsets[i], alignment));
        if (offsets[i] >= available)
            refuse(tensor.name,
                   fmt::format("lies at byte {}, but the file holds {} bytes of values", offsets[i], available));
        tensor.bytes = bytes.subspan(begin + offsets[i]);
    }
}

std::vector<std::string> GgufFile::keys() const
{
    std::vector<std::string> names;
    for (const auto& [name, value] : m_values)
        names.push_back(name);
    return names;
}

void GgufFile::requireUnchanged() const
{
    if (m_file != nullptr)
        m_file->requireUnchanged();
}

const GgufFile::Value* GgufFile::find(std::string_view key) const
{
    const auto found = m_values.find(key);
    return found == m_values.end() ? nullptr : &found->second;
}

// Result of read(type, reader) for the value, or of each element of a list; none where the type is not the expected
// one.
template<class Read>
auto GgufFile::scalar(std::string_view key, std::string_view expected, Read read) const
{
    const Value* value = find(key);
    decltype(read(value->type, std::declval<ByteReader&>())) result;
    if (value == nullptr)
        return result;
    ByteReader reader(value->bytes, m_where);
    result = read(value->type, reader);
    requireUnchanged();
    if (!result)
        refuseType(key, expected, *value);
    return result;
}

template<class Item, class Read>
std::optional<std::vector<Item>> GgufFile::list(std::string_view key, std::string_view expected, Read read) const
{
    const Value* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (value->type != Type::Array)
        refuseType(key, expected, *value);
    ByteReader reader(value->bytes, m_where);
    requireMemory(value->count * 2 * sizeof(Item), m_where); // the list doubles as it grows
    std::vector<Item> result;
    for (std::uint64_t i = 0; i < value->count; ++i) {
        auto item = read(value->element, reader);
        if (!item)
            refuseType(key, expected, *value);
        result.push_back(static_cast<Item>(std::move(*item)));
    }
    requireUnchanged();
    return result;
}

std::optional<std::string> GgufFile::text(std::string_view key) const
{
    return scalar(key, "a text", [this](Type type, ByteReader& reader) { return textOf(type, reader); });
}

std::optional<std::int64_t> GgufFile::integer(std::string_view key) const
{
    return scalar(key, "an integer", [](Type type, ByteReader& reader) {
        return type == Type::Bool ? std::nullopt : integerOf(type, reader);
    });
}

std::optional<double> GgufFile::number(std::string_view key) const
{
    return scalar(key, "a number", numberOf);
}

std::optional<bool> GgufFile::boolean(std::string_view key) const
{
    return scalar(key, "a truth value", [](Type type, ByteReader& reader) {
        return type == Type::Bool ? std::optional(reader.integer<std::uint8_t>() != 0) : std::nullopt;
    });
}

std::optional<std::vector<std::string>> GgufFile::texts(std::string_view key) const
{
    return list<std::string>(key, "a list of texts",
                             [this](Type type, ByteReader& reader) { return textOf(type, reader); });
}

std::optional<std::vector<std::int64_t>> GgufFile::integers(std::string_view key) const
{
    return list<std::int64_t>(key, "a list of integers", integerOf);
}

std::optional<std::vector<float>> GgufFile::numbers(std::string_view key) const
{
    return list<float>(key, "a list of numbers", numberOf);
}

std::optional<std::string> GgufFile::textOf(Type type, ByteReader& reader) const
{
    return type == Type::Text ? std::optional(readText(reader, m_where, longestText)) : std::nullopt;
}

std::optional<std::int64_t> GgufFile::integerOf(Type type, ByteReader& reader)
{
    switch (type) {
    case Type::U8:
    case Type::Bool:
        return reader.integer<std::uint8_t>();
    case Type::I8:
        return reader.integer<std::int8_t>();
    case Type::U16:
        return reader.integer<std::uint16_t>();
    case Type::I16:
        return reader.integer<std::int16_t>();
    case Type::U32:
        return reader.integer<std::uint32_t>();
    case Type::I32:
        return reader.integer<std::int32_t>();
    case Type::I64:
        return reader.integer<std::int64_t>();
    case Type::U64: {
        const auto value = reader.integer<std::uint64_t>();
        return std::in_range<std::int64_t>(value) ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

std::optional<double> GgufFile::numberOf(Type type, ByteReader& reader)
{
    if (type == Type::F32)
        return std::bit_cast<float>(reader.integer<std::uint32_t>());
    if (type == Type::F64)
        return std::bit_cast<double>(reader.integer<std::uint64_t>());
    const auto value = type == Type::Bool ? std::nullopt : integerOf(type, reader);
    return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::size_t GgufFile::smallestSize(Type type)
{
    return ggufTypes[static_cast<std::size_t>(type)].size;
}

std::string_view GgufFile::typeName(Type type)
{
    return ggufTypes[static_cast<std::size_t>(type)].name;
}

std::string GgufFile::describe(const Value& value)
{
    return value.type == Type::Array ? fmt::format("a list of {}, each {}", value.count, typeName(value.element))
                                     : std::string(typeName(value.type));
}

void GgufFile::refuseType(std::string_view key, std::string_view expected, const Value& value) const
{
    refuse(key, fmt::format("expected {}, found {}", expected, describe(value)));
}

void GgufFile::refuse(std::string_view key, const std::string& problem) const
{
    throw Error(ErrorKind::Format, fmt::format("{}: {}", m_where, key), problem, damagedGguf);
}

} // namespace attn

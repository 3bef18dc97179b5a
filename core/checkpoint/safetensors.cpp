// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/memory.h"
#include "checkpoint/stored_tensor.h"
#include "io/byte_reader.h"
#include "io/identify.h"
#include "io/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

namespace {

constexpr int deepestHeader = 4;
constexpr std::size_t mostSafetensorsDimensions = 16;
constexpr auto damagedSafetensors = "the file is incomplete or damaged";

[[noreturn]] void refuseSafetensors(const std::string& where, const std::string& problem)
{
    throw Error(ErrorKind::Format, where, problem, damagedSafetensors);
}

std::optional<DType> dtypeFromName(std::string_view type)
{
    constexpr std::array<std::pair<std::string_view, DType>, 12> types = {{{"F32", DType::F32},
                                                                           {"F16", DType::F16},
                                                                           {"BF16", DType::BF16},
                                                                           {"F64", DType::F64},
                                                                           {"I64", DType::I64},
                                                                           {"I32", DType::I32},
                                                                           {"I16", DType::I16},
                                                                           {"I8", DType::I8},
                                                                           {"U8", DType::U8},
                                                                           {"BOOL", DType::Bool},
                                                                           {"F8_E4M3", DType::F8_E4M3},
                                                                           {"F8_E5M2", DType::F8_E5M2}}};
    const auto* const found = std::ranges::find(types, type, &std::pair<std::string_view, DType>::first);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

// List of `least` to `most` natural numbers.
Shape naturalNumbers(const JsonObject& entry, std::string_view field, std::size_t least, std::size_t most)
{
    const std::string expected = fmt::format("a list of {} to {} numbers from 0", least, most);
    const Json& list = entry.requireList(field, expected);
    const auto isNatural = [](const Json& value) {
        return value.is_number_unsigned() && std::in_range<std::int64_t>(value.get<std::uint64_t>());
    };
    if (list.size() < least || list.size() > most || !std::ranges::all_of(list, isNatural))
        entry.refuse(field, expected);
    return list.get<Shape>();
}

// Bytes of the values, checked against overflow by division.
std::uint64_t byteCount(const Shape& shape, DType dtype, const std::string& where)
{
    if (std::ranges::find(shape, 0) != shape.end())
        return 0;
    std::uint64_t bytes = blockBytes(dtype);
    for (const std::int64_t dimension : shape) {
        const auto factor = static_cast<std::uint64_t>(dimension);
        if (factor > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / bytes)
            refuseSafetensors(where, "has a shape too large for any memory");
        bytes *= factor;
    }
    return bytes;
}

struct Extent
{
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::string_view name;
};

Extent parseExtent(const JsonObject& entry, const std::string& where, std::uint64_t available)
{
    const Shape offsets = naturalNumbers(entry, "data_offsets", 2, 2);
    const Extent extent{static_cast<std::uint64_t>(offsets[0]), static_cast<std::uint64_t>(offsets[1]), {}};
    if (extent.begin > extent.end || extent.end > available)
        refuseSafetensors(where,
                          fmt::format("lies at bytes {} to {}, but the file holds {} bytes of values", extent.begin,
                                      extent.end, available));
    return extent;
}

void checkExtents(std::vector<Extent> extents, const std::string& where, std::uint64_t available)
{
    std::ranges::sort(extents, [](const Extent& a, const Extent& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::uint64_t position = 0;
    for (const Extent& extent : extents) {
        if (extent.begin != position)
            refuseSafetensors(where,
                              fmt::format("tensor {} {} (starts at byte {}, expected {})", extent.name,
                                          extent.begin < position ? "overlaps another one" : "has a gap before it",
                                          extent.begin, position));
        position = extent.end;
    }
    if (position != available)
        refuseSafetensors(where, fmt::format("holds {} bytes behind the last tensor", available - position));
}

std::string_view headerText(ByteReader& reader, std::span<const std::byte> file, const std::string& where)
{
    const auto length = file.size() < sizeof(std::uint64_t) ? 0 : reader.integer<std::uint64_t>();
    const bool fits = length <= reader.remaining() && length >= 2;
    if (const std::uint64_t most = limit(Limit::Header); fits && length > most)
        throw Error(ErrorKind::Format, where,
                    fmt::format("has a header of {} bytes, more than the {} that are read", length, most),
                    otherLimit(Limit::Header));
    if (!fits || file[reader.position()] != std::byte{'{'}) {
        if (const auto foreign = identifyForeign(file))
            throw Error(ErrorKind::Format, where, foreign->what, foreign->advice);
        refuseSafetensors(where,
                          fits ? "is not a safetensors file"
                               : fmt::format("claims a header of {} bytes in a file of {}", length, file.size()));
    }
    const auto bytes = reader.take(length);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A tensor inside `values`, and where it lies there.
std::pair<StoredTensor, Extent> parseTensor(const JsonObject& entry, std::span<const std::byte> values)
{
    const std::string where = entry.place();
    const std::string typeName = entry.requireString("dtype");
    const auto dtype = dtypeFromName(typeName);
    StoredTensor tensor{
        {dtype.value_or(DType::Other), naturalNumbers(entry, "shape", 0, mostSafetensorsDimensions), {}}, {}, {}};
    const Extent extent = parseExtent(entry, where, values.size());
    const std::uint64_t expected = byteCount(tensor.view.shape, tensor.view.dtype, where);
    if (!dtype) {
        tensor.problem = fmt::format("is stored as {}, which is not read", typeName);
        return {std::move(tensor), extent};
    }
    if (extent.end - extent.begin != expected)
        refuseSafetensors(where, fmt::format("needs {} bytes, has {}", expected, extent.end - extent.begin));
    tensor.view.bytes = values.subspan(extent.begin, expected);
    return {std::move(tensor), extent};
}

} // namespace

bool isSafetensors(std::span<const std::byte> file)
{
    constexpr std::size_t lengthBytes = 8;
    if (file.size() <= lengthBytes || file[lengthBytes] != std::byte{'{'})
        return false;
    std::uint64_t length = 0;
    for (std::size_t i = lengthBytes; i > 0; --i)
        length = length << 8U | std::to_integer<std::uint64_t>(file[i - 1]);
    return length <= file.size() - lengthBytes;
}

StoredTensors readSafetensors(std::span<const std::byte> file, const std::string& where)
{
    ByteReader reader(file, where);
    const std::string text(headerText(reader, file, where)); // a copy: the file may change while it is read
    const JsonObject header =
        JsonObject::parse(text, where, {.most = Limit::Header, .depth = deepestHeader, .uniqueKeys = true});
    const auto values = reader.take(reader.remaining());

    StoredTensors tensors;
    std::vector<Extent> extents;
    for (const std::string& name : header.fields()) {
        if (name == "__metadata__")
            continue;
        auto [tensor, extent] = parseTensor(header.requireObject(name), values);
        extent.name = tensors.emplace(name, std::move(tensor)).first->first;
        extents.push_back(extent);
    }
    checkExtents(std::move(extents), where, values.size());
    return tensors;
}

} // namespace attn

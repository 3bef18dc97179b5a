// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/archive_parts.h"

#include "base/error.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/stop.h"
#include "io/json.h"
#include "io/npz.h"
#include "trace/archive.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <utility>

namespace attn {

namespace {

// The double with the fewest digits that reads back as this float.
double shortest(float value)
{
    char digits[32];
    const auto written = std::to_chars(digits, digits + sizeof digits, value);
    double result = 0;
    std::from_chars(digits, written.ptr, result);
    return result;
}

Json jsonOf(float value)
{
    return std::isfinite(value) ? Json(shortest(value)) : Json();
}

template<typename Element>
Json nest(const NpyArray::Shape& shape, std::size_t axis, std::size_t& position, const Element& element)
{
    if (axis == shape.size())
        return element(position++);
    Json list = Json::array();
    for (std::int64_t i = 0; i < shape[axis]; ++i)
        list.push_back(nest(shape, axis + 1, position, element));
    return list;
}

Json toJson(const NpyArray& array)
{
    std::size_t position = 0;
    if (array.kind() == NpyKind::Text) {
        const auto texts = array.texts();
        return nest(array.shape(), 0, position, [&](std::size_t i) { return Json(texts[i]); });
    }
    if (array.kind() != NpyKind::Float) {
        const auto integers = array.integers();
        return nest(array.shape(), 0, position, [&](std::size_t i) { return Json(integers[i]); });
    }
    const auto floats = array.floats();
    return nest(array.shape(), 0, position, [&](std::size_t i) { return jsonOf(floats[i]); });
}

// How many lists of rows, of lists of rows ... have an end before the row.
std::size_t listsEndingBefore(const NpyArray::Shape& shape, std::int64_t row)
{
    std::size_t lists = 0;
    std::int64_t rows = 1;
    for (std::size_t axis = shape.size() - 1; axis-- > 0; ++lists) {
        rows *= shape[axis];
        if (row % rows != 0)
            break;
    }
    return lists;
}

// As nested lists.
void writeParts(const WrittenArray& array, const std::stop_token& stop,
                const std::function<void(std::string_view text)>& write)
{
    const auto columns = static_cast<std::size_t>(array.shape.back());
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < array.shape.size(); ++axis)
        rows *= array.shape[axis];
    const NumberParts next = array.parts();
    for (std::int64_t row = 0; row < rows;) {
        throwIfStopped(stop);
        const NumberVector<float> part = next();
        if (part.empty() || part.size() % columns != 0)
            throw Error(ErrorKind::Input, "array", "has other rows than its shape");
        for (auto left = std::span(part); !left.empty(); left = left.subspan(columns), ++row) {
            Json values = Json::array();
            for (const float value : left.first(columns))
                values.push_back(jsonOf(value));
            const std::size_t lists = listsEndingBefore(array.shape, row);
            write((row == 0 ? std::string() : std::string(lists, ']') + ',') + std::string(lists, '[')
                  + writtenJson(values));
        }
    }
    write(std::string(array.shape.size() - 1, ']'));
}

// Flattens nested lists whose shape must be regular.
class Flattener
{
public:
    Flattener(const std::string& where, const std::string& name)
        : m_where(where + ": " + name)
    {
    }

    void read(const Json& json)
    {
        for (const Json* level = &json; level->is_array(); level = &level->front()) {
            shape.push_back(static_cast<std::int64_t>(level->size()));
            if (level->empty())
                break;
        }
        flatten(json, 0);
    }

    std::vector<const Json*> leaves;
    NpyArray::Shape shape;

    [[noreturn]] void refuse(const std::string& problem) const { throw Error(ErrorKind::Format, m_where, problem); }

private:
    void flatten(const Json& json, std::size_t axis)
    {
        if (axis == shape.size()) {
            if (json.is_array())
                refuse("has lists of different depths");
            leaves.push_back(&json);
            return;
        }
        if (!json.is_array() || std::ssize(json) != shape[axis])
            refuse("has lists of different lengths");
        for (const Json& element : json)
            flatten(element, axis + 1);
    }

    std::string m_where;
};

// Of texts while a trace is made of them. bytesOfEach: as NumPy keeps them, each takes as much as the longest.
std::uint64_t textBytes(std::uint64_t count, std::uint64_t bytesOfEach)
{
    constexpr std::uint64_t bytesOfStrings = 240; // as a piece, a label and a part of the text
    constexpr std::uint64_t spellings = 4;
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (bytesOfEach > (most - bytesOfStrings) / spellings)
        return most;
    const std::uint64_t bytes = bytesOfStrings + spellings * bytesOfEach;
    return count > most / bytes ? most : count * bytes;
}

NpyArray fromJson(const Json& json, const std::string& where, const std::string& name, ArchiveMemory& memory)
{
    if (name == metadataName)
        return NpyArray::fromText(json.is_string() ? json.get<std::string>() : json.dump());
    Flattener flat(where, name);
    flat.read(json);
    if (name.ends_with("_tokens") || name.ends_with("_names")) {
        std::vector<std::string> texts;
        std::size_t longest = 0;
        for (const Json* leaf : flat.leaves) {
            texts.push_back(leaf->is_string() ? leaf->get<std::string>() : (flat.refuse("must hold texts"), ""));
            longest = std::max(longest, texts.back().size());
        }
        memory.addTrace(textBytes(texts.size(), longest * sizeof(char32_t)));
        return NpyArray::fromTexts(flat.shape, texts);
    }
    if (name.ends_with("_ids") || name.ends_with("_segments")) {
        std::vector<std::int64_t> integers;
        for (const Json* leaf : flat.leaves)
            integers.push_back(leaf->is_number_integer() ? leaf->get<std::int64_t>()
                                                         : (flat.refuse("must hold whole numbers"), 0));
        return NpyArray::fromIntegers(flat.shape, integers);
    }
    const float missing = name.ends_with("_scores") || name == "logits" ? -std::numeric_limits<float>::infinity()
                                                                        : std::numeric_limits<float>::quiet_NaN();
    std::vector<float> floats;
    for (const Json* leaf : flat.leaves) {
        if (!leaf->is_number() && !leaf->is_null())
            flat.refuse("must hold numbers or null");
        floats.push_back(leaf->is_null() ? missing : leaf->get<float>());
    }
    return NpyArray::fromFloats(flat.shape, floats);
}

// Of the numbers or texts of an array, while a trace is made of them.
std::uint64_t valueBytes(const NpyStream& array)
{
    switch (array.kind()) {
    case NpyKind::Float:
        return array.size() * sizeof(float);
    case NpyKind::Text:
        return textBytes(array.size(), array.itemSize());
    default:
        return array.size() * (array.itemSize() + sizeof(std::int64_t) + sizeof(TokenId));
    }
}

// Of what a trace has for each token, row and layer of an array, beside the values.
std::uint64_t objectBytes(std::string_view name, const NpyStream& array, bool decoderOnly)
{
    constexpr std::uint64_t bytesOfToken = 80;
    constexpr std::uint64_t bytesOfStep = 450; // that produced a token
    constexpr std::uint64_t bytesOfLayer = 400;
    constexpr std::uint64_t bytesOfRow = 192; // of hidden states or logits
    constexpr std::uint64_t bytesOfStepRow = 48; // where a step finds its attention
    if (array.size() == 0 || array.shape().empty())
        return 0;
    const auto extent = [&shape = array.shape()](std::size_t axis) {
        return axis < shape.size() ? static_cast<std::uint64_t>(shape[axis]) : 0;
    };
    if (name == "source_ids")
        return extent(0) * (decoderOnly ? bytesOfToken + bytesOfStep : bytesOfToken);
    if (name == "target_ids")
        return extent(0) * bytesOfStep;
    if (name == "decoder_attentions" || name == "cross_attentions")
        return extent(0) * (bytesOfLayer + extent(2) * bytesOfStepRow);
    if (name == "encoder_attentions" || name == "encoder_hidden_states")
        return extent(0) * bytesOfLayer;
    if (name == "hidden_states")
        return extent(0) * (bytesOfLayer + extent(1) * bytesOfRow);
    return name.ends_with("logits") ? extent(0) * bytesOfRow : 0;
}

// Of a layer that is held a second time while it is copied to where its rows stay.
std::uint64_t layerBytes(std::string_view name, const NpyStream& array)
{
    if (!name.ends_with("hidden_states") || array.size() == 0 || array.shape().empty())
        return 0;
    return array.size() / static_cast<std::uint64_t>(array.shape().front()) * sizeof(float);
}

} // namespace

ArchiveMemory::ArchiveMemory(std::string where)
    : m_where(std::move(where))
{
}

void ArchiveMemory::addFile(std::uint64_t bytes)
{
    m_files += bytes;
    requireRoom(bytes);
}

void ArchiveMemory::addTrace(std::uint64_t bytes)
{
    const std::uint64_t most = limit(Limit::Archive);
    if (bytes > most)
        throw Error(ErrorKind::Resource, m_where,
                    fmt::format("unpacks to {}, more than the {} that are read", byteText(bytes), byteText(most)),
                    otherLimit(Limit::Archive));
    m_traces += bytes;
    requireRoom(bytes);
}

// What many small ones take is asked of the system when it is worth a look.
void ArchiveMemory::requireRoom(std::uint64_t bytes)
{
    constexpr std::uint64_t worthALook = std::uint64_t{16} << 20U;
    requireMemory(m_files + m_traces, limit(Limit::Memory), m_where);
    m_latest += bytes;
    requireMemory(m_latest, m_where);
    if (m_latest > worthALook)
        m_latest = 0;
}

ArchiveArrays::ArchiveArrays(const std::filesystem::path& path, ArchiveMemory& memory)
    : m_where(path.filename().string())
{
    if (archiveForm(path) == ArchiveForm::JsonText) {
        for (auto& [name, array] : arraysFromJson(path))
            m_arrays.emplace(name, NpyStream(std::move(array)));
    } else {
        m_npz = std::make_unique<NpzReader>(path);
        openArrays();
    }
    memory.addTrace(traceBytes());
}

ArchiveArrays::ArchiveArrays(std::span<const std::byte> bytes, std::string where, ArchiveMemory& memory)
    : m_where(std::move(where))
    , m_npz(std::make_unique<NpzReader>(bytes, m_where))
{
    openArrays();
    memory.addTrace(traceBytes());
}

void ArchiveArrays::openArrays()
{
    for (const std::string& name : m_npz->names()) {
        if (std::ranges::find(archiveNames, name) != std::end(archiveNames))
            m_arrays.emplace(name, *m_npz->open(name));
    }
}

std::uint64_t ArchiveArrays::traceBytes() const
{
    const auto targets = m_arrays.find("target_ids");
    const bool decoderOnly = m_arrays.contains("decoder_attentions") && !m_arrays.contains("cross_attentions")
        && (targets == m_arrays.end() || targets->second.size() == 0);
    std::uint64_t bytes = 0;
    for (const auto& [name, array] : m_arrays)
        bytes +=
            valueBytes(array) + array.heldBytes() + objectBytes(name, array, decoderOnly) + layerBytes(name, array);
    return bytes;
}

ArchiveArrays::~ArchiveArrays() = default;

NpyStream* ArchiveArrays::find(const std::string& name)
{
    const auto found = m_arrays.find(name);
    return found == m_arrays.end() ? nullptr : &found->second;
}

NpyStream* ArchiveArrays::find(const std::string& name, std::initializer_list<Dimension> expected)
{
    NpyStream* const array = find(name);
    const auto fits = [](std::int64_t size, const Dimension& dimension) {
        return dimension.name != nullptr || dimension.size == size;
    };
    if (array == nullptr || std::ranges::equal(array->shape(), expected, fits))
        return array;
    std::vector<std::string> sizes;
    for (const Dimension& dimension : expected)
        sizes.push_back(dimension.name != nullptr ? dimension.name : std::to_string(dimension.size));
    refuse(name, fmt::format("has shape [{}], expected [{}]", fmt::join(array->shape(), ", "), fmt::join(sizes, ", ")));
}

void ArchiveArrays::refuse(const std::string& name, const std::string& problem, const std::string& advice) const
{
    throw Error(ErrorKind::Format, m_where + ": " + name, problem, advice);
}

void writeJson(const WrittenArrays& arrays, const std::stop_token& stop,
               const std::function<void(std::string_view text)>& write)
{
    char before = '{';
    for (const auto& [name, written] : arrays) {
        throwIfStopped(stop);
        write(std::exchange(before, ',') + writtenJson(Json(name)) + ':');
        if (!written.array)
            writeParts(written, stop, write);
        else if (name == metadataName)
            write(writtenJson(parseJson(written.array->texts().front(), name)));
        else
            write(writtenJson(toJson(*written.array)));
    }
    write("}\n");
}

NamedArrays arraysFromJson(const std::filesystem::path& path)
{
    const std::string where = path.filename().string();
    const JsonObject all(readJson(path, {.bytes = limit(Limit::ArchiveFile), .depth = 16}), where);
    ArchiveMemory memory(where);
    NamedArrays arrays;
    for (const std::string_view known : archiveNames) {
        const std::string name(known);
        if (const Json* value = all.find(name); value != nullptr)
            arrays.emplace(name, fromJson(*value, where, name, memory));
    }
    return arrays;
}

} // namespace attn

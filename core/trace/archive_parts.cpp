// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/archive_parts.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "io/npz.h"
#include "trace/archive.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace attn {

namespace {

// Size of the numbers or texts of an array, while a trace is made of them.
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

// Size of the objects that a trace has for each row and layer of an array, beside the values.
std::uint64_t objectBytes(std::string_view name, const NpyStream& array)
{
    constexpr std::uint64_t bytesOfLayer = 400;
    constexpr std::uint64_t bytesOfRow = 192; // of hidden states or logits
    constexpr std::uint64_t bytesOfStepRow = 48; // where a step finds its attention
    if (array.size() == 0 || array.shape().empty())
        return 0;
    const auto extent = [&shape = array.shape()](std::size_t axis) {
        return axis < shape.size() ? static_cast<std::uint64_t>(shape[axis]) : 0;
    };
    if (name == "decoder_attentions" || name == "cross_attentions")
        return extent(0) * (bytesOfLayer + extent(2) * bytesOfStepRow);
    if (name == "encoder_attentions" || name == "encoder_hidden_states")
        return extent(0) * bytesOfLayer;
    if (name == "hidden_states")
        return extent(0) * (bytesOfLayer + extent(1) * bytesOfRow);
    return name.ends_with("logits") ? extent(0) * bytesOfRow : 0;
}

// Size of a layer that is held a second time while it is copied to where its rows stay.
std::uint64_t layerBytes(std::string_view name, const NpyStream& array)
{
    if (!name.ends_with("hidden_states") || array.size() == 0 || array.shape().empty())
        return 0;
    return array.size() / static_cast<std::uint64_t>(array.shape().front()) * sizeof(float);
}

} // namespace

bool isArchiveName(std::string_view name)
{
    return std::ranges::find(archiveNames, name) != std::end(archiveNames) || isReadingName(name);
}

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

// Asks the system about many small pieces together, once they are worth it.
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

ArchiveArrays::ArchiveArrays(NamedArrays arrays, std::string where, ArchiveMemory& memory)
    : m_where(std::move(where))
{
    for (auto& [name, array] : arrays)
        m_arrays.emplace(name, NpyStream(std::move(array)));
    memory.addTrace(traceBytes());
}

void ArchiveArrays::openArrays()
{
    for (const std::string& name : m_npz->names()) {
        ThreadStop::check();
        if (isArchiveName(name))
            m_arrays.emplace(name, *m_npz->open(name));
    }
}

std::uint64_t ArchiveArrays::traceBytes() const
{
    constexpr std::uint64_t bytesOfToken = 80;
    constexpr std::uint64_t bytesOfStep = 450; // that produced a token
    const auto tokens = [&](ArchiveSide side) -> std::uint64_t {
        const auto ids = m_arrays.find(arrayName(side, "ids"));
        const auto pieces = m_arrays.find(arrayName(side, "tokens"));
        return ids != m_arrays.end() ? ids->second.size() : pieces != m_arrays.end() ? pieces->second.size() : 0;
    };
    const std::uint64_t sources = tokens(ArchiveSide::Source);
    const std::uint64_t targets = tokens(ArchiveSide::Target);
    const bool decoderOnly =
        m_arrays.contains("decoder_attentions") && !m_arrays.contains("cross_attentions") && targets == 0;
    std::uint64_t bytes = sources * bytesOfToken + (decoderOnly ? sources : targets) * bytesOfStep;
    for (const auto& [name, array] : m_arrays)
        bytes += valueBytes(array) + array.heldBytes() + objectBytes(name, array) + layerBytes(name, array);
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

} // namespace attn

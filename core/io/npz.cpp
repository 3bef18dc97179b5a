// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/npz.h"

#include "base/memory.h"

#include <utility>

namespace attn {

namespace {

constexpr std::string_view suffix = ".npy";

std::string entryName(std::string_view name)
{
    return std::string(name) + std::string(suffix);
}

} // namespace

NpzReader::NpzReader(const std::filesystem::path& path)
    : m_zip(path)
{
}

NpzReader::NpzReader(std::span<const std::byte> bytes, std::string where)
    : m_zip(bytes, std::move(where))
{
}

std::vector<std::string> NpzReader::names() const
{
    std::vector<std::string> names;
    for (const std::string& entry : m_zip.names())
        if (entry.ends_with(suffix))
            names.push_back(entry.substr(0, entry.size() - suffix.size()));
    return names;
}

bool NpzReader::contains(std::string_view name) const
{
    return m_zip.contains(entryName(name));
}

std::optional<NpyStream> NpzReader::open(std::string_view name) const
{
    if (!contains(name))
        return std::nullopt;
    return NpyStream(m_zip.open(entryName(name), limit(Limit::Archive), otherLimit(Limit::Archive)),
                     m_zip.where() + ": " + std::string(name));
}

std::optional<NpyArray> NpzReader::find(std::string_view name) const
{
    auto stream = open(name);
    return stream ? std::optional(stream->all()) : std::nullopt;
}

NpzWriter::NpzWriter(Compression compression)
    : m_zip(compression)
{
}

void NpzWriter::add(const std::string& name, const NpyArray& array)
{
    m_zip.add(entryName(name), writeNpy(array));
}

void NpzWriter::add(const std::string& name, const NpyArray::Shape& shape, NumberParts parts,
                    std::span<const float> sample)
{
    m_zip.add(entryName(name), writeNpy(shape, std::move(parts)), std::as_bytes(sample));
}

std::vector<std::byte> NpzWriter::finish()
{
    return m_zip.finish();
}

void NpzWriter::save(const std::filesystem::path& path)
{
    m_zip.save(path);
}

ByteSource NpzWriter::spool(const std::filesystem::path& folder)
{
    return m_zip.spool(folder);
}

} // namespace attn

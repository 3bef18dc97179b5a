// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/stored_zip.h"

#include "base/error.h"
#include "io/byte_reader.h"
#include "io/zip_directory.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>
#include <zlib.h>

namespace attn {

namespace {

constexpr std::uint32_t localSignature = 0x04034B50;
constexpr std::uint32_t entrySignature = 0x02014B50;
constexpr std::size_t localHeader = 30;
constexpr std::size_t entryHeader = 46;
constexpr std::uint16_t wideField = 1; // extra field of zip64
constexpr std::uint32_t wide32 = 0xFFFFFFFF; // the number is in the extra field
constexpr std::uint16_t wide16 = 0xFFFF;
constexpr std::uint16_t encryptedFlag = 1;
constexpr std::uint32_t noChecksum = 0; // of torch.save with compute_crc32 = False (PyTorch 2.6)
constexpr auto damaged = "the file is incomplete or damaged";

std::uint32_t signatureAt(std::span<const std::byte> bytes, std::size_t position)
{
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + position, sizeof value);
    return value;
}

} // namespace

StoredZip::StoredZip(std::span<const std::byte> bytes, std::string where)
    : m_bytes(bytes)
    , m_where(std::move(where))
{
    readDirectory(findDirectory());
}

std::span<const std::byte> StoredZip::part(std::uint64_t offset, std::uint64_t count, std::string_view what) const
{
    if (offset > m_bytes.size() || count > m_bytes.size() - offset)
        throw Error(ErrorKind::Format, m_where,
                    fmt::format("{} lies at bytes {} to {} + {}, but the file holds {}", what, offset, offset, count,
                                m_bytes.size()),
                    damaged);
    return m_bytes.subspan(offset, count);
}

ZipDirectory StoredZip::findDirectory() const
{
    const std::size_t furthest = std::min(m_bytes.size(), ZipDirectory::endBytes + ZipDirectory::longestComment);
    for (std::size_t back = ZipDirectory::endBytes; back <= furthest; ++back) {
        const std::size_t position = m_bytes.size() - back;
        if (signatureAt(m_bytes, position) != ZipDirectory::endMark)
            continue;
        const ZipDirectory directory = endRecord(m_bytes.subspan(position), m_where);
        const bool wide = directory.entries == wide16 || directory.bytes == wide32 || directory.offset == wide32;
        return wide ? findWideDirectory(position) : directory;
    }
    throw Error(ErrorKind::Format, m_where, "is a zip archive without a directory at its end", damaged);
}

ZipDirectory StoredZip::findWideDirectory(std::size_t end) const
{
    const auto offset = wideEndOffset(m_bytes.first(end), m_where);
    if (!offset)
        throw Error(ErrorKind::Format, m_where, "is a large zip archive without its locator", damaged);
    const auto directory =
        wideEndRecord(part(*offset, ZipDirectory::wideEndBytes, "the large directory record"), m_where);
    if (!directory)
        throw Error(ErrorKind::Format, m_where, "has no large directory record where it says", damaged);
    return *directory;
}

void StoredZip::readDirectory(const ZipDirectory& directory)
{
    ByteReader reader(part(directory.offset, directory.bytes, "the directory"), m_where);
    if (directory.entries > reader.remaining() / entryHeader)
        throw Error(ErrorKind::Format, m_where,
                    fmt::format("claims {} entries, more than fit into its directory", directory.entries), damaged);
    for (std::uint64_t i = 0; i < directory.entries; ++i)
        readEntry(reader);
}

void StoredZip::readEntry(ByteReader& reader)
{
    if (reader.integer<std::uint32_t>() != entrySignature)
        throw Error(ErrorKind::Format, m_where, "has a broken directory", damaged);
    Entry entry;
    reader.take(4); // versions
    entry.flags = reader.integer<std::uint16_t>();
    entry.method = reader.integer<std::uint16_t>();
    reader.take(4); // time
    entry.checksum = reader.integer<std::uint32_t>();
    entry.compressedBytes = reader.integer<std::uint32_t>();
    entry.bytes = reader.integer<std::uint32_t>();
    const auto nameBytes = reader.integer<std::uint16_t>();
    const auto extraBytes = reader.integer<std::uint16_t>();
    const auto commentBytes = reader.integer<std::uint16_t>();
    reader.take(8); // disk, attributes
    entry.offset = reader.integer<std::uint32_t>();
    const auto text = reader.take(nameBytes);
    std::string name(reinterpret_cast<const char*>(text.data()), text.size());
    widen(entry, reader.take(extraBytes), name);
    reader.take(commentBytes);
    const auto [position, inserted] = m_entries.emplace(std::move(name), entry);
    if (!inserted)
        throw Error(ErrorKind::Format, m_where, fmt::format("holds \"{}\" twice", position->first), damaged);
}

void StoredZip::widen(Entry& entry, std::span<const std::byte> extra, const std::string& name) const
{
    ByteReader reader(extra, fmt::format("{}: {}", m_where, name));
    while (reader.remaining() >= 4) {
        const auto field = reader.integer<std::uint16_t>();
        const auto content = reader.take(reader.integer<std::uint16_t>());
        if (field != wideField)
            continue;
        ByteReader numbers(content, m_where);
        for (std::uint64_t* number : {&entry.bytes, &entry.compressedBytes, &entry.offset})
            if (*number == wide32)
                *number = numbers.integer<std::uint64_t>();
    }
}

std::vector<std::string> StoredZip::names() const
{
    std::vector<std::string> result;
    result.reserve(m_entries.size());
    for (const auto& [name, entry] : m_entries)
        result.push_back(name);
    return result;
}

std::span<const std::byte> StoredZip::entry(std::string_view name) const
{
    const std::string where = fmt::format("{}: {}", m_where, name);
    const auto found = m_entries.find(name);
    if (found == m_entries.end())
        throw Error(ErrorKind::Format, m_where, fmt::format("holds no \"{}\"", name), damaged);
    const Entry& entry = found->second;
    if ((entry.flags & encryptedFlag) != 0)
        throw Error(ErrorKind::Unsupported, where, "is encrypted", "store it without a password");
    if (entry.method != 0 || entry.compressedBytes != entry.bytes)
        throw Error(ErrorKind::Unsupported, where, "is compressed", "write the file with torch.save, which stores it");
    ByteReader header(part(entry.offset, localHeader, "an entry"), where);
    if (header.integer<std::uint32_t>() != localSignature)
        throw Error(ErrorKind::Format, where, "does not begin where the directory says", damaged);
    header.take(localHeader - 4 - 4);
    const auto nameBytes = header.integer<std::uint16_t>();
    const auto extraBytes = header.integer<std::uint16_t>();
    return part(entry.offset + localHeader + nameBytes + extraBytes, entry.bytes, name);
}

std::span<const std::byte> StoredZip::verifiedEntry(std::string_view name) const
{
    const auto bytes = entry(name);
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION // no chance finds a checksum
    const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
    const std::uint32_t said = m_entries.find(name)->second.checksum;
    if (said != noChecksum && ::crc32_z(0, data, bytes.size()) != said)
        throw Error(ErrorKind::Format, fmt::format("{}: {}", m_where, name), "has another checksum than its content",
                    damaged);
#endif
    return bytes;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

class ByteReader;
struct ZipDirectory;

// A zip archive (zip64 too) whose entries are read in place: they must be stored, not compressed. Checksums are not
// verified unless asked for. Throws Error{Format, Unsupported}.
class StoredZip
{
public:
    StoredZip(std::span<const std::byte> bytes, std::string where); // bytes outlive the archive

    std::vector<std::string> names() const; // sorted
    bool contains(std::string_view name) const { return m_entries.contains(name); }
    // The entry's bytes inside the archive. Throws when it is missing, compressed, encrypted or outside the file.
    std::span<const std::byte> entry(std::string_view name) const;
    // The same, after reading all of it for its checksum, unless that is 0: not computed.
    std::span<const std::byte> verifiedEntry(std::string_view name) const;

private:
    struct Entry
    {
        std::uint16_t flags = 0;
        std::uint16_t method = 0;
        std::uint32_t checksum = 0; // CRC-32
        std::uint64_t compressedBytes = 0;
        std::uint64_t bytes = 0;
        std::uint64_t offset = 0; // of the local header
    };

    ZipDirectory findDirectory() const;
    ZipDirectory findWideDirectory(std::size_t end) const;
    void readDirectory(const ZipDirectory& directory);
    void readEntry(ByteReader& reader);
    void widen(Entry& entry, std::span<const std::byte> extra, const std::string& name) const;
    std::span<const std::byte> part(std::uint64_t offset, std::uint64_t count, std::string_view what) const;

    std::span<const std::byte> m_bytes;
    std::string m_where;
    std::map<std::string, Entry, std::less<>> m_entries;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/atomic_file.h"
#include "io/byte_reader.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

class ByteReader;
class MappedFile;

// An entry of a zip archive, as the directory says.
struct ZipEntry
{
    std::string name;
    std::uint16_t flags = 0;
    std::uint16_t method = 0;
    std::uint32_t checksum = 0; // CRC-32
    std::uint64_t packedBytes = 0;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0; // of the local header
};

// A zip archive (zip64 too) whose directory has been read. Throws Error{File, Format}; more entries than
// Limit::ZipEntries are refused, and two of one name.
class ZipReader
{
public:
    explicit ZipReader(const std::filesystem::path& path);
    ZipReader(std::span<const std::byte> bytes, std::string where); // bytes outlive the reader

    const std::string& where() const { return m_where; }
    std::vector<std::string> names() const; // in directory order
    bool contains(std::string_view name) const { return m_places.contains(name); }
    // The uncompressed entry; its checksum is verified with its last byte. Throws Error{Format} when it is missing,
    // encrypted, larger than maximumBytes or claims to be larger than its compression can make it.
    // advice: against the maximum, where there is any but that the archive is damaged. Reading throws Error{Cancelled}
    // by ThreadStop.
    ByteSource open(std::string_view name, std::uint64_t maximumBytes, const std::string& advice = {}) const;
    // The bytes of a stored entry inside the archive, without looking at its checksum. Throws when it is missing,
    // compressed, encrypted or outside the file.
    std::span<const std::byte> entry(std::string_view name) const;
    // The same, after reading all of it for its checksum, unless that is 0: not computed.
    std::span<const std::byte> verifiedEntry(std::string_view name) const;

private:
    friend class ZipWriter; // copies entries

    struct Directory
    {
        std::uint64_t entries = 0;
        std::uint64_t bytes = 0;
        std::uint64_t offset = 0;
    };

    Directory findDirectory() const;
    Directory findWideDirectory(std::size_t end) const;
    void readDirectory(const Directory& directory);
    ZipEntry readEntry(ByteReader& reader) const;
    const ZipEntry& found(std::string_view name) const;
    std::span<const std::byte> packed(const ZipEntry& entry) const;
    std::span<const std::byte> part(std::uint64_t offset, std::uint64_t count, std::string_view what) const;

    std::string m_where;
    std::shared_ptr<const MappedFile> m_file; // null: the bytes are the caller's
    std::span<const std::byte> m_bytes;
    std::vector<ZipEntry> m_entries;
    std::map<std::string, std::size_t, std::less<>> m_places; // by name
};

// Deflated: but for large entries of which it would take next to nothing.
enum class Compression : std::uint8_t { Stored, Deflated };

// Builds a zip archive. Its bytes depend on the entries alone, not on the clock.
class ZipWriter
{
public:
    explicit ZipWriter(Compression compression);

    // Throws Error{Input} when the name is taken.
    void add(const std::string& name, std::vector<std::byte> content);
    // Read when the archive is finished or saved, which throws what reading throws. sample: bytes such as come, by
    // which it is said whether they shrink.
    void add(const std::string& name, ByteSource content, std::span<const std::byte> sample);
    // Copies an entry of another archive without unpacking it.
    void copy(const std::string& name, std::shared_ptr<const ZipReader> from);
    // Once, one of them. In memory:
    std::vector<std::byte> finish();
    // Into a temporary name beside `path`, which is then renamed. What it needs does not grow with the entries, apart
    // from a device or pipe. Throws Error{File} and, by ThreadStop, Error{Cancelled}; an existing file then stays as
    // it was.
    void save(const std::filesystem::path& path, Readers readers = Readers::Usual);
    // Into a file without a name, on the disk that `folder` is on. Throws Error{File}.
    ByteSource spool(const std::filesystem::path& folder);

private:
    struct Added
    {
        ByteSource content;
        bool isDeflated = false;
        std::shared_ptr<const ZipReader> from = {}; // in place of content
    };
    struct Target
    {
        std::function<void(std::span<const std::byte> bytes)> write;
        std::function<void(std::uint64_t position)> goTo;
    };

    void add(const std::string& name, Added added);
    void write(const Target& target) const;

    Compression m_compression;
    std::vector<std::pair<std::string, Added>> m_added;
    std::set<std::string> m_names;
};

} // namespace attn

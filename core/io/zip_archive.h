// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/atomic_file.h"
#include "io/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct zip_error;
struct zip_source;

namespace attn {

// A zip archive whose directory has been read. Throws Error{File, Format}; encrypted entries are refused, and more than
// Limit::ZipEntries: libzip hashes their names, and where all have been chosen to have one hash, as many as are usual
// take half a second to open, and twice as many two.
class ZipReader
{
public:
    explicit ZipReader(const std::filesystem::path& path);
    ZipReader(std::span<const std::byte> bytes, std::string where); // bytes outlive the reader
    ~ZipReader();
    ZipReader(ZipReader&&) noexcept;
    ZipReader& operator=(ZipReader&&) noexcept;

    const std::string& where() const { return m_where; }
    const std::vector<std::string>& names() const { return m_names; } // in directory order
    bool contains(std::string_view name) const;
    // The uncompressed entry, for as long as the reader lives; its checksum is verified with its last byte. Throws
    // Error{Format} when it is missing, encrypted, larger than maximumBytes or claims to be larger than its compression
    // can make it.
    // advice: against the maximum, where there is any but that the archive is damaged. Reading throws Error{Cancelled}
    // by ThreadStop.
    ByteSource open(std::string_view name, std::uint64_t maximumBytes, const std::string& advice = {}) const;

private:
    friend class ZipWriter; // copies entries
    struct Handle;

    void readDirectory(zip_source* bytes, zip_error& error); // takes them
    void checkDirectory(zip_source* bytes) const;

    std::string m_where;
    std::uint64_t m_size = 0; // of the archive
    std::unique_ptr<Handle> m_handle;
    std::vector<std::string> m_names;
    std::map<std::string, std::uint64_t, std::less<>> m_indices;
};

// Deflated: but for large entries of which it would take next to nothing.
enum class Compression : std::uint8_t { Stored, Deflated };

// Builds a zip archive. Its bytes depend on the entries alone, not on the clock.
class ZipWriter
{
public:
    explicit ZipWriter(Compression compression);
    ~ZipWriter();
    ZipWriter(ZipWriter&&) noexcept;
    ZipWriter& operator=(ZipWriter&&) noexcept;

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
    struct Build;
    std::unique_ptr<Build> m_build;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/memory.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <sys/stat.h>

namespace attn {

struct FileCloser
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};

// Whether something stands at a place. What cannot be looked at does, so that who reads it says why: a link that leads
// to itself, a folder that forbids it.
bool isThere(const std::filesystem::path& path);

// A regular file for reading, not a directory, a pipe or a device. Throws Error{File}.
std::unique_ptr<std::FILE, FileCloser> openRegularFile(const std::filesystem::path& path);

// All of a regular file, in memory. Throws Error{File}, Error{Resource} without that memory, Error{Format} with
// `advice` for one of more than `most` bytes, Error{Cancelled} by ThreadStop.
std::string readWholeFile(const std::filesystem::path& path,
                          std::uint64_t most = std::numeric_limits<std::uint64_t>::max(),
                          const std::string& advice = {});
// The same within a limit, which the error names.
std::string readWholeFile(const std::filesystem::path& path, Limit most);

// A regular file that is too large for memory, mapped. Somebody may write to it or cut it short meanwhile: what is then
// missing reads as zeros, and requireUnchanged() says so. Throws Error{File}.
class MappedFile
{
public:
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return m_bytes; }
    // Says that part of bytes() is not needed for now: the system may drop it from memory and reads it again when
    // asked.
    void release(std::span<const std::byte> part) const;
    // Check that what was read of bytes() is what the file held when it was opened. Throws Error{File} if it may
    // be something else: the file has been written to or cut short. One that lost its name is still what it was.
    void requireUnchanged() const;

private:
    std::filesystem::path m_path;
    std::unique_ptr<std::FILE, FileCloser> m_file; // whatever has its name by now
    struct stat m_status;
    std::span<const std::byte> m_bytes;
    std::size_t m_slot = 0; // among the mappings that are watched
};

} // namespace attn

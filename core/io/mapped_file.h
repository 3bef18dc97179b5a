// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace attn {

struct FileCloser
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};

// A regular file for reading, not a directory, a pipe or a device. Throws Error{File}.
std::unique_ptr<std::FILE, FileCloser> openRegularFile(const std::filesystem::path& path);

// The same, mapped.
class MappedFile
{
public:
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return m_bytes; }
    std::string_view text() const;
    // Says that part of bytes() is not needed for now: the system may drop it from memory and reads it again when
    // asked.
    void release(std::span<const std::byte> part) const;

private:
    std::span<const std::byte> m_bytes;
};

} // namespace attn

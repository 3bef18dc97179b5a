// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace attn {

// The descriptor of a regular file that is open for reading, not of a directory, a pipe or a device.
class RegularFile
{
public:
    explicit RegularFile(const std::filesystem::path& path); // throws Error{File}
    ~RegularFile();
    RegularFile(const RegularFile&) = delete;
    RegularFile& operator=(const RegularFile&) = delete;

    int descriptor() const { return m_descriptor; }
    std::size_t size() const { return m_size; } // when it was opened

private:
    int m_descriptor;
    std::size_t m_size = 0;
};

struct FileCloser
{
    void operator()(std::FILE* file) const { std::fclose(file); }
};

// The same as a stream. Throws Error{File}.
std::unique_ptr<std::FILE, FileCloser> openRegularFile(const std::filesystem::path& path);

} // namespace attn

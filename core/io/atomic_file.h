// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace attn {

// Writes a file under a temporary name beside it and gives it its own name on commit(); without commit() nothing
// changes. A device or pipe is written directly. Throws Error{File}.
class AtomicFile
{
public:
    explicit AtomicFile(const std::filesystem::path& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    void commit();

private:
    [[noreturn]] void fail(const char* action) const;

    std::filesystem::path m_path; // what the caller named, for messages
    std::filesystem::path m_target; // with links followed
    std::filesystem::path m_temporary; // empty when written directly
    int m_file = -1;
};

} // namespace attn

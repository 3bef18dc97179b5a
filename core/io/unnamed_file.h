// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace attn {

// A file that has no name and goes with its last user. Throws Error{File}.
class UnnamedFile
{
public:
    explicit UnnamedFile(const std::filesystem::path& folder); // whose disk it is on
    ~UnnamedFile();
    UnnamedFile(const UnnamedFile&) = delete;
    UnnamedFile& operator=(const UnnamedFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void read(std::span<std::byte> part); // all of it
    void goTo(std::uint64_t position); // where the next bytes are written or read
    std::uint64_t size() const;

private:
    [[noreturn]] void fail(const char* action) const;

    std::filesystem::path m_folder;
    int m_file = -1;
};

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem> // and <compare>, which moc of Qt 6.4 does not understand by itself
#include <optional>

namespace attn {

// State by which a file is known to be unchanged: one that has been written to since, or another one of its name, has
// another state (stat(2)).
struct FileState
{
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t bytes = 0;
    std::int64_t seconds = 0; // since 1970, when it was last written to
    std::int64_t nanoseconds = 0; // of that second

    auto operator<=>(const FileState&) const = default; // NOLINT(modernize-use-nullptr): compares with 0
};

// State of the file that the name leads to; none: there is none, or it must not be looked at.
std::optional<FileState> fileState(const std::filesystem::path& path);
// State of an open file.
std::optional<FileState> fileState(int descriptor);

// A file, and how it was at a moment.
struct SeenFile
{
    std::filesystem::path path;
    FileState state;

    auto operator<=>(const SeenFile&) const = default; // NOLINT(modernize-use-nullptr)
};

} // namespace attn

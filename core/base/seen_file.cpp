// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/seen_file.h"

#include <sys/stat.h>

namespace attn {

namespace {

FileState stateOf(const struct stat& status)
{
    return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

} // namespace

std::optional<FileState> fileState(const std::filesystem::path& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(stateOf(status)) : std::nullopt;
}

std::optional<FileState> fileState(int descriptor)
{
    struct stat status = {};
    return ::fstat(descriptor, &status) == 0 ? std::optional(stateOf(status)) : std::nullopt;
}

} // namespace attn

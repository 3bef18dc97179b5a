// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/bench_folder.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace attn::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view folderStart = "attnscope-bench-";
constexpr std::string_view folderPattern = "XXXXXX"; // which mkdtemp(3) replaces
constexpr std::array<std::string_view, 3> benchFiles = {benchConfig, benchWeights, benchMaps};
constexpr std::string_view windowFolder = "AttnScope"; // settings, and what is open
constexpr int folderAttempts = 100;

// A descriptor of this user's folder, which nobody else has locked; -1: it is none. Some file systems have no locks.
int lockedFolder(const fs::path& folder, bool isLockNeeded)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    const bool isLocked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    const bool isTaken = !isLocked && (errno == EWOULDBLOCK || isLockNeeded);
    struct stat opened = {};
    struct stat named = {}; // whoever had it locked may have removed it
    if (!isTaken && ::fstat(descriptor, &opened) == 0 && opened.st_uid == ::geteuid()
        && ::lstat(folder.c_str(), &named) == 0 && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
        return descriptor;
    ::close(descriptor);
    return -1;
}

bool isOfBench(const fs::directory_entry& entry)
{
    std::error_code unknown;
    const std::string name = entry.path().filename().string();
    const auto type = entry.symlink_status(unknown).type();
    if (type == fs::file_type::directory)
        return name == windowFolder;
    const auto isNamed = [&](std::string_view file) {
        return name == file || (name.starts_with(fmt::format(".{}.", file)) && name.ends_with(".tmp"));
    };
    return type == fs::file_type::regular && std::ranges::any_of(benchFiles, isNamed);
}

bool holdsOnlyBench(const fs::path& folder)
{
    std::error_code problem;
    fs::directory_iterator entry(folder, problem);
    for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
        if (!isOfBench(*entry))
            return false;
    }
    return !problem;
}

void removeAbandonedFolders(const fs::path& parent)
{
    std::error_code problem;
    for (fs::directory_iterator entry(parent, problem); !problem && entry != fs::directory_iterator();
         entry.increment(problem)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(folderStart) || name.size() != folderStart.size() + folderPattern.size())
            continue;
        const int lock = lockedFolder(entry->path(), true);
        if (lock < 0)
            continue;
        std::error_code ignored;
        if (holdsOnlyBench(entry->path()))
            fs::remove_all(entry->path(), ignored);
        ::close(lock);
    }
}

} // namespace

BenchFolder::BenchFolder()
{
    std::error_code none;
    const fs::path parent = fs::temp_directory_path(none);
    if (none)
        throw Error(ErrorKind::File, "TMPDIR", "names no folder: " + none.message(), "let it name one with room");
    removeAbandonedFolders(parent);
    bool isMade = false;
    for (int attempt = 0; attempt < folderAttempts && !isMade; ++attempt)
        isMade = make(parent);
    if (!isMade)
        throw Error(ErrorKind::File, m_path.string(), "is taken away by another program",
                    "let TMPDIR name another folder");
    m_removed.emplace_back(m_path);
    for (const std::string_view file : benchFiles)
        m_removed.emplace_back(m_path / file);
}

// False: another program took it for one that is abandoned, before it was locked.
bool BenchFolder::make(const fs::path& parent)
{
    std::string name = (parent / fmt::format("{}{}", folderStart, folderPattern)).string();
    if (::mkdtemp(name.data()) == nullptr)
        throw Error(ErrorKind::File, name, fmt::format("cannot be written: {}", std::strerror(errno)),
                    "let TMPDIR name a folder with room");
    m_path = name;
    m_lock = lockedFolder(m_path, false);
    if (m_lock < 0)
        ::rmdir(m_path.c_str());
    return m_lock >= 0;
}

BenchFolder::~BenchFolder()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
    ::close(m_lock);
}

} // namespace attn::app

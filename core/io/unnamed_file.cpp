// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/unnamed_file.h"

#include "base/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace attn {

UnnamedFile::UnnamedFile(const std::filesystem::path& folder)
    : m_folder(folder.empty() ? std::filesystem::path(".") : folder)
{
    m_file = ::open(m_folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (m_file >= 0)
        return;
    // Some file systems have none.
    std::string name = (m_folder / ".attnscope-XXXXXX").string();
    m_file = ::mkostemp(name.data(), O_CLOEXEC);
    if (m_file < 0)
        fail("cannot be written into");
    ::unlink(name.c_str());
}

UnnamedFile::~UnnamedFile()
{
    ::close(m_file);
}

void UnnamedFile::write(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail("cannot be written into");
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void UnnamedFile::read(std::span<std::byte> part)
{
    while (!part.empty()) {
        const ssize_t got = ::read(m_file, part.data(), part.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            fail("cannot be read back from");
        part = part.subspan(static_cast<std::size_t>(got));
    }
}

void UnnamedFile::goTo(std::uint64_t position)
{
    if (::lseek(m_file, static_cast<off_t>(position), SEEK_SET) < 0)
        fail("cannot be written into");
}

std::uint64_t UnnamedFile::size() const
{
    struct stat status = {};
    if (::fstat(m_file, &status) != 0)
        fail("cannot be read back from");
    return static_cast<std::uint64_t>(status.st_size);
}

void UnnamedFile::fail(const char* action) const
{
    const bool isFull = errno == ENOSPC || errno == EDQUOT;
    throw Error(ErrorKind::File, m_folder.string(),
                std::string(action) + ": " + (isFull ? "the disk is full" : std::strerror(errno)),
                isFull ? "make room, or choose another place" : "");
}

} // namespace attn

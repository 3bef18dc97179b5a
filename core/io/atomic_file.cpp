// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/atomic_file.h"

#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace attn {

namespace {

constexpr int attempts = 100;

std::filesystem::path temporaryName(const std::filesystem::path& target, int attempt)
{
    return target.parent_path()
        / ('.' + target.filename().string() + '.' + std::to_string(::getpid()) + '-' + std::to_string(attempt)
           + ".tmp");
}

} // namespace

AtomicFile::AtomicFile(const std::filesystem::path& path)
    : m_path(path)
    , m_target(path)
{
    std::error_code ignored;
    if (std::filesystem::is_symlink(path, ignored))
        m_target = std::filesystem::weakly_canonical(path, ignored);
    const auto type = std::filesystem::status(m_target, ignored).type();
    if (type == std::filesystem::file_type::directory)
        throw Error(ErrorKind::File, m_path.string(), "is a directory", "name a file");
    if (type != std::filesystem::file_type::regular && type != std::filesystem::file_type::not_found) {
        m_file = ::open(m_target.c_str(), O_WRONLY | O_CLOEXEC);
        if (m_file < 0)
            fail("cannot be written");
        return;
    }
    for (int attempt = 0; attempt < attempts && m_file < 0; ++attempt) {
        m_temporary = temporaryName(m_target, attempt);
        m_file = ::open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (m_file < 0 && errno != EEXIST)
            break;
    }
    if (m_file < 0) {
        m_temporary.clear();
        fail("cannot be written");
    }
}

AtomicFile::~AtomicFile()
{
    if (m_file >= 0)
        ::close(m_file);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail("cannot be written");
        bytes = bytes.subspan(written);
    }
}

void AtomicFile::write(std::string_view text)
{
    write(std::as_bytes(std::span(text)));
}

void AtomicFile::commit()
{
    const int closed = ::close(m_file);
    m_file = -1;
    if (closed != 0)
        fail("cannot be written");
    if (m_temporary.empty())
        return;
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        fail("cannot be replaced");
    m_temporary.clear();
}

void AtomicFile::fail(const char* action) const
{
    throw Error(ErrorKind::File, m_path.string(), std::string(action) + ": " + std::strerror(errno));
}

} // namespace attn

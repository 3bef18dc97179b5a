// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/regular_file.h"

#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace attn {

namespace {

[[noreturn]] void refuseFile(const std::filesystem::path& path, const char* problem)
{
    throw Error(ErrorKind::File, path.string(), std::string(problem) + ": " + std::strerror(errno));
}

} // namespace

RegularFile::RegularFile(const std::filesystem::path& path)
    : m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) // a pipe would wait for its writer
{
    if (m_descriptor < 0)
        refuseFile(path, "cannot be opened");
    struct stat status = {};
    const bool known = ::fstat(m_descriptor, &status) == 0;
    if (known && S_ISREG(status.st_mode)) {
        m_size = static_cast<std::size_t>(status.st_size);
        return;
    }
    ::close(m_descriptor);
    if (!known)
        refuseFile(path, "cannot be read");
    throw Error(ErrorKind::File, path.string(), S_ISDIR(status.st_mode) ? "is a directory" : "is not a file");
}

RegularFile::~RegularFile()
{
    ::close(m_descriptor);
}

std::unique_ptr<std::FILE, FileCloser> openRegularFile(const std::filesystem::path& path)
{
    const RegularFile file(path);
    const int own = ::fcntl(file.descriptor(), F_DUPFD_CLOEXEC, 0);
    std::unique_ptr<std::FILE, FileCloser> stream(own < 0 ? nullptr : ::fdopen(own, "rb"));
    if (stream == nullptr) {
        if (own >= 0)
            ::close(own);
        refuseFile(path, "cannot be opened");
    }
    return stream;
}

} // namespace attn

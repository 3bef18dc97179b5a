// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/mapped_file.h"

#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attn {

namespace {

[[noreturn]] void refuseFile(const std::filesystem::path& path, const char* problem)
{
    throw Error(ErrorKind::File, path.string(), std::string(problem) + ": " + std::strerror(errno));
}

} // namespace

std::unique_ptr<std::FILE, FileCloser> openRegularFile(const std::filesystem::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe would wait for its writer
    if (descriptor < 0)
        refuseFile(path, "cannot be opened");
    struct stat status = {};
    std::unique_ptr<std::FILE, FileCloser> file;
    if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode))
        file.reset(::fdopen(descriptor, "rb"));
    if (file == nullptr) {
        const int problem = errno;
        ::close(descriptor);
        if (status.st_mode != 0 && !S_ISREG(status.st_mode))
            throw Error(ErrorKind::File, path.string(), S_ISDIR(status.st_mode) ? "is a directory" : "is not a file");
        errno = problem;
        refuseFile(path, "cannot be read");
    }
    return file;
}

MappedFile::MappedFile(const std::filesystem::path& path)
{
    const auto file = openRegularFile(path);
    struct stat status = {};
    if (::fstat(::fileno(file.get()), &status) != 0)
        refuseFile(path, "cannot be read");
    if (status.st_size == 0)
        return;
    const std::size_t size = status.st_size;
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, ::fileno(file.get()), 0);
    if (data == MAP_FAILED)
        refuseFile(path, "cannot be mapped");
    m_bytes = {static_cast<const std::byte*>(data), size};
}

MappedFile::~MappedFile()
{
    if (!m_bytes.empty())
        ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

std::string_view MappedFile::text() const
{
    return {reinterpret_cast<const char*>(m_bytes.data()), m_bytes.size()};
}

void MappedFile::release(std::span<const std::byte> part) const
{
    const std::size_t page = ::sysconf(_SC_PAGESIZE);
    const std::size_t offset = part.data() - m_bytes.data();
    const std::size_t begin = (offset + page - 1) / page * page;
    const std::size_t end = (offset + part.size()) / page * page;
    if (begin < end)
        ::madvise(const_cast<std::byte*>(m_bytes.data()) + begin, end - begin, MADV_DONTNEED);
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/mapped_file.h"

#include "base/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attn {

namespace {

class Descriptor
{
public:
    explicit Descriptor(const std::filesystem::path& path)
        : m_value(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    {
    }
    ~Descriptor()
    {
        if (m_value >= 0)
            ::close(m_value);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int value() const { return m_value; }

private:
    int m_value;
};

} // namespace

MappedFile::MappedFile(const std::filesystem::path& path)
{
    const Descriptor file(path);
    if (file.value() < 0)
        throw Error(ErrorKind::File, path.string(), std::string("cannot be opened: ") + std::strerror(errno));
    struct stat status = {};
    if (::fstat(file.value(), &status) != 0)
        throw Error(ErrorKind::File, path.string(), std::string("cannot be read: ") + std::strerror(errno));
    if (!S_ISREG(status.st_mode))
        throw Error(ErrorKind::File, path.string(), S_ISDIR(status.st_mode) ? "is a directory" : "is not a file");
    if (status.st_size == 0)
        return;
    const auto size = static_cast<std::size_t>(status.st_size);
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value(), 0);
    if (data == MAP_FAILED)
        throw Error(ErrorKind::File, path.string(), std::string("cannot be mapped: ") + std::strerror(errno));
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
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto offset = static_cast<std::size_t>(part.data() - m_bytes.data());
    const std::size_t begin = (offset + page - 1) / page * page;
    const std::size_t end = (offset + part.size()) / page * page;
    if (begin < end)
        ::madvise(const_cast<std::byte*>(m_bytes.data()) + begin, end - begin, MADV_DONTNEED);
}

} // namespace attn

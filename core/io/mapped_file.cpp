// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/mapped_file.h"

#include "base/error.h"
#include "io/regular_file.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace attn {

MappedFile::MappedFile(const std::filesystem::path& path)
{
    const RegularFile file(path);
    const std::size_t size = file.size();
    if (size == 0)
        return;
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
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

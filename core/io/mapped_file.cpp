// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/mapped_file.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace attn {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuseFile(const fs::path& path, const char* problem)
{
    const int number = errno;
    std::error_code ignored;
    if (number == ENOENT && fs::is_symlink(path, ignored)) // a cache has files as links
        throw Error(ErrorKind::File, path.string(),
                    "is a link to " + fs::read_symlink(path, ignored).string() + ", which is gone",
                    "download the file again");
    throw Error(ErrorKind::File, path.string(), std::string(problem) + ": " + std::strerror(number));
}

std::size_t pageBytes()
{
    static const std::size_t bytes = ::sysconf(_SC_PAGESIZE);
    return bytes;
}

// The mappings of files, for the handler of the signal that reading a page brings which its file has no more.
struct WatchedMapping
{
    std::atomic<std::size_t> size = 0; // 0: the entry is free
    std::atomic<std::uintptr_t> begin = 0; // 0: not yet, or no more
    std::atomic<bool> isLost = false;
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);
constexpr std::size_t mostMappings = 8192; // a model may have 4096 files
std::array<WatchedMapping, mostMappings> watched;
struct sigaction handlerBefore;

// Whoever reads goes on, on whatever thread and in whatever library, with zeros; requireUnchanged() is asked later.
void putZeros(int /*signal*/, siginfo_t* information, void* /*context*/)
{
    const int problem = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(information->si_addr);
    for (WatchedMapping& mapping : watched) {
        const std::uintptr_t begin = mapping.begin;
        const std::size_t size = mapping.size;
        if (begin == 0 || address < begin || address - begin >= size)
            continue;
        const std::size_t offset = address - begin;
        const std::size_t inPage = offset % pageBytes();
        std::byte* const page = static_cast<std::byte*>(information->si_addr) - inPage;
        mapping.isLost = true;
        if (::mmap(page, size - offset + inPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
            == MAP_FAILED)
            break;
        errno = problem;
        return;
    }
    ::sigaction(SIGBUS, &handlerBefore, nullptr); // not one of ours: it comes again, as if we were not here
}

// Each mapped file stays open, and a model may have more files than a process usually has.
void allowManyFiles()
{
    rlimit files = {};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == files.rlim_max)
        return;
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
}

std::optional<std::size_t> watch(std::span<const std::byte> bytes)
{
    static const bool installed = [] {
        (void)pageBytes(); // the handler must not be the first to ask
        allowManyFiles();
        struct sigaction action = {};
        action.sa_sigaction = putZeros;
        action.sa_flags = SA_SIGINFO;
        return ::sigaction(SIGBUS, &action, &handlerBefore) == 0;
    }();
    for (std::size_t slot = 0; slot < watched.size() && installed; ++slot) {
        std::size_t free = 0;
        if (!watched[slot].size.compare_exchange_strong(free, bytes.size()))
            continue;
        watched[slot].isLost = false;
        watched[slot].begin = reinterpret_cast<std::uintptr_t>(bytes.data());
        return slot;
    }
    return std::nullopt;
}

} // namespace

bool isThere(const fs::path& path)
{
    std::error_code problem;
    return fs::exists(path, problem) || problem;
}

std::unique_ptr<std::FILE, FileCloser> openRegularFile(const fs::path& path)
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

std::string readWholeFile(const fs::path& path, std::uint64_t most, const std::string& advice)
{
    const auto file = openRegularFile(path);
    struct stat status = {};
    if (::fstat(::fileno(file.get()), &status) != 0)
        refuseFile(path, "cannot be read");
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > most)
        throw Error(ErrorKind::Format, path.string(),
                    "holds " + byteText(size) + ", more than the " + byteText(most) + " that are read", advice);
    requireMemory(size, path.string());
    std::string bytes(size, '\0');
    constexpr std::size_t atOnce = std::size_t{1} << 20U;
    std::size_t read = 0;
    while (read < bytes.size()) {
        ThreadStop::check();
        const std::size_t some = std::fread(bytes.data() + read, 1, std::min(atOnce, bytes.size() - read), file.get());
        if (some == 0)
            break;
        read += some;
    }
    if (std::ferror(file.get()) != 0)
        refuseFile(path, "cannot be read");
    bytes.resize(read);
    return bytes;
}

std::string readWholeFile(const fs::path& path, Limit most)
{
    return readWholeFile(path, limit(most), otherLimit(most));
}

MappedFile::MappedFile(const fs::path& path)
    : m_path(path)
    , m_file(openRegularFile(path))
    , m_status{}
{
    if (::fstat(::fileno(m_file.get()), &m_status) != 0)
        refuseFile(path, "cannot be read");
    if (m_status.st_size == 0)
        return;
    const std::size_t size = m_status.st_size;
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, ::fileno(m_file.get()), 0);
    if (data == MAP_FAILED)
        refuseFile(path, "cannot be mapped");
    m_bytes = {static_cast<const std::byte*>(data), size};
    const auto slot = watch(m_bytes);
    if (!slot) {
        ::munmap(data, size);
        throw Error(ErrorKind::Resource, path.string(), "is one weight file too many",
                    "close models that are not needed");
    }
    m_slot = *slot;
}

MappedFile::~MappedFile()
{
    if (m_bytes.empty())
        return;
    watched[m_slot].begin = 0;
    ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
    watched[m_slot].size = 0; // free again
}

void MappedFile::release(std::span<const std::byte> part) const
{
    const std::size_t offset = part.data() - m_bytes.data();
    const std::size_t begin = (offset + pageBytes() - 1) / pageBytes() * pageBytes();
    const std::size_t end = (offset + part.size()) / pageBytes() * pageBytes();
    if (begin < end)
        ::madvise(const_cast<std::byte*>(m_bytes.data()) + begin, end - begin, MADV_DONTNEED);
}

// The end of a file's last page reads as zeros without a signal, and who cuts a file short often writes it anew: its
// size and times are compared, too. Who writes may put back the time of that, not the time of its last change of any
// kind.
void MappedFile::requireUnchanged() const
{
    const auto isSame = [](const timespec& one, const timespec& other) {
        return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
    };
    struct stat now = {};
    const bool isKnown = ::fstat(::fileno(m_file.get()), &now) == 0;
    const bool lostName = now.st_nlink < m_status.st_nlink; // which is a change, too: it was removed or replaced
    const bool isWritten = !isKnown || now.st_size != m_status.st_size || !isSame(now.st_mtim, m_status.st_mtim)
        || (!lostName && !isSame(now.st_ctim, m_status.st_ctim));
    if (isWritten || (!m_bytes.empty() && watched[m_slot].isLost))
        throw Error(ErrorKind::File, m_path.string(), "has been changed since it was opened", "open the model again");
}

} // namespace attn

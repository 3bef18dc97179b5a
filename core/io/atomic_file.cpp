// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/atomic_file.h"

#include "base/error.h"
#include "base/progress.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/limits.h>
#include <poll.h>
#include <span>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

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

namespace {

namespace fs = std::filesystem;

constexpr int attempts = 100;
constexpr int mostLinks = 40; // as many as the system follows
constexpr std::string_view unfinishedEnding = ".part";
constexpr std::size_t longestStart = 200; // of 255 bytes that a name may have
constexpr mode_t permissionBits = 0777;
constexpr std::chrono::milliseconds lookAgain(20); // for a reader, or whether to stop waiting for one

fs::path folderOf(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

fs::path temporaryPath(const fs::path& target, int attempt)
{
    return folderOf(target)
        / fmt::format(".{}.{}-{}.tmp", target.filename().string().substr(0, longestStart), ::getpid(), attempt);
}

// Number of an open descriptor of this program that a path such as /dev/stdout leads to; -1: it leads elsewhere.
int descriptorOf(const fs::path& path)
{
    std::error_code unknown;
    const std::string name = path.filename().string();
    int number = -1;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool isNumber = read.ec == std::errc() && read.ptr == name.data() + name.size();
    return isNumber && fs::equivalent(folderOf(path), "/proc/self/fd", unknown) ? number : -1;
}

void checkWaiting(const fs::path& path)
{
    if (ThreadStop::isRequested())
        throw Error(ErrorKind::Cancelled, path.string(), "cancelled while nobody read it");
}

// A pipe by its name, once somebody reads it. -1: errno says why not. Throws Error{Cancelled} by ThreadStop.
int openPipe(const fs::path& path)
{
    for (;; std::this_thread::sleep_for(lookAgain)) {
        checkWaiting(path);
        const int pipe = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
        if (pipe >= 0 || errno != ENXIO)
            return pipe;
    }
}

// Waits until a pipe takes PIPE_BUF bytes at once (pipe(7)) or has an error. Throws as openPipe() does.
void waitForReader(int file, const fs::path& path)
{
    pollfd waited{file, POLLOUT, 0};
    while (::poll(&waited, 1, static_cast<int>(lookAgain.count())) <= 0)
        checkWaiting(path);
}

bool isNamed(int file, const fs::path& name)
{
    struct stat opened = {};
    struct stat named = {};
    return ::fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) && ::lstat(name.c_str(), &named) == 0
        && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

} // namespace

fs::path writtenPath(const fs::path& path)
{
    fs::path target = path;
    std::error_code unknown;
    for (int followed = 0; fs::is_symlink(target, unknown) && descriptorOf(target) < 0; ++followed) {
        const fs::path next = fs::read_symlink(target, unknown);
        if (unknown || followed == mostLinks)
            return path; // opening it says why
        target = target.parent_path() / next;
    }
    return target;
}

bool leadsToDescriptor(const fs::path& path)
{
    return descriptorOf(writtenPath(path)) >= 0;
}

fs::path unfinishedPath(const fs::path& path)
{
    fs::path result = writtenPath(path);
    return result += unfinishedEnding;
}

AtomicFile::AtomicFile(const fs::path& path, Readers readers)
    : m_path(path)
    , m_target(writtenPath(path))
{
    if (openDirectly())
        return;
    std::error_code ignored;
    const mode_t mode = readers == Readers::Owner || fs::exists(m_target, ignored) ? 0600 : 0666;
    for (int attempt = 0; attempt < attempts && m_file < 0; ++attempt) {
        m_temporary = temporaryPath(m_target, attempt);
        m_file = ::open(m_temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (m_file < 0 && errno != EEXIST)
            break;
    }
    if (m_file < 0)
        fail("cannot be written");
    takeModeOf(m_target);
}

AtomicFile::AtomicFile(const fs::path& path, std::uint64_t kept)
    : m_path(path)
    , m_target(writtenPath(path))
    , m_isKept(true)
{
    if (openDirectly())
        return;
    m_temporary = unfinishedPath(path);
    const auto refuse = [this](const std::string& why, const char* advice) {
        if (m_file >= 0)
            ::close(std::exchange(m_file, -1));
        throw Error(ErrorKind::File, std::exchange(m_temporary, {}).string(), why, advice);
    };
    m_file = ::open(m_temporary.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (m_file < 0)
        refuse(std::string("cannot be written: ") + std::strerror(errno), "move it away, or choose another name");
    if (::flock(m_file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        refuse("is being written by another program", "wait for it, or choose another name");
    if (!isNamed(m_file, m_temporary))
        refuse("is no file of unfinished lines", "move it away, or choose another name");
    takeModeOf(m_target);
    try {
        cut(kept);
    } catch (...) {
        ::close(std::exchange(m_file, -1));
        throw;
    }
}

AtomicFile::~AtomicFile()
{
    const bool stays = m_isKept && m_file >= 0 && ::lseek(m_file, 0, SEEK_END) > 0;
    if (!m_temporary.empty() && !stays)
        ::unlink(m_temporary.c_str());
    if (m_file >= 0)
        ::close(m_file);
}

// False where a temporary name is needed. What an own descriptor leads to goes on where it stands.
bool AtomicFile::openDirectly()
{
    std::error_code ignored;
    const auto type = fs::status(m_target, ignored).type();
    const int own = descriptorOf(m_target);
    if (type == fs::file_type::directory)
        throw Error(ErrorKind::File, m_path.string(), "is a directory", "name a file");
    if (type == fs::file_type::not_found && !m_target.has_filename())
        throw Error(ErrorKind::File, m_path.string(), "names no file", "name one");
    if (own < 0 && type == fs::file_type::not_found)
        return false;
    if (own < 0 && type == fs::file_type::regular) {
        if (::faccessat(AT_FDCWD, m_target.c_str(), W_OK, AT_EACCESS) != 0)
            fail("cannot be written");
        return false;
    }
    m_file = own >= 0                 ? ::fcntl(own, F_DUPFD_CLOEXEC, 0)
        : type == fs::file_type::fifo ? openPipe(m_target)
                                      : ::open(m_target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (m_file < 0)
        fail("cannot be written");
    return true;
}

void AtomicFile::takeModeOf(const fs::path& other) const
{
    struct stat old = {};
    if (::stat(other.c_str(), &old) == 0)
        ::fchmod(m_file, old.st_mode & permissionBits);
}

void AtomicFile::write(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        if (!goesBack())
            waitForReader(m_file, m_path);
        const std::size_t most = goesBack() ? bytes.size() : std::min<std::size_t>(bytes.size(), PIPE_BUF);
        const ssize_t written = ::write(m_file, bytes.data(), most);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            fail("cannot be written");
        bytes = bytes.subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
    }
}

void AtomicFile::write(std::string_view text)
{
    write(std::as_bytes(std::span(text)));
}

void AtomicFile::goTo(std::uint64_t position)
{
    if (::lseek(m_file, static_cast<off_t>(position), SEEK_SET) < 0)
        fail("cannot be written");
}

void AtomicFile::cut(std::uint64_t kept)
{
    if (!goesBack())
        return;
    const off_t end = ::lseek(m_file, 0, SEEK_END);
    if (end < 0)
        fail("cannot be written");
    if (static_cast<std::uint64_t>(end) <= kept)
        return;
    if (::ftruncate(m_file, static_cast<off_t>(kept)) != 0 || ::lseek(m_file, 0, SEEK_END) < 0)
        fail("cannot be written");
    sync();
}

// A file system that cannot do so has no more to give.
void AtomicFile::sync() const
{
    if (goesBack() && ::fsync(m_file) != 0 && errno != EINVAL && errno != ENOTSUP)
        fail("cannot be written");
}

void AtomicFile::commit()
{
    sync();
    takeName();
}

void AtomicFile::commit(AtomicFile& first, AtomicFile& second)
{
    for (const AtomicFile* file : {&first, &second}) // what can fail does so before either has its name
        file->sync();
    first.takeName();
    second.takeName();
}

void AtomicFile::takeName()
{
    if (goesBack() && ::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        fail("cannot be replaced");
    const bool isNamed = !std::exchange(m_temporary, {}).empty();
    if (::close(std::exchange(m_file, -1)) != 0)
        fail("cannot be written");
    if (!isNamed)
        return;
    if (const int folder = ::open(folderOf(m_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
        (void)::fsync(folder); // a file system that cannot has no more to give
        ::close(folder);
    }
}

void AtomicFile::fail(const char* action) const
{
    const int problem = errno;
    const bool isFull = problem == ENOSPC || problem == EDQUOT;
    const std::string leads = m_target == m_path ? "" : " (it leads to " + m_target.string() + ')';
    throw Error(ErrorKind::File, m_path.string(),
                std::string(action) + ": " + (isFull ? "the disk is full" : std::strerror(problem) + leads),
                isFull ? "make room, or choose another place" : "");
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/atomic_file.h"

#include "base/error.h"
#include "base/thread_stop.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <linux/magic.h>
#include <optional>
#include <poll.h>
#include <span>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace attn {

namespace {

namespace fs = std::filesystem;

constexpr int attempts = 100;
constexpr int mostLinks = 40; // as many as the system follows
constexpr std::string_view temporaryEnding = ".tmp";
constexpr std::string_view unfinishedEnding = ".part";
constexpr std::size_t longestStart = 200; // of 255 bytes that a name may have
constexpr mode_t permissionBits = 0777;
constexpr std::chrono::milliseconds lookAgain(20); // for a reader, or whether to stop waiting for one

// They end a program that does nothing about them, and none is a fault of its own.
constexpr int endingSignals[] = {SIGHUP,    SIGINT,  SIGTERM, SIGQUIT, SIGPIPE, SIGXCPU, SIGALRM,
                                 SIGVTALRM, SIGUSR1, SIGUSR2, SIGPROF, SIGPOLL, SIGPWR,  SIGSTKFLT};

// Names of what a signal removes. Whoever takes a name out owns it.
std::array<std::atomic<char*>, 64> openNames;
static_assert(std::atomic<char*>::is_always_lock_free, "a signal handler reads it");

// Which entry of openNames holds it; -1: none is free.
int remember(const fs::path& name)
{
    char* const copy = ::strdup(name.c_str());
    for (std::size_t slot = 0; slot < openNames.size() && copy != nullptr; ++slot) {
        char* free = nullptr;
        if (openNames[slot].compare_exchange_strong(free, copy))
            return static_cast<int>(slot);
    }
    std::free(copy);
    return -1;
}

void forget(int slot)
{
    if (slot >= 0)
        std::free(openNames[slot].exchange(nullptr));
}

void removeAndEnd(int signal)
{
    removeTemporaryFiles();
    ::raise(signal); // its handler is the system's again
}

fs::path folderOf(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

fs::path temporaryPath(const fs::path& target, int attempt)
{
    return folderOf(target)
        / ('.' + target.filename().string().substr(0, longestStart) + '.' + std::to_string(attempt)
           + std::string(temporaryEnding));
}

bool isDescriptor(const fs::path& path)
{
    const std::string name = path.filename().string();
    if (name.empty() || name.find_first_not_of("0123456789") != std::string::npos)
        return false;
    std::error_code unknown;
    const fs::path folder = fs::canonical(folderOf(path), unknown);
    struct statfs system = {};
    return !unknown && folder.filename() == "fd" && ::statfs(folder.c_str(), &system) == 0
        && system.f_type == PROC_SUPER_MAGIC;
}

// This program's own, by its number; -1: of another one.
int ownDescriptor(const fs::path& path)
{
    std::error_code unknown;
    const bool isOwn = fs::equivalent(folderOf(path), "/proc/self/fd", unknown);
    const std::string name = path.filename().string();
    int number = -1;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
    return isOwn && read.ec == std::errc() ? number : -1;
}

std::optional<std::vector<int>> givenDescriptors; // none: all are taken

// A pipe or terminal; not the other end of one, which would be a new one if it were opened again.
bool isReadElsewhere(int descriptor)
{
    struct stat status = {};
    unsigned number = 0;
    return (::fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode))
        || (::isatty(descriptor) == 1 && ::ioctl(descriptor, TIOCGPTN, &number) != 0);
}

// Opens what an own descriptor leads to. Whether writing waits is of each opening, and that one belongs to others, too:
// a pipe or terminal is opened again. What cannot be, as a socket, is shared with them, and so is where in a file it
// stands.
int openedAgain(int descriptor)
{
    const std::string name = "/proc/self/fd/" + std::to_string(descriptor);
    const int own =
        isReadElsewhere(descriptor) ? ::open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
    return own >= 0 ? own : ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

bool isReadOnly(int file)
{
    return (::fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY;
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

// Until it takes PIPE_BUF bytes at once, as pipe(7) has it, or is an error. Throws as openPipe() does.
void waitForReader(int file, const fs::path& path)
{
    pollfd waited{file, POLLOUT, 0};
    for (;;) {
        const int ready = ::poll(&waited, 1, static_cast<int>(lookAgain.count()));
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return;
        checkWaiting(path);
    }
}

// Whether the open file still has this name.
bool isNamed(int file, const fs::path& name)
{
    struct stat opened = {};
    struct stat named = {};
    return ::fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) && ::lstat(name.c_str(), &named) == 0
        && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

bool hasOtherNames(int file)
{
    struct stat opened = {};
    return ::fstat(file, &opened) == 0 && opened.st_nlink > 1;
}

// As a file may be that was put into a folder that everybody writes into.
bool isOtherUsers(int file)
{
    struct stat opened = {};
    return ::fstat(file, &opened) != 0 || opened.st_uid != ::geteuid();
}

} // namespace

fs::path writtenPath(const fs::path& path)
{
    fs::path target = path;
    std::error_code unknown;
    for (int followed = 0; fs::is_symlink(target, unknown) && !isDescriptor(target); ++followed) {
        const fs::path next = fs::read_symlink(target, unknown);
        if (unknown || followed == mostLinks)
            return path; // opening it says why
        target = target.parent_path() / next;
    }
    return target;
}

bool leadsToDescriptor(const fs::path& path)
{
    return isDescriptor(writtenPath(path));
}

fs::path unfinishedPath(const fs::path& path)
{
    fs::path result = writtenPath(path);
    return result += unfinishedEnding;
}

RemovedOnSignals::RemovedOnSignals(const fs::path& path)
    : m_slot(remember(path))
{
}

RemovedOnSignals::~RemovedOnSignals()
{
    forget(m_slot);
}

void keepToOpenDescriptors()
{
    std::vector<int> open;
    std::error_code unknown;
    for (fs::directory_iterator entry("/proc/self/fd", unknown); !unknown && entry != fs::directory_iterator();
         entry.increment(unknown))
        open.push_back(ownDescriptor(entry->path()));
    std::erase_if(open, [](int descriptor) { return ::fcntl(descriptor, F_GETFD) < 0; }); // that of the list itself
    givenDescriptors = std::move(open);
}

void removeTemporaryFiles() noexcept
{
    std::array<const char*, openNames.size()> folders{}; // empty once their files are gone
    std::size_t count = 0;
    for (auto& entry : openNames)
        if (char* const name = entry.exchange(nullptr); name != nullptr && ::unlink(name) != 0)
            folders[count++] = name;
    for (const char* const name : std::span(folders).first(count))
        ::rmdir(name);
}

void removeTemporaryFilesOnSignals()
{
    std::vector<int> signals(std::begin(endingSignals), std::end(endingSignals));
    for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal)
        signals.push_back(signal);
    for (const int signal : signals) {
        struct sigaction action = {};
        if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL)
            continue;
        action.sa_handler = removeAndEnd;
        action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
        ::sigaction(signal, &action, nullptr);
    }
}

AtomicFile::AtomicFile(const fs::path& path, Readers readers)
    : m_path(path)
    , m_target(writtenPath(path))
    , m_readers(readers)
{
    openTarget();
    if (m_file >= 0)
        return;
    for (int attempt = 0; attempt < attempts && m_file < 0; ++attempt) {
        m_temporary = temporaryPath(m_target, attempt);
        m_slot = remember(m_temporary); // a signal may come as soon as it is there
        if (createTemporary())
            return;
        const int problem = errno;
        forget(std::exchange(m_slot, -1));
        errno = problem;
        if (problem != EEXIST)
            break;
    }
    m_temporary.clear();
    fail("cannot be written");
}

AtomicFile::AtomicFile(const fs::path& path, std::uint64_t kept)
    : m_path(path)
    , m_target(writtenPath(path))
    , m_isKept(true)
{
    openTarget();
    if (m_file >= 0)
        return;
    m_temporary = unfinishedPath(path);
    if (!openTemporary(0))
        refuseUnfinished();
    try {
        cut(kept);
        if (::lseek(m_file, 0, SEEK_CUR) == 0)
            m_slot = remember(m_temporary); // nothing is lost with it yet
    } catch (...) {
        ::close(std::exchange(m_file, -1));
        throw;
    }
}

AtomicFile::~AtomicFile()
{
    const bool isUnfinished = !m_temporary.empty() && isNamed(m_file, m_temporary);
    const bool stays = isUnfinished && m_isKept && ::lseek(m_file, 0, SEEK_END) > 0;
    if (isUnfinished && !stays)
        ::unlink(m_temporary.c_str());
    forget(m_slot);
    if (m_file >= 0)
        ::close(m_file);
}

// Leaves m_file closed where a temporary name is needed.
void AtomicFile::openTarget()
{
    if (isDescriptor(m_target))
        return openDescriptor();
    std::error_code ignored;
    const auto type = fs::status(m_target, ignored).type();
    if (type == fs::file_type::directory)
        throw Error(ErrorKind::File, m_path.string(), "is a directory", "name a file");
    if (type == fs::file_type::not_found && !m_target.has_filename())
        throw Error(ErrorKind::File, m_path.string(), "names no file", "name one");
    if (type == fs::file_type::not_found)
        return;
    if (type == fs::file_type::regular) {
        if (::faccessat(AT_FDCWD, m_target.c_str(), W_OK, AT_EACCESS) != 0)
            fail("cannot be written");
        return;
    }
    m_file = type == fs::file_type::fifo ? openPipe(m_target)
                                         : ::open(m_target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (m_file < 0)
        fail("cannot be written");
}

// A file behind it goes on where it stands: it may hold what others have written.
void AtomicFile::openDescriptor()
{
    const int own = ownDescriptor(m_target);
    if (own >= 0 && givenDescriptors && std::ranges::find(*givenDescriptors, own) == givenDescriptors->end()) {
        errno = EBADF;
        fail("cannot be written");
    }
    if (own >= 0 && isReadOnly(own))
        errno = EBADF;
    else
        m_file = own >= 0 ? openedAgain(own)
                          : ::open(m_target.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (m_file < 0)
        fail("cannot be written");
}

// A file that a killed program left is replaced; one that is locked is being written.
bool AtomicFile::createTemporary()
{
    if (openTemporary(O_EXCL))
        return true;
    if (errno != EEXIST)
        return false;
    const int abandoned = ::open(m_temporary.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    const bool isOurs = abandoned >= 0 && !isOtherUsers(abandoned) && ::flock(abandoned, LOCK_EX | LOCK_NB) == 0;
    if (isOurs)
        ::unlink(m_temporary.c_str());
    if (abandoned >= 0)
        ::close(abandoned);
    if (isOurs)
        return openTemporary(O_EXCL);
    errno = EEXIST;
    return false;
}

bool AtomicFile::openTemporary(int flags)
{
    std::error_code ignored;
    const mode_t mode = m_readers == Readers::Owner || fs::exists(m_target, ignored) ? 0600 : 0666;
    m_file = ::open(m_temporary.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, mode);
    if (m_file < 0)
        return false;
    const bool isTaken = ::flock(m_file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!isTaken && isNamed(m_file, m_temporary) && !hasOtherNames(m_file) && !(m_isKept && isOtherUsers(m_file))) {
        takePermissionsOf(m_target);
        return true;
    }
    // Somebody looks whether it is abandoned, has removed it, has given it its own name or another one, or writes it.
    ::close(std::exchange(m_file, -1));
    errno = EEXIST;
    return false;
}

// Says why the file of unfinished lines cannot be opened, as errno and what lies there do.
void AtomicFile::refuseUnfinished()
{
    const int problem = errno;
    const fs::path unfinished = std::exchange(m_temporary, {});
    constexpr auto elsewhere = "move it away, or choose another name";
    struct stat found = {};
    const bool isThere = ::lstat(unfinished.c_str(), &found) == 0;
    if (isThere && !S_ISREG(found.st_mode))
        throw Error(ErrorKind::File, unfinished.string(),
                    S_ISLNK(found.st_mode) ? "is a link, not a file of unfinished lines"
                                           : "is no file of unfinished lines",
                    elsewhere);
    if (isThere && found.st_nlink > 1)
        throw Error(ErrorKind::File, unfinished.string(), "has another name, too, whose content would be lost",
                    elsewhere);
    if (isThere && found.st_uid != ::geteuid())
        throw Error(ErrorKind::File, unfinished.string(), "belongs to another user", elsewhere);
    if (problem == EEXIST)
        throw Error(ErrorKind::File, unfinished.string(), "is being written by another program",
                    "wait for it, or choose another name");
    if (isThere)
        throw Error(ErrorKind::File, unfinished.string(), std::string("cannot be written: ") + std::strerror(problem),
                    elsewhere);
    errno = problem;
    fail("cannot be written");
}

void AtomicFile::takePermissionsOf(const fs::path& other) const
{
    struct stat old = {};
    if (::stat(other.c_str(), &old) != 0)
        return;
    constexpr auto sameOwner = static_cast<uid_t>(-1);
    const bool isGroups = ::fchown(m_file, old.st_uid, old.st_gid) == 0 || ::fchown(m_file, sameOwner, old.st_gid) == 0;
    ::fchmod(m_file, old.st_mode & (isGroups ? permissionBits : permissionBits & ~mode_t{S_IRWXG}));
}

void AtomicFile::write(std::span<const std::byte> bytes)
{
    if (m_isKept && !bytes.empty())
        forget(std::exchange(m_slot, -1));
    while (!bytes.empty())
        bytes = bytes.subspan(writeSome(bytes));
}

std::size_t AtomicFile::writeSome(std::span<const std::byte> bytes)
{
    if (!goesBack())
        waitForReader(m_file, m_path);
    const std::size_t most = goesBack() ? bytes.size() : std::min<std::size_t>(bytes.size(), PIPE_BUF);
    const ssize_t written = ::write(m_file, bytes.data(), most);
    if (written >= 0)
        return static_cast<std::size_t>(written);
    if (errno != EINTR && errno != EAGAIN)
        fail("cannot be written");
    return 0;
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
    if (::fsync(m_file) != 0 && errno != EINVAL && errno != ENOTSUP)
        fail("cannot be written");
}

void AtomicFile::commit()
{
    if (goesBack())
        sync();
    takeName();
    end();
}

void AtomicFile::commit(AtomicFile& first, AtomicFile& second)
{
    for (const AtomicFile* file : {&first, &second}) // what can fail does so before either has its name
        if (file->goesBack())
            file->sync();
    first.takeName();
    second.takeName();
    first.end();
    second.end();
}

void AtomicFile::takeName()
{
    if (!goesBack())
        return;
    if (!isNamed(m_file, m_temporary))
        throw Error(ErrorKind::File, m_path.string(),
                    "cannot be written: another program has moved, removed or replaced " + m_temporary.string(),
                    "write it again");
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        fail("cannot be replaced");
    m_isNamed = true;
}

void AtomicFile::end()
{
    m_temporary.clear();
    if (::close(std::exchange(m_file, -1)) != 0)
        fail("cannot be written");
    if (!m_isNamed)
        return;
    if (const int folder = ::open(folderOf(m_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
        (void)::fsync(folder); // a file system that cannot has no more to give
        ::close(folder);
    }
}

void AtomicFile::fail(const char* action) const
{
    const int problem = errno;
    const std::string what = std::string(action) + ": ";
    if (problem == ENOSPC)
        throw Error(ErrorKind::File, m_path.string(), what + "the disk is full", "make room, or choose another place");
    if (problem == EDQUOT)
        throw Error(ErrorKind::File, m_path.string(), what + "your share of the disk is used up",
                    "make room, or choose another place");
    const std::string leads = m_target == m_path ? "" : " (it leads to " + m_target.string() + ')';
    throw Error(ErrorKind::File, m_path.string(), what + std::strerror(problem) + leads);
}

} // namespace attn

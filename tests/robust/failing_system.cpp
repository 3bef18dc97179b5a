// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into the program, makes the system fail on purpose:
//     ATTN_DISK_ROOM=N     files take N more bytes, then the disk is full; below 0 it says so when they are synced
//     ATTN_FAIL=CALL       write, fsync or rename of a regular file is an error of the device; open: nothing may be
//                          opened to be written, as where a file system is mounted to be read
//     ATTN_SIGNAL_AT=N     before the Nth change of a file the process is sent the signal ATTN_SIGNAL, a number
//     ATTN_CHANGED=F       before the ATTN_CHANGE_AT=Nth call about the file F, somebody cuts it in half, or, as
//                          ATTN_CHANGE=HOW says, makes it "empty", fills it with zeros ("blank"), or puts F.other in
//                          its place ("other")
//     ATTN_CONNECTIONS=F   what is connected to is written into F, a line each
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

// "" where it is not set.
const char* setting(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::atomic<long> room = std::strtol(setting("ATTN_DISK_ROOM"), nullptr, 10);
const bool isFull = *setting("ATTN_DISK_ROOM") != '\0';
std::atomic<long> changes = 0;
const long signalled = std::strtol(setting("ATTN_SIGNAL_AT"), nullptr, 10);

template<class Function>
Function* next(const char* name)
{
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int realStat(const char* name, struct stat* status)
{
    static auto* const real = next<int(const char*, struct stat*)>("stat");
    return real(name, status);
}

int realStat(int file, struct stat* status)
{
    static auto* const real = next<int(int, struct stat*)>("fstat");
    return real(file, status);
}

bool isRegular(int file)
{
    struct stat status = {};
    return realStat(file, &status) == 0 && S_ISREG(status.st_mode);
}

bool fails(std::string_view call)
{
    static const std::string_view failing = setting("ATTN_FAIL");
    return call == failing;
}

bool fails(std::string_view call, int file)
{
    return fails(call) && isRegular(file);
}

// What somebody changes, and what its file was when the program started.
struct Changed
{
    Changed()
        : name(setting("ATTN_CHANGED"))
        , how(setting("ATTN_CHANGE"))
        , moment(std::strtol(setting("ATTN_CHANGE_AT"), nullptr, 10))
        , isThere(!name.empty() && realStat(name.c_str(), &before) == 0)
    {
    }

    std::string name;
    std::string_view how;
    long moment;
    struct stat before = {};
    bool isThere;
    std::atomic<long> calls = 0;
};

Changed& whatChanges()
{
    static Changed changed;
    return changed;
}

// A name or descriptor of any file.
template<class File>
void touch(File file)
{
    Changed& changed = whatChanges();
    struct stat status = {};
    if (!changed.isThere || realStat(file, &status) != 0 || status.st_ino != changed.before.st_ino
        || status.st_dev != changed.before.st_dev || ++changed.calls != changed.moment)
        return;
    const char* const name = changed.name.c_str();
    bool isDone = true;
    if (changed.how == "other") {
        isDone = ::renameat(AT_FDCWD, (changed.name + ".other").c_str(), AT_FDCWD, name) == 0;
    } else if (changed.how == "empty") {
        isDone = ::truncate(name, 0) == 0;
    } else if (changed.how == "blank") {
        isDone = ::truncate(name, 0) == 0 && ::truncate(name, changed.before.st_size) == 0;
    } else {
        isDone = ::truncate(name, changed.before.st_size / 2) == 0;
    }
    if (!isDone)
        std::abort();
}

void change()
{
    if (++changes == signalled) // whichever thread takes it
        ::kill(::getpid(), static_cast<int>(std::strtol(setting("ATTN_SIGNAL"), nullptr, 10)));
}

} // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t count)
{
    static auto* const real = next<decltype(write)>("write");
    if (!isRegular(file))
        return real(file, bytes, count);
    change();
    if (fails("write", file)) {
        errno = EIO;
        return -1;
    }
    if (!isFull || room < 0)
        return real(file, bytes, count);
    const long left = room;
    if (left == 0 && count > 0) {
        errno = ENOSPC;
        return -1;
    }
    const ssize_t written = real(file, bytes, count < static_cast<size_t>(left) ? count : static_cast<size_t>(left));
    if (written > 0)
        room -= written;
    return written;
}

int fsync(int file)
{
    static auto* const real = next<decltype(fsync)>("fsync");
    change();
    const bool isLate = isFull && room < 0 && isRegular(file);
    if (isLate || fails("fsync", file)) {
        errno = isLate ? ENOSPC : EIO;
        return -1;
    }
    return real(file);
}

int rename(const char* from, const char* to) noexcept
{
    static auto* const real = next<decltype(rename)>("rename");
    change();
    struct stat status = {};
    if (fails("rename") && realStat(from, &status) == 0 && S_ISREG(status.st_mode)) {
        errno = EIO;
        return -1;
    }
    return real(from, to);
}

int unlink(const char* name) noexcept
{
    static auto* const real = next<decltype(unlink)>("unlink");
    change();
    return real(name);
}

int open(const char* name, int flags, ...)
{
    static auto* const real = next<decltype(open)>("open");
    touch(name);
    va_list others;
    va_start(others, flags);
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(others, mode_t) : 0;
    va_end(others);
    if ((flags & O_ACCMODE) != O_RDONLY && fails("open")) {
        errno = EROFS;
        return -1;
    }
    return real(name, flags, mode);
}

int stat(const char* name, struct stat* status) noexcept
{
    touch(name);
    return realStat(name, status);
}

int fstat(int file, struct stat* status) noexcept
{
    touch(file);
    return realStat(file, status);
}

std::size_t fread(void* bytes, std::size_t size, std::size_t count, std::FILE* file)
{
    static auto* const real = next<decltype(fread)>("fread");
    touch(::fileno(file));
    return real(bytes, size, count, file);
}

// What fread is called where the compiler knows the room.
std::size_t freadChecked(void* bytes, std::size_t room, std::size_t size, std::size_t count,
                         std::FILE* file) __asm__("__fread_chk");
std::size_t freadChecked(void* bytes, std::size_t room, std::size_t size, std::size_t count, std::FILE* file)
{
    static auto* const real = next<decltype(freadChecked)>("__fread_chk");
    touch(::fileno(file));
    return real(bytes, room, size, count, file);
}

void* mmap(void* address, std::size_t length, int protection, int flags, int file, off_t offset) noexcept
{
    static auto* const real = next<decltype(mmap)>("mmap");
    if (file >= 0)
        touch(file);
    return real(address, length, protection, flags, file, offset);
}

int connect(int socket, const sockaddr* address, socklen_t length)
{
    static auto* const real = next<decltype(connect)>("connect");
    if (const char* const name = setting("ATTN_CONNECTIONS"); *name != '\0') {
        if (std::FILE* const file = std::fopen(name, "a"); file != nullptr) {
            const auto* const local = reinterpret_cast<const sockaddr_un*>(address);
            const bool isNamed = address->sa_family == AF_UNIX;
            const bool isAbstract = isNamed && local->sun_path[0] == '\0';
            std::fprintf(file, "%d %s\n", int{address->sa_family},
                         isNamed ? local->sun_path + (isAbstract ? 1 : 0) : "");
            std::fclose(file);
        }
    }
    return real(socket, address, length);
}
}

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into the program, makes the system fail on purpose:
//     ATTN_DISK_ROOM=N     files take N more bytes, then the disk is full; below 0 it says so when they are synced
//     ATTN_DIE_AT=N        before the Nth change of a file the process dies
//     ATTN_NO_THREADS=1    no thread can be started
//     ATTN_CONNECTIONS=F   what is connected to is written into F, a line each
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
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
const long deadly = std::strtol(setting("ATTN_DIE_AT"), nullptr, 10);

template<class Function>
Function* next(const char* name)
{
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool isRegular(int file)
{
    struct stat status = {};
    return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

void change()
{
    if (deadly > 0 && ++changes == deadly)
        ::raise(SIGKILL);
}

} // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t count)
{
    static auto* const real = next<decltype(write)>("write");
    if (!isRegular(file))
        return real(file, bytes, count);
    change();
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
    if (isFull && room < 0 && isRegular(file)) {
        errno = ENOSPC;
        return -1;
    }
    return real(file);
}

int rename(const char* from, const char* to) noexcept
{
    static auto* const real = next<decltype(rename)>("rename");
    change();
    return real(from, to);
}

int unlink(const char* name) noexcept
{
    static auto* const real = next<decltype(unlink)>("unlink");
    change();
    return real(name);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) noexcept
{
    static auto* const real = next<decltype(pthread_create)>("pthread_create");
    return *setting("ATTN_NO_THREADS") != '\0' ? EAGAIN : real(thread, attributes, work, argument);
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

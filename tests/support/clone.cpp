// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdarg>
#include <sched.h>
#include <sys/types.h>

// A child of QProcess begins in the memory of its parent. ThreadSanitizer's clone() ends its watch in a child, which is
// right where the child has memory of its own, and here ends it in the parent: for the thread that called it, and the
// program dies when it starts another thread. This one, which Qt finds first, goes past it.
extern "C" int __clone(int (*work)(void*), void* stack, int flags, void* argument, ...) noexcept;

extern "C" int clone(int (*work)(void*), void* stack, int flags, void* argument, ...) noexcept
{
    va_list rest;
    va_start(rest, argument);
    auto* const parentId = va_arg(rest, pid_t*);
    auto* const threadMemory = va_arg(rest, void*);
    auto* const childId = va_arg(rest, pid_t*);
    va_end(rest);
    return __clone(work, stack, flags, argument, parentId, threadMemory, childId);
}

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"

#include "base/error.h"

#include <utility>

namespace attn {

namespace {

thread_local const ThreadStop* innermost = nullptr;

} // namespace

ThreadStop::ThreadStop(std::stop_token stop)
    : m_stop(std::move(stop))
    , m_outer(innermost)
{
    innermost = this;
}

ThreadStop::ThreadStop(std::chrono::steady_clock::time_point end)
    : m_end(end)
    , m_outer(innermost)
{
    innermost = this;
}

ThreadStop::~ThreadStop()
{
    innermost = m_outer;
}

bool ThreadStop::isRequested() noexcept
{
    return innermost != nullptr
        && (innermost->m_stop.stop_requested()
            || (innermost->m_end && std::chrono::steady_clock::now() >= *innermost->m_end));
}

void ThreadStop::check()
{
    if (isRequested())
        throwStopped();
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>

namespace attn {

// Stop of the work of this thread that is not handed a token of its own, as long as such an object lives: texts are
// cut into tokens for many, and a long one or a slow expression takes its time. The innermost object counts.
class ThreadStop
{
public:
    explicit ThreadStop(std::stop_token stop);
    explicit ThreadStop(std::chrono::steady_clock::time_point end); // nobody has to ask
    ~ThreadStop();
    ThreadStop(const ThreadStop&) = delete;
    ThreadStop& operator=(const ThreadStop&) = delete;

    static bool isRequested() noexcept;
    // Throws Error{Cancelled} once it is to stop.
    static void check();

private:
    std::stop_token m_stop;
    std::optional<std::chrono::steady_clock::time_point> m_end;
    const ThreadStop* m_outer;
};

} // namespace attn

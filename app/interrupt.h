// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace attn::app {

// Turns SIGHUP, SIGINT and SIGTERM into a request to stop, so that a run ends between two steps and removes its
// temporary files; a second signal ends the program at once, also once the run has ended. One that is ignored, as
// SIGHUP is under nohup, stays so. Make it before other threads are started, which inherit what it blocks, and after
// reading what may be a pipe: that waits without looking at the token.
class InterruptWatch
{
public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch&) = delete;
    InterruptWatch& operator=(const InterruptWatch&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

private:
    void wait();

    std::stop_source m_stop;
    std::atomic<bool> m_ended = false;
    sigset_t m_watched{};
    sigset_t m_before{};
    std::thread m_thread;
};

} // namespace attn::app

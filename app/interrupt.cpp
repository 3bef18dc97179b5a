// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/interrupt.h"

#include "app/exit_status.h"

#include <cstdlib>
#include <pthread.h>

namespace attn::app {

namespace {

void endAtOnce(int /*signal*/)
{
    std::_Exit(Failed);
}

} // namespace

InterruptWatch::InterruptWatch()
{
    sigemptyset(&m_watched);
    sigaddset(&m_watched, SIGRTMIN); // from the destructor
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
        struct sigaction before = {};
        if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_IGN)
            sigaddset(&m_watched, signal);
    }
    pthread_sigmask(SIG_BLOCK, &m_watched, &m_before);
    m_thread = std::thread([this] { wait(); });
}

InterruptWatch::~InterruptWatch()
{
    m_ended = true;
    pthread_kill(m_thread.native_handle(), SIGRTMIN);
    m_thread.join();
    if (m_stop.stop_requested()) // the program is about to end: a second signal may come until then
        for (const int signal : {SIGHUP, SIGINT, SIGTERM})
            if (sigismember(&m_watched, signal) == 1)
                ::signal(signal, endAtOnce);
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

void InterruptWatch::wait()
{
    int signal = 0;
    while (sigwait(&m_watched, &signal) == 0 && !m_ended) {
        if (signal == SIGRTMIN)
            continue;
        if (m_stop.stop_requested())
            endAtOnce(signal);
        m_stop.request_stop();
    }
}

} // namespace attn::app

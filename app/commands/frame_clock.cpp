// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/frame_clock.h"

#include "base/error.h"

#include <QEventLoop>
#include <QThread>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <utility>

namespace attn::app {

namespace {

// Time that the processor spent on this thread, which that of other programs does not count in.
double spentMilliseconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

} // namespace

FrameClock::FrameClock(int& argumentCount, char** arguments, std::stop_token stop)
    : QApplication(argumentCount, arguments)
    , m_stop(std::move(stop))
{
    m_heartbeat.start(std::chrono::milliseconds(100));
}

bool FrameClock::notify(QObject* receiver, QEvent* event)
{
    if (QThread::currentThread() != thread() || m_depth > 0) // other threads have events, too
        return QApplication::notify(receiver, event);
    const auto* key = dynamic_cast<const PostedKey*>(event);
    const auto start = BenchClock::now();
    const double before = spentMilliseconds();
    ++m_depth;
    const bool accepted = QApplication::notify(receiver, event);
    --m_depth;
    const auto end = BenchClock::now();
    m_busy += spentMilliseconds() - before;
    m_stall = std::max(m_stall, millisecondsBetween(start, end));
    if (key != nullptr)
        m_keys.push_back(millisecondsBetween(key->posted, end));
    if (std::exchange(m_painted, false))
        m_frames.push_back(std::exchange(m_busy, 0));
    return accepted;
}

void FrameClock::begin()
{
    m_busy = 0;
    m_stall = 0;
    m_frames.clear();
    m_keys.clear();
}

void FrameClock::paint(int pictures, std::chrono::milliseconds patience)
{
    const std::size_t enough = m_frames.size() + static_cast<std::size_t>(pictures);
    const auto end = BenchClock::now() + patience;
    while (m_frames.size() < enough && BenchClock::now() < end) {
        throwIfStopped(m_stop);
        processEvents(QEventLoop::AllEvents);
    }
}

void FrameClock::wait(const std::function<bool()>& done)
{
    while (!done()) {
        throwIfStopped(m_stop);
        processEvents(QEventLoop::WaitForMoreEvents);
    }
}

} // namespace attn::app

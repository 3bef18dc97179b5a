// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace attn::ui {

// Numbers the requests of an object of the window's thread, of which only the latest counts: a new one stops the one
// before without waiting for it, and what a stale one still reports is dropped.
class LatestRequest
{
    struct Link; // outlives this; shared with the work

public:
    // Goes with the work to the thread that does it.
    class Ticket
    {
    public:
        quint64 number() const { return m_number; }
        const std::stop_token& stop() const { return m_stop; }
        // Calls on the window's thread, if this is the latest request then. From any thread.
        void report(std::function<void()> call) const;

    private:
        friend class LatestRequest;

        std::shared_ptr<Link> m_link;
        std::stop_token m_stop;
        quint64 m_number = 0;
    };

    explicit LatestRequest(QObject& owner);
    LatestRequest(const LatestRequest&) = delete;
    LatestRequest& operator=(const LatestRequest&) = delete;
    ~LatestRequest(); // stops the latest one

    Ticket begin();
    void end(); // stops the latest one where it still goes on; nothing is awaited any more
    bool pending() const { return m_number != 0; }
    quint64 number() const { return m_number; } // of what is awaited; 0: nothing

private:
    std::shared_ptr<Link> m_link;
    std::stop_source m_stop;
    quint64 m_number = 0;
    quint64 m_last = 0; // number that was given
};

// Work that goes to another thread through Qt's queue of events or its pool of threads, which order the two threads. It
// tells ThreadSanitizer so, which does not see what Qt does: that it may be called, moved and ended there.
//     QThreadPool::globalInstance()->start(HandedOver([spec] { look(spec); }));
template<class Work>
class HandedOver
{
public:
    explicit HandedOver(Work work)
        : m_work(std::move(work))
    {
        give();
    }
    HandedOver(const HandedOver& other)
        : m_work((take(), other.m_work))
    {
        give();
    }
    HandedOver(HandedOver&& other) noexcept
        : m_work((take(), std::move(other.m_work)))
    {
        give();
    }
    HandedOver& operator=(const HandedOver&) = delete;
    HandedOver& operator=(HandedOver&&) = delete;
    ~HandedOver() { take(); }

    decltype(auto) operator()()
    {
        take();
        const Back back;
        return m_work();
    }

private:
    struct Back // after the call: who has the last reference ends the work
    {
        Back() = default;
        Back(const Back&) = delete;
        Back& operator=(const Back&) = delete;
        ~Back() { give(); }
    };

#ifdef __SANITIZE_THREAD__
    static void give()
    {
        __tsan_release(&s_order);
    }
    static void take()
    {
        __tsan_acquire(&s_order);
    }

    inline static char s_order = 0;
#else
    static void give() { }
    static void take() { }
#endif

    Work m_work;
};

} // namespace attn::ui

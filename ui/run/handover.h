// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace attn::ui {

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

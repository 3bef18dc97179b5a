// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace attn::ui {

// Tells ThreadSanitizer that what a call captured goes to another thread through Qt's queue of events or its pool of
// threads, which order the two: Qt itself is not built with it. Captured last, and asked first:
//     [call, order = Handover()] { order.taken(); call(); }
class Handover
{
#ifdef __SANITIZE_THREAD__
public:
    Handover() = default;
    Handover(const Handover&)
    {
        __tsan_release(&s_order);
    }
    Handover(Handover&&) noexcept
    {
        __tsan_release(&s_order);
    }
    Handover& operator=(const Handover&) = delete;
    ~Handover() = default;

    void taken() const
    {
        __tsan_acquire(&s_order);
    }

private:
    inline static char s_order = 0;
#else
public:
    void taken() const { }
#endif
};

} // namespace attn::ui

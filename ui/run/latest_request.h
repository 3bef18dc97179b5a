// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>

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

} // namespace attn::ui

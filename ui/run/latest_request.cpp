// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/latest_request.h"

#include <QMetaObject>

#include <mutex>
#include <utility>

namespace attn::ui {

// The way back to the window's thread, closed when the owner ends.
struct LatestRequest::Link
{
    std::mutex mutex;
    QObject* owner = nullptr;
    const LatestRequest* requests = nullptr; // used on the window's thread only
};

LatestRequest::LatestRequest(QObject& owner)
    : m_link(std::make_shared<Link>())
{
    m_link->owner = &owner;
    m_link->requests = this;
}

LatestRequest::~LatestRequest()
{
    end();
    const std::lock_guard lock(m_link->mutex);
    m_link->owner = nullptr;
}

LatestRequest::Ticket LatestRequest::begin()
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_number = ++m_last;
    Ticket ticket;
    ticket.m_link = m_link;
    ticket.m_stop = m_stop.get_token();
    ticket.m_number = m_number;
    return ticket;
}

void LatestRequest::end()
{
    m_stop.request_stop();
    m_number = 0;
}

void LatestRequest::Ticket::report(std::function<void()> call) const
{
    const std::lock_guard lock(m_link->mutex);
    if (m_link->owner == nullptr)
        return;
    HandedOver work([link = m_link, number = m_number, call = std::move(call)] {
        if (link->owner != nullptr && link->requests->m_number == number)
            call();
    });
    QMetaObject::invokeMethod(m_link->owner, std::move(work), Qt::QueuedConnection);
}

} // namespace attn::ui

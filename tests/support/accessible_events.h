// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QList>
#include <QString>

#ifdef ATTN_QT_PRIVATE
#include <qpa/qplatformaccessibility.h>
#include <qpa/qplatformintegration.h>

#include <private/qguiapplication_p.h>
#endif

#include <algorithm>

namespace attn::test {

// What assistive technology is told while this lives. Qt tells nothing where there is none, and only its private
// headers say that there is some.
class AccessibleEvents
{
public:
    struct Event
    {
        QAccessible::Event type;
        QString object; // its name
        QString name; // of what it is about
        QString description;
    };

#ifdef ATTN_QT_PRIVATE
    static constexpr bool possible = true;
#else
    static constexpr bool possible = false;
#endif

    AccessibleEvents()
    {
        recorder() = this;
        QAccessible::installUpdateHandler(record);
        switchOn(true);
    }
    ~AccessibleEvents()
    {
        switchOn(false);
        QAccessible::installUpdateHandler(nullptr);
        recorder() = nullptr;
    }
    AccessibleEvents(const AccessibleEvents&) = delete;
    AccessibleEvents& operator=(const AccessibleEvents&) = delete;
    AccessibleEvents(AccessibleEvents&&) = delete;
    AccessibleEvents& operator=(AccessibleEvents&&) = delete;

    void forget()
    {
        m_all.clear();
    }
    QList<Event> of(QAccessible::Event type, const QString& object) const
    {
        QList<Event> found;
        std::ranges::copy_if(m_all, std::back_inserter(found),
                             [&](const Event& event) { return event.type == type && event.object == object; });
        return found;
    }

private:
    static AccessibleEvents*& recorder() // handlers of Qt are functions
    {
        static AccessibleEvents* one = nullptr;
        return one;
    }

    static void record(QAccessibleEvent* event)
    {
        const QAccessibleInterface* const about = event->accessibleInterface();
        if (about == nullptr || event->object() == nullptr)
            return;
        recorder()->m_all.append({event->type(), event->object()->objectName(), about->text(QAccessible::Name),
                                  about->text(QAccessible::Description)});
    }

    static void switchOn([[maybe_unused]] bool on)
    {
#ifdef ATTN_QT_PRIVATE
        QGuiApplicationPrivate::platformIntegration()->accessibility()->setActive(on);
#endif
    }

    QList<Event> m_all;
};

} // namespace attn::test

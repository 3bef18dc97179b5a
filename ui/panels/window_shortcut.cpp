// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/window_shortcut.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QWidget>

namespace attn::ui {

namespace {

class WindowShortcut final : public QObject
{
public:
    WindowShortcut(QAction* action, QWidget* window)
        : QObject(window)
        , m_action(action)
        , m_window(window)
    {
        QCoreApplication::instance()->installEventFilter(this);
    }

    // What is not accepted here goes to the actions next.
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::ShortcutOverride || !m_action->isEnabled())
            return false;
        const auto* widget = qobject_cast<QWidget*>(watched);
        const auto* key = static_cast<QKeyEvent*>(event);
        if (widget == nullptr || widget->window() != m_window
            || m_action->shortcut() != QKeySequence(key->keyCombination()))
            return false;
        event->ignore();
        return true;
    }

private:
    QAction* m_action = nullptr;
    QWidget* m_window = nullptr;
};

} // namespace

void claimShortcut(QAction* action, QWidget* window)
{
    new WindowShortcut(action, window);
}

} // namespace attn::ui

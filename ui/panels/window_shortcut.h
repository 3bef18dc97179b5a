// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>

namespace attn::ui {

// Lets an action's shortcut reach it while the focus is in a line of text that has another use for the keys: with X11
// Ctrl+E goes to the end of a line and Ctrl+K deletes up to it. Lives as long as the window.
class WindowShortcut final : public QObject
{
    Q_OBJECT

public:
    WindowShortcut(QAction* action, QWidget* window);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* m_action = nullptr;
    QWidget* m_window = nullptr;
};

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>

namespace attn::ui {

// Lets an action's shortcut reach it while the focus is in a line of text that has another use for the keys: with X11
// Ctrl+E goes to the end of a line and Ctrl+K deletes up to it. As long as the window lives.
void claimShortcut(QAction* action, QWidget* window);

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QAction>
#include <QKeySequence>

namespace attn::ui {

// An action of a list, in its menu and by a key while it has the focus. An empty tip: its text.
QAction* addListAction(QAbstractItemView& list, const char* name, const QString& text, const QString& tip,
                       const QKeySequence& key);

} // namespace attn::ui

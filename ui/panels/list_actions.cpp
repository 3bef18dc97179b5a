// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/list_actions.h"

namespace attn::ui {

QAction* addListAction(QAbstractItemView& list, const char* name, const QString& text, const QString& tip,
                       const QKeySequence& key)
{
    auto* action = new QAction(text, &list);
    action->setObjectName(QLatin1String(name));
    if (!tip.isEmpty())
        action->setToolTip(tip);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    list.addAction(action);
    return action;
}

} // namespace attn::ui

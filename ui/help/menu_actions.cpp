// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/menu_actions.h"

#include <QMenu>

namespace attn::ui {

namespace {

void collect(const QList<QAction*>& actions, const QStringList& menus, const QStringList& without,
             std::vector<MenuAction>& found)
{
    for (QAction* action : actions) {
        if (action->isSeparator() || !action->isVisible())
            continue;
        const QMenu* menu = action->menu();
        if (menu == nullptr)
            found.push_back({action, menus});
        else if (!without.contains(menu->objectName()))
            collect(menu->actions(), menus + QStringList(plainTitle(menu->title())), without, found);
    }
}

} // namespace

QString MenuAction::where() const
{
    return menus.join(QStringLiteral(" › "));
}

std::vector<MenuAction> menuActions(const QMenuBar& bar, const QStringList& without)
{
    std::vector<MenuAction> found;
    collect(bar.actions(), {}, without, found);
    return found;
}

QString plainTitle(const QString& text)
{
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('&') && i + 1 < text.size())
            ++i; // the letter that it marks, or the sign itself
        plain += text[i];
    }
    return plain.endsWith(QChar(0x2026)) ? plain.chopped(1) : plain;
}

} // namespace attn::ui

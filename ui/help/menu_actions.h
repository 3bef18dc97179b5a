// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QMenuBar>
#include <QString>
#include <QStringList>

#include <vector>

namespace attn::ui {

// Something that menus offer.
struct MenuAction
{
    QAction* action = nullptr;
    QStringList menus; // it is in, the outermost first, as they are written

    QString where() const; // "View › Colours"
};

// Everything that a menu bar has, in its order, but what is hidden and the menus of these names.
std::vector<MenuAction> menuActions(const QMenuBar& bar, const QStringList& without = {});

// Without the marks of keys ("&Open…" is "Open"): as it is named elsewhere than in a menu.
QString plainTitle(const QString& text);

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/place_popup.h"

#include <QLabel>
#include <QLineEdit>
#include <QString>
#include <QTreeWidget>

#include <functional>
#include <vector>

namespace attn::ui {

// Something that can be done or opened by its name.
struct Command
{
    QString title;
    QString where; // it is found otherwise: "Run", "View › Colours"
    QString key; // as keys are written; empty: none
    bool enabled = true; // it can be done now
    std::function<void()> act;
};

// Finds a command by a few letters of its name; Enter or a click carries it out. Closed by Escape, and when the focus
// goes elsewhere.
class CommandPalette final : public PlacePopup
{
    Q_OBJECT

public:
    CommandPalette(QWidget* window, std::vector<Command> commands);

    void open(); // at the top of the window

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void list();
    void say(); // what keeps the chosen one from being done
    void carryOut(const QTreeWidgetItem* item);

    std::vector<Command> m_commands;
    QLineEdit* m_typed = nullptr;
    QTreeWidget* m_list = nullptr;
    QLabel* m_note = nullptr;
};

} // namespace attn::ui

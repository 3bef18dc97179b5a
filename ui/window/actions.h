// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/input_panel.h"
#include "panels/step_panel.h"
#include "panels/window_parts.h"
#include "state/appearance.h"
#include "state/edit_list.h"
#include "window/exporter.h"
#include "window/find_bar.h"
#include "window/guide.h"
#include "window/help_access.h"
#include "window/laboratory_access.h"
#include "window/opening.h"
#include "window/panel_docks.h"
#include "window/run_commands.h"
#include "window/session_files.h"
#include "window/sound_player.h"
#include "window/view_tabs.h"

#include <QAction>
#include <QKeySequence>
#include <QMenuBar>

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace attn::ui {

// Parts of the window that do what the actions say.
struct ActionParts
{
    Study& study;
    Selection& selection;
    Appearance& appearance;
    EditList& edits;
    RunController& controller;
    Opening& opening;
    RunCommands& running;
    Exporter& exporter;
    SessionFiles& sessions;
    LaboratoryAccess& laboratory;
    InputPanel& input;
    StepPanel& steps;
    ViewTabs& views;
    FindBar& find;
    PanelDocks& docks;
    HelpAccess& help;
    Guide& guide;
    Dialogs& dialogs;
    SoundPlayer& player;
    const std::function<std::vector<WindowPart>()>& windowParts; // in the order of F6
    QMainWindow& window;
};

// Something that can be done, as a menu has it.
struct ActionRow
{
    const char* id = nullptr; // its object's name; null: a line between others
    const char* text = nullptr; // for tr
    QKeySequence key = {};
    void (*act)(const ActionParts& parts) = nullptr;
    bool (*can)(const ActionParts& parts) = nullptr; // null: always
    bool inText = false; // its key reaches it from a line of text, too
};

// Everything that menus and keys do: owns the actions, enables each while it can be done, and lays the menus out.
class Actions final : public QObject
{
    Q_OBJECT

public:
    explicit Actions(const ActionParts& parts);

    QAction* action(const char* id) const { return findChild<QAction*>(QLatin1String(id)); }
    void fillMenus(QMenuBar& bar);

private:
    void fill(QMenu& menu, std::span<const ActionRow> rows);
    template<class Rows>
    void fillChoices(QMenu& menu, const char* name, const Rows& rows, int (*chosen)(const Appearance&),
                     void (*choose)(Appearance&, int));
    void fillFileMenu(QMenu& menu);
    void fillViewMenu(QMenu& menu);
    void addFound(QMenu& menu);
    void addDifference(QMenu& menu);
    void fillLaboratoryMenu(QMenu& menu);
    void addLessons(QMenu& menu);
    void refresh();

    ActionParts m_parts;
    std::vector<std::pair<QAction*, bool (*)(const ActionParts&)>> m_conditions;
};

} // namespace attn::ui

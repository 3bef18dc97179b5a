// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "help/help_window.h"
#include "window/laboratory_access.h"
#include "window/opening.h"
#include "window/view_tabs.h"

#include <QMainWindow>
#include <QMenuBar>
#include <QObject>
#include <QPointer>

namespace attn::ui {

// The ways to help, and to everything by its name.
class HelpAccess final : public QObject
{
    Q_OBJECT

public:
    struct Parts
    {
        Study& study;
        Opening& opening;
        LaboratoryAccess& laboratory;
        ViewTabs& views;
        const QMenuBar& menus;
        QMainWindow& window;
    };

    explicit HelpAccess(const Parts& parts);

    void open(const QString& target); // as HelpWindow::open
    void openForView(); // the page about the view in front
    void openPalette(); // closes it when it is open

private:
    void showSubject(const QString& pageId);

    Parts m_parts;
    QPointer<HelpWindow> m_help; // made when it is first opened
};

} // namespace attn::ui

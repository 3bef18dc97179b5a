// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/page_rows.h"

#include <QAction>
#include <QMenuBar>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
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

// Subjects of help: groups of the list of pages.
enum class HelpGroup : std::uint8_t { Program, Views, Laboratory, Models, Reference };
QString helpGroupTitle(HelpGroup group);

// A page of the help. Its text is Markdown, whose links are ids of pages: "view-grid", "glossary#head".
struct HelpPage
{
    QString id;
    HelpGroup group{};
    QString title;
    QString text; // after the title
};

// Ids of what pages are about.
QString viewHelp(const QString& view); // of a row of viewRows()
QString laboratoryHelp(Page page);
inline const QString firstStepsHelp = QStringLiteral("start");
inline const QString shortcutsHelp = QStringLiteral("shortcuts");
inline const QString glossaryHelp = QStringLiteral("glossary");

// One for each view, page of the laboratory and bundled model, and those about all of them; shortcuts are made from the
// actions.
std::vector<HelpPage> helpPages(const std::vector<MenuAction>& actions);

// Where the page shows itself in the window.
struct HelpSubject
{
    QString view;
    std::optional<Page> page;
    QString model;
};
HelpSubject subjectOf(const QString& pageId);

// Name of a term in links, in every language its English one: "beam search" is "beam-search".
QString anchorOf(const QString& term);

} // namespace attn::ui

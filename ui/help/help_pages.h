// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "help/menu_actions.h"
#include "laboratory/page_rows.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace attn::ui {

// What help is about: groups of the list of pages.
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

// As links name a term in every language, by its English name: "beam search" is "beam-search".
QString anchorOf(const QString& term);

} // namespace attn::ui

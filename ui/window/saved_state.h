// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/input_panel.h"
#include "state/appearance.h"
#include "state/kept_values.h"
#include "window/exporter.h"
#include "window/opening.h"
#include "window/panel_docks.h"
#include "window/view_tabs.h"

#include <QString>

namespace attn::ui {

// The language that was chosen; to be known before there is a window.
LanguageMode keptLanguage();

// Values that survive a restart, a line for each; pages of the laboratory keep theirs themselves. Every value is
// restored once what has it is there.
class SavedState final
{
public:
    struct Parts
    {
        Study& study;
        Selection& selection;
        Appearance& appearance;
        Opening& opening;
        Exporter& exporter;
    };

    // The question and what of it is shown; a model and a text given here go before those of the last session.
    SavedState(const Parts& parts, const QString& model, const QString& text);
    // The window, with everything in it.
    void keepLayout(QMainWindow& window, InputPanel& input, PanelDocks& docks, ViewTabs& views);

    KeptValues& values() { return m_values; }

private:
    void keepStudy(const Parts& parts, const QString& model, const QString& text);
    void keepSite(Study& study, Selection& selection);
    void keepLook(Appearance& appearance);

    KeptValues m_values;
    bool m_hasSite = false; // of the last session
};

// Makes PLACE/FOLDER. The folders below the place are their owner's alone: what people type is kept in them. False
// where that cannot be.
bool makeOwnFolder(const QString& place, const QString& folder);

// Makes the file of settings its owner's alone, before the first setting is read.
void prepareSettings();

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/candidates_panel.h"
#include "panels/decoding_panel.h"
#include "panels/edits_panel.h"
#include "panels/runs_panel.h"
#include "panels/site_panel.h"

#include <QDockWidget>
#include <QList>
#include <QMainWindow>
#include <QStringList>

#include <vector>

namespace attn::ui {

// The panels at the side of the window. Those that have nothing to say for what is open are closed meanwhile; those
// that the user closed stay closed.
class PanelDocks final : public QObject
{
    Q_OBJECT

public:
    PanelDocks(Study& study, Selection& selection, Appearance& appearance, EditList& edits, QMainWindow& window);
    ~PanelDocks() override;

    SitePanel& site() const { return *m_site; }
    DecodingPanel& decoding() const { return *m_decoding; }
    CandidatesPanel& candidates() const { return *m_candidates; }
    void askForWord(); // among the candidates
    const QList<QDockWidget*>& docks() const { return m_docks; }
    const QStringList& closed() const { return m_closed; } // by the user
    void setClosed(const QStringList& names);
    void fit();

private:
    // `fits` says for what a panel has something to say.
    QDockWidget* add(const char* name, const QString& title, QWidget* panel, bool (*fits)(const Study& study));

    Study& m_study;
    QMainWindow& m_window;
    SitePanel* m_site = nullptr;
    DecodingPanel* m_decoding = nullptr;
    CandidatesPanel* m_candidates = nullptr;
    QDockWidget* m_candidatesDock = nullptr;
    QList<QDockWidget*> m_docks;
    std::vector<bool (*)(const Study&)> m_fits; // one a dock
    QStringList m_closed;
    bool m_fitting = false;
};

} // namespace attn::ui

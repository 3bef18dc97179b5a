// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/candidates_panel.h"
#include "panels/choice_panel.h"
#include "panels/decoding_panel.h"
#include "panels/edits_panel.h"
#include "panels/runs_panel.h"
#include "panels/site_panel.h"

#include <QDockWidget>
#include <QList>
#include <QMainWindow>
#include <QStringList>

#include <vector>

class QVBoxLayout;

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
    ChoicePanel& choice() const { return *m_choice; }
    void askForWord(); // among the candidates
    void addBelowChoice(QWidget& control); // for the chosen word
    const QList<QDockWidget*>& docks() const { return m_docks; }
    const QStringList& closed() const { return m_closed; } // by the user
    void setClosed(const QStringList& names);
    void fit();
    // A low window has how to decode as a tab behind what is shown, and narrower panels.
    void fold();
    bool folded() const { return m_folded; }
    void setFolded(bool folded) { m_folded = folded; } // as docks that are restored were
    // Shows something in the place of the panels, beside the views, until it is closed or has a window of its own.
    void showBeside(QWidget& content, const QString& title);
    QDockWidget* beside() const { return m_beside; } // null: nothing was shown there yet

private:
    // `fits` says for what a panel has something to say.
    QDockWidget* add(const char* name, const QString& title, QWidget* panel, bool (*fits)(const Study& study));

    void setWidths(int width);
    void unfold();
    void stack();

    Study& m_study;
    QMainWindow& m_window;
    SitePanel* m_site = nullptr;
    DecodingPanel* m_decoding = nullptr;
    CandidatesPanel* m_candidates = nullptr;
    QVBoxLayout* m_chosen = nullptr; // what is chosen, and the candidates
    ChoicePanel* m_choice = nullptr;
    QDockWidget* m_siteDock = nullptr;
    QDockWidget* m_decodingDock = nullptr;
    QDockWidget* m_candidatesDock = nullptr;
    QDockWidget* m_beside = nullptr;
    int m_width = 0; // of the panels before that
    QList<QDockWidget*> m_docks;
    std::vector<bool (*)(const Study&)> m_fits; // one a dock
    QStringList m_closed;
    bool m_fitting = false;
    bool m_folded = false;
};

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/message_bar.h"
#include "run/draw_preview.h"
#include "run/output_scorer.h"
#include "run/reading_runner.h"
#include "window/actions.h"
#include "window/edit_gestures.h"
#include "window/saved_state.h"
#include "window/sound_player.h"
#include "window/status_line.h"

#include <QMainWindow>

#include <functional>
#include <memory>
#include <vector>

namespace attn::ui {

class StageView;

// The window: lays out the views and panels of one study.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    // A model and a text given here go before those of the last session.
    explicit MainWindow(const QString& model = {}, const QString& text = {},
                        std::unique_ptr<Dialogs> dialogs = std::make_unique<Dialogs>());
    ~MainWindow() override;

    QMenuBar* menuBar() const { return m_menus; } // QMainWindow would make another one: this one is part of a row
    const Study& study() const { return m_study; }
    Selection& selection() { return m_selection; }
    EditList& edits() { return m_edits; }
    RunController& controller() { return *m_controller; }
    QString message() const { return m_message->text(); } // said last: what went wrong, or is worth knowing
    FigureView& heatmap() { return m_views->heatmap(); }

    void setThemeMode(ThemeMode mode) { m_appearance.setThemeMode(mode); }
    void open(const QString& path) { m_opening->open(path); } // bundled name, directory, checkpoint file or archive
    // From now on a crash loses no runs but those of the last seconds, and those of an earlier one are offered.
    void guardSessions() { m_sessions->guard(); }
    // From now on other processes of the user may open models and files here.
    void answerOthers();
    // With a welcome, unless it was closed for good; from now on outputs are seen while they are written.
    void greet();
    // Opens the laboratory at a page.
    LaboratoryWindow& openLaboratory(Page page) { return m_laboratory->open(page); }

protected:
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildMenuRow();
    void buildCentre();
    void connectParts();
    QWidget* corner();
    QWidget* differenceSwitch();
    void fillMaskMenu(QMenu& menu, const FigureHit& hit);
    void fillCopyMenu(QMenu& menu, const FigureSpec& spec, const FigureHit& hit);
    std::vector<WindowPart> windowParts() const;

    std::unique_ptr<Dialogs> m_dialogs;
    Study m_study;
    Selection m_selection;
    Appearance m_appearance;
    EditList m_edits{m_study};
    Exporter m_exporter;
    std::unique_ptr<RunController> m_controller;
    std::unique_ptr<DrawPreview> m_preview;
    std::unique_ptr<OutputScorer> m_scorer;
    std::unique_ptr<ReadingRunner> m_readings;
    std::unique_ptr<RunCommands> m_runCommands;
    std::unique_ptr<Opening> m_opening;
    SavedState m_savedState;
    std::unique_ptr<LaboratoryAccess> m_laboratory;
    std::unique_ptr<HelpAccess> m_help;
    std::unique_ptr<Wager> m_wager;
    std::unique_ptr<Guide> m_guide;
    std::unique_ptr<SessionFiles> m_sessions;
    std::unique_ptr<PanelDocks> m_docks;
    std::unique_ptr<EditGestures> m_gestures;
    SoundPlayer m_player{this};
    std::unique_ptr<Actions> m_actions;
    QMenuBar* m_menus = nullptr;
    InputPanel* m_input = nullptr;
    MessageBar* m_message = nullptr;
    MessageBar* m_offer = nullptr;
    ViewTabs* m_views = nullptr;
    FindBar* m_find = nullptr;
    StepPanel* m_steps = nullptr;
    GuideCard* m_card = nullptr;
    StatusLine* m_status = nullptr;
    StageView* m_stage = nullptr;
    std::function<std::vector<WindowPart>()> m_windowParts;
};

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/candidates_panel.h"
#include "panels/decoding_panel.h"
#include "panels/input_panel.h"
#include "panels/message_bar.h"
#include "panels/site_panel.h"
#include "panels/step_panel.h"
#include "run/run_controller.h"
#include "state/appearance.h"
#include "state/document.h"
#include "state/selection.h"
#include "views/figure_view.h"
#include "window/dialogs.h"
#include "window/exporter.h"
#include "window/window_settings.h"

#include <QMainWindow>
#include <QProgressBar>
#include <QTabWidget>

#include <memory>

class QActionGroup;
class QDockWidget;
class QMenu;

namespace attn::ui {

// The window: it wires panels and views to one document, one selection and one run controller.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    // A model and a text given here go before those of the last session.
    explicit MainWindow(const QString& model = {}, const QString& text = {},
                        std::unique_ptr<Dialogs> dialogs = std::make_unique<Dialogs>());
    ~MainWindow() override;

    const Document& document() const { return m_document; }
    Selection& selection() { return m_selection; }
    RunController& controller() { return *m_controller; }
    FigureView& heatmap() { return *m_heatmap; }

    void setThemeMode(ThemeMode mode);

public Q_SLOTS:
    void run();
    void open(const QString& path); // bundled name, directory or archive
    void exportView();
    void copyImage();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildCentre();
    void buildDocks();
    void buildStatusBar();
    void buildMenus();
    void buildFileMenu();
    void buildRunMenu();
    void buildViewMenu();
    void connectController();
    void restore();
    void completeAfterFirstPaint();
    void ensureTab(int index);
    void remember(const QString& path);
    void fillModels();
    void fillRecentMenu();
    void showModelInfo();
    FigureView* currentView();
    WindowSettings currentSettings() const;

    WindowSettings m_settings;
    std::unique_ptr<Dialogs> m_dialogs;
    Document m_document;
    Selection m_selection;
    Appearance m_appearance;
    std::unique_ptr<RunController> m_controller;
    Exporter m_exporter;
    QString m_model; // asked for
    QString m_shownModel; // of the result on show
    InputPanel* m_input = nullptr;
    MessageBar* m_message = nullptr;
    QTabWidget* m_tabs = nullptr;
    FigureView* m_heatmap = nullptr;
    StepPanel* m_steps = nullptr;
    SitePanel* m_site = nullptr;
    DecodingPanel* m_decoding = nullptr;
    CandidatesPanel* m_candidates = nullptr;
    QLabel* m_hover = nullptr;
    QLabel* m_modelInfo = nullptr;
    QLabel* m_progressText = nullptr;
    QProgressBar* m_progress = nullptr;
    QMenu* m_recentMenu = nullptr;
    QActionGroup* m_themes = nullptr;
    QActionGroup* m_colorMaps = nullptr;
    QAction* m_words = nullptr;
    QList<QDockWidget*> m_docks;
    bool m_complete = false;
};

} // namespace attn::ui

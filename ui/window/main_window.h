// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_window.h"
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
#include <vector>

class QActionGroup;
class QDockWidget;
class QMenu;
class QToolButton;

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
    // Opens the laboratory at a page.
    LaboratoryWindow& openLaboratory(Page page);

public Q_SLOTS:
    void run(); // decoder-only: reads the prompt
    void continueText(int tokens); // decoder-only: by so many more
    void maskWord(); // encoder-only: the chosen word, and runs
    void open(const QString& path); // bundled name, directory, checkpoint file or archive
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
    void buildLaboratoryMenu();
    void connectController();
    void restore();
    void completeAfterFirstPaint();
    void ensureTab(int index);
    void nameViews(bool reads);
    void start(int generate);
    int generatedTokens() const; // of the text that stands in the box
    bool textHasEnded() const; // and the model has ended it
    void applyChoices(); // runs what is chosen now; a text that was continued is continued as far
    void showAge(); // says where the result on show is older than what is chosen now
    void sayUnknown(const std::vector<UnknownWord>& words);
    Question question(int generate) const;
    void fitToModel();
    void fitToTrace();
    void fitDocks();
    void watchDock(QDockWidget* dock);
    void describeArchive();
    void showAbilities(); // in buttons and menus
    void showMask();
    void sayWhatFollows(); // the last token of a text, which no step follows
    LaboratoryContext laboratoryContext();
    void addLaboratoryCorner();
    QWidget* olderSign();
    void askLaboratory(FigureView* view); // a menu of the questions that a place in a view raises
    void fillPlaceMenu(QMenu& menu, const FigureHit& hit);
    void lookInside(const FigureHit& hit);
    void write(const Exportable& figure, QWidget* parent); // asks where to
    void copy(const Exportable& figure, double width); // in pixels
    void openFolder();
    void openFile();
    void openArchive();
    bool isMissing(const QString& path) const;
    void sayMissing(const QString& path);
    void showOpened(); // the picker goes back to what is on show
    void remember(const QString& path);
    void saveRecent() const;
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
    LaboratoryWindow* m_laboratory = nullptr; // made when it is first opened
    QString m_model; // asked for
    QString m_shownModel; // what the window has loaded
    std::optional<ModelKind> m_viewKind; // what views and docks are fitted to
    bool m_viewPredicts = false;
    std::optional<int> m_maskToShow; // of those in the text that is being read, when not the first
    InputPanel* m_input = nullptr;
    MessageBar* m_message = nullptr;
    QTabWidget* m_tabs = nullptr;
    FigureView* m_heatmap = nullptr;
    StepPanel* m_steps = nullptr;
    SitePanel* m_site = nullptr;
    DecodingPanel* m_decoding = nullptr;
    CandidatesPanel* m_candidates = nullptr;
    QToolButton* m_older = nullptr;
    QLabel* m_hover = nullptr;
    QLabel* m_modelInfo = nullptr;
    QLabel* m_progressText = nullptr;
    QProgressBar* m_progress = nullptr;
    QMenu* m_recentMenu = nullptr;
    QActionGroup* m_themes = nullptr;
    QActionGroup* m_colorMaps = nullptr;
    QAction* m_words = nullptr;
    QAction* m_continue = nullptr;
    QAction* m_next = nullptr;
    QAction* m_mask = nullptr;
    QAction* m_cancel = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QList<QDockWidget*> m_docks; // shown, decoding, candidates
    QStringList m_closedDocks; // by the user
    bool m_fittingDocks = false;
    bool m_complete = false;
};

} // namespace attn::ui

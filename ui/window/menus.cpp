// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/color_map.h"
#include "panels/window_shortcut.h"
#include "state/strings.h"
#include "window/main_window.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>

namespace attn::ui {

namespace {

struct Choice
{
    const char* label;
    int value;
};

constexpr Choice themeChoices[] = {
    {QT_TRANSLATE_NOOP("attn::ui::MainWindow", "Like the &system"), static_cast<int>(ThemeMode::System)},
    {QT_TRANSLATE_NOOP("attn::ui::MainWindow", "&Light"), static_cast<int>(ThemeMode::Light)},
    {QT_TRANSLATE_NOOP("attn::ui::MainWindow", "&Dark"), static_cast<int>(ThemeMode::Dark)}};
} // namespace

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildRunMenu();
    buildViewMenu();
    buildLaboratoryMenu();
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&About AttnScope"), this, [this] { m_dialogs->about(this); });
}

void MainWindow::buildFileMenu()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open checkpoint folder…"), QKeySequence::Open, this, &MainWindow::openFolder);
    file->addAction(tr("Open checkpoint &file…"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O), this,
                    &MainWindow::openFile);
    file->addAction(tr("Open &archive…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), this,
                    &MainWindow::openArchive);
    m_recentMenu = file->addMenu(tr("Open &recent"));
    m_recentMenu->setObjectName(QStringLiteral("recentMenu"));
    fillRecentMenu();
    file->addSeparator();
    QAction* write = file->addAction(tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), this, &MainWindow::exportView);
    write->setObjectName(QStringLiteral("exportAction"));
    new WindowShortcut(write, this);
    QAction* copy = file->addAction(tr("&Copy image"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
                                    &MainWindow::copyImage);
    copy->setObjectName(QStringLiteral("copyImageAction"));
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::buildRunMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("&Run"));
    menu->addAction(tr("&Run"), QKeySequence(Qt::CTRL | Qt::Key_R), this, &MainWindow::run);
    m_continue = menu->addAction(tr("Co&ntinue the text"), QKeySequence(Qt::CTRL | Qt::Key_Return), this,
                                 [this] { continueText(m_input->continueCount()); });
    m_continue->setObjectName(QStringLiteral("continueAction"));
    m_next = menu->addAction(tr("Next &token"), QKeySequence(Qt::CTRL | Qt::Key_T), this, [this] { continueText(1); });
    m_next->setObjectName(QStringLiteral("nextTokenAction"));
    m_mask =
        menu->addAction(tr("&Mask the chosen word"), QKeySequence(Qt::CTRL | Qt::Key_K), this, &MainWindow::maskWord);
    m_mask->setObjectName(QStringLiteral("maskAction"));
    new WindowShortcut(m_mask, this);
    m_cancel = menu->addAction(tr("&Cancel"), QKeySequence(Qt::Key_Escape), this, [this] { m_controller->cancel(); });
    m_cancel->setObjectName(QStringLiteral("cancelAction"));
    menu->addAction(tr("Edit the &sentence"), QKeySequence(Qt::CTRL | Qt::Key_L), m_input, &InputPanel::focusText);
    m_undo = menu->addAction(tr("&Undo in the sentence"), QKeySequence::Undo, m_input, &InputPanel::undo);
    m_undo->setObjectName(QStringLiteral("undoAction"));
    m_redo = menu->addAction(tr("R&edo in the sentence"), QKeySequence::Redo, m_input, &InputPanel::redo);
    m_redo->setObjectName(QStringLiteral("redoAction"));
    menu->addSeparator();
    menu->addAction(tr("&First step"), QKeySequence(Qt::ALT | Qt::Key_Home), m_steps, &StepPanel::first);
    menu->addAction(tr("One step &back"), QKeySequence(Qt::ALT | Qt::Key_Left), m_steps, &StepPanel::back);
    menu->addAction(tr("&Play"), QKeySequence(Qt::CTRL | Qt::Key_Space), m_steps, &StepPanel::togglePlay);
    menu->addAction(tr("One step f&orward"), QKeySequence(Qt::ALT | Qt::Key_Right), m_steps, &StepPanel::forward);
    menu->addAction(tr("&Last step"), QKeySequence(Qt::ALT | Qt::Key_End), m_steps, &StepPanel::last);
}

void MainWindow::buildViewMenu()
{
    QMenu* view = menuBar()->addMenu(tr("&View"));
    m_words = view->addAction(tr("Merge subwords into &words"), QKeySequence(Qt::CTRL | Qt::Key_M));
    m_words->setCheckable(true);
    m_words->setChecked(m_appearance.words());
    connect(m_words, &QAction::toggled, &m_appearance, &Appearance::setWords);
    QMenu* colors = view->addMenu(tr("&Colours"));
    m_colorMaps = new QActionGroup(this);
    for (const ColorMapRow& row : colorMaps()) {
        QAction* action = colors->addAction(QCoreApplication::translate("attn::ui", row.title));
        action->setCheckable(true);
        action->setData(m_colorMaps->actions().size());
        m_colorMaps->addAction(action);
    }
    connect(m_colorMaps, &QActionGroup::triggered, this,
            [this](QAction* action) { m_appearance.setColorMap(static_cast<ColorMapName>(action->data().toInt())); });
    QMenu* themes = view->addMenu(tr("&Theme"));
    m_themes = new QActionGroup(this);
    for (const Choice& choice : themeChoices) {
        QAction* action = themes->addAction(tr(choice.label));
        action->setCheckable(true);
        action->setData(choice.value);
        action->setChecked(choice.value == static_cast<int>(m_settings.theme));
        m_themes->addAction(action);
    }
    connect(m_themes, &QActionGroup::triggered, this,
            [this](QAction* action) { setThemeMode(static_cast<ThemeMode>(action->data().toInt())); });
    const auto showAppearance = [this] {
        m_words->setChecked(m_appearance.words());
        for (QAction* action : m_colorMaps->actions())
            action->setChecked(action->data().toInt() == static_cast<int>(m_appearance.colorMap()));
    };
    connect(&m_appearance, &Appearance::changed, this, showAppearance);
    showAppearance();
    view->addSeparator();
    view->addAction(tr("Zoom &in"), QKeySequence::ZoomIn, this, [this] { currentView()->zoomIn(); });
    view->addAction(tr("Zoom &out"), QKeySequence::ZoomOut, this, [this] { currentView()->zoomOut(); });
    view->addAction(tr("Show &everything"), QKeySequence(Qt::CTRL | Qt::Key_0), this,
                    [this] { currentView()->showEverything(); });
    view->addSeparator();
    for (QDockWidget* dock : m_docks)
        view->addAction(dock->toggleViewAction());
}

} // namespace attn::ui

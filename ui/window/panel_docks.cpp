// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/panel_docks.h"

#include <QAction>
#include <QScreen>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

constexpr int usualWidth = 300;

} // namespace

PanelDocks::PanelDocks(Study& study, Selection& selection, Appearance& appearance, EditList& edits, QMainWindow& window)
    : m_study(study)
    , m_window(window)
    , m_site(new SitePanel(study, selection, appearance))
    , m_decoding(new DecodingPanel(study))
    , m_candidates(new CandidatesPanel(study, selection, appearance))
    , m_choice(new ChoicePanel(study, selection, appearance, edits))
{
    window.setDockNestingEnabled(true);
    m_siteDock = add("siteDock", tr("Shown", "panel"), m_site, [](const Study&) { return true; });
    m_decodingDock = add("decodingDock", tr("Decoding"), m_decoding,
                         [](const Study& open) { return open.model() && open.model()->info.writes(); });
    auto* chosen = new QWidget;
    m_chosen = new QVBoxLayout(chosen);
    m_chosen->setContentsMargins(0, 0, 0, 0);
    m_chosen->setSpacing(0);
    m_chosen->addWidget(m_choice);
    m_chosen->addWidget(m_candidates, 1);
    m_candidatesDock = add("candidatesDock", tr("Chosen", "panel"), chosen, [](const Study&) { return true; });
    add("runsDock", tr("Runs"), new RunsPanel(study), [](const Study&) { return true; });
    add("editsDock", tr("Edits"), new EditsPanel(edits), [](const Study& open) { return open.model() != nullptr; });
    // No higher than what they ask, so that the candidates get their room back when they ask less.
    for (QWidget* panel : {static_cast<QWidget*>(m_site), static_cast<QWidget*>(m_decoding)})
        panel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setWidths(std::clamp(window.screen()->availableSize().width() / 3, 280, usualWidth));
    stack();
    connect(&study, &Study::modelChanged, this, &PanelDocks::fit);
    connect(&study, &Study::traceChanged, this, &PanelDocks::fit);
}

PanelDocks::~PanelDocks()
{
    for (const QDockWidget* dock : m_docks) // which close with the window
        dock->toggleViewAction()->disconnect(this);
}

QDockWidget* PanelDocks::add(const char* name, const QString& title, QWidget* panel, bool (*fits)(const Study& study))
{
    auto* dock = new QDockWidget(title);
    dock->setObjectName(QLatin1String(name));
    dock->setWidget(panel);
    m_window.addDockWidget(Qt::RightDockWidgetArea, dock);
    m_docks << dock;
    m_fits.push_back(fits);
    connect(dock->toggleViewAction(), &QAction::toggled, this, [this, dock](bool open) {
        if (m_fitting || !m_window.isVisible())
            return;
        m_closed.removeAll(dock->objectName());
        if (!open)
            m_closed.append(dock->objectName());
    });
    return dock;
}

void PanelDocks::askForWord()
{
    m_candidatesDock->show();
    m_candidatesDock->raise();
    m_candidates->focusWord();
}

void PanelDocks::addBelowChoice(QWidget& control)
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 0);
    row->addWidget(&control);
    row->addStretch();
    m_chosen->insertLayout(1, row);
}

void PanelDocks::showBeside(QWidget& content, const QString& title)
{
    constexpr int share = 45; // of the window, in percent
    if (m_beside == nullptr) {
        auto* scroll = new QScrollArea;
        scroll->setFrameShape(QFrame::NoFrame);
        scroll->setWidgetResizable(true);
        m_beside = new QDockWidget(title);
        m_beside->setObjectName(QStringLiteral("besideDock"));
        m_beside->setWidget(scroll);
        m_beside->hide();
        m_window.addDockWidget(Qt::RightDockWidgetArea, m_beside);
        connect(m_beside, &QDockWidget::topLevelChanged, this, &PanelDocks::fit);
        connect(m_beside->toggleViewAction(), &QAction::toggled, this, [this](bool open) {
            fit();
            if (!open && m_window.isVisible())
                setWidths(m_width);
        });
        scroll->setWidget(&content);
    }
    if (!m_beside->isHidden())
        return;
    m_width = m_candidatesDock->width();
    m_fitting = true; // first, or the window grows to have room for all
    for (QDockWidget* dock : m_docks)
        dock->hide();
    m_fitting = false;
    m_beside->show();
    const int least = content.minimumSizeHint().width() + m_beside->style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    m_window.resizeDocks({m_beside}, {std::max(m_window.width() * share / 100, least)}, Qt::Horizontal);
}

void PanelDocks::setClosed(const QStringList& names)
{
    m_closed = names;
    fit();
}

void PanelDocks::setWidths(int width)
{
    m_window.resizeDocks(m_docks, QList<int>(m_docks.size(), width), Qt::Horizontal);
}

void PanelDocks::fold()
{
    constexpr int low = 700;
    constexpr int lowWidth = 258;
    const bool folds = m_window.height() < low;
    if (std::exchange(m_folded, folds) == folds)
        return;
    const bool isTab = m_window.tabifiedDockWidgets(m_siteDock).contains(m_decodingDock);
    const bool moved = std::ranges::any_of(m_docks, [this](QDockWidget* dock) { // by the user
        return dock->isFloating() || m_window.dockWidgetArea(dock) != Qt::RightDockWidgetArea;
    });
    if (moved || isTab == folds)
        return;
    if (folds) {
        m_window.tabifyDockWidget(m_siteDock, m_decodingDock);
        m_siteDock->raise();
    } else {
        unfold();
    }
    setWidths(folds ? lowWidth : usualWidth);
}

// Qt lets no tab become a neighbour: those below the first are put there once more.
void PanelDocks::unfold()
{
    m_fitting = true;
    const QList<QDockWidget*> below = m_docks.mid(1);
    for (QDockWidget* dock : below)
        m_window.removeDockWidget(dock);
    for (QDockWidget* dock : below)
        m_window.addDockWidget(Qt::RightDockWidgetArea, dock);
    stack();
    m_fitting = false;
    fit();
}

// What is chosen, the runs and the edits in one place.
void PanelDocks::stack()
{
    for (QDockWidget* dock : m_docks.mid(m_docks.indexOf(m_candidatesDock) + 1))
        m_window.tabifyDockWidget(m_candidatesDock, dock);
    m_candidatesDock->raise();
    m_window.resizeDocks(m_docks, {150, 90, 420, 420, 420}, Qt::Vertical);
}

void PanelDocks::fit()
{
    m_fitting = true;
    const bool besides = m_beside != nullptr && !m_beside->isHidden() && !m_beside->isFloating();
    m_candidates->setVisible(m_study.opened().isEmpty() || m_study.predicts());
    for (std::size_t i = 0; i < m_fits.size(); ++i) {
        QDockWidget* dock = m_docks[static_cast<int>(i)];
        const bool fits = m_study.opened().isEmpty() || m_fits[i](m_study);
        const bool open = fits && !besides && !m_closed.contains(dock->objectName());
        if (dock->isHidden() == open)
            dock->setVisible(open);
        dock->toggleViewAction()->setVisible(fits);
    }
    m_fitting = false;
}

} // namespace attn::ui

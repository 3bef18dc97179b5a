// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/laboratory_window.h"

#include "base/index.h"
#include "panels/controls.h"
#include "state/strings.h"
#include "views/table_access.h"

#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QStatusBar>

namespace attn::ui {

namespace {

constexpr int leastList = 20; // characters, in a narrow window; longer names then take two lines
constexpr int listMargin = 12; // right of the longest name

} // namespace

LaboratoryWindow::LaboratoryWindow(const LaboratoryContext& context, QWidget* parent)
    : QMainWindow(parent, Qt::Window)
    , m_context(context)
    , m_list(new QListWidget)
    , m_pages(new QStackedWidget)
    , m_hover(plainLabel())
    , m_made(pageRows().size())
{
    setObjectName(QStringLiteral("laboratory"));
    m_list->setObjectName(QStringLiteral("laboratoryPages"));
    m_list->setAccessibleName(tr("Pages of the laboratory"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(4);
    for (int i = 0; i < indexSize(pageRows()); ++i) {
        m_list->addItem(pageName(static_cast<Page>(i)));
        m_pages->addWidget(new QWidget);
    }
    // As wide as the longest name whatever the page in front needs.
    m_list->ensurePolished();
    const int names = m_list->sizeHintForColumn(0) + 2 * m_list->spacing() + listMargin;
    m_list->setMaximumWidth(names);
    m_list->setMinimumWidth(std::min(names, m_list->fontMetrics().averageCharWidth() * leastList));
    m_list->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    m_list->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_list->setWordWrap(true);
    m_list->setTextElideMode(Qt::ElideNone);
    auto* line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Sunken);
    auto* content = new QWidget;
    auto* layout = new QHBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_pages->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding); // the list keeps its width beside them
    layout->addWidget(m_list);
    layout->addWidget(line);
    layout->addWidget(m_pages, 1);
    setCentralWidget(content);
    m_hover->setObjectName(QStringLiteral("laboratoryHover"));
    statusBar()->addWidget(m_hover, 1);
    buildMenu();
    connect(m_list, &QListWidget::currentRowChanged, this, &LaboratoryWindow::showPage);
    resize(QSize(1280, 760).boundedTo(screen()->availableSize() - frameRoom));
    m_storeGeometry = context.kept.keep(
        "laboratory/geometry", [this] { return saveGeometry(); },
        [this](const QByteArray& geometry) { restoreGeometry(geometry); });
}

void LaboratoryWindow::buildMenu()
{
    QMenu* menu = menuBar()->addMenu(tr("Pa&ge"));
    menu->setObjectName(QStringLiteral("pageMenu"));
    m_choose = new QActionGroup(this);
    for (int i = 0; i < indexSize(pageRows()); ++i) {
        const auto page = static_cast<Page>(i);
        QAction* choose = menu->addAction(pageName(page), pageShortcut(page), this, [this, page] { open(page); });
        choose->setCheckable(true);
        m_choose->addAction(choose);
    }
    menu->addSeparator();
    const auto addForFigure = [this, menu](const char* id, const QString& text, const QKeySequence& key,
                                           void (LaboratoryWindow::*ask)(const Exportable&)) {
        QAction* action = menu->addAction(text, key, this, [this, ask] {
            if (const auto figure = page(current()).exportable())
                Q_EMIT(this->*ask)(*figure);
        });
        action->setObjectName(QLatin1String(id));
        return action;
    };
    auto* ofFigure = new QActionGroup(this);
    ofFigure->setExclusionPolicy(QActionGroup::ExclusionPolicy::None);
    QAction* exported = ofFigure->addAction(addForFigure(
        "exportPage", tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), &LaboratoryWindow::exportRequested));
    claimShortcut(exported, this);
    ofFigure->addAction(addForFigure("copyPage", tr("&Copy image"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                                     &LaboratoryWindow::copyRequested));
    connect(menu, &QMenu::aboutToShow, ofFigure,
            [this, ofFigure] { ofFigure->setEnabled(page(current()).exportable().has_value()); });
    connect(menu, &QMenu::aboutToHide, ofFigure, [ofFigure] { ofFigure->setEnabled(true); }); // the keys always work
    menu->addSeparator();
    const auto addWay = [this, menu](const char* id, const QString& text, const QKeySequence& key, int by) {
        menu->addAction(text, key, this, [this, by] { goToPart(parts(), by); })->setObjectName(QLatin1String(id));
    };
    addWay("nextPart", tr("&Go to the next part"), Qt::Key_F6, 1);
    addWay("previousPart", tr("Go to the part &before"), QKeySequence(Qt::SHIFT | Qt::Key_F6), -1);
    menu->addSeparator();
    menu->addAction(tr("&Help on this page"), QKeySequence::HelpContents, this,
                    [this] { Q_EMIT helpRequested(current()); })
        ->setObjectName(QStringLiteral("helpOnPage"));
    menu->addAction(tr("C&lose"), QKeySequence::Close, this, &QWidget::close);
}

LaboratoryPage& LaboratoryWindow::page(Page which)
{
    const int index = static_cast<int>(which);
    LaboratoryPage*& made = m_made.at(index);
    if (made == nullptr) {
        made = rowOf(which).make(m_context);
        made->setTitle(pageName(which));
        connect(made, &LaboratoryPage::hovered, m_hover, &QLabel::setText);
        delete m_pages->widget(index);
        m_pages->insertWidget(index, made);
    }
    return *made;
}

// The list, the page's controls, and each of its pictures.
std::vector<WindowPart> LaboratoryWindow::parts()
{
    QWidget& front = page(current());
    std::vector<WindowPart> all{{m_list}, {&front}};
    for (QWidget* widget : front.findChildren<QWidget*>()) {
        if (dynamic_cast<TableSource*>(widget) != nullptr)
            all.push_back({widget});
    }
    return all;
}

Page LaboratoryWindow::current() const
{
    return static_cast<Page>(std::max(0, m_list->currentRow()));
}

void LaboratoryWindow::open(Page which)
{
    const bool same = m_list->currentRow() == static_cast<int>(which);
    m_list->setCurrentRow(static_cast<int>(which));
    show();
    raise();
    activateWindow();
    if (same)
        page(which).activate();
}

void LaboratoryWindow::showPage(int index)
{
    if (index < 0)
        return;
    LaboratoryPage& shown = page(static_cast<Page>(index));
    m_pages->setCurrentIndex(index);
    m_choose->actions().at(index)->setChecked(true);
    setWindowTitle(tr("%1 – AttnScope laboratory").arg(pageName(static_cast<Page>(index))));
    m_hover->clear();
    shown.activate();
}

void LaboratoryWindow::showEvent(QShowEvent* event)
{
    if (m_list->currentRow() < 0)
        m_list->setCurrentRow(0);
    QMainWindow::showEvent(event);
}

void LaboratoryWindow::closeEvent(QCloseEvent* event)
{
    m_storeGeometry();
    QMainWindow::closeEvent(event);
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs_panel.h"

#include "panels/controls.h"
#include "panels/dialogs.h"
#include "state/run_words.h"
#include "state/strings.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QVBoxLayout>

namespace attn::ui {

namespace {

constexpr int indentation = 14; // pixels

} // namespace

RunsPanel::RunsPanel(Study& study, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_model(study)
    , m_tree(new QTreeView)
    , m_dropped(plainLabel())
    , m_none(
          plainLabel(tr("None yet. Each run comes here, below the one that it differs from: another sentence, another "
                        "model, another word chosen.")))
{
    setObjectName(QStringLiteral("runsPanel"));
    m_tree->setObjectName(QStringLiteral("runsTree"));
    m_tree->setAccessibleName(tr("Runs"));
    m_tree->setModel(&m_model);
    m_tree->setItemDelegate(&m_delegate);
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(indentation);
    m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_tree->viewport()->installEventFilter(this);
    m_dropped->setObjectName(QStringLiteral("droppedRuns"));
    m_dropped->setWordWrap(true);
    m_dropped->hide();
    m_none->setObjectName(QStringLiteral("noRuns"));
    m_none->setWordWrap(true);
    m_none->setContentsMargins(6, 4, 6, 4);
    m_none->setAlignment(Qt::AlignTop);
    m_compare = addAction("compareRunAction", tr("Compare with"),
                          tr("Compare what is on show with this run (Ctrl and a click, Ctrl+P)"),
                          QKeySequence(Qt::CTRL | Qt::Key_P), &RunsPanel::compare);
    m_compare->setCheckable(true);
    m_rename =
        addAction("renameRunAction", tr("Rename"), tr("Give this run a name (F2)"), Qt::Key_F2, &RunsPanel::rename);
    m_annotate = addAction("annotateRunAction", tr("Note"), tr("Write a note on this run (Shift+F2)"),
                           QKeySequence(Qt::SHIFT | Qt::Key_F2), &RunsPanel::annotate);
    m_remove = addAction("removeRunAction", tr("Delete"), tr("Take this run away (Del)"), QKeySequence::Delete,
                         &RunsPanel::remove);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 4);
    layout->addWidget(m_none);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_dropped);
    layout->addLayout(buttonsOf(m_tree->actions()));
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        const auto run = RunsModel::runAt(now);
        if (run && !m_following)
            m_study.show(*run);
        showAbilities();
    });
    connect(m_tree, &QTreeView::collapsed, this,
            [this](const QModelIndex& index) { m_collapsed.insert(*RunsModel::runAt(index)); });
    connect(m_tree, &QTreeView::expanded, this,
            [this](const QModelIndex& index) { m_collapsed.erase(*RunsModel::runAt(index)); });
    connect(&m_model, &QAbstractItemModel::modelReset, this, &RunsPanel::expand);
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, &RunsPanel::expand);
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &RunsPanel::showAbilities);
    connect(&m_study, &Study::gathering, &m_delegate, &RunDelegate::finishEditing);
    connect(&m_study, &Study::runsChanged, this, &RunsPanel::follow);
    connect(&m_study, &Study::shownRunChanged, this, &RunsPanel::follow);
    expand();
    follow();
}

RunsPanel::~RunsPanel()
{
    delete m_tree; // while its model and delegate live
}

QAction* RunsPanel::addAction(const char* name, const QString& text, const QString& tip, const QKeySequence& key,
                              void (RunsPanel::*act)())
{
    QAction* const action = addListAction(*m_tree, name, text, tip, key);
    connect(action, &QAction::triggered, this, act);
    return action;
}

std::optional<int> RunsPanel::current() const
{
    return RunsModel::runAt(m_tree->currentIndex());
}

void RunsPanel::edit(int role)
{
    m_delegate.setEditedRole(role);
    m_tree->edit(m_tree->currentIndex());
}

void RunsPanel::compare()
{
    const auto run = current();
    m_study.compareAgainst(m_study.against() == run ? std::nullopt : run);
}

void RunsPanel::remove()
{
    const Run* const run = m_study.runs().find(current());
    if (run == nullptr)
        return;
    const auto asks = [&] {
        return askPlainly(this,
                          tr("Take this run away, with the name or note that you gave it?") + QLatin1Char('\n')
                              + shortened(runName(m_study.runs(), *run)),
                          QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel)
            == QMessageBox::Yes;
    };
    const int id = run->id;
    const quint64 session = m_study.sessions();
    if ((!isMarked(*run) || asks()) && m_study.sessions() == session)
        m_study.remove(id);
}

void RunsPanel::follow()
{
    const QModelIndex shown = m_model.indexOf(m_study.shown());
    {
        const QScopedValueRollback following(m_following, true);
        if (m_tree->currentIndex() != shown)
            m_tree->setCurrentIndex(shown);
    }
    const int dropped = m_study.dropped();
    m_none->setVisible(m_study.runs().runs().empty());
    m_dropped->setVisible(dropped > 0);
    m_dropped->setText(tr("%1 of the oldest runs are gone: the last %2, or %3 MB of them, are kept.")
                           .arg(dropped)
                           .arg(RunTree::mostRuns)
                           .arg(RunTree::mostBytes / 1e6));
    showAbilities();
}

void RunsPanel::expand()
{
    const std::set<int> collapsed = m_collapsed; // which expanding empties
    m_tree->expandAll();
    for (const int run : collapsed)
        m_tree->collapse(m_model.indexOf(run));
}

void RunsPanel::showAbilities()
{
    const auto run = current();
    for (QAction* action : {m_compare, m_rename, m_annotate})
        action->setEnabled(run.has_value());
    m_remove->setEnabled(run && run != m_study.growing());
    m_compare->setChecked(run && run == m_study.against());
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event)
{
    const bool pressed = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick;
    if (!pressed && event->type() != QEvent::MouseButtonRelease)
        return QWidget::eventFilter(watched, event);
    const auto& mouse = static_cast<const QMouseEvent&>(*event);
    const auto run = RunsModel::runAt(m_tree->indexAt(mouse.position().toPoint()));
    if (!run || mouse.button() != Qt::LeftButton || !mouse.modifiers().testFlag(Qt::ControlModifier))
        return QWidget::eventFilter(watched, event);
    if (pressed)
        m_study.compareAgainst(m_study.against() == run ? std::nullopt : run);
    return true;
}

} // namespace attn::ui

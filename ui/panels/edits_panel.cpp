// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/edits_panel.h"

#include "figures/look/theme.h"
#include "panels/controls.h"
#include "state/edit_list.h"
#include "state/strings.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace attn::ui {

EditsPanel::EditsPanel(EditList& edits, QWidget* parent)
    : QWidget(parent)
    , m_edits(edits)
    , m_new(new QLineEdit)
    , m_list(new QListView)
    , m_none(plainLabel(tr("Nothing is changed. The menu of a weight, word or head changes it (right click).")))
{
    setObjectName(QStringLiteral("editsPanel"));
    m_new->setObjectName(QStringLiteral("newEdit"));
    m_new->setAccessibleName(tr("New edit"));
    m_new->setPlaceholderText(tr("add: encoder:2:5=zero"));
    m_new->setToolTip(tr("STAGE:LAYER:HEAD:ROW:COLUMN=hide, zero, set:V, scale:V, uniform or renormalize;\n"
                         "source:POS=hide, token:ID or word:TEXT (Enter)"));
    m_none->setObjectName(QStringLiteral("noEdits"));
    m_none->setWordWrap(true);
    m_none->setContentsMargins(6, 2, 6, 2);
    m_none->setAlignment(Qt::AlignTop);
    m_list->setObjectName(QStringLiteral("editsList"));
    m_list->setAccessibleName(tr("Edits"));
    m_list->setModel(&m_edits);
    m_list->setItemDelegate(&m_delegate);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setDragDropMode(QAbstractItemView::InternalMove);
    m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_list->installEventFilter(this);
    m_remove = addAction("removeEditAction", tr("Delete"), tr("Take the chosen edits away (Del)"), QKeySequence::Delete,
                         &EditsPanel::remove);
    m_up = addAction("moveEditUpAction", tr("Up"), tr("Apply this edit earlier (Alt+Up)"),
                     QKeySequence(Qt::ALT | Qt::Key_Up), &EditsPanel::moveUp);
    m_down = addAction("moveEditDownAction", tr("Down"), tr("Apply this edit later (Alt+Down)"),
                       QKeySequence(Qt::ALT | Qt::Key_Down), &EditsPanel::moveDown);
    m_copyAll = addAction("copyAllEditsAction", tr("Copy all"), tr("Copy what is applied, one edit a line"), {},
                          &EditsPanel::copyAll);
    m_copy = addAction("copyEditsAction", tr("Copy"), {}, QKeySequence::Copy, &EditsPanel::copy);
    QAction* const pasted = addAction("pasteEditsAction", tr("Paste"), tr("Paste edits, one a line (Ctrl+V)"),
                                      QKeySequence::Paste, &EditsPanel::paste);
    m_undo = addAction("undoEditAction", tr("Undo"), {}, QKeySequence::Undo, &EditsPanel::undo);
    m_redo = addAction("redoEditAction", tr("Redo"), {}, QKeySequence::Redo, &EditsPanel::redo);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 4);
    layout->addWidget(m_new);
    layout->addWidget(m_none);
    layout->addWidget(m_list, 1);
    constexpr int least = 48; // in a low window
    m_list->setMinimumHeight(least);
    layout->addLayout(buttonsOf({m_remove, m_up, m_down, m_copyAll, pasted}));
    connect(m_new, &QLineEdit::returnPressed, this, &EditsPanel::add);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, &EditsPanel::showAbilities);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &EditsPanel::showAbilities);
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_edits, changed, this, &EditsPanel::showAbilities);
    connect(&m_edits, &QAbstractItemModel::dataChanged, this, &EditsPanel::showAbilities);
    connect(&m_edits.history(), &QUndoStack::indexChanged, this, &EditsPanel::showAbilities);
    showAbilities();
}

EditsPanel::~EditsPanel()
{
    delete m_list; // while its delegate lives
}

QAction* EditsPanel::addAction(const char* name, const QString& text, const QString& tip, const QKeySequence& key,
                               void (EditsPanel::*act)())
{
    QAction* const action = addListAction(*m_list, name, text, tip, key);
    connect(action, &QAction::triggered, this, act);
    return action;
}

std::vector<int> EditsPanel::chosen() const
{
    std::vector<int> rows;
    for (const QModelIndex& index : m_list->selectionModel()->selectedIndexes())
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    return rows;
}

void EditsPanel::add()
{
    const auto texts = EditList::textsIn(m_new->text());
    m_new->clear();
    m_edits.add(texts);
    m_list->scrollToBottom();
}

void EditsPanel::remove()
{
    const std::vector<int> rows = chosen();
    if (rows.empty())
        return;
    m_edits.removeAll(rows);
    if (const int left = m_edits.rowCount(); left > 0)
        m_list->setCurrentIndex(m_edits.index(std::min(rows.front(), left - 1)));
}

void EditsPanel::move(int by)
{
    const int row = m_list->currentIndex().row();
    const int to = row + by;
    if (row < 0 || to < 0 || to >= m_edits.rowCount())
        return;
    m_edits.move(row, to);
    m_list->setCurrentIndex(m_edits.index(to));
}

void EditsPanel::copyAll()
{
    QGuiApplication::clipboard()->setText(m_edits.text(true));
}

void EditsPanel::copy()
{
    QStringList lines;
    for (const int row : chosen())
        lines << m_edits.index(row).data(Qt::EditRole).toString();
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

// Below the current one.
void EditsPanel::paste()
{
    const QModelIndex current = m_list->currentIndex();
    m_edits.add(EditList::textsIn(QGuiApplication::clipboard()->text()),
                current.isValid() ? std::optional(current.row() + 1) : std::nullopt);
}

void EditsPanel::showAbilities()
{
    const std::vector<int> rows = chosen();
    const int current = m_list->currentIndex().row();
    const int count = m_edits.rowCount();
    m_none->setVisible(count == 0);
    m_remove->setEnabled(!rows.empty());
    m_copy->setEnabled(!rows.empty());
    m_copyAll->setEnabled(count > 0);
    m_up->setEnabled(current > 0);
    m_down->setEnabled(current >= 0 && current + 1 < count);
    m_undo->setEnabled(m_edits.history().canUndo());
    m_redo->setEnabled(m_edits.history().canRedo());
}

// The window has another use for some of the list's keys.
bool EditsPanel::eventFilter(QObject* watched, QEvent* event)
{
    const bool override = event->type() == QEvent::ShortcutOverride;
    if (!override && event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const QKeySequence pressed(static_cast<const QKeyEvent*>(event)->keyCombination());
    for (QAction* action : {m_undo, m_redo}) {
        if (!action->shortcuts().contains(pressed))
            continue;
        if (override)
            event->accept();
        else
            action->trigger();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

namespace {

constexpr int rowGap = 4; // pixels

QString problemAt(const QModelIndex& index)
{
    return index.data(EditList::ProblemRole).toString();
}

Theme themeOf(const QColor& ground)
{
    return luminance(ground) < 0.5 ? Theme::Dark : Theme::Light;
}

// Without the line of the problem.
QStyleOptionViewItem topOf(const QStyleOptionViewItem& option, const QModelIndex& index)
{
    QStyleOptionViewItem top = option;
    if (!problemAt(index).isEmpty())
        top.rect.setHeight(option.rect.height() - option.fontMetrics.height());
    return top;
}

} // namespace

void EditDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QString problem = problemAt(index);
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QStyle& style = item.widget == nullptr ? *QApplication::style() : *item.widget->style();
    if (!problem.isEmpty())
        style.drawPrimitive(QStyle::PE_PanelItemViewItem, &item, painter, item.widget);
    const QStyleOptionViewItem top = topOf(option, index);
    QStyledItemDelegate::paint(painter, top, index);
    if (problem.isEmpty())
        return;
    initStyleOption(&item, index);
    item.rect = top.rect;
    const QRect text = style.subElementRect(QStyle::SE_ItemViewItemText, &item, item.widget);
    const QRect line(text.left() + 3, top.rect.bottom() + 1, option.rect.right() - text.left() - 6,
                     option.rect.bottom() - top.rect.bottom());
    const bool selected = item.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setFont(item.font);
    painter->setPen(selected ? item.palette.color(QPalette::HighlightedText)
                             : themeColors(themeOf(item.palette.color(QPalette::Base))).accent);
    painter->drawText(line, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine),
                      item.fontMetrics.elidedText(problem, Qt::ElideRight, line.width()));
    painter->restore();
}

QSize EditDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index) + QSize(0, rowGap);
    if (!problemAt(index).isEmpty())
        size.rheight() += option.fontMetrics.height();
    return size;
}

QWidget* EditDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    editor->setObjectName(QStringLiteral("editEditor"));
    editor->setAccessibleName(EditList::tr("Edit"));
    return editor;
}

void EditDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const
{
    QStyledItemDelegate::updateEditorGeometry(editor, topOf(option, index), index);
}

bool EditDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                               const QModelIndex& index)
{
    return QStyledItemDelegate::editorEvent(event, model, topOf(option, index), index);
}

} // namespace attn::ui

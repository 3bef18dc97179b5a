// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/command_palette.h"

#include "help/help_text.h"
#include "state/strings.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace attn::ui {

namespace {

constexpr int widestPalette = 680; // pixels
constexpr int tallestPalette = 420;
constexpr int palettePlace = 48; // below the top of the window
constexpr int paletteMargin = 24; // at its sides
constexpr int lineAir = 8; // pixels
constexpr int mostShown = 200; // lines

enum Column { TitleColumn, WhereColumn, KeyColumn, ColumnCount };

struct Found
{
    int rank = 0;
    bool disabled = false;
    std::size_t place = 0; // among the commands

    auto order() const { return std::tuple(rank, disabled, place); }
};

std::vector<Found> findCommands(const QString& typed, const std::vector<Command>& commands)
{
    std::vector<Found> found;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (const auto rank = matchRank(typed, commands[i].title, commands[i].where))
            found.push_back({*rank, !typed.isEmpty() && !commands[i].enabled, i});
    }
    std::ranges::sort(found, {}, &Found::order);
    found.resize(std::min<std::size_t>(found.size(), mostShown));
    return found;
}

} // namespace

CommandPalette::CommandPalette(QWidget* window, std::vector<Command> commands)
    : PlacePopup(window)
    , m_commands(std::move(commands))
    , m_typed(new QLineEdit)
    , m_list(new QTreeWidget)
    , m_note(plainLabel())
{
    setObjectName(QStringLiteral("commandPalette"));
    m_typed->setObjectName(QStringLiteral("commandTyped"));
    m_typed->setPlaceholderText(tr("What do you want to do or open?"));
    m_typed->setAccessibleName(tr("Name of a command, view, page or model"));
    m_typed->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("commandList"));
    m_list->setAccessibleName(tr("Commands"));
    m_list->setColumnCount(ColumnCount);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setFocusPolicy(Qt::NoFocus); // the keys work from the line above
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(TitleColumn, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(WhereColumn, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(KeyColumn, QHeaderView::ResizeToContents);
    m_note->setObjectName(QStringLiteral("commandNote"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_typed);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_note);
    setFixedSize(std::min(widestPalette, window->width() - 2 * paletteMargin),
                 std::min(tallestPalette, window->height() - palettePlace - paletteMargin));
    connect(m_typed, &QLineEdit::textChanged, this, &CommandPalette::list);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &CommandPalette::say);
    connect(m_list, &QTreeWidget::itemClicked, this, &CommandPalette::carryOut);
    list();
}

void CommandPalette::open()
{
    openAt(parentWidget()->mapToGlobal(QPoint((parentWidget()->width() - width()) / 2, palettePlace)), m_typed);
}

void CommandPalette::list()
{
    m_list->clear();
    const QColor muted = palette().color(QPalette::PlaceholderText);
    const QColor disabled = palette().color(QPalette::Disabled, QPalette::Text);
    for (const Found& found : findCommands(m_typed->text(), m_commands)) {
        const Command& command = m_commands[found.place];
        auto* item = new QTreeWidgetItem(m_list, {command.title, command.where, command.key});
        item->setData(TitleColumn, Qt::UserRole, static_cast<int>(found.place));
        item->setData(TitleColumn, Qt::AccessibleTextRole,
                      QStringList({command.title, command.where, command.key}).join(QStringLiteral(", ")));
        item->setToolTip(TitleColumn, plainTip(command.title));
        item->setSizeHint(TitleColumn, QSize(0, fontMetrics().height() + lineAir));
        item->setTextAlignment(KeyColumn, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(TitleColumn, command.enabled ? palette().color(QPalette::Text) : disabled);
        item->setForeground(WhereColumn, muted);
        item->setForeground(KeyColumn, muted);
    }
    m_list->setCurrentItem(m_list->topLevelItem(0));
    say();
}

void CommandPalette::say()
{
    const QTreeWidgetItem* item = m_list->currentItem();
    if (item == nullptr)
        return m_note->setText(tr("Nothing is called so"));
    const Command& command = m_commands[static_cast<std::size_t>(item->data(TitleColumn, Qt::UserRole).toInt())];
    m_note->setText(command.enabled ? tr("Enter does it, the arrow keys choose, Escape closes")
                                    : tr("Not possible now; it is found in: %1").arg(command.where));
}

void CommandPalette::carryOut(const QTreeWidgetItem* item)
{
    if (item == nullptr)
        return;
    const Command& command = m_commands[static_cast<std::size_t>(item->data(TitleColumn, Qt::UserRole).toInt())];
    if (!command.enabled)
        return;
    // Once this has gone: some ask questions of their own.
    QMetaObject::invokeMethod(parentWidget(), command.act, Qt::QueuedConnection);
    close();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return PlacePopup::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Escape:
        break;
    default:
        return PlacePopup::eventFilter(watched, event);
    }
    if (event->type() == QEvent::ShortcutOverride) { // before the window's own keys
        event->accept();
        return true;
    }
    if (key->key() == Qt::Key_Escape)
        close();
    else if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)
        carryOut(m_list->currentItem());
    else
        QCoreApplication::sendEvent(m_list, event);
    return true;
}

} // namespace attn::ui

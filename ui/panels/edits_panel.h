// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/edit_list.h"

#include <QAction>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QStyledItemDelegate>
#include <QWidget>

#include <vector>

namespace attn::ui {

// An edit of EditList: its tick and its text, and below it why it is not applied.
class EditDelegate final : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;

protected:
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
};

// The edits of the question, to tick, type, order, copy and paste.
class EditsPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit EditsPanel(EditList& edits, QWidget* parent = nullptr);
    ~EditsPanel() override;

    QSize sizeHint() const override { return {300, 300}; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* addAction(const char* name, const QString& text, const QString& tip, const QKeySequence& key,
                       void (EditsPanel::*act)());
    std::vector<int> chosen() const; // rows, from above
    void add();
    void remove();
    void moveUp() { move(-1); }
    void moveDown() { move(1); }
    void move(int by);
    void copyAll();
    void copy();
    void paste();
    void undo() { m_edits.history().undo(); }
    void redo() { m_edits.history().redo(); }
    void showAbilities();

    EditList& m_edits;
    EditDelegate m_delegate;
    QLineEdit* m_new = nullptr;
    QListView* m_list = nullptr;
    QLabel* m_none = nullptr;
    QAction* m_remove = nullptr;
    QAction* m_up = nullptr;
    QAction* m_down = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_copyAll = nullptr;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
};

} // namespace attn::ui

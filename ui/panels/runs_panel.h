// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/run_delegate.h"
#include "panels/runs_model.h"

#include <QAction>
#include <QLabel>
#include <QTreeView>
#include <QWidget>

#include <optional>
#include <set>

namespace attn::ui {

// The runs that were made, as a tree. A click or an arrow key shows one, and nothing is run; Ctrl and a click compares
// the one on show with it. Names and notes are edited in place.
class RunsPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit RunsPanel(Study& study, QWidget* parent = nullptr);
    ~RunsPanel() override;

    QSize sizeHint() const override { return {300, 300}; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* addAction(const char* name, const QString& text, const QString& tip, const QKeySequence& key,
                       void (RunsPanel::*act)());
    std::optional<int> current() const;
    void edit(int role);
    void rename() { edit(Qt::EditRole); }
    void annotate() { edit(RunsModel::NoteRole); }
    void compare();
    void remove();
    void follow(); // what is on show is current
    void expand();
    void showAbilities();

    Study& m_study;
    RunsModel m_model;
    RunDelegate m_delegate;
    QTreeView* m_tree = nullptr;
    QLabel* m_dropped = nullptr;
    QLabel* m_none = nullptr; // instead of runs
    QAction* m_compare = nullptr;
    QAction* m_rename = nullptr;
    QAction* m_annotate = nullptr;
    QAction* m_remove = nullptr;
    std::set<int> m_collapsed; // runs
    bool m_following = false;
};

} // namespace attn::ui

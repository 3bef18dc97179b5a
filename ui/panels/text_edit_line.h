// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QStringList>

namespace attn::ui {

// One line of text with a history that up and down walk through.
class TextEditLine final : public QLineEdit
{
    Q_OBJECT

public:
    explicit TextEditLine(QWidget* parent = nullptr);

    const QStringList& history() const { return m_history; } // most recent last
    void setHistory(const QStringList& history);
    void remember(const QString& text);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void recall(int direction);

    QStringList m_history;
    qsizetype m_recalled = -1; // index in the history; -1: the draft
    QString m_draft;
};

} // namespace attn::ui

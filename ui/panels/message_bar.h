// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_controller.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

#include <functional>
#include <vector>

namespace attn::ui {

// A problem and its advice as sentences: "The text is empty. Type a sentence."
QString sentences(const UserMessage& message);

// Shows what went wrong, or what is worth knowing, in place, until it is closed or the next thing succeeds.
class MessageBar final : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    // One of the things that can be done about it: a button.
    struct Choice
    {
        const char* name; // of its object
        QString text;
        std::function<void()> act;
    };

    void show(const UserMessage& message, const std::vector<Choice>& choices = {});
    void showNote(const QString& text); // nothing went wrong
    void offer(const QString& text, const std::vector<Choice>& choices);
    QString text() const { return m_said; } // as it was given

private:
    using QFrame::show;

    void setChoices(const std::vector<Choice>& choices);
    void say(const QString& text, const QString& name, QStyle::StandardPixmap icon, const QString& iconName,
             const QString& whole = {});

    QLabel* m_icon = nullptr;
    QLabel* m_text = nullptr;
    QString m_said;
    QString m_whole; // what is copied
    QHBoxLayout* m_row = nullptr;
    QToolButton* m_copy = nullptr;
    std::vector<QToolButton*> m_choices;
};

} // namespace attn::ui

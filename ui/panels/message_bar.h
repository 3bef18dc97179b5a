// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_controller.h"

#include <QFrame>
#include <QLabel>

namespace attn::ui {

// Shows what went wrong, in place, until it is closed or the next thing succeeds.
class MessageBar final : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    void show(const UserMessage& message);
    QString text() const { return m_text->text(); }

private:
    using QFrame::show;

    QLabel* m_text = nullptr;
};

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_controller.h"

#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>

namespace attn::ui {

// Line for what is pointed at, how the run goes, and which model is open.
class StatusLine final : public QStatusBar
{
    Q_OBJECT

public:
    StatusLine(Study& study, RunController& controller, QWidget* parent = nullptr);

    void say(const QString& text) { m_said->setText(text); } // about what was done last
    void point(const QString& text) { m_hover->setText(text); } // at this
    void sayWhatFollows(); // the row of a text that has written nothing yet

private:
    void sayDone();
    void showModel();

    Study& m_study;
    QLabel* m_hover = nullptr;
    QLabel* m_said = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_model = nullptr;
};

} // namespace attn::ui

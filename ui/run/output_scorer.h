// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/job_runner.h"
#include "state/appearance.h"
#include "state/study.h"

#include <QObject>

namespace attn::ui {

// While two runs are compared: how probable the output of each is under the question of the other. What the user asks
// goes first.
class OutputScorer final : public QObject
{
    Q_OBJECT

public:
    OutputScorer(Study& study, const Appearance& appearance, RunController& controller, QObject* parent = nullptr);

private:
    void look();

    Study& m_study;
    const Appearance& m_appearance;
    RunController& m_controller;
    JobRunner m_jobs;
};

} // namespace attn::ui

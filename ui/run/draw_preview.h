// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "decoding/options.h"
#include "run/job_runner.h"
#include "run/run_controller.h"
#include "state/selection.h"
#include "state/study.h"

#include <QObject>

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace attn::ui {

// With what probabilities the candidates of the step on show would be drawn as sampling is set up now, before anything
// is. Computed on the inference thread.
class DrawPreview final : public QObject
{
    Q_OBJECT

public:
    DrawPreview(const Study& study, const Selection& selection, RunController& controller);

    // Probabilities of each candidate and of the token that was taken; empty where sampling changes nothing.
    const std::map<TokenId, double>& drawn() const { return m_drawn; }

Q_SIGNALS:
    void changed();

private:
    using Place = std::tuple<quint64, int, int>; // state of the trace, run, step

    void look();
    void compute();
    void draw();
    std::optional<Place> place() const; // none: nothing would be drawn there

    const Study& m_study;
    const Selection& m_selection;
    JobRunner m_jobs;
    std::optional<Place> m_place; // that was asked for last
    std::vector<float> m_logs; // of the whole vocabulary there; empty: not known yet
    std::map<TokenId, double> m_drawn;
};

} // namespace attn::ui

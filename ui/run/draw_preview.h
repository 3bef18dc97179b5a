// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "decoding/options.h"
#include "run/run_controller.h"
#include "state/selection.h"
#include "state/study.h"

#include <QObject>

#include <map>
#include <optional>
#include <tuple>

namespace attn::ui {

// With what probabilities the candidates of the step on show would be drawn as sampling is set up now, before anything
// is. Computed on the inference thread from what the run left.
class DrawPreview final : public QObject
{
    Q_OBJECT

public:
    DrawPreview(const Study& study, const Selection& selection, RunController& controller);

    // Probabilities of each candidate and of the token that was taken; empty where sampling changes nothing, or where
    // the run left nothing.
    const std::map<TokenId, double>& drawn() const { return m_drawn; }

Q_SIGNALS:
    void changed();

private:
    using Place = std::tuple<quint64, int, StepId>; // state of the trace, run, step

    void ask();
    void set(std::map<TokenId, double> drawn);
    std::optional<Place> place() const; // none: nothing would be drawn there

    const Study& m_study;
    const Selection& m_selection;
    RunController& m_controller;
    LatestRequest m_latest;
    std::optional<Place> m_place; // that was asked for last
    DecodingOptions m_options;
    std::map<TokenId, double> m_drawn;
};

} // namespace attn::ui

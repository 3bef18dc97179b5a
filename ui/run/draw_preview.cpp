// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/draw_preview.h"

#include "base/index.h"
#include "inference/kept_run.h"

#include <utility>
#include <vector>

namespace attn::ui {

namespace {

// Whether sampling draws by other probabilities than the model's.
bool reshapes(const DecodingOptions& options)
{
    const DecodingOptions usual;
    return options.search == Search::Sampling
        && (options.temperature != usual.temperature || options.topK != usual.topK || options.topP != usual.topP
            || options.minP != usual.minP);
}

} // namespace

DrawPreview::DrawPreview(const Study& study, const Selection& selection, RunController& controller)
    : m_study(study)
    , m_selection(selection)
    , m_controller(controller)
    , m_latest(*this)
{
    connect(&study, &Study::questionChanged, this, &DrawPreview::ask);
    connect(&study, &Study::traceChanged, this, &DrawPreview::ask);
    connect(&study, &Study::runEnded, this, [this] { // which has left something by now
        m_place.reset();
        ask();
    });
    connect(&selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & (Selection::StepField | Selection::LeafField))
            ask();
    });
}

std::optional<DrawPreview::Place> DrawPreview::place() const
{
    const auto step = m_selection.step();
    const Question& edited = m_study.edited();
    const Trace& trace = m_study.trace();
    if (!m_study.branches() || !trace.summary() || edited.targetText || !reshapes(edited.decoding) || !step
        || !trace.has(m_selection.leaf()))
        return std::nullopt;
    const Trace::Path path = trace.path(m_selection.leaf());
    if (*step < 0 || *step >= indexSize(path))
        return std::nullopt;
    return Place{m_study.revision(), *m_study.shown(), path[*step]->step.index};
}

void DrawPreview::ask()
{
    const auto place = this->place();
    const DecodingOptions& options = m_study.edited().decoding;
    if (place == m_place && (!place || options == m_options))
        return;
    m_latest.end();
    if (place != m_place)
        set({});
    m_place = place;
    m_options = options;
    if (!place)
        return;
    const auto [revision, run, step] = *place;
    const bool left = m_controller.look(
        run, [this, ticket = m_latest.begin(), step = step, options](const KeptRun& kept, Engine& engine) {
            if (ticket.stop().stop_requested())
                return;
            const std::vector<double> all = drawProbabilitiesAt(kept, step, options, engine);
            if (all.empty())
                return;
            const DecodingStep& chosen = kept.trace.step(step).step;
            std::map<TokenId, double> drawn{{chosen.token, all[chosen.token]}};
            for (const Candidate& candidate : chosen.candidates)
                drawn[candidate.token] = all[candidate.token];
            ticket.report([this, drawn] { set(drawn); });
        });
    if (!left)
        m_place.reset();
}

void DrawPreview::set(std::map<TokenId, double> drawn)
{
    if (std::exchange(m_drawn, std::move(drawn)) != m_drawn)
        Q_EMIT changed();
}

} // namespace attn::ui

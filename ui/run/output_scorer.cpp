// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/output_scorer.h"

#include "inference/forced_output.h"

#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

// An output, and the question that it is to be seen by.
struct WantedScore
{
    int run = 0;
    int other = 0;
    Trace trace;
    Question question;
    std::shared_ptr<const ModelSummary> model; // that the question was asked
};

bool canBeAsked(const Run& run)
{
    return run.question && run.model && run.finished();
}

// A question that cannot be answered leaves something, too, so that it is asked once. So does one to a model whose
// files are other ones by now.
OutputScore scoreOf(const WantedScore& wanted, JobTools& tools)
{
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    OutputScore score;
    try {
        const auto model = tools.models.load(wanted.model->path.toStdString(), tools.engine, {}, tools.stop);
        if (model->files == wanted.model->files)
            score = outputUnder(wanted.trace, fitted(wanted.question, *model), *model, tools.engine,
                                {.stop = tools.stop, .picture = tools.files.picture, .sound = tools.files.sound});
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
    }
    return score.tokens.empty() ? OutputScore{{unknown}, unknown} : score;
}

} // namespace

OutputScorer::OutputScorer(Study& study, const Appearance& appearance, RunController& controller, QObject* parent)
    : QObject(parent)
    , m_study(study)
    , m_appearance(appearance)
    , m_controller(controller)
    , m_jobs(controller)
{
    for (const auto signal : {&Study::shownRunChanged, &Study::runsChanged})
        connect(&study, signal, this, &OutputScorer::look);
    connect(&appearance, &Appearance::changed, this, &OutputScorer::look);
    connect(&controller, &RunController::busyChanged, this, &OutputScorer::look);
}

void OutputScorer::look()
{
    const Run* const shown = m_study.runs().find(m_study.shown());
    const Run* const other = m_appearance.difference() ? m_study.compared() : nullptr;
    m_jobs.cancel();
    if (m_controller.busy() || shown == nullptr || other == nullptr || !canBeAsked(*shown) || !canBeAsked(*other))
        return;
    std::vector<WantedScore> wanted;
    for (const auto& [run, by] : {std::pair(shown, other), std::pair(other, shown)}) {
        if (m_study.outputUnder(run->id, by->id).tokens.empty())
            wanted.push_back({run->id, by->id, run->trace, *by->question, by->model});
    }
    if (wanted.empty())
        return;
    const auto work = [this, wanted, next = std::size_t{0}](JobTools& tools) mutable {
        const WantedScore& one = wanted[next];
        tools.publish([this, run = one.run, by = one.other, score = scoreOf(one, tools)] {
            m_study.setOutputUnder(run, by, score);
        });
        return ++next < wanted.size();
    };
    m_jobs.start(work, {});
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/draw_preview.h"

#include "base/index.h"
#include "decoding/sampling.h"
#include "inference/answer.h"
#include "inference/forced_output.h"

#include <limits>
#include <utility>

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

// A step of a run.
struct StepOfRun
{
    Trace trace;
    Question question;
    std::shared_ptr<const ModelSummary> model; // that the question was asked
    Branch place;
};

// Log-probabilities of the whole vocabulary, from which a run that begins with the output before the step chooses next;
// empty where the model's files are other ones by now.
std::vector<float> logProbabilitiesAt(const StepOfRun& step, JobTools& tools)
{
    const auto model = tools.models.load(step.model->path.toStdString(), tools.engine, {}, tools.stop);
    if (model->files != step.model->files)
        return {};
    Question question = branched(fitted(step.question, *model), step.trace, step.place, model->tokenizers.source.get());
    const int given = indexSize(*question.prefixIds);
    question.decoding.search = Search::Greedy;
    question.decoding.maxLength = question.decoding.generate = given + 1;
    question.decoding.candidates = model->model->info().targetVocabulary;
    question.capture = {.attention = false};
    const Trace trace = answer(question, *model, tools.engine,
                               {.stop = tools.stop, .picture = tools.files.picture, .sound = tools.files.sound});
    const auto& candidates = trace.path().at(static_cast<std::size_t>(step.place.step))->step.candidates;
    if (candidates.empty())
        return {};
    std::vector<float> logs(static_cast<std::size_t>(question.decoding.candidates),
                            -std::numeric_limits<float>::infinity());
    for (const Candidate& candidate : candidates)
        logs[static_cast<std::size_t>(candidate.token)] = candidate.logProbability;
    return logs;
}

} // namespace

DrawPreview::DrawPreview(const Study& study, const Selection& selection, RunController& controller)
    : m_study(study)
    , m_selection(selection)
    , m_jobs(controller)
{
    connect(&study, &Study::questionChanged, this, &DrawPreview::look);
    connect(&study, &Study::traceChanged, this, &DrawPreview::look);
    connect(&study, &Study::runEnded, this, &DrawPreview::look);
    connect(&selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & (Selection::StepField | Selection::LeafField))
            look();
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
    if (*step < 0 || *step >= indexSize(trace.path(m_selection.leaf())))
        return std::nullopt;
    return Place{m_study.revision(), *m_study.shown(), *step};
}

void DrawPreview::look()
{
    const auto place = this->place();
    if (place == m_place)
        return draw();
    m_jobs.cancel();
    m_logs.clear();
    m_place = place;
    draw();
    if (place)
        compute();
}

void DrawPreview::compute()
{
    const auto [revision, id, step] = *m_place;
    const Run* const run = m_study.runs().find(id);
    if (run == nullptr || !run->question || !run->model)
        return;
    const StepOfRun asked{run->trace, *run->question, run->model, {m_selection.leaf(), step, {}}};
    m_jobs.start(
        [this, asked](JobTools& tools) {
            tools.publish([this, logs = logProbabilitiesAt(asked, tools)] {
                m_logs = logs;
                draw();
            });
            return false;
        },
        {});
}

void DrawPreview::draw()
{
    std::map<TokenId, double> drawn;
    if (m_place && !m_logs.empty()) {
        const std::vector<double> all = drawProbabilities(m_logs, m_study.edited().decoding);
        const auto step = m_study.trace().path(m_selection.leaf()).at(static_cast<std::size_t>(std::get<2>(*m_place)));
        drawn[step->step.token] = all.at(static_cast<std::size_t>(step->step.token));
        for (const Candidate& candidate : step->step.candidates)
            drawn[candidate.token] = all.at(static_cast<std::size_t>(candidate.token));
    }
    if (std::exchange(m_drawn, std::move(drawn)) != m_drawn)
        Q_EMIT changed();
}

} // namespace attn::ui

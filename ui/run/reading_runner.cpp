// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/reading_runner.h"

#include "attribution/reading_method.h"
#include "figures/look/language.h"
#include "inference/answer.h"
#include "loading/special_ids.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace attn::ui {

namespace {

constexpr std::size_t positionsAtOnce = 8; // of a reading that is computed row by row

// Name of what is computed, for people.
QString methodName(const std::string& method)
{
    const auto row = std::ranges::find_if(
        readings(), [&](const Reading* reading) { return reading->computed && reading->computed->method == method; });
    return row == readings().end() ? QString::fromStdString(method) : translated((*row)->name);
}

KeptReadings lacksOf(const ExplainedRun& run)
{
    KeptReadings kept;
    for (const ReadingMethod* const method : readingMethods()) {
        std::string lack = method->ofOutput ? run.nothingToExplain() : std::string();
        if (lack.empty())
            lack = method->lack(run);
        if (!lack.empty())
            kept.lacks[method->id] = lack;
    }
    return kept;
}

// Positions that a method has not been computed of.
std::vector<ExplainedOutput> positionsLeft(const ExplainedRun& run, const ReadingMethod& method,
                                           const KeptReadings& kept)
{
    std::vector<ExplainedOutput> left;
    for (const ExplainedOutput& output : run.everyOutput()) {
        if (!kept.computed.contains({method.id, {.of = output.position, .against = output.against}}))
            left.push_back(output);
    }
    return left;
}

bool isSpan(const Trace& trace)
{
    return trace.tokenPredictions() && trace.tokenPredictions()->task == TaskHead::Span;
}

// Whether there are several outputs, one for each step.
bool hasPositions(const Trace& trace)
{
    return !trace.classification() && !isSpan(trace);
}

} // namespace

// The tasks, a piece at a time, on the inference thread.
struct ReadingRunner::Work
{
    // Whether there is more to do.
    bool advance(JobTools& tools)
    {
        const Task& task = tasks[next];
        KeptReadings found;
        const auto failure = caught([&] {
            if (!run)
                begin(task, tools);
            found = task.method.empty() ? lacksOf(*run) : compute(task, tools);
        });
        if (failure && (!task.method.empty() || failure->kind() == ErrorKind::Cancelled))
            throw Error(*failure);
        if (failure) { // nobody has asked yet
            run.reset();
            return ++next < tasks.size();
        }
        tools.publish([runner = runner, task, found, usual = run->explained()] {
            runner->m_made[{task.run.id, task.method, {}}] = task.options;
            for (const auto& [method, about] : found.computed)
                runner->m_made[{task.run.id, method, about}] = task.options;
            runner->m_study.addReadings(task.run.id, found);
            if (!task.method.empty() && readingMethod(task.method).ofOutput && !task.about.all && !task.about.of
                && !usual.empty())
                runner->m_selection.setAbout({usual.front().position, false, task.about.against});
        });
        if (rest.empty()) {
            run.reset();
            ++next;
        }
        return next < tasks.size();
    }

    void begin(const Task& task, JobTools& tools)
    {
        ReadingOptions options;
        options.ofAll = task.about.all;
        if (task.options.steps > 0)
            options.steps = task.options.steps;
        else
            options.mostSteps = mostShownSteps;
        options.eraseHides = task.options.eraseHides;
        if (!task.about.all && !isSpan(task.run.trace))
            options.of = task.about.of;
        if (task.about.against)
            options.against = std::to_string(*task.about.against);
        run = explain(task.run, options, tools, task.options.baseline);
        all = 0;
        if (!task.method.empty() && task.about.all && !task.anew && task.run.trace.readings())
            rest = positionsLeft(*run, readingMethod(task.method), *task.run.trace.readings());
        else if (task.about.all)
            rest = run->everyOutput();
        all = rest.size();
    }

    KeptReadings compute(const Task& task, JobTools& tools)
    {
        const ReadingMethod& method = readingMethod(task.method);
        tools.progress(methodName(task.method),
                       all == 0 ? -1.0 : 1.0 - static_cast<double>(rest.size()) / static_cast<double>(all));
        const auto some = std::min(rest.size(), positionsAtOnce);
        if (all > 0)
            run->explainOnly({rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(some)});
        const ReadingMethod* const methods[] = {&method};
        ReadingResults results = computeReadings(*run, methods);
        const bool isAbsent = !results.absent.empty();
        KeptReadings found;
        keep(found, *run, methods, std::move(results));
        std::erase_if(rest, [&](const ExplainedOutput& output) {
            return isAbsent || found.computed.contains({method.id, {.of = output.position, .against = output.against}});
        });
        if (task.about.all && rest.empty())
            found.computed.insert({task.method, task.about});
        return found;
    }

    ReadingRunner* runner; // used on the window's thread
    std::vector<Task> tasks;
    std::size_t next = 0;
    std::shared_ptr<ExplainedRun> run; // of the task; null: not begun
    std::vector<ExplainedOutput> rest; // positions that are still to be explained
    std::size_t all = 0; // as many as there were
};

ReadingRunner::ReadingRunner(Study& study, Selection& selection, const Appearance& appearance,
                             RunController& controller, QObject* parent)
    : QObject(parent)
    , m_study(study)
    , m_selection(selection)
    , m_appearance(appearance)
    , m_controller(controller)
    , m_jobs(controller)
{
    for (const auto signal : {&Study::shownRunChanged, &Study::runsChanged, &Study::readingsWanted, &Study::runEnded})
        connect(&study, signal, this, &ReadingRunner::look);
    connect(&study, &Study::traceReplaced, this, [this] {
        m_jobs.cancel();
        m_asked.clear();
        m_step.reset();
        m_selection.setAbout({{}, m_selection.about().all, {}});
    });
    connect(&appearance, &Appearance::changed, this, &ReadingRunner::look);
    connect(&controller, &RunController::busyChanged, this, &ReadingRunner::look);
    connect(&selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & (Selection::HeadField | Selection::StepField | Selection::AboutField))
            look();
    });
    connect(&m_jobs, &JobRunner::busyChanged, &study, &Study::setComputesReadings);
    connect(&m_jobs, &JobRunner::busyChanged, this, &ReadingRunner::busyChanged);
    connect(&m_jobs, &JobRunner::progressed, this, &ReadingRunner::progressed);
    connect(&m_jobs, &JobRunner::failed, this, &ReadingRunner::failed);
}

void ReadingRunner::setOptions(const Options& options)
{
    if (options == m_options)
        return;
    m_options = options;
    look();
}

// Whether what is kept was computed with the options of now, as far as its method has any.
bool ReadingRunner::isCurrent(int run, const std::string& method, const ReadingAbout& about) const
{
    const auto made = m_made.find({run, method, about});
    const Options with = made == m_made.end() ? Options() : made->second;
    if (method == "integrated_gradients")
        return with.steps == m_options.steps && with.baseline == m_options.baseline;
    return (method != "erasure" && !method.empty()) || with.eraseHides == m_options.eraseHides;
}

void ReadingRunner::cancel()
{
    m_jobs.cancel();
}

// The step is the position that is explained; another one has other candidates. True: the selection has changed.
bool ReadingRunner::followStep(const Trace& trace)
{
    const auto step = m_selection.step();
    if (!hasPositions(trace) || !step || *step >= trace.steps())
        return false;
    ReadingAbout about = m_selection.about();
    about.of = *step + trace.firstStepToken();
    if (std::exchange(m_step, step) != step && !about.all)
        about.against.reset();
    if (about == m_selection.about())
        return false;
    m_selection.setAbout(about);
    return true;
}

// Without a model nothing is computed: what is shown is about the step if the run holds that, or else what it holds.
bool ReadingRunner::takeHeld()
{
    const Trace& trace = m_study.trace();
    if (m_study.model() || !trace.readings())
        return false;
    ReadingAbout wanted = m_selection.about();
    if (const auto step = m_selection.step(); step && *step < trace.steps() && !wanted.all)
        wanted.of = *step + trace.firstStepToken();
    const ReadingAbout held = heldAbout(trace, m_selection.head().reading(), wanted);
    if (held == m_selection.about())
        return false;
    m_selection.setAbout(held);
    return true;
}

void ReadingRunner::look()
{
    if (m_controller.busy()) {
        m_asked.clear();
        return m_jobs.cancel();
    }
    if (takeHeld())
        return; // this was called for it
    if (const auto shown = runToExplain(m_study.runs().find(m_study.shown())); shown && followStep(shown->trace))
        return; // this was called for it
    std::vector<Task> tasks = missing();
    if (tasks.empty())
        return m_jobs.cancel();
    if (tasks == m_asked) // and goes on, failed or was cancelled
        return;
    m_asked = tasks;
    const auto work = std::make_shared<Work>();
    work->runner = this;
    work->tasks = std::move(tasks);
    m_jobs.start([work](JobTools& tools) { return work->advance(tools); }, [this] { look(); });
}

std::vector<ReadingRunner::Task> ReadingRunner::missing() const
{
    std::vector<Task> tasks;
    const Run* const other = m_appearance.difference() ? m_study.compared() : nullptr;
    for (const Run* const run : {m_study.runs().find(m_study.shown()), other}) {
        if (const auto finished = runToExplain(run))
            addMissing(tasks, *finished);
    }
    return tasks;
}

void ReadingRunner::addMissing(std::vector<Task>& tasks, const RunToExplain& run) const
{
    std::vector<std::string> methods(m_study.wantedReadings().begin(), m_study.wantedReadings().end());
    const Reading& selected = m_selection.head().reading();
    if (selected.computed)
        methods.emplace_back(selected.computed->method);
    if (!run.trace.readings() || !isCurrent(run.id, {}, {}))
        tasks.push_back({run, {}, {}, m_options});
    const KeptReadings kept = run.trace.readings() ? *run.trace.readings() : KeptReadings();
    const bool mayErase = m_options.eraseHides && kept.lacks.contains("erasure"); // what nothing can be put in for
    if (mayErase && std::ranges::find(methods, "erasure") == methods.end())
        methods.emplace_back("erasure");
    for (const std::string& id : methods) {
        const ReadingMethod& method = readingMethod(id);
        const bool isSelected = selected.computed && id == selected.computed->method;
        ReadingAbout about = method.ofOutput ? m_selection.about() : ReadingAbout();
        about.all = about.all && isSelected && method.ofEach && hasPositions(run.trace);
        if (about.all)
            about.of.reset();
        const bool anew = std::ranges::any_of(kept.computed, [&](const auto& computed) {
            return computed.first == id && !isCurrent(run.id, id, computed.second);
        });
        const Task task{run, id, about, m_options, anew};
        const bool lacks = kept.lacks.contains(id) && !(mayErase && id == "erasure");
        if (!lacks && !(kept.computed.contains({id, about}) && isCurrent(run.id, id, about))
            && std::ranges::find(tasks, task) == tasks.end())
            tasks.push_back(task);
    }
}

namespace {

struct LoadedRun
{
    LoadedRun(std::shared_ptr<const LoadedModel> loaded, const RunToExplain& run, const ReadingOptions& options,
              const JobTools& tools)
        : model(std::move(loaded))
        , trace(run.trace)
        , explained(*model, fitted(run.question, *model), trace, options, tools.engine, tools.stop)
    {
    }

    std::shared_ptr<const LoadedModel> model;
    Trace trace;
    ExplainedRun explained;
};

} // namespace

std::optional<RunToExplain> runToExplain(const Run* run)
{
    if (run == nullptr || !run->question || !run->model || !run->finished())
        return std::nullopt;
    return RunToExplain{run->id, run->trace, *run->question, run->model};
}

std::shared_ptr<ExplainedRun> explain(const RunToExplain& run, ReadingOptions options, JobTools& tools,
                                      const std::string& baseline)
{
    const auto model = tools.models.load(run.model->path.toStdString(), tools.engine, {}, tools.stop);
    if (model->files != run.model->files)
        throw Error(ErrorKind::File, run.model->path.toStdString(), "has changed since the run was made",
                    "open it again and repeat the run");
    if (const auto token = sourceIdNamed(*model, baseline))
        options.baseline = token;
    const auto inHand = std::make_shared<LoadedRun>(model, run, options, tools);
    return {inHand, &inHand->explained};
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/bench_run.h"

#include "base/error.h"
#include "base/index.h"
#include "commands/bench_shapes.h"
#include "commands/options.h"
#include "loading/model_loader.h"
#include "trace/trace_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <random>
#include <utility>

namespace attn::app {

namespace {

struct BenchedCapture
{
    const char* name;
    Capture capture;
};

constexpr BenchedCapture benchedCaptures[] = {
    {"none", {.attention = false}},
    {"weights", {}}, // as in the window
    {"all", {.scores = true, .hidden = true, .logits = true}},
};

class EndlessModel final : public SequenceModel
{
public:
    explicit EndlessModel(std::shared_ptr<const SequenceModel> model)
        : m_model(std::move(model))
        , m_info(m_model->info())
    {
        m_info.endToken.reset();
        m_info.otherEndTokens.clear();
    }

    const ModelInfo& info() const override { return m_info; }
    std::uint64_t workBytes(const RunLength& length, const Capture& capture, const Engine& engine) const override
    {
        return m_model->workBytes(length, capture, engine);
    }
    std::shared_ptr<const EncoderOutput> encode(const Source& source, RunContext& context) const override
    {
        return m_model->encode(source, context);
    }
    Tensor predictMasked(const EncoderOutput& encoded, RunContext& context) const override
    {
        return m_model->predictMasked(encoded, context);
    }
    Tensor classify(const EncoderOutput& encoded, RunContext& context) const override
    {
        return m_model->classify(encoded, context);
    }
    std::unique_ptr<DecoderState> start(std::shared_ptr<const EncoderOutput> encoded,
                                        RunContext& context) const override
    {
        return m_model->start(std::move(encoded), context);
    }

private:
    std::shared_ptr<const SequenceModel> m_model;
    ModelInfo m_info;
};

} // namespace

TimedRun timedRun(const Question& question, const LoadedModel& loaded, Engine& engine, const std::stop_token& stop)
{
    struct Mark
    {
        BenchClock::time_point at;
        ProductWork work;
    };
    std::vector<Mark> marks;
    std::shared_ptr<const TraceBuilder> builder;
    int step = -1;
    const auto changed = [&] {
        if (!builder)
            return;
        const Progress progress = builder->progress();
        const bool begins = progress.part == Progress::Part::Step && progress.number != step;
        if (begins || progress.part == Progress::Part::Finished)
            marks.push_back({BenchClock::now(), engine.work()});
        if (begins)
            step = progress.number;
    };
    const ProductWork before = engine.work();
    const auto start = BenchClock::now();
    answer(question, loaded, engine,
           {.stop = stop, .changed = changed, .started = [&](const auto& made) { builder = made; }});
    TimedRun run;
    run.whole = millisecondsSince(start);
    run.input = millisecondsBetween(start, marks.front().at);
    run.ofInput = marks.front().work - before;
    for (Index i = 1; i < indexSize(marks); ++i) {
        run.steps.push_back(millisecondsBetween(marks[i - 1].at, marks[i].at));
        run.ofStep = marks[i].work - marks[i - 1].work;
    }
    return run;
}

std::vector<TokenId> someTokens(int count, int vocabulary)
{
    std::minstd_rand generator(1);
    std::vector<TokenId> ids;
    std::generate_n(std::back_inserter(ids), count, [&] { return static_cast<TokenId>(generator() % vocabulary); });
    return ids;
}

std::shared_ptr<const SequenceModel> endless(std::shared_ptr<const SequenceModel> model)
{
    return std::make_shared<EndlessModel>(std::move(model));
}

Capture captureNamed(const std::string& name)
{
    return std::ranges::find(benchedCaptures, name, &BenchedCapture::name)->capture;
}

std::vector<std::string> benchCaptures()
{
    std::vector<std::string> names;
    for (const BenchedCapture& row : benchedCaptures)
        names.emplace_back(row.name);
    return names;
}

void addBenchOptions(CLI::App& command, const BenchOptions& options)
{
    command.add_option("--capture", options.capture, "what is kept of a run")
        ->check(CLI::IsMember(choices("--capture")))
        ->capture_default_str();
    command.add_option("--runs", options.runs, "how often each is timed")
        ->transform(decimal())
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    addOption(command, optionRow(questionRows(), "precision"), options.question, [](const char* /*key*/) {});
    addEngineOptions(command, options.threads, options.weights);
    command.add_flag("--json", options.json, "print the figures as JSON");
}

void requireModelOrShape(const std::string& name)
{
    if (isShape(name))
        return;
    try {
        (void)modelPath(name);
    } catch (const Error&) {
        throw Error(
            ErrorKind::File, name, "is neither a model nor a shape",
            fmt::format("use a path, a name that attnscope models lists, or {}", fmt::join(shapeNames(), ", ")));
    }
}

} // namespace attn::app

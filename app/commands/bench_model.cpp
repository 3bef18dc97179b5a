// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/index.h"
#include "base/memory.h"
#include "base/plain_text.h"
#include "commands/bench_run.h"
#include "commands/bench_shapes.h"
#include "commands/options.h"
#include "loading/model_loader.h"
#include "nn/engine.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace attn::app {

namespace {

struct ModelBench
{
    Question question; // model, precision
    std::string capture = "weights";
    int tokens = 128;
    int steps = 32;
    int runs = 9;
    int threads = 0;
    WeightStorage weights = WeightStorage::Automatic;
    bool json = false;
};

Question questionOf(const ModelBench& asked, const ModelInfo& info)
{
    const bool decodes = info.kind != ModelKind::EncoderOnly;
    const int needed = asked.tokens + (info.kind == ModelKind::DecoderOnly ? asked.steps : 0);
    if (info.maximumLength && std::max(needed, decodes ? asked.steps : 0) > *info.maximumLength)
        throw UsageError(fmt::format("--tokens: the model has {} positions", *info.maximumLength));
    Question question = asked.question;
    question.sourceIds = someTokens(asked.tokens, info.sourceVocabulary);
    question.capture = captureNamed(asked.capture);
    if (info.kind == ModelKind::DecoderOnly)
        question.decoding.generate = asked.steps;
    else
        question.decoding.maxLength = asked.steps;
    return question;
}

// All that was measured, in milliseconds.
struct ModelFigures
{
    ModelKind kind = ModelKind::EncoderOnly;
    std::int64_t parameters = 0;
    int threads = 0;
    std::vector<double> loads;
    std::vector<double> firstRuns;
    std::vector<double> runs;
    std::vector<double> inputs;
    std::vector<std::vector<double>> steps; // by run
    ProductWork ofInput;
    ProductWork ofStep;
    std::uint64_t memory = 0; // before the machine's own limits were measured
    double peakFlops = 0; // of the machine, in a second
    double peakBytes = 0; // of what decodes
    std::optional<double> largestChange; // of an attention weight, beside f32; none: in f32 itself

    bool decodes() const { return !steps.empty() && !steps.front().empty(); }
    std::vector<double> allSteps() const
    {
        std::vector<double> all;
        for (const auto& run : steps)
            all.insert(all.end(), run.begin(), run.end());
        return all;
    }
    std::vector<double> mediansByStep() const
    {
        std::vector<double> medians;
        for (std::size_t step = 0; step < steps.front().size(); ++step) {
            std::vector<double> same;
            std::ranges::transform(steps, std::back_inserter(same), [&](const auto& run) { return run[step]; });
            medians.push_back(quartilesOf(std::move(same)).median);
        }
        return medians;
    }
    // Operations of the reading of the input, and of a step, in a second.
    double inputFlops() const
    {
        return 2.0 * static_cast<double>(ofInput.multiplyAdds) / quartilesOf(inputs).median * 1e3;
    }
    double stepBytes() const { return static_cast<double>(ofStep.weightBytes) / quartilesOf(allSteps()).median * 1e3; }
};

// All weights that a model of the path computes for the input and for an output of the same tokens.
Trace weightsOf(const ModelBench& asked, Precision precision, const std::string& path, const std::stop_token& stop)
{
    Engine engine(asked.threads, precision, asked.weights);
    const LoadedModel loaded = loadModel(path, engine, {}, stop);
    Question question = questionOf(asked, loaded.model->info());
    question.precision = precision;
    question.capture = {};
    question.decoding.generate = 0;
    if (loaded.model->info().kind == ModelKind::EncoderDecoder)
        question.targetIds = someTokens(asked.steps, loaded.model->info().targetVocabulary);
    RunObserver observer;
    observer.stop = stop;
    return answer(question, loaded, engine, observer);
}

// NaN where a weight is.
double largestChange(const Trace& one, const Trace& other)
{
    float largest = 0;
    for (const Site& site : one.sites()) {
        for (int head = 0; head < one.heads(site); ++head) {
            const Numbers here = one.matrix(site, head);
            const Numbers there = other.matrix(site, head);
            for (std::size_t i = 0; i < here.values.size(); ++i) {
                const float change = std::abs(here.values[i] - there.values[i]);
                if (std::isnan(change))
                    return change;
                largest = std::max(largest, change);
            }
        }
    }
    return largest;
}

ModelFigures measured(const ModelBench& asked)
{
    const InterruptWatch interrupt;
    const std::stop_token stop = interrupt.token();
    std::optional<ShapeCheckpoint> written;
    if (isShape(asked.question.model))
        written.emplace(asked.question.model, stop);
    const std::string path = written ? written->folder().string() : asked.question.model;
    ModelFigures figures;
    std::optional<Engine> engine;
    std::optional<LoadedModel> loaded;
    Question question;
    for (int i = 0; i < asked.runs; ++i) {
        loaded.reset(); // a second one takes no more memory
        engine.reset();
        Engine::forgetKernels(); // as a new process would begin
        releaseFreedNumbers();
        engine.emplace(asked.threads, asked.question.precision, asked.weights);
        const auto start = BenchClock::now();
        loaded = loadModel(path, *engine, {}, stop);
        figures.loads.push_back(millisecondsSince(start));
        loaded->model = endless(loaded->model);
        question = questionOf(asked, loaded->model->info());
        figures.firstRuns.push_back(timedRun(question, *loaded, *engine, stop).whole);
    }
    for (int i = 0; i < asked.runs; ++i) {
        TimedRun run = timedRun(question, *loaded, *engine, stop);
        figures.runs.push_back(run.whole);
        figures.inputs.push_back(run.input);
        figures.steps.push_back(std::move(run.steps));
        figures.ofInput = run.ofInput;
        figures.ofStep = run.ofStep;
    }
    figures.kind = loaded->model->info().kind;
    figures.parameters = loaded->model->info().parameters;
    figures.threads = engine->threads();
    figures.memory = peakMemory();
    loaded.reset();
    if (asked.question.precision != Precision::F32)
        figures.largestChange = largestChange(weightsOf(asked, asked.question.precision, path, stop),
                                              weightsOf(asked, Precision::F32, path, stop));
    written.reset();
    figures.peakFlops = peakFlops(*engine);
    if (figures.decodes())
        figures.peakBytes = peakBytes(*engine);
    return figures;
}

// One timing: its name in JSON and in the table. What the model does not do has no values.
struct TimingRow
{
    const char* key;
    std::string label;
    std::vector<double> values;
};

std::vector<TimingRow> timingsOf(const ModelFigures& figures)
{
    std::vector<TimingRow> rows{{"load_ms", "load", figures.loads},
                                {"first_run_ms", "first run", figures.firstRuns},
                                {"run_ms", "warm run", figures.runs}};
    if (figures.decodes()) {
        const bool prompt = figures.kind == ModelKind::DecoderOnly;
        rows.push_back({"input_ms", prompt ? "its prompt" : "its encoder", figures.inputs});
        rows.push_back(
            {"step_ms", fmt::format("each of its {} steps", figures.steps.front().size()), figures.allSteps()});
    }
    return rows;
}

double shareOf(double part, double whole)
{
    return whole > 0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
}

std::string titleOf(const ModelBench& asked, const ModelFigures& figures)
{
    return fmt::format("{}: {:.1f} million weights, {} tokens, {}, capture {}, {} thread{}, {} times",
                       asked.question.model, static_cast<double>(figures.parameters) / 1e6, asked.tokens,
                       optionText(optionRow(questionRows(), "precision"), asked.question).value(), asked.capture,
                       figures.threads, figures.threads == 1 ? "" : "s", asked.runs);
}

void printTable(const ModelBench& asked, const ModelFigures& figures)
{
    std::cout << escaped(titleOf(asked, figures)) << '\n';
    std::cout << fmt::format("{:<24}{:>12}{:>14}{:>12}{:>12}{:>12}\n", "milliseconds", "median", "lower quart.",
                             "upper", "least", "most");
    for (const TimingRow& row : timingsOf(figures)) {
        const Quartiles found = quartilesOf(row.values);
        std::cout << fmt::format("{:<24}{:>12.2f}{:>14.2f}{:>12.2f}{:>12.2f}{:>12.2f}\n", row.label, found.median,
                                 found.lower, found.upper, found.least, found.most);
    }
    const char* input = figures.kind == ModelKind::EncoderOnly ? "warm run"
        : figures.kind == ModelKind::DecoderOnly               ? "prompt"
                                                               : "encoder";
    std::cout << fmt::format("{:<24}{:.3f} Gflop: {:.1f} Gflop/s, {:.0f} % of this machine's {:.1f}\n",
                             fmt::format("products, {}", input),
                             2e-9 * static_cast<double>(figures.ofInput.multiplyAdds), figures.inputFlops() / 1e9,
                             100 * shareOf(figures.inputFlops(), figures.peakFlops), figures.peakFlops / 1e9);
    if (figures.decodes())
        std::cout << fmt::format("{:<24}{:.1f} MB: {:.1f} GB/s, {:.0f} % of this machine's {:.1f}\n",
                                 "weights read by a step", static_cast<double>(figures.ofStep.weightBytes) / 1e6,
                                 figures.stepBytes() / 1e9, 100 * shareOf(figures.stepBytes(), figures.peakBytes),
                                 figures.peakBytes / 1e9);
    std::cout << fmt::format("{:<24}{:.1f} MB\n", "peak memory", static_cast<double>(figures.memory) / 1e6);
    if (figures.largestChange)
        std::cout << fmt::format("{:<24}{:.5f}, beside f32\n", "largest change", *figures.largestChange);
}

void printJson(const ModelBench& asked, const ModelFigures& figures)
{
    nlohmann::ordered_json json{
        {"model", asked.question.model},
        {"parameters", figures.parameters},
        {"tokens", asked.tokens},
        {"precision", optionText(optionRow(questionRows(), "precision"), asked.question).value()},
        {"capture", asked.capture},
        {"threads", figures.threads}};
    if (isShape(asked.question.model))
        json["config"] = nlohmann::ordered_json::parse(shapeConfig(asked.question.model));
    for (const TimingRow& row : timingsOf(figures)) {
        const Quartiles found = quartilesOf(row.values);
        json[row.key] = {{"median", found.median}, {"lower", found.lower}, {"upper", found.upper},
                         {"least", found.least},   {"most", found.most},   {"values", row.values}};
    }
    json["input_flop"] = 2 * figures.ofInput.multiplyAdds;
    json["peak_flops"] = figures.peakFlops;
    json["product_share"] = shareOf(figures.inputFlops(), figures.peakFlops);
    if (figures.decodes()) {
        json["steps_ms"] = figures.mediansByStep();
        json["step_bytes"] = figures.ofStep.weightBytes;
        json["peak_bytes_per_second"] = figures.peakBytes;
        json["bandwidth_share"] = shareOf(figures.stepBytes(), figures.peakBytes);
    }
    json["peak_memory_bytes"] = figures.memory;
    if (figures.largestChange)
        json["largest_weight_change"] = *figures.largestChange;
    std::cout << jsonText(json, 1) << '\n';
}

void benchModel(const ModelBench& asked)
{
    requireModelOrShape(asked.question.model);
    const ModelFigures figures = measured(asked);
    if (asked.json)
        printJson(asked, figures);
    else
        printTable(asked, figures);
}

} // namespace

void addBenchModel(CLI::App& bench)
{
    auto asked = std::make_shared<ModelBench>();
    auto* command =
        bench.add_subcommand("model", "load a model, run it and decode, in shares of what this machine can do");
    command
        ->add_option(
            "MODEL", asked->question.model,
            fmt::format("bundled name, checkpoint, or a shape with random weights: {}", fmt::join(shapeNames(), ", ")))
        ->required();
    command->add_option("--tokens", asked->tokens, "of the input")
        ->transform(decimal())
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    command->add_option("--steps", asked->steps, "of decoding")
        ->transform(decimal())
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    addBenchOptions(*command,
                    {asked->question, asked->capture, asked->runs, asked->threads, asked->weights, asked->json});
    command->callback([asked] { benchModel(*asked); });
}

} // namespace attn::app

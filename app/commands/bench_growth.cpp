// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/index.h"
#include "base/plain_text.h"
#include "commands/bench_run.h"
#include "commands/bench_shapes.h"
#include "commands/options.h"

#ifdef ATTN_WITH_UI
#include "commands/drawing_application.h"
#include "commands/named_files.h"
#include "figures/charts/curves_figure.h"
#include "figures/export/figure_export.h"
#endif

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <utility>

namespace attn::app {

namespace {

struct GrowthBench
{
    Question question; // model, precision
    std::string capture = "none";
    std::string output; // empty: no figure
    int from = 16;
    int to = 4096;
    int runs = 9;
    int threads = 0;
    WeightStorage weights = WeightStorage::Automatic;
    bool json = false;
};

// An input of so many tokens.
struct GrowthPoint
{
    int tokens = 0;
    Quartiles milliseconds;
    double flop = 0;
};

struct Growth
{
    ModelKind kind = ModelKind::EncoderOnly;
    int threads = 0;
    double peak = 0; // flop a second
    std::vector<GrowthPoint> points;

    double leastMilliseconds(double flop) const { return flop / peak * 1e3; }
    // flop = a n + b n n, of n tokens: b of it, from the two shortest inputs.
    double squares() const
    {
        if (points.size() < 2)
            return 0;
        const GrowthPoint& one = points[0];
        const GrowthPoint& two = points[1];
        return (two.flop / two.tokens - one.flop / one.tokens) / (two.tokens - one.tokens);
    }
    double ofSquares(const GrowthPoint& point) const { return squares() * point.tokens * point.tokens; }
};

Growth grow(const GrowthBench& asked)
{
    const InterruptWatch interrupt;
    const std::stop_token stop = interrupt.token();
    std::optional<ShapeCheckpoint> written;
    if (isShape(asked.question.model))
        written.emplace(asked.question.model, stop);
    Engine engine(asked.threads, asked.question.precision, asked.weights);
    LoadedModel loaded = loadModel(written ? written->folder().string() : asked.question.model, engine, {}, stop);
    written.reset();
    loaded.model = endless(loaded.model);
    const ModelInfo& info = loaded.model->info();
    const int ofOutput = info.kind == ModelKind::DecoderOnly ? 1 : 0;
    if (info.maximumLength && asked.from + ofOutput > *info.maximumLength)
        throw UsageError(fmt::format("--from: the model has {} positions", *info.maximumLength));
    Growth growth{info.kind, engine.threads(), peakFlops(engine), {}};
    const int most = std::min(asked.to, info.maximumLength.value_or(asked.to) - ofOutput);
    for (int tokens = asked.from; tokens <= most; tokens *= 2) {
        Question question = asked.question;
        question.sourceIds = someTokens(tokens, info.sourceVocabulary);
        question.capture = captureNamed(asked.capture);
        question.decoding.generate = ofOutput;
        question.decoding.maxLength = 1;
        std::vector<double> times;
        GrowthPoint point{tokens, {}, 0};
        for (int i = 0; i <= asked.runs; ++i) {
            const TimedRun run = timedRun(question, loaded, engine, stop);
            if (i > 0) // the first makes the primitives
                times.push_back(run.input);
            point.flop = 2.0 * static_cast<double>(run.ofInput.multiplyAdds);
        }
        point.milliseconds = quartilesOf(std::move(times));
        growth.points.push_back(point);
    }
    return growth;
}

std::string growthTitle(const GrowthBench& asked, const Growth& growth)
{
    return fmt::format("{}, {}: {}, capture {}, {} thread{}, {} runs of each length", asked.question.model,
                       growth.kind == ModelKind::DecoderOnly ? "prompt" : "encoder",
                       optionText(optionRow(questionRows(), "precision"), asked.question).value(), asked.capture,
                       growth.threads, growth.threads == 1 ? "" : "s", asked.runs);
}

void printGrowth(const GrowthBench& asked, const Growth& growth)
{
    std::cout << escaped(growthTitle(asked, growth)) << '\n';
    std::cout << fmt::format("{:>7}{:>14}{:>14}{:>12}{:>12}{:>18}{:>8}{:>13}\n", "tokens", "median ms", "lower quart.",
                             "upper", "Gflop", "ms at the peak", "share", "n^2 part");
    for (const GrowthPoint& point : growth.points) {
        const double least = growth.leastMilliseconds(point.flop);
        std::cout << fmt::format("{:>7}{:>14.2f}{:>14.2f}{:>12.2f}{:>12.3f}{:>18.2f}{:>6.0f} %{:>11.0f} %\n",
                                 point.tokens, point.milliseconds.median, point.milliseconds.lower,
                                 point.milliseconds.upper, point.flop / 1e9, least,
                                 100 * least / point.milliseconds.median, 100 * growth.ofSquares(point) / point.flop);
    }
    std::cout << fmt::format("peak: {:.1f} Gflop/s, measured\n", growth.peak / 1e9);
}

void printGrowthJson(const GrowthBench& asked, const Growth& growth)
{
    nlohmann::ordered_json json{
        {"model", asked.question.model},
        {"precision", optionText(optionRow(questionRows(), "precision"), asked.question).value()},
        {"capture", asked.capture},
        {"threads", growth.threads},
        {"runs", asked.runs},
        {"peak_flops", growth.peak}};
    for (const GrowthPoint& point : growth.points)
        json["lengths"].push_back({{"tokens", point.tokens},
                                   {"median_ms", point.milliseconds.median},
                                   {"lower_ms", point.milliseconds.lower},
                                   {"upper_ms", point.milliseconds.upper},
                                   {"flop", point.flop},
                                   {"flop_of_squares", growth.ofSquares(point)},
                                   {"peak_ms", growth.leastMilliseconds(point.flop)}});
    std::cout << jsonText(json, 1) << '\n';
}

#ifdef ATTN_WITH_UI

ui::CurvesContent curvesOf(const GrowthBench& asked, const Growth& growth)
{
    ui::CurvesContent content;
    content.title = {QStringLiteral("Time by the length of the input"),
                     QString::fromStdString(growthTitle(asked, growth))};
    content.xAxis = QStringLiteral("tokens");
    content.yAxis = QStringLiteral("milliseconds");
    const auto add = [&](const char* name, auto flopOf) {
        ui::CurvesContent::Curve curve{QString::fromUtf8(name), {}, false};
        for (const GrowthPoint& point : growth.points) {
            if (const double flop = flopOf(point); flop > 0)
                curve.points.push_back({static_cast<double>(point.tokens), growth.leastMilliseconds(flop)});
        }
        if (!curve.points.empty())
            content.curves.push_back(std::move(curve));
    };
    ui::CurvesContent::Curve measured{QStringLiteral("measured, with quartiles"), {}, true};
    for (const GrowthPoint& point : growth.points)
        measured.points.push_back({static_cast<double>(point.tokens), point.milliseconds.median,
                                   point.milliseconds.lower, point.milliseconds.upper});
    content.curves.push_back(std::move(measured));
    add("all products at this machine\u2019s measured peak", [](const GrowthPoint& point) { return point.flop; });
    if (growth.squares() > 0) {
        add("of these, what grows with n: the layers",
            [&](const GrowthPoint& point) { return point.flop - growth.ofSquares(point); });
        add("of these, what grows with n\u00b2: attention",
            [&](const GrowthPoint& point) { return growth.ofSquares(point); });
    }
    return content;
}

void drawGrowth(const GrowthBench& asked, const Growth& growth)
{
    const DrawingApplication application;
    const ui::CurvesContent content = curvesOf(asked, growth);
    ui::Exportable figure;
    figure.title = content.title.title;
    figure.layOut = [&](QSizeF size) { return ui::curvesFigure({}, content, size); };
    figure.csv = [&] { return ui::curvesCsv(content); };
    ui::exportFigure(QString::fromStdString(asked.output), figure);
}

using Content = ui::ExportFormat::Content;
constexpr Content curveForms[] = {Content::Drawing, Content::Numbers};

// Checks, before anything is measured.
void checkOutput(const GrowthBench& asked)
{
    if (asked.output.empty())
        return;
    requireUtf8Name("--output", asked.output);
    const ui::ExportFormat* format = ui::exportFormatOf(QString::fromStdString(asked.output));
    if (format == nullptr || std::ranges::find(curveForms, format->content) == std::end(curveForms))
        throw UsageError("--output must end in one of " + ui::suffixesOf(curveForms).toStdString());
    requireWritable({"--output", asked.output});
}

#endif

void benchGrowth(const GrowthBench& asked)
{
    requireModelOrShape(asked.question.model);
    if (asked.from > asked.to)
        throw UsageError(fmt::format("--to: must be at least --from, {}", asked.from));
#ifdef ATTN_WITH_UI
    checkOutput(asked);
#endif
    const Growth growth = grow(asked);
    if (asked.json)
        printGrowthJson(asked, growth);
    else
        printGrowth(asked, growth);
#ifdef ATTN_WITH_UI
    if (!asked.output.empty())
        drawGrowth(asked, growth);
#endif
}

} // namespace

void addBenchGrowth(CLI::App& bench)
{
    auto asked = std::make_shared<GrowthBench>();
    asked->question.model = "transformer-base";
    auto* command = bench.add_subcommand(
        "growth", "how the time to read an input grows with its length, beside what its products cost at least");
    command->add_option("MODEL", asked->question.model, "bundled name, checkpoint, or a shape of bench model")
        ->capture_default_str();
    command->add_option("--from", asked->from, "tokens of the shortest input; the next has twice as many")
        ->transform(decimal())
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    command->add_option("--to", asked->to, "tokens of the longest, as far as the model has positions")
        ->transform(decimal())
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    addBenchOptions(*command,
                    {asked->question, asked->capture, asked->runs, asked->threads, asked->weights, asked->json});
#ifdef ATTN_WITH_UI
    command->add_option("--output", asked->output, "draw it: " + ui::suffixesOf(curveForms).toStdString())
        ->type_name("FILE");
#endif
    command->callback([asked] { benchGrowth(*asked); });
}

} // namespace attn::app

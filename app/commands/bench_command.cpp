// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui.h"
#include "attribution/reading_method.h"
#include "base/error.h"
#include "base/plain_text.h"
#include "commands/bench_run.h"
#include "commands/commands.h"
#include "commands/options.h"
#include "experiments/sweep.h"
#include "nn/engine.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace attn::app {

namespace {

// Text that a child of this program prints on standard output.
std::string outputOf(std::vector<std::string> arguments)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw Error(ErrorKind::Resource, "bench", "cannot make a pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0); // Qt's remarks on the system
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int problem = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string output;
    std::array<char, 256> part{};
    for (ssize_t count = 1; problem == 0 && count > 0;) {
        do
            count = read(ends[0], part.data(), part.size());
        while (count < 0 && errno == EINTR);
        output.append(part.data(), std::max<ssize_t>(count, 0));
    }
    close(ends[0]);
    int status = 0;
    pid_t ended = 0;
    while (problem == 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        ;
    if (problem != 0 || ended != child || status != 0)
        throw Error(ErrorKind::Resource, "bench", "the window did not open",
                    "see what attnscope --measure-startup says");
    return output;
}

// Starts this program anew; the window prints the milliseconds to its first painted matrix. The clock starts here, so
// loading the program counts.
double measureStartup(const std::string& model)
{
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    setenv("ATTNSCOPE_STARTED_AT", fmt::format("{:.6f}", monotonicSeconds()).c_str(), 1);
    const std::string output = outputOf({"attnscope", "--measure-startup", model});
    double milliseconds = 0;
    const auto [end, problem] = std::from_chars(output.data(), output.data() + output.size(), milliseconds);
    if (problem != std::errc() || std::string_view(end, output.data() + output.size()) != "\n")
        throw Error(ErrorKind::Resource, "bench startup", "the window did not report its first matrix");
    return milliseconds;
}

void benchStartup(const std::string& model, int runs)
{
    measureStartup(model); // fills the file cache
    std::vector<double> values;
    for (int i = 0; i < runs; ++i)
        values.push_back(measureStartup(model));
    printFigures(fmt::format("{}: start to first painted matrix", model), std::move(values));
}

void benchDecode(const RunRequest& request, int runs)
{
    const Question& question = request.question;
    const auto loading = BenchClock::now();
    Engine engine(request.threads, question.precision, request.weights);
    const LoadedModel loaded = loadModel(question.model, engine);
    std::cout << fmt::format("{:<44} {:.2f} ms\n", escaped(question.model) + ": load", millisecondsSince(loading));
    std::vector<double> values;
    std::size_t tokens = 0;
    for (int i = 0; i <= runs; ++i) {
        const auto start = BenchClock::now();
        tokens = answer(question, loaded, engine).path().size();
        if (i > 0) // the first run makes the primitives
            values.push_back(millisecondsSince(start));
    }
    printFigures(fmt::format("{}: {}, {} tokens", question.model, question.decoding.describe(), tokens),
                 std::move(values));
}

// The sweep over heads in multiples of a run as the window makes it: decoded, all attention captured. The sweep's own
// run of the sentence counts.
void benchSweep(const RunRequest& request, int runs)
{
    constexpr double many = 48;
    Engine engine(request.threads, request.question.precision, request.weights);
    auto model = std::make_shared<const LoadedModel>(loadModel(request.question.model, engine));
    const Question question = fitted(request.question, *model);
    const Workbench bench{engine, [&](const std::string&) { return model; }};
    const std::string& name = question.model;
    std::size_t tokens = 0;
    Index heads = 0;
    std::vector<double> singles;
    std::vector<double> sweeps;
    std::vector<double> ofHeads; // without the run, and the output forced once
    for (int i = 0; i <= runs; ++i) {
        auto start = BenchClock::now();
        tokens = answer(question, *model, engine).path().size();
        const double single = millisecondsSince(start);
        Sweep sweep({.question = question});
        start = BenchClock::now();
        auto begun = start;
        for (bool more = true; more; more = sweep.advance(bench)) {
            if (!sweep.comparing())
                begun = BenchClock::now();
        }
        if (i == 0) // makes the primitives
            continue;
        singles.push_back(single);
        sweeps.push_back(millisecondsSince(start));
        ofHeads.push_back(millisecondsSince(begun));
        heads = indexSize(sweep.result().heads);
    }
    if (heads == 0)
        throw Error(ErrorKind::Input, name, "has no attention heads", "choose another model");
    const double single = quartilesOf(singles).median;
    const double sweep = quartilesOf(sweeps).median;
    const double ofMany = sweep - quartilesOf(ofHeads).median * (1 - many / heads);
    printFigures(fmt::format("{}: one run, {}, {} tokens", name, question.decoding.describe(), tokens),
                 std::move(singles));
    printFigures(fmt::format("{}: sweep over {} heads", name, heads), std::move(sweeps));
    std::cout << fmt::format("{:<44} {:.2f} times one run; {} heads at this rate {:.2f} times\n",
                             fmt::format("{}: the sweep takes", escaped(name)), sweep / single, many, ofMany / single);
}

// Milliseconds that the processors have spent on this program.
double processorMilliseconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

// A backward pass from the last token of the output to all embeddings, in multiples of a run of the same tokens that
// keeps its maps and states.
void benchGradients(const RunRequest& request, int runs)
{
    Engine engine(request.threads, request.question.precision, request.weights);
    const LoadedModel loaded = loadModel(request.question.model, engine);
    Question question = fitted(request.question, loaded);
    question.capture = {.scores = true, .hidden = true};
    const Trace given = answer(question, loaded, engine);
    question.decoding.generate = 0;
    question.sourceIds = given.kind() == ModelKind::DecoderOnly ? given.sequence().ids : given.source().ids;
    if (given.kind() == ModelKind::EncoderDecoder)
        question.targetIds = given.target().ids;
    std::vector<double> forward;
    std::vector<double> recorded;
    std::vector<double> backward;
    for (int i = 0; i <= runs; ++i) {
        const double start = processorMilliseconds();
        const Trace trace = answer(question, loaded, engine);
        const double ran = processorMilliseconds();
        ExplainedRun run(loaded, question, trace, {}, engine);
        if (const std::string lack = run.nothingToExplain() + differentiableOnly(run); !lack.empty())
            throw Error(ErrorKind::Input, question.model, lack, "choose another model");
        std::vector<Variable> wanted{run.recording().source};
        if (run.recording().target.exists())
            wanted.push_back(run.recording().target);
        const double onTape = processorMilliseconds();
        (void)run.gradients(run.explained(), wanted, Explained::LogProbability);
        if (i == 0) // makes the primitives
            continue;
        forward.push_back(ran - start);
        recorded.push_back(onTape - ran);
        backward.push_back(processorMilliseconds() - onTape);
    }
    const double multiple = quartilesOf(backward).median / quartilesOf(forward).median;
    printFigures(fmt::format("{}: run, {} and {} tokens", question.model, given.source().size(), given.path().size()),
                 std::move(forward));
    printFigures(fmt::format("{}: run on a tape", question.model), std::move(recorded));
    printFigures(fmt::format("{}: backward pass", question.model), std::move(backward));
    std::cout << fmt::format("{:<44} {:.2f} times the run, in processor time\n",
                             fmt::format("{}: the backward pass takes", escaped(question.model)), multiple);
}

} // namespace

void addBenchCommand(CLI::App& app)
{
    struct Arguments
    {
        RunRequest request;
        int runs = 9;
    };
    auto* command = app.add_subcommand("bench", "the benchmarks");
    command->require_subcommand(1);
    const auto add = [command](const char* name, const char* description, const std::string& model) {
        auto arguments = std::make_shared<Arguments>();
        Question& question = arguments->request.question;
        question.model = model;
        question.text = usualQuestion().text;
        auto* bench = command->add_subcommand(name, description);
        bench->add_option("MODEL", question.model, "bundled name or checkpoint")->capture_default_str();
        bench->add_option("--runs", arguments->runs, "how often it is timed")
            ->transform(decimal())
            ->check(CLI::Range(1, 1000))
            ->capture_default_str();
        return std::pair(bench, arguments);
    };
    const auto addText = [](CLI::App& bench, RunRequest& request) {
        bench.add_option("--text", request.question.text, "the sentence to read")->capture_default_str();
        request.addTo(bench, runOnly);
    };
    const std::string usual = usualQuestion().model;
    const auto [startup, ofStartup] = add("startup", "process start to the first painted matrix, in the window", usual);
    const auto [decode, ofDecode] = add("decode", "load a model and translate a sentence, everything captured", usual);
    const auto [sweep, ofSweep] =
        add("sweep", "switch off each head in turn, in multiples of one run", "transformer-en-fr");
    const auto [gradients, ofGradients] =
        add("gradients", "a backward pass, in multiples of the run's processor time", "transformer-en-fr");
    addText(*decode, ofDecode->request);
    addText(*gradients, ofGradients->request);
    addText(*sweep, ofSweep->request);
    gradients->callback([given = ofGradients] { benchGradients(given->request, given->runs); });
    startup->callback([given = ofStartup] { benchStartup(given->request.question.model, given->runs); });
    decode->callback([given = ofDecode] { benchDecode(given->request, given->runs); });
    addBenchModel(*command);
    addBenchGrowth(*command);
#ifdef ATTN_WITH_UI
    addBenchWindow(*command);
#endif
    sweep->callback([given = ofSweep] { benchSweep(given->request, given->runs); });
}

} // namespace attn::app

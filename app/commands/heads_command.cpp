// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/head_measures.h"
#include "analysis/head_table.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/error.h"
#include "base/plain_text.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "commands/unfinished_batch.h"
#include "edits/edit.h"
#include "experiments/sweep.h"
#include "io/atomic_file.h"
#include "loading/special_ids.h"
#include "nn/engine.h"
#include "trace/site.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn::app {

namespace {

struct HeadsArguments
{
    std::string lines;
    std::string output;
    bool ablate = false;
    bool resume = false;
    RunRequest request;
};

using Json = nlohmann::ordered_json;

std::string csvOf(const std::vector<DescribedHead>& heads, bool ablated)
{
    std::string text = "stage,layer,head,rows";
    for (const HeadMeasure& column : headMeasures()) {
        if (ablated || !column.ofAblation)
            text += fmt::format(",{}", column.id);
    }
    text += '\n';
    for (const DescribedHead& head : heads) {
        const Site site = head.row.site;
        text += fmt::format("{},{},{},{}", stageText(site.stage), site.layer, head.row.head, head.row.rows);
        for (const HeadMeasure& column : headMeasures()) {
            if (!ablated && column.ofAblation)
                continue;
            const double value = column.value(head);
            text += std::isfinite(value) ? fmt::format(",{:.9g}", value) : std::string(",");
        }
        text += '\n';
    }
    return text;
}

Json listOf(const std::vector<DescribedHead>& heads, bool ablated)
{
    auto list = Json::array();
    for (const DescribedHead& head : heads) {
        Json object{{"stage", stageText(head.row.site.stage)},
                    {"layer", head.row.site.layer},
                    {"head", head.row.head},
                    {"rows", head.row.rows}};
        for (const HeadMeasure& column : headMeasures()) {
            if (ablated || !column.ofAblation)
                object[column.id] = column.value(head); // NaN is written as null
        }
        list.push_back(std::move(object));
    }
    return list;
}

std::string jsonOf(const std::vector<DescribedHead>& heads, bool ablated)
{
    return jsonText(listOf(heads, ablated), 1) + '\n';
}

// A table for each line, not one of all.
bool isLineByLine(const HeadsArguments& arguments)
{
    return arguments.output.ends_with(".jsonl");
}

bool isJson(const std::string& path)
{
    return path.ends_with(".json");
}

void checkArguments(const HeadsArguments& arguments)
{
    const RunRequest& request = arguments.request;
    if (!isJson(arguments.output) && !arguments.output.ends_with(".csv") && !isLineByLine(arguments))
        throw UsageError("--output must end in .csv or .json, or in .jsonl with --lines");
    if (isLineByLine(arguments) && arguments.lines.empty())
        throw UsageError("--output .jsonl has a line for each of --lines: give these");
    if (arguments.resume && !isLineByLine(arguments))
        throw UsageError("--resume goes on with --output .jsonl, which has a line for each of --lines");
    if (holdsRuns(request.question.model) && (arguments.ablate || !arguments.lines.empty()))
        throw UsageError("--ablate and --lines run a model; an archive or session is the result of a run");
    if (!arguments.lines.empty() && request.hasInput())
        throw UsageError("--lines has the sentences: leave out the text and the target");
    requireOtherOutput("--text-file", request.textFile, arguments.output);
    requireOtherThanModel(request.question.model, {"--output", arguments.output});
    if (!arguments.lines.empty())
        requireOtherOutput("--lines", arguments.lines, arguments.output);
    if (!isLineByLine(arguments))
        requireWritable({"--output", arguments.output});
}

// The sentences of --lines; without it the one text is read, and there are none.
std::vector<std::string> readSentences(HeadsArguments& arguments)
{
    if (arguments.lines.empty()) {
        arguments.request.completeInput();
        return {};
    }
    arguments.request.checkPrefix(false);
    std::vector<std::string> lines = readLines(arguments.lines);
    if (lines.empty())
        throw Error(ErrorKind::Input, arguments.lines, "has no sentences", "write one on each line");
    return lines;
}

class Heads
{
public:
    explicit Heads(HeadsArguments& arguments)
        : m_arguments(arguments)
        , m_lines(readSentences(arguments))
        , m_engine(arguments.request.threads, arguments.request.question.precision, arguments.request.weights)
    {
        const RunRequest& request = arguments.request;
        m_model =
            std::make_shared<const LoadedModel>(loadModel(request.question.model, m_engine, {}, m_interrupt.token()));
        request.check(*m_model);
        m_specialIds = specialIds(*m_model);
    }

    // The heads over the text, or all lines.
    std::vector<DescribedHead> describe()
    {
        Sweep::Plan plan{.question = m_arguments.request.question};
        if (!m_arguments.lines.empty())
            plan.sentences = [this] { return m_lines; };
        ProgressLine progress;
        HeadTable table(m_specialIds);
        m_swept = sweep(std::move(plan), table, [&](const ExperimentProgress& how) {
            if (how.count > 1)
                progress.show(static_cast<std::size_t>(how.number), static_cast<std::size_t>(how.count));
        });
        if (m_swept.sentences == 0 && m_swept.leftOut > 0)
            throw Error(ErrorKind::Input, m_arguments.lines, m_swept.reason);
        if (m_swept.count > 1)
            progress.show(static_cast<std::size_t>(m_swept.count), static_cast<std::size_t>(m_swept.count));
        return described(table, m_swept);
    }

    // Lines that describe() has left out.
    int failed() const { return m_swept.leftOut; }
    const std::string& firstProblem() const { return m_swept.reason; }

    // The heads of each line, as a JSON object a line. Returns how many lines failed.
    std::size_t writeLines()
    {
        AskedOfBatch asked;
        asked.question = m_arguments.request.question;
        asked.question.model = lastingModel(asked.question.model);
        asked.files = describedFiles(*m_model);
        asked.computed = m_arguments.ablate ? "heads --ablate" : "heads";
        return writeJsonLines({.lines = m_lines,
                               .output = m_arguments.output,
                               .resume = m_arguments.resume,
                               .asked = asked,
                               .answer =
                                   [this](const std::string& line) {
                                       Sweep::Plan plan{.question = m_arguments.request.question,
                                                        .edits = EditsFit::WherePossible};
                                       plan.question.text = line;
                                       HeadTable table(m_specialIds);
                                       const SweepResult swept = sweep(std::move(plan), table, {});
                                       return Json{{"heads", listOf(described(table, swept), m_arguments.ablate)}};
                                   },
                               .stop = m_interrupt.token()});
    }

private:
    SweepResult sweep(Sweep::Plan plan, HeadTable& table, std::function<void(const ExperimentProgress&)> progress)
    {
        plan.question.capture = {.attention = true, .scores = true};
        if (!m_arguments.ablate)
            plan.over.reset();
        plan.ran = [&table](const Trace& trace) { table.add(trace); };
        Sweep work(std::move(plan));
        carryOut(work,
                 {m_engine, [this](const std::string&) { return m_model; }, m_interrupt.token(), std::move(progress),
                  pictureReader()});
        return work.result();
    }

    static std::vector<DescribedHead> described(const HeadTable& table, const SweepResult& swept)
    {
        std::vector<DescribedHead> heads;
        for (const HeadRow& row : table.rows()) {
            DescribedHead& head = heads.emplace_back(DescribedHead{row});
            for (const SweptHead& one : swept.heads) {
                if (one.site == row.site && one.head == row.head)
                    head.without = one.change;
            }
        }
        return heads;
    }

    HeadsArguments& m_arguments;
    std::vector<std::string> m_lines;
    InterruptWatch m_interrupt; // after the lines are read
    Engine m_engine;
    std::shared_ptr<const LoadedModel> m_model;
    std::vector<TokenId> m_specialIds;
    SweepResult m_swept;
};

// Returns how many lines failed.
std::size_t describeHeads(HeadsArguments& arguments)
{
    checkArguments(arguments);
    if (isLineByLine(arguments))
        return Heads(arguments).writeLines();
    std::vector<DescribedHead> heads;
    std::size_t failed = 0;
    std::string problem;
    if (holdsRuns(arguments.request.question.model)) {
        HeadTable table;
        table.add(makeTrace(arguments.request).trace);
        for (const HeadRow& row : table.rows())
            heads.push_back({row});
    } else {
        try {
            Heads work(arguments);
            heads = work.describe();
            failed = static_cast<std::size_t>(work.failed());
            problem = work.firstProblem();
        } catch (const EditError& error) { // of this sentence
            throw UsageError(std::string("--") + error.what());
        }
    }
    AtomicFile output(arguments.output);
    output.write(isJson(arguments.output) ? jsonOf(heads, arguments.ablate) : csvOf(heads, arguments.ablate));
    output.commit();
    if (failed > 0)
        std::cerr << fmt::format("attnscope: {}: {} of the lines left out; the first, {}\n", escaped(arguments.lines),
                                 failed, problem);
    return failed;
}

} // namespace

void addHeadsCommand(CLI::App& app, int& status)
{
    auto* command = app.add_subcommand("heads", "what each head does, as a table");
    auto arguments = std::make_shared<HeadsArguments>();
    addModel(*command, arguments->request.question.model,
             "bundled name, checkpoint directory or file, archive or session");
    arguments->request.addTo(*command, inputAndRun);
    command->add_option("--lines", arguments->lines, "a sentence a line, in place of one text")->type_name("FILE");
    command->add_flag("--ablate", arguments->ablate,
                      "and what becomes of the output without the head: kl and delta_logprob");
    command
        ->add_option("--output", arguments->output,
                     "x.csv or x.json; with --lines also x.jsonl, the heads of each line by themselves")
        ->required()
        ->type_name("FILE");
    command->add_flag("--resume", arguments->resume, "go on behind the lines that the same command had finished");
    command->callback([arguments, &status] {
        if (describeHeads(*arguments) > 0)
            status = Failed;
    });
}

} // namespace attn::app

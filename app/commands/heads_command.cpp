// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/head_measures.h"
#include "analysis/head_table.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/error.h"
#include "base/shown_text.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "edits/edit.h"
#include "experiments/sweep.h"
#include "io/atomic_file.h"
#include "loading/special_ids.h"
#include "nn/engine.h"
#include "trace/site_text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fmt/format.h>
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
    RunRequest request;
};

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

std::string jsonOf(const std::vector<DescribedHead>& heads, bool ablated)
{
    auto list = nlohmann::ordered_json::array();
    for (const DescribedHead& head : heads) {
        nlohmann::ordered_json object{{"stage", stageText(head.row.site.stage)},
                                      {"layer", head.row.site.layer},
                                      {"head", head.row.head},
                                      {"rows", head.row.rows}};
        for (const HeadMeasure& column : headMeasures()) {
            if (ablated || !column.ofAblation)
                object[column.id] = column.value(head); // NaN is written as null
        }
        list.push_back(std::move(object));
    }
    return jsonText(list, 1) + '\n';
}

bool isJson(const std::string& path)
{
    return path.ends_with(".json");
}

void checkArguments(const HeadsArguments& arguments)
{
    const RunRequest& request = arguments.request;
    if (!isJson(arguments.output) && !arguments.output.ends_with(".csv"))
        throw UsageError("--output must end in .csv or .json");
    if (holdsRuns(request.question.model) && (arguments.ablate || !arguments.lines.empty()))
        throw UsageError("--ablate and --lines run a model; an archive or session is the result of a run");
    if (!arguments.lines.empty() && request.hasInput())
        throw UsageError("--lines has the sentences: leave out the text and the target");
    requireOtherOutput("--text-file", request.textFile, arguments.output);
    requireOtherThanModel(request.question.model, {"--output", arguments.output});
    if (!arguments.lines.empty())
        requireOtherOutput("--lines", arguments.lines, arguments.output);
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
        m_table = HeadTable(specialIds(*m_model));
    }

    // Returns how many lines failed.
    int run()
    {
        Sweep::Plan plan{.question = m_arguments.request.question};
        plan.question.capture = {.attention = true, .scores = true};
        if (!m_arguments.lines.empty())
            plan.sentences = [this] { return m_lines; };
        if (!m_arguments.ablate)
            plan.over.reset();
        plan.ran = [this](const Trace& trace) { m_table.add(trace); };
        Sweep sweep(std::move(plan));
        ProgressLine progress;
        const Workbench bench{m_engine, [this](const std::string&) { return m_model; }, m_interrupt.token(),
                              [&](const ExperimentProgress& how) {
                                  if (how.count > 1)
                                      progress.show(static_cast<std::size_t>(how.number),
                                                    static_cast<std::size_t>(how.count));
                              },
                              pictureReader()};
        carryOut(sweep, bench);
        m_swept = sweep.result();
        if (m_swept.sentences == 0 && m_swept.leftOut > 0)
            throw Error(ErrorKind::Input, m_arguments.lines, m_swept.reason);
        if (m_swept.count > 1)
            progress.show(static_cast<std::size_t>(m_swept.count), static_cast<std::size_t>(m_swept.count));
        return m_swept.leftOut;
    }

    const std::string& firstProblem() const { return m_swept.reason; }

    std::vector<DescribedHead> described() const
    {
        std::vector<DescribedHead> heads;
        for (const HeadRow& row : m_table.rows()) {
            DescribedHead& head = heads.emplace_back(DescribedHead{row});
            for (const SweptHead& swept : m_swept.heads) {
                if (swept.site == row.site && swept.head == row.head)
                    head.without = swept.change;
            }
        }
        return heads;
    }

private:
    HeadsArguments& m_arguments;
    std::vector<std::string> m_lines;
    InterruptWatch m_interrupt; // after the lines are read
    Engine m_engine;
    std::shared_ptr<const LoadedModel> m_model;
    HeadTable m_table;
    SweepResult m_swept;
};

// Returns how many lines failed.
int describeHeads(HeadsArguments& arguments)
{
    checkArguments(arguments);
    std::vector<DescribedHead> heads;
    int failed = 0;
    std::string problem;
    if (holdsRuns(arguments.request.question.model)) {
        HeadTable table;
        table.add(makeTrace(arguments.request).trace);
        for (const HeadRow& row : table.rows())
            heads.push_back({row});
    } else {
        try {
            Heads work(arguments);
            failed = work.run();
            problem = work.firstProblem();
            heads = work.described();
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
    command->add_option("--output", arguments->output, "x.csv or x.json")->required()->type_name("FILE");
    command->callback([arguments, &status] {
        if (describeHeads(*arguments) > 0)
            status = Failed;
    });
}

} // namespace attn::app

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/error.h"
#include "base/plain_text.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "experiments/alignment_experiment.h"
#include "io/atomic_file.h"
#include "nn/engine.h"

#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attn::app {

namespace {

struct AlignArguments
{
    std::string pairs;
    std::string gold;
    int goldBase = 0;
    std::string site;
    bool all = false;
    bool shift = false;
    std::string output;
    RunRequest request;
};

void checkAlignArguments(const AlignArguments& arguments)
{
    if (arguments.gold.empty() && arguments.all)
        throw UsageError("--all finds the best site by --gold: give both");
    if (arguments.gold.empty() && arguments.output.empty())
        throw UsageError("give --gold for a table, --output for the links, or both");
    if (arguments.all && !arguments.site.empty())
        throw UsageError("give --site or --all, not both");
    if (holdsRuns(arguments.request.question.model))
        throw UsageError("align runs a model; an archive or session is the result of a run");
    arguments.request.checkPrefix(true);
    if (arguments.output.empty())
        return;
    requireOtherOutput("--pairs", arguments.pairs, arguments.output);
    if (!arguments.gold.empty())
        requireOtherOutput("--gold", arguments.gold, arguments.output);
    requireOtherThanModel(arguments.request.question.model, {"--output", arguments.output});
    requireWritable({"--output", arguments.output});
}

AlignmentPairs readAlignmentFiles(const AlignArguments& arguments)
{
    const NamedLines pairs{arguments.pairs, readLines(arguments.pairs)};
    std::optional<NamedLines> gold;
    if (!arguments.gold.empty())
        gold = {arguments.gold, readLines(arguments.gold)};
    return parseAlignmentPairs(pairs, gold, arguments.goldBase);
}

// The sites of --site and --all.
std::vector<AlignedBy> chosenSites(const AlignArguments& arguments, const ModelInfo& info)
{
    if (const std::string lack = lackOfAlignment(info); !lack.empty())
        throw UsageError("align: " + lack);
    const TokenRow row = arguments.shift ? TokenRow::Reading : TokenRow::Predicting;
    if (arguments.all)
        return crossSites(info, row);
    if (auto reading = readGiven([&] { return parseReadingSite(arguments.site, info, "site"); }))
        return {{std::move(*reading), row}};
    const std::string stage = arguments.site.substr(0, arguments.site.find(':'));
    if (!stage.empty() && stage != "cross" && !parsedNumber<int>(stage))
        throw UsageError(fmt::format("--site: '{}' is nothing to align with; give cross:0:0 to cross:{}:{}, "
                                     "cross:LAYER:mean or max, or a reading: {}",
                                     arguments.site, info.crossLayers - 1, info.crossHeads - 1, readingSiteForms()));
    const SiteChoice choice =
        chooseSite(arguments.site, info.bestSite, [&info](Site site) { return info.heads(site); });
    if (choice.site.stage != Stage::Cross)
        throw UsageError("--site: needs a cross site");
    return {{choice, row}};
}

// The alignment of all pairs.
AlignmentResult alignAll(const AlignArguments& arguments, AlignmentPairs pairs)
{
    const InterruptWatch interrupt; // after the files are read
    Engine engine(arguments.request.threads, arguments.request.question.precision);
    const auto model =
        std::make_shared<const LoadedModel>(loadModel(arguments.request.question.model, engine, {}, interrupt.token()));
    const std::vector<AlignedBy> sites = chosenSites(arguments, model->model->info());
    arguments.request.check(*model);
    const std::size_t count = pairs.pairs.size();
    AlignmentExperiment experiment({.question = arguments.request.question,
                                    .read = [&pairs] { return std::move(pairs); },
                                    .by = [&sites](const ModelInfo&) { return sites; }});
    ProgressLine progress;
    const Workbench bench{engine, [&model](const std::string&) { return model; }, interrupt.token(),
                          [&progress, count](const ExperimentProgress& how) {
                              if (how.step == ExperimentProgress::Step::Sentence)
                                  progress.show(static_cast<std::size_t>(how.number), count);
                          }};
    try {
        carryOut(experiment, bench);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Cancelled)
            throw;
        throw Error(ErrorKind::Cancelled, arguments.pairs,
                    fmt::format("cancelled after {} of {} pairs", experiment.result().done.size(), count));
    }
    progress.show(count, count);
    return experiment.result();
}

// Each site's line, then again the best one's.
std::string alignmentTable(const AlignmentResult& result)
{
    std::string text = "site\tprecision\trecall\taer\tlinks\n";
    const auto add = [&](std::size_t site) {
        const AlignmentScore& score = result.scores[site];
        const auto recall = score.recall();
        text += fmt::format("{}\t{:.6f}\t{}\t{:.6f}\t{}\n", result.by[site].name(), score.precision(),
                            recall ? fmt::format("{:.6f}", *recall) : std::string(), score.errorRate(), score.found);
    };
    for (std::size_t site = 0; site < result.by.size(); ++site)
        add(site);
    if (result.by.size() > 1)
        add(result.best().value());
    return text;
}

// Returns how many lines failed.
std::size_t alignPairs(const AlignArguments& arguments)
{
    checkAlignArguments(arguments);
    const AlignmentResult result = alignAll(arguments, readAlignmentFiles(arguments));
    if (!result.absent.front().empty()) // the only site's
        throw Error(ErrorKind::Input, result.by.front().name(), result.absent.front());
    if (!arguments.output.empty()) {
        AtomicFile output(arguments.output);
        const std::size_t best = result.best().value_or(0);
        for (const auto& pair : result.done)
            output.write(pair->by[best].links + '\n');
        output.commit();
    }
    if (!arguments.gold.empty())
        std::cout << alignmentTable(result);
    if (result.failed > 0)
        std::cerr << fmt::format("attnscope: {}: {} of the lines failed and have no links; the first, {}\n",
                                 escaped(arguments.pairs), result.failed, escaped(result.problem));
    return result.failed;
}

} // namespace

void addAlignCommand(CLI::App& app, int& status)
{
    auto* command =
        app.add_subcommand("align", "link the words of sentence pairs, and count errors against gold links");
    auto arguments = std::make_shared<AlignArguments>();
    addModel(*command, arguments->request.question.model, "bundled name, checkpoint directory or file");
    command->add_option("--pairs", arguments->pairs, "a source, a tab and a target a line")
        ->required()
        ->type_name("FILE");
    arguments->request.addTo(*command, editAndRun);
    command
        ->add_option("--gold", arguments->gold,
                     "links by hand, a line a pair: i-j is sure, i?j possible; prints precision, recall and the "
                     "alignment error rate")
        ->type_name("FILE");
    command->add_option("--gold-base", arguments->goldBase, "number of the first word in --gold")
        ->transform(decimal())
        ->check(CLI::Range(0, 1));
    command->add_option("--site", arguments->site,
                        "attention to align with, or a reading: " + readingSiteForms()
                            + "; default: the family's best");
    command->add_flag("--all", arguments->all, "every head of cross attention, and each layer's mean and max");
    command->add_flag("--shift", arguments->shift,
                      "read a target word from the step at which the decoder reads it, not the one that predicts it");
    command->add_option("--output", arguments->output, "Pharaoh lines (i-j); with --all of the best site")
        ->type_name("FILE");
    command->callback([arguments, &status] {
        if (alignPairs(*arguments) > 0)
            status = Failed;
    });
}

} // namespace attn::app

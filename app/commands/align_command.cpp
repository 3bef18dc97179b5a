// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/alignment.h"
#include "analysis/alignment_error.h"
#include "analysis/word_order.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "attribution/reading_site.h"
#include "base/error.h"
#include "base/shown_text.h"
#include "base/utf8.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "io/atomic_file.h"
#include "loading/model_loader.h"
#include "nn/engine.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <variant>
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

// A line of --pairs.
struct SentencePair
{
    std::string source;
    std::string target;

    bool empty() const { return blankSeparated(source).empty() && blankSeparated(target).empty(); }
};

// A site or reading that words are aligned by, with its links in every pair.
struct AlignedSite
{
    std::variant<SiteChoice, ReadingSite> site;
    AlignmentScore score = {};
    std::vector<std::string> links = {}; // Pharaoh lines
};

std::string nameOf(const AlignedSite& site)
{
    const auto* const choice = std::get_if<SiteChoice>(&site.site);
    return choice != nullptr ? siteText(*choice) : std::get<ReadingSite>(site.site).text;
}

std::vector<SentencePair> readPairs(const std::string& path)
{
    std::vector<SentencePair> pairs;
    for (const std::string& line : readLines(path)) {
        const std::string where = fmt::format("{} line {}", path, pairs.size() + 1);
        const auto tabs = std::ranges::count(line, '\t');
        if (tabs > 1 || (tabs == 0 && !line.empty()))
            throw Error(ErrorKind::Input, where, fmt::format("has {} tabs, expected one", tabs),
                        "write the source, a tab and the target on each line");
        requireUtf8(line, where);
        const std::size_t tab = std::min(line.find('\t'), line.size());
        pairs.push_back({line.substr(0, tab), line.substr(std::min(tab + 1, line.size()))});
    }
    if (pairs.empty())
        throw Error(ErrorKind::Input, path, "has no pairs", "write the source, a tab and the target on each line");
    return pairs;
}

std::vector<GoldLinks> readGold(const AlignArguments& arguments, const std::vector<SentencePair>& pairs)
{
    std::vector<GoldLinks> gold;
    if (arguments.gold.empty())
        return gold;
    const std::vector<std::string> lines = readLines(arguments.gold);
    if (lines.size() != pairs.size())
        throw Error(ErrorKind::Input, arguments.gold,
                    fmt::format("has {} lines, {} has {}", lines.size(), arguments.pairs, pairs.size()),
                    "write the links of each pair on a line");
    const auto words = [](const std::string& text) { return indexSize(blankSeparated(text)); };
    for (std::size_t i = 0; i < pairs.size(); ++i)
        gold.push_back(parseGoldLinks(lines[i], words(pairs[i].source), words(pairs[i].target), arguments.goldBase,
                                      fmt::format("{} line {}", arguments.gold, i + 1)));
    return gold;
}

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

class Alignment
{
public:
    explicit Alignment(const AlignArguments& arguments)
        : m_arguments(arguments)
        , m_pairs(readPairs(arguments.pairs))
        , m_gold(readGold(arguments, m_pairs))
        , m_engine(arguments.request.threads, arguments.request.question.precision)
    {
        m_model = loadModel(arguments.request.question.model, m_engine, {}, m_interrupt.token());
        const ModelInfo& info = m_model.model->info();
        if (info.input != InputKind::Text)
            throw UsageError(fmt::format("align: this model reads a {}; ground says where words look in pictures",
                                         inputText(info.input)));
        arguments.request.check(m_model);
        if (info.kind != ModelKind::EncoderDecoder)
            throw UsageError("align: this model does not turn one text into another");
        const auto headsOf = [&info](Site site) { return info.heads(site); };
        if (headsOf({Stage::Cross, 0}) == 0)
            throw UsageError("align: this model has no attention to align with");
        if (!arguments.all)
            m_sites.push_back({chosenSite(headsOf)});
        for (Site site{Stage::Cross, 0}; arguments.all && headsOf(site) > 0; ++site.layer) {
            for (int head = 0; head < headsOf(site); ++head)
                m_sites.push_back({SiteChoice{site, head}});
            m_sites.push_back({SiteChoice{site, meanOfHeads}});
            m_sites.push_back({SiteChoice{site, maximumOfHeads}});
        }
    }

    // Returns how many lines failed.
    std::size_t run()
    {
        std::size_t failed = 0;
        ProgressLine progress;
        for (std::size_t i = 0; i < m_pairs.size(); ++i) {
            failed += align(i) ? 0 : 1;
            progress.show(i + 1, m_pairs.size());
        }
        return failed;
    }

    const std::string& firstProblem() const { return m_problem; }

    // The first of equals; the only one without gold.
    const AlignedSite& best() const
    {
        return *std::ranges::min_element(m_sites, {}, [](const AlignedSite& site) { return site.score.errorRate(); });
    }

    // Each site's, then again the best one's.
    std::string table() const
    {
        std::string text = "site\tprecision\trecall\taer\tlinks\n";
        const auto add = [&text](const AlignedSite& site) {
            const AlignmentScore& score = site.score;
            const auto recall = score.recall();
            text +=
                fmt::format("{}\t{:.6f}\t{}\t{:.6f}\t{}\n", nameOf(site), score.precision(),
                            recall ? fmt::format("{:.6f}", *recall) : std::string(), score.errorRate(), score.found);
        };
        std::ranges::for_each(m_sites, add);
        if (m_sites.size() > 1)
            add(best());
        return text;
    }

private:
    std::variant<SiteChoice, ReadingSite> chosenSite(const std::function<int(Site)>& headsOf) const
    {
        const ModelInfo& info = m_model.model->info();
        if (auto reading = readGiven([&] { return parseReadingSite(m_arguments.site, info, "site"); }))
            return std::move(*reading);
        const SiteChoice choice = chooseSite(m_arguments.site, info.bestSite, headsOf);
        if (choice.site.stage != Stage::Cross)
            throw UsageError("--site: needs a cross site");
        return choice;
    }

    // [output tokens, source tokens].
    Numbers weightsOf(const AlignedSite& site, const Question& question, const Trace& trace)
    {
        if (const auto* const choice = std::get_if<SiteChoice>(&site.site))
            return readWeights(trace, *choice);
        ReadingOptions options;
        options.ofAll = true;
        options.steps = 1; // integrated gradients align nothing
        ExplainedRun run(m_model, question, trace, options, m_engine, m_interrupt.token());
        return readSite(run, std::get<ReadingSite>(site.site));
    }

    // A pair that fails has no links.
    bool align(std::size_t i)
    {
        const SentencePair& pair = m_pairs[i];
        std::string problem;
        std::vector<std::vector<AlignmentLink>> links(m_sites.size());
        try {
            if (!pair.empty())
                links = linksOf(pair);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled)
                throw Error(ErrorKind::Cancelled, m_arguments.pairs,
                            fmt::format("cancelled after {} of {} pairs", i, m_pairs.size()));
            problem = error.whole();
        } catch (const std::bad_alloc&) {
            problem = "out of memory";
        }
        if (!problem.empty() && m_problem.empty())
            m_problem = fmt::format("line {}: {}", i + 1, problem);
        for (std::size_t site = 0; site < m_sites.size(); ++site) {
            if (!m_gold.empty())
                m_sites[site].score.add(links[site], m_gold[i]);
            m_sites[site].links.push_back(pharaoh(links[site]));
        }
        return problem.empty();
    }

    // By site.
    std::vector<std::vector<AlignmentLink>> linksOf(const SentencePair& pair)
    {
        Question question = m_arguments.request.question;
        question.text = pair.source;
        question.targetText = pair.target;
        const Trace trace = answer(question, m_model, m_engine, {.stop = m_interrupt.token()}, EditsFit::WherePossible);
        const Encoding target = m_model.tokenizers.target->encode(pair.target);
        std::vector<std::vector<AlignmentLink>> links;
        for (const AlignedSite& site : m_sites)
            links.push_back(wordLinks(weightsOf(site, question, trace), trace.source(), target,
                                      m_arguments.shift ? TokenRow::Reading : TokenRow::Predicting));
        return links;
    }

    const AlignArguments& m_arguments;
    std::vector<SentencePair> m_pairs;
    std::vector<GoldLinks> m_gold; // empty without --gold
    InterruptWatch m_interrupt; // after the files are read
    Engine m_engine;
    LoadedModel m_model;
    std::vector<AlignedSite> m_sites;
    std::string m_problem; // of the first line that failed
};

// Returns how many lines failed.
std::size_t alignPairs(const AlignArguments& arguments)
{
    checkAlignArguments(arguments);
    Alignment alignment(arguments);
    const std::size_t failed = alignment.run();
    if (!arguments.output.empty()) {
        AtomicFile output(arguments.output);
        for (const std::string& line : alignment.best().links)
            output.write(line + '\n');
        output.commit();
    }
    if (!arguments.gold.empty())
        std::cout << alignment.table();
    if (failed > 0)
        std::cerr << fmt::format("attnscope: {}: {} of the lines failed and have no links; the first, {}\n",
                                 escaped(arguments.pairs), failed, escaped(alignment.firstProblem()));
    return failed;
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

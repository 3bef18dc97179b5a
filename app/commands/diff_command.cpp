// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/run_difference.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/error.h"
#include "base/progress.h"
#include "commands/commands.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "nn/engine.h"
#include "trace/site.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace attn::app {

namespace {

struct DiffArguments
{
    std::string first;
    std::string second;
    std::string lines;
    std::optional<double> failOver;
    RunRequest request;
    bool json = false;
};

// A head, and how much its rows differ: of one text each row's, of several the mean of each text.
struct ComparedHead
{
    Site site;
    int head = 0;
    double largest = 0;
    std::vector<double> values;
    MeanInterval variation = {};
};

class Comparison
{
public:
    void addRows(const TraceDifference& difference)
    {
        for (const HeadDifference& one : difference.heads) {
            ComparedHead& head = headOf(one);
            head.values.insert(head.values.end(), one.rows.begin(), one.rows.end());
        }
    }
    void addText(const TraceDifference& difference)
    {
        for (const HeadDifference& one : difference.heads) {
            if (!one.rows.empty())
                headOf(one).values.push_back(std::accumulate(one.rows.begin(), one.rows.end(), 0.0)
                                             / static_cast<double>(one.rows.size()));
        }
    }

    // The compared heads, the one that differs most first.
    std::vector<ComparedHead> heads() const
    {
        std::vector<ComparedHead> result;
        for (const auto& [place, head] : m_heads) {
            result.push_back(head);
            result.back().variation = bootstrapMean(head.values);
        }
        std::ranges::stable_sort(result, std::ranges::greater(),
                                 [](const ComparedHead& head) { return head.variation.mean; });
        return result;
    }

private:
    ComparedHead& headOf(const HeadDifference& one)
    {
        ComparedHead& head = m_heads[{one.site, one.head}];
        head.site = one.site;
        head.head = one.head;
        head.largest = std::max(head.largest, one.largest);
        return head;
    }

    std::map<std::pair<Site, int>, ComparedHead> m_heads;
};

void requireComparable(const TraceDifference& difference, const std::string& where)
{
    if (!difference.structure.empty())
        throw Error(ErrorKind::Input, where, "the two cannot be compared head by head: " + difference.structure.front(),
                    "compare runs of the same tokens, of models of one shape");
}

// The second model writes what the first one wrote, so that their rows are those of the same tokens.
void compareModels(const DiffArguments& arguments, Comparison& comparison)
{
    const std::vector<std::string> lines = readLines(arguments.lines);
    const InterruptWatch interrupt;
    Engine engine(arguments.request.threads, arguments.request.question.precision);
    const LoadedModel first = loadModel(arguments.first, engine, {}, interrupt.token());
    const LoadedModel second = loadModel(arguments.second, engine, {}, interrupt.token());
    bool hasText = false;
    for (std::size_t number = 0; number < lines.size(); ++number) {
        if (lines[number].empty())
            continue;
        hasText = true;
        Question question = arguments.request.question;
        question.text = lines[number];
        const Trace here = answer(question, first, engine, {.stop = interrupt.token()});
        if (here.kind() == ModelKind::EncoderDecoder)
            question.targetIds = here.target().ids;
        const Trace there = answer(question, second, engine, {.stop = interrupt.token()});
        const TraceDifference difference = differenceOf(here, there);
        requireComparable(difference, fmt::format("{}: line {}", arguments.lines, number + 1));
        comparison.addText(difference);
    }
    if (!hasText)
        throw Error(ErrorKind::Input, arguments.lines, "holds no text", "write a text a line");
}

Comparison compared(const DiffArguments& arguments)
{
    Comparison comparison;
    const bool areRuns = holdsRuns(arguments.first);
    if (areRuns != holdsRuns(arguments.second))
        throw UsageError("compare two archives or two models, not one with the other");
    if (areRuns == !arguments.lines.empty())
        throw UsageError(areRuns ? "--lines goes with two models"
                                 : "--lines FILE names the texts that both models read");
    if (areRuns) {
        const TraceDifference difference =
            differenceOf(storedTrace(arguments.first).trace, storedTrace(arguments.second).trace);
        requireComparable(difference, arguments.second);
        comparison.addRows(difference);
    } else {
        compareModels(arguments, comparison);
    }
    return comparison;
}

std::string placeOf(const ComparedHead& head)
{
    return fmt::format("{}:{}", siteText(head.site), head.head);
}

nlohmann::ordered_json headJson(const ComparedHead& head)
{
    return {{"head", placeOf(head)},
            {"variation", head.variation.mean},
            {"low", head.variation.low},
            {"high", head.variation.high},
            {"largest", head.largest}};
}

void printHeads(const std::vector<ComparedHead>& heads)
{
    std::cout << "head           variation  95% interval         largest\n";
    for (const ComparedHead& head : heads)
        std::cout << fmt::format("{:<14} {:>9.6f}  {:.6f} to {:.6f}  {:>7.6f}\n", placeOf(head), head.variation.mean,
                                 head.variation.low, head.variation.high, head.largest);
}

void diff(const DiffArguments& arguments, int& status)
{
    const std::vector<ComparedHead> heads = compared(arguments).heads();
    if (heads.empty())
        throw Error(ErrorKind::Input, arguments.first, "has no attention to compare");
    const bool fails = arguments.failOver && heads.front().variation.mean > *arguments.failOver;
    if (arguments.json) {
        nlohmann::ordered_json json{{"heads", nlohmann::ordered_json::array()}, {"fails", fails}};
        for (const ComparedHead& head : heads)
            json["heads"].push_back(headJson(head));
        std::cout << jsonText(json, 2) << '\n';
    } else {
        printHeads(heads);
    }
    if (fails)
        std::cerr << fmt::format("attnscope: {} differs by {:.6f}, more than {}\n", placeOf(heads.front()),
                                 heads.front().variation.mean, *arguments.failOver);
    status = fails ? Differs : Done;
}

} // namespace

void addDiffCommand(CLI::App& app, int& status)
{
    auto* command =
        app.add_subcommand("diff", "compare two archives, or two models over a file of lines, head by head");
    auto arguments = std::make_shared<DiffArguments>();
    command->add_option("A", arguments->first, "archive, session or model")->required();
    command->add_option("B", arguments->second, "another of the same kind")->required();
    command->add_option("--lines", arguments->lines, "texts that both models read, one a line")->type_name("FILE");
    command
        ->add_option_function<double>(
            "--fail-over", [arguments](double most) { arguments->failOver = most; },
            "exit status 3 where the mean variation of some head is above this, 0 to 1")
        ->check(CLI::Range(0.0, 1.0));
    command->add_flag("--json", arguments->json, "as JSON");
    arguments->request.addTo(*command, runOnly);
    command->callback([arguments, &status] { diff(*arguments, status); });
}

} // namespace attn::app

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/run_difference.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "attribution/faithfulness.h"
#include "attribution/reading_method.h"
#include "base/error.h"
#include "base/plain_text.h"
#include "base/progress.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "commands/unfinished_batch.h"
#include "edits/edit.h"
#include "io/atomic_file.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "trace/archive.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::app {

namespace {

constexpr const char* allOfThem = "all";

struct ReadingsArguments
{
    std::string methods = allOfThem;
    std::optional<std::string> of;
    std::string baseline;
    std::string erase;
    ReadingOptions options;
    bool table = false;
    bool controls = false;
    std::string lines;
    bool resume = false;
    std::string output;
    RunRequest request;
};

std::vector<const ReadingMethod*> chosenMethods(const ReadingsArguments& arguments)
{
    const auto all = readingMethods();
    if (arguments.methods == allOfThem)
        return {all.begin(), all.end()};
    std::vector<const ReadingMethod*> chosen;
    for (std::string_view rest = arguments.methods; chosen.empty() || !rest.empty();) {
        const std::string_view name = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
        const auto found = std::ranges::find_if(all, [name](const auto* method) { return method->id == name; });
        if (found == all.end()) {
            std::string names;
            for (const ReadingMethod* const method : all)
                names += fmt::format(", {}", method->id);
            throw UsageError(fmt::format("--method: there is no '{}', only all{}", name, names));
        }
        if (arguments.options.ofAll && (*found)->ofOutput && !(*found)->ofEach)
            throw UsageError(fmt::format("--of all: {} is about one position; name it, or leave {} out", name, name));
        std::ranges::copy_if(all, std::back_inserter(chosen), [&](const ReadingMethod* method) {
            const bool isAsked = method == *found || method->partOf == name;
            return isAsked && std::ranges::find(chosen, method) == chosen.end();
        });
    }
    return chosen;
}

void readOptions(ReadingsArguments& arguments)
{
    ReadingOptions& options = arguments.options;
    options.ofAll = arguments.of == allOfThem;
    if (arguments.of && !options.ofAll) {
        options.of = parsedNumber<int>(*arguments.of);
        if (!options.of || *options.of < 0)
            throw UsageError(fmt::format("--of: '{}' is neither a position from 0 nor all", *arguments.of));
    }
    if (!arguments.baseline.empty() && arguments.baseline != "zero") {
        options.baseline = parsedNumber<TokenId>(arguments.baseline);
        if (!options.baseline)
            throw UsageError(fmt::format("--baseline: '{}' is neither zero nor an id", arguments.baseline));
    }
    options.eraseHides = arguments.erase == "hide";
}

// Nothing is run of an archive, which may hold readings.
bool readsArchive(const ReadingsArguments& arguments)
{
    return holdsRuns(arguments.request.question.model) && archiveForm(arguments.request.question.model)
        && !arguments.table && arguments.lines.empty() && !arguments.options.against;
}

void checkReadingsArguments(const ReadingsArguments& arguments)
{
    if (holdsRuns(arguments.request.question.model) && !readsArchive(arguments))
        throw UsageError("readings run a model; an archive or session is the result of a run: name its model");
    if (arguments.output.empty() && !arguments.table)
        throw UsageError("give --output for the arrays, --table for how faithful they are, or both");
    if (arguments.controls && !arguments.table)
        throw UsageError("--controls goes with --table");
    const bool hasLines = !arguments.lines.empty();
    if (hasLines && arguments.request.hasInput())
        throw UsageError("--lines has the sentences: leave out the text and the target");
    if (hasLines && !arguments.output.ends_with(".jsonl"))
        throw UsageError("--lines writes a JSON object a line: --output must end in .jsonl");
    if (arguments.resume && !hasLines)
        throw UsageError("--resume goes on with --lines");
    if (arguments.output.empty())
        return;
    if (!hasLines && !archiveForm(arguments.output))
        throw UsageError("--output must end in .npz or .json, with --lines in .jsonl");
    if (hasLines)
        requireOtherOutput("--lines", arguments.lines, arguments.output);
    requireOtherOutput("--text-file", arguments.request.textFile, arguments.output);
    requireOtherThanModel(arguments.request.question.model, {"--output", arguments.output});
    if (!hasLines)
        requireWritable({"--output", arguments.output});
}

// The run of a sentence and all that is read of it.
struct SentenceReadings
{
    Trace trace;
    ReadingResults results;
    std::string metadata;
    std::vector<Faithfulness> faithfulness; // with --table
};

class Readings
{
public:
    explicit Readings(const ReadingsArguments& arguments)
        : m_arguments(arguments)
        , m_methods(chosenMethods(arguments))
        , m_engine(arguments.request.threads, arguments.request.question.precision)
    {
        const std::string& model = arguments.request.question.model;
        m_model = loadModel(model, m_engine, {}, m_interrupt.token());
        arguments.request.check(m_model);
        if (arguments.controls)
            m_shuffled = loadShuffled(model, m_engine, m_interrupt.token());
    }

    const LoadedModel& model() const { return m_model; }
    std::stop_token stop() const { return m_interrupt.token(); }

    // fit: of edits.
    SentenceReadings read(Question question, EditsFit fit)
    {
        question.capture.attention = true;
        question.capture.scores = true;
        SentenceReadings found;
        found.trace = answer(question, m_model, m_engine, {.stop = stop(), .picture = pictureReader()}, fit);
        ExplainedRun run(m_model, question, found.trace, m_arguments.options, m_engine, stop());
        found.results = computeReadings(run, m_methods);
        const auto lacking = found.results.absent.find(erasureId);
        if (m_arguments.methods != allOfThem && lacking != found.results.absent.end() && run.nothingToExplain().empty())
            throw Error(ErrorKind::Input, erasureId, lacking->second);
        found.metadata = readingMetadata(run, found.results);
        if (!m_arguments.table)
            return found;
        const ReadingResults erased = withErasure(run, found.results);
        found.faithfulness = faithfulness(run, erased);
        if (m_shuffled)
            addShuffledControl(found.faithfulness, run, erased, m_methods, *m_shuffled, {pictureReader()});
        return found;
    }

private:
    static constexpr const char* erasureId = "erasure";

    const ReadingsArguments& m_arguments;
    std::vector<const ReadingMethod*> m_methods;
    InterruptWatch m_interrupt;
    Engine m_engine;
    LoadedModel m_model;
    std::optional<LoadedModel> m_shuffled; // with --controls
};

std::string numberText(std::optional<double> value)
{
    return value && !std::isnan(*value) ? fmt::format("{:.6f}", *value) : std::string();
}

std::string tableOf(const std::vector<Faithfulness>& rows, bool controls)
{
    std::string text = std::string("reading\trho\trows\trandom") + (controls ? "\tshuffled\n" : "\n");
    for (const Faithfulness& row : rows)
        text += fmt::format("{}\t{}\t{}\t{}{}\n", row.reading, numberText(row.correlation), row.rows,
                            numberText(row.random), controls ? '\t' + numberText(row.shuffled) : std::string());
    return text;
}

// Notes about the results for the user, on standard error.
void noteResults(const ReadingResults& results, const ReadingOptions& options, const ModelInfo& info)
{
    for (const auto& [method, reason] : results.absent)
        std::cerr << fmt::format("attnscope: {} is left out: {}\n", method, escaped(reason));
    const auto isDifferentiated = [](const auto& of) {
        const auto lack = readingMethod(of.second).lack;
        return lack == differentiableOnly || lack == differentiableMapsOnly;
    };
    if (info.architecture.experts > 0 && std::ranges::any_of(results.methods, isDifferentiated))
        std::cerr << "attnscope: which experts are chosen counts as fixed: gradients do not say what another choice "
                     "would change\n";
    for (const auto& one : results.completeness) {
        if (!one || one->settled())
            continue;
        std::cerr << fmt::format("attnscope: integrated gradients have not settled: they sum to {:.4g}, the difference "
                                 "is {:.4g} at {} steps; take more --steps, or another --baseline\n",
                                 one->sum, one->difference, options.steps);
        return;
    }
}

void readOne(ReadingsArguments& arguments)
{
    arguments.request.completeInput();
    Readings readings(arguments);
    const Question& question = arguments.request.question;
    SentenceReadings found = [&] {
        try {
            return readings.read(question, EditsFit::Required);
        } catch (const ReadingOptionError& error) {
            throw UsageError(std::string("--") + error.what());
        } catch (const EditError& error) { // of this sentence
            throw UsageError(std::string("--") + error.what());
        }
    }();
    noteResults(found.results, arguments.options, readings.model().model->info());
    if (!arguments.output.empty()) {
        ArchiveOptions options{true, question.capture.hidden, question.capture.logits};
        for (auto& [name, array] : found.results.arrays)
            options.more.emplace(name, std::make_shared<const ReadArray>(std::move(array)));
        options.moreMetadata = found.metadata;
        options.stop = readings.stop();
        writeArchive(arguments.output, found.trace, options);
    }
    if (arguments.table)
        std::cout << tableOf(found.faithfulness, arguments.controls);
}

// Writes an archive that holds the readings asked for anew.
void rewriteArchive(const ReadingsArguments& arguments)
{
    const std::string& path = arguments.request.question.model;
    const Trace trace = readArchive(path);
    const auto isHeld = [&](const ReadingMethod* method) {
        const bool isAboutOne = method->ofOutput && arguments.of;
        return trace.readings() && std::ranges::any_of(trace.readings()->computed, [&](const auto& held) {
                   const auto& [id, about] = held;
                   return id == method->id
                       && (!isAboutOne || (arguments.options.ofAll ? about.all : about.of == arguments.options.of));
               });
    };
    const auto methods = chosenMethods(arguments);
    const bool isAll = arguments.methods == allOfThem;
    const auto missing = std::ranges::find_if_not(methods, isHeld);
    if (isAll ? std::ranges::none_of(methods, isHeld) : missing != methods.end())
        throw UsageError(fmt::format("{}: an archive is the result of a run, and this one holds no {}: name its model",
                                     path, isAll ? "such readings" : (*missing)->id));
    writeArchive(arguments.output, trace, {.scores = true, .hidden = true, .logits = true});
}

// --- many sentences ---

using Json = nlohmann::ordered_json;

// As many digits as a float has; null for what is no number.
Json shortNumber(float value)
{
    return std::isfinite(value) ? Json(parsedNumber<double>(fmt::format("{}", value)).value_or(value)) : Json();
}

Json orNull(std::optional<double> value)
{
    return value && !std::isnan(*value) ? Json(*value) : Json();
}

// Nested lists of the dimensions from `axis` on, whose numbers begin at `at`, which is moved on.
Json nested(const ReadArray& array, std::size_t axis, std::size_t& at)
{
    if (axis == array.shape.size()) {
        const std::size_t now = at++;
        return array.whole.empty() ? shortNumber(array.values.at(now)) : Json(array.whole.at(now));
    }
    Json list = Json::array();
    for (std::int64_t i = 0; i < array.shape[axis]; ++i)
        list.push_back(nested(array, axis + 1, at));
    return list;
}

Json lineOf(const SentenceReadings& found)
{
    Json line;
    if (found.trace.kind() == ModelKind::EncoderDecoder && !found.trace.readsOnly())
        line["target_tokens"] = found.trace.target().tokens;
    line["source_tokens"] =
        found.trace.kind() == ModelKind::DecoderOnly ? found.trace.sequence().tokens : found.trace.source().tokens;
    for (const auto& [name, array] : found.results.arrays) {
        std::size_t at = 0;
        line["arrays"][name] = nested(array, 0, at);
    }
    line.update(Json::parse(found.metadata));
    for (const Faithfulness& row : found.faithfulness)
        line["faithfulness"][row.reading] = {{"rho", orNull(row.correlation)},
                                             {"rows", row.rows},
                                             {"random", orNull(row.random)},
                                             {"shuffled", orNull(row.shuffled)}};
    return line;
}

void addToMeans(FaithfulnessMeans& means, const Json& line)
{
    const auto found = line.find("faithfulness");
    if (found == line.end())
        return;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto number = [](const Json& value) { return value.is_number() ? value.get<double>() : none; };
    for (const auto& [reading, row] : found->items()) {
        Faithfulness one{reading, number(row["rho"]), number(row["random"]), row["rows"].get<int>()};
        if (row["shuffled"].is_number())
            one.shuffled = row["shuffled"].get<double>();
        means.add(one);
    }
}

std::string tableOf(const std::vector<MeanFaithfulness>& means)
{
    std::string text = "reading\trho\trows\trandom\tshuffled\tlow\thigh\tsentences\n";
    for (const MeanFaithfulness& mean : means)
        text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", mean.reading, numberText(mean.correlation.mean),
                            mean.rows, numberText(mean.random), numberText(mean.shuffled),
                            numberText(mean.correlation.low), numberText(mean.correlation.high), mean.sentences);
    return text;
}

AskedOfBatch askedOf(const ReadingsArguments& arguments, const LoadedModel& model)
{
    AskedOfBatch asked;
    asked.question = arguments.request.question;
    asked.question.model = lastingModel(asked.question.model);
    asked.files = describedFiles(model);
    asked.computed = fmt::format("--method {} --of '{}' --against '{}' --steps {} --baseline '{}' --erase '{}' "
                                 "--lens-top {} --table {} --controls {}",
                                 arguments.methods, arguments.of.value_or(""), arguments.options.against.value_or(""),
                                 arguments.options.steps, arguments.baseline, arguments.erase,
                                 arguments.options.lensTop, arguments.table, arguments.controls);
    return asked;
}

// Returns how many lines failed.
std::size_t readLinesOf(ReadingsArguments& arguments)
{
    arguments.request.checkPrefix(false);
    std::vector<std::string> lines = readLines(arguments.lines);
    Readings readings(arguments);
    FaithfulnessMeans means;
    const std::size_t failed = writeJsonLines({.lines = std::move(lines),
                                               .output = arguments.output,
                                               .resume = arguments.resume,
                                               .asked = askedOf(arguments, readings.model()),
                                               .answer =
                                                   [&](const std::string& line) {
                                                       Question question = arguments.request.question;
                                                       question.text = line;
                                                       return lineOf(readings.read(question, EditsFit::WherePossible));
                                                   },
                                               .written = [&means](const Json& line) { addToMeans(means, line); },
                                               .stop = readings.stop()});
    if (arguments.table)
        std::cout << tableOf(means.means());
    return failed;
}

// Returns how many lines failed.
std::size_t read(ReadingsArguments& arguments)
{
    readOptions(arguments);
    checkReadingsArguments(arguments);
    if (!arguments.lines.empty())
        return readLinesOf(arguments);
    if (readsArchive(arguments))
        rewriteArchive(arguments);
    else
        readOne(arguments);
    return 0;
}

std::string methodsHelp()
{
    std::string help = "comma-separated, or all:";
    for (const ReadingMethod* const method : readingMethods())
        help += fmt::format(" {}, {};", method->id, method->help);
    help.back() = '.';
    return help;
}

} // namespace

void addReadingsCommand(CLI::App& app, int& status)
{
    auto* command = app.add_subcommand("readings", "readings beyond raw weights, and how faithful each is");
    auto arguments = std::make_shared<ReadingsArguments>();
    addModel(*command, arguments->request.question.model, "bundled name, checkpoint directory or file");
    arguments->request.addTo(*command, everyOption);
    command->add_option("--method", arguments->methods, methodsHelp())->type_name("NAMES");
    command
        ->add_option("--of", arguments->of,
                     "output position (or label) that is explained, or all; default: the last, of a masked text the "
                     "first mask, of a class the best")
        ->type_name("POS");
    command
        ->add_option_function<std::string>(
            "--against", [arguments](const std::string& given) { arguments->options.against = given; },
            "why the token and not this one: an id (or label), or word:TEXT (Yin and Neubig 2022)")
        ->type_name("TOKEN");
    command->add_option("--steps", arguments->options.steps, "of integrated gradients")
        ->transform(decimal())
        ->check(CLI::Range(1, 100'000))
        ->type_name("N");
    command->add_option("--baseline", arguments->baseline, "where their path begins: zero (default) or a token's id")
        ->type_name("ID");
    command->add_option("--erase", arguments->erase, "hide: erased tokens are hidden, not replaced")
        ->check(CLI::IsMember({"hide"}));
    command->add_option("--lens-top", arguments->options.lensTop, "tokens that the logit lens names")
        ->transform(decimal())
        ->check(CLI::Range(1, 1000))
        ->type_name("K");
    command->add_flag("--table", arguments->table,
                      "print each reading's rank correlation with erasure, and that of its values in random order");
    command->add_flag("--controls", arguments->controls,
                      "with --table, and of the same readings of a model with shuffled weights (Adebayo et al. 2018)");
    command->add_option("--lines", arguments->lines, "a sentence a line, in place of one text")->type_name("FILE");
    command->add_option("--output", arguments->output, "x.npz or x.json; with --lines x.jsonl")->type_name("FILE");
    command->add_flag("--resume", arguments->resume, "go on behind the lines that the same command had finished");
    command->callback([arguments, &status] {
        if (read(*arguments) > 0)
            status = Failed;
    });
}

} // namespace attn::app

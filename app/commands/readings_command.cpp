// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/trace_difference.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "attribution/faithfulness.h"
#include "attribution/reading_method.h"
#include "base/error.h"
#include "base/parsed_number.h"
#include "base/shown_text.h"
#include "base/thread_stop.h"
#include "base/version.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "commands/unfinished_batch.h"
#include "edits/edit.h"
#include "io/atomic_file.h"
#include "loading/model_loader.h"
#include "loading/shuffled_weights.h"
#include "nn/engine.h"
#include "trace/archive.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
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
    std::string of;
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
        if (std::ranges::find(chosen, *found) == chosen.end())
            chosen.push_back(*found);
    }
    return chosen;
}

void readOptions(ReadingsArguments& arguments)
{
    ReadingOptions& options = arguments.options;
    options.ofAll = arguments.of == allOfThem;
    if (!arguments.of.empty() && !options.ofAll) {
        options.of = parsedNumber<int>(arguments.of);
        if (!options.of || *options.of < 0)
            throw UsageError(fmt::format("--of: '{}' is neither a position from 0 nor all", arguments.of));
    }
    if (!arguments.baseline.empty() && arguments.baseline != "zero") {
        options.baseline = parsedNumber<TokenId>(arguments.baseline);
        if (!options.baseline)
            throw UsageError(fmt::format("--baseline: '{}' is neither zero nor an id", arguments.baseline));
    }
    options.eraseHides = arguments.erase == "hide";
}

void checkReadingsArguments(const ReadingsArguments& arguments)
{
    if (holdsRuns(arguments.request.question.model))
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

// The question whose answer is forced to be that of a run.
Question forcedTo(const Trace& run, Question question)
{
    question.decoding.generate = 0;
    question.prefixText.reset();
    question.prefixIds.reset();
    if (run.kind() == ModelKind::DecoderOnly) {
        question.sourceIds = run.sequence().ids;
    } else if (run.kind() == ModelKind::EncoderDecoder && !run.readsOnly() && !run.classification()) {
        question.targetText.reset();
        question.targetIds = run.target().ids;
    }
    return question;
}

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
        const ReadingResults erased = erasureOf(run, found.results);
        found.faithfulness = faithfulness(run, erased);
        if (m_shuffled)
            addShuffled(found, erased);
        return found;
    }

private:
    static constexpr const char* erasureId = "erasure";

    // The results with erasure among them.
    static ReadingResults erasureOf(ExplainedRun& run, ReadingResults results)
    {
        if (results.arrays.contains("source_erasure"))
            return results;
        const auto erasure = std::ranges::find(readingMethods(), std::string_view(erasureId), &ReadingMethod::id);
        const ReadingResults erased = computeReadings(run, {&*erasure, 1});
        if (!erased.absent.empty())
            throw Error(ErrorKind::Input, "--table", erased.absent.begin()->second);
        results.arrays.insert(erased.arrays.begin(), erased.arrays.end());
        results.methods.insert(erased.methods.begin(), erased.methods.end());
        return results;
    }

    // The same readings of the model with shuffled weights, against the erasure of the model as it is.
    void addShuffled(SentenceReadings& found, const ReadingResults& own)
    {
        const Question question = forcedTo(found.trace, m_arguments.request.question);
        Question captured = question;
        captured.text = found.trace.provenance().text;
        captured.capture.scores = true;
        const Trace trace = answer(captured, *m_shuffled, m_engine, {.stop = stop(), .picture = pictureReader()},
                                   EditsFit::WherePossible);
        ExplainedRun run(*m_shuffled, captured, trace, m_arguments.options, m_engine, stop());
        std::vector<const ReadingMethod*> methods = m_methods;
        std::erase_if(methods, [](const ReadingMethod* method) { return std::string_view(method->id) == erasureId; });
        ReadingResults results = computeReadings(run, methods);
        results.arrays["source_erasure"] = own.arrays.at("source_erasure");
        results.methods["source_erasure"] = erasureId;
        for (const Faithfulness& one : faithfulness(run, results)) {
            const auto row = std::ranges::find(found.faithfulness, one.reading, &Faithfulness::reading);
            if (row != found.faithfulness.end())
                row->shuffled = one.correlation;
        }
    }

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
void noteResults(const ReadingResults& results, const ReadingOptions& options)
{
    for (const auto& [method, reason] : results.absent)
        std::cerr << fmt::format("attnscope: {} is left out: {}\n", method, escaped(reason));
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
    const SentenceReadings found = [&] {
        try {
            return readings.read(question, EditsFit::Required);
        } catch (const ReadingOptionError& error) {
            throw UsageError(std::string("--") + error.what());
        } catch (const EditError& error) { // of this sentence
            throw UsageError(std::string("--") + error.what());
        }
    }();
    noteResults(found.results, arguments.options);
    if (!arguments.output.empty()) {
        ArchiveOptions options{true, question.capture.hidden, question.capture.logits};
        for (const auto& [name, array] : found.results.arrays)
            options.more.emplace(name, array.npy());
        options.moreMetadata = found.metadata;
        options.stop = readings.stop();
        writeArchive(arguments.output, found.trace, options);
    }
    if (arguments.table)
        std::cout << tableOf(found.faithfulness, arguments.controls);
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

// The faithfulness of many sentences, from their lines.
class FaithfulnessOfLines
{
public:
    void add(const Json& line)
    {
        const auto found = line.find("faithfulness");
        if (found == line.end())
            return;
        for (const auto& [reading, row] : found->items()) {
            if (!row["rho"].is_number())
                continue;
            Sums& sums = m_readings[reading];
            sums.correlations.push_back(row["rho"].get<double>());
            sums.random.push_back(row["random"].get<double>());
            if (row["shuffled"].is_number())
                sums.shuffled.push_back(row["shuffled"].get<double>());
            sums.rows += row["rows"].get<int>();
        }
    }

    std::string table() const
    {
        std::string text = "reading\trho\trows\trandom\tshuffled\tlow\thigh\tsentences\n";
        for (const auto& [reading, sums] : m_readings) {
            const MeanInterval mean = bootstrapMean(sums.correlations);
            const auto shuffled =
                sums.shuffled.empty() ? std::nullopt : std::optional(bootstrapMean(sums.shuffled).mean);
            text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", reading, numberText(mean.mean), sums.rows,
                                numberText(bootstrapMean(sums.random).mean), numberText(shuffled), numberText(mean.low),
                                numberText(mean.high), sums.correlations.size());
        }
        return text;
    }

private:
    struct Sums
    {
        std::vector<double> correlations; // of the sentences that have one
        std::vector<double> random;
        std::vector<double> shuffled;
        int rows = 0;
    };

    std::map<std::string, Sums> m_readings;
};

AskedOfBatch askedOf(const ReadingsArguments& arguments, const LoadedModel& model)
{
    AskedOfBatch asked;
    asked.program = programVersion;
    asked.question = arguments.request.question;
    asked.question.model = lastingModel(asked.question.model);
    asked.files = describedFiles(model);
    asked.readings = fmt::format("--method {} --of '{}' --against '{}' --steps {} --baseline '{}' --erase '{}' "
                                 "--lens-top {} --table {} --controls {}",
                                 arguments.methods, arguments.of, arguments.options.against.value_or(""),
                                 arguments.options.steps, arguments.baseline, arguments.erase,
                                 arguments.options.lensTop, arguments.table, arguments.controls);
    return asked;
}

// Lines of an interrupted command that asked the same.
FinishedLines finishedLines(const ReadingsArguments& arguments, const AskedOfBatch& now,
                            const std::vector<std::string>& lines, FaithfulnessOfLines& faithfulness,
                            const std::stop_token& stop)
{
    const auto unfinished = unfinishedPath(arguments.output);
    FinishedLines finished = readFinishedLines(unfinished, {}, lines, stop);
    if (finished.lines == 0)
        return finished;
    const AskedOfBatch before = readGiven([&] { return readAsked(arguments.output); });
    if (const AskedOfBatch same = parseAsked(askedText(now), unfinished.string()); before != same) {
        const AskedDifference difference = askedDifference(before, same);
        throw UsageError(
            fmt::format("--resume: the unfinished {} was asked {}, this one {}; ask the same, or leave out "
                        "--resume to begin anew",
                        unfinished.string(), difference.before, difference.now));
    }
    std::ifstream kept(unfinished);
    std::string line;
    for (std::size_t i = 0; i < finished.lines && std::getline(kept, line); ++i)
        faithfulness.add(Json::parse(line));
    return finished;
}

// Returns how many lines failed.
std::size_t readLinesOf(ReadingsArguments& arguments)
{
    arguments.request.checkPrefix(false);
    const std::vector<std::string> lines = readLines(arguments.lines);
    Readings readings(arguments);
    const ThreadStop ofFiles(readings.stop());
    const AskedOfBatch asked = askedOf(arguments, readings.model());
    FaithfulnessOfLines faithfulness;
    AskedFile askedFile(arguments.output, {});
    AtomicFile output(arguments.output, arguments.resume ? std::numeric_limits<std::uint64_t>::max() : 0);
    if (arguments.resume && !output.goesBack())
        throw UsageError("--resume: --output is a device or a pipe, which keeps no lines to go on from");
    const FinishedLines finished =
        arguments.resume ? finishedLines(arguments, asked, lines, faithfulness, readings.stop()) : FinishedLines();
    output.cut(finished.outputBytes);
    if (output.goesBack())
        askedFile.write(asked, finished.lines > 0);
    std::size_t failed = finished.failed;
    ProgressLine progress;
    for (std::size_t i = finished.lines; i < lines.size(); ++i) {
        Json line{{"source", lines[i]}};
        try {
            Question question = arguments.request.question;
            question.text = lines[i];
            line.update(lineOf(readings.read(question, EditsFit::WherePossible)));
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled)
                throw Error(ErrorKind::Cancelled, arguments.output,
                            fmt::format("cancelled after {} of {} lines", i, lines.size()),
                            "--resume goes on from there");
            line["error"] = error.whole();
        } catch (const std::bad_alloc&) {
            line["error"] = "out of memory";
        }
        failed += line.contains("error") ? 1 : 0;
        faithfulness.add(line);
        askedFile.keep();
        output.write(answerText(line));
        progress.show(i + 1, lines.size());
    }
    output.commit();
    if (arguments.table)
        std::cout << faithfulness.table();
    if (failed > 0)
        std::cerr << fmt::format("attnscope: {}: {} of the lines failed; \"error\" says why\n",
                                 escaped(arguments.output), failed);
    return failed;
}

// Returns how many lines failed.
std::size_t read(ReadingsArguments& arguments)
{
    readOptions(arguments);
    checkReadingsArguments(arguments);
    if (!arguments.lines.empty())
        return readLinesOf(arguments);
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

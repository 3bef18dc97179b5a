// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/options.h"

#include "app/exit_status.h"
#include "app/gui.h"
#include "app/interrupt.h"
#include "attribution/reading_method.h"
#include "base/error.h"
#include "base/index.h"
#include "base/memory.h"
#include "base/plain_text.h"
#include "base/utf8.h"
#include "commands/bench_run.h"
#include "commands/commands.h"
#include "commands/progress_line.h"
#include "dumps/attention_file.h"
#include "edits/edit.h"
#include "experiments/sentences.h"
#include "inference/forced_output.h"
#include "inference/speech_run.h"
#include "io/gguf.h"
#include "io/identify.h"
#include "io/mapped_file.h"
#include "nn/engine.h"
#include "question/question.h"
#include "trace/trace_builder.h"

#ifdef ATTN_WITH_UI
#include "figures/figure_choices.h"
#include "laboratory/page_rows.h"
#include "views/view_rows.h"
#endif

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#ifdef ATTN_WITH_PICTURES
#include "pictures/picture_file.h"
#endif

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <map>
#include <memory>
#include <string_view>
#include <variant>

namespace attn::app {

namespace {

constexpr std::size_t partBytes = std::size_t{64} << 10U;
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

OtherRun otherRun(const Question& asked, const Trace& trace, const ComparisonRequest& wanted, const LoadedModel& model,
                  Engine& engine, const std::stop_token& stop)
{
    Question question = asked;
    question.edits.push_back(wanted.edit);
    const RunObserver observer{.stop = stop, .picture = pictureReader()};
    OtherRun other;
    try {
        checkEdits(question, model);
        other.trace = answer(question, model, engine, observer);
    } catch (const EditError& error) {
        throw UsageError(std::string("--against-") + error.what());
    }
    if (wanted.scores) {
        other.askedUnderIt = outputUnder(trace, question, model, engine, observer);
        other.itUnderAsked = outputUnder(other.trace, asked, model, engine, observer);
    }
    return other;
}

// Keeps readings with the run; returns what they explain.
ReadingAbout addReadings(Trace& trace, const ReadingRequest& wanted, const Question& question, const LoadedModel& model,
                         Engine& engine, const std::stop_token& stop)
{
    ReadingOptions options;
    options.of = wanted.about.of;
    options.ofAll = wanted.about.all;
    options.mostSteps = mostShownSteps;
    if (wanted.about.against)
        options.against = std::to_string(*wanted.about.against);
    std::vector<const ReadingMethod*> methods;
    for (const std::string& id : wanted.methods)
        methods.push_back(&readingMethod(id));
    const bool explains = std::ranges::any_of(methods, &ReadingMethod::ofOutput);
    try {
        ExplainedRun run(model, question, trace, explains ? options : ReadingOptions(), engine, stop);
        auto kept = std::make_shared<KeptReadings>();
        keep(*kept, run, methods, computeReadings(run, methods));
        trace = trace.with(std::move(kept));
        ReadingAbout about = wanted.about;
        if (explains && !about.all && !run.explained().empty())
            about.of = run.explained().front().position;
        return about;
    } catch (const ReadingOptionError& error) {
        throw UsageError(std::string("--site: ") + error.what());
    }
}

// A file that is neither a model nor holds runs, such as weights that were saved one by one: says what it is.
void refuseOtherFile(const std::string& path)
{
    std::error_code ignored;
    if (holdsRuns(path) || !std::filesystem::is_regular_file(path, ignored)
        || std::filesystem::exists(std::filesystem::path(path).parent_path() / "config.json", ignored))
        return;
    const MappedFile file(path);
    if (!isGguf(file.bytes()) && identifyForeign(file.bytes()))
        (void)openAttentionFile(path); // it says so
}

} // namespace

void addModel(CLI::App& command, std::string& model, const std::string& description)
{
    command.add_option("MODEL", model, description)->required();
}

CLI::Validator decimal()
{
    const auto read = [](std::string& text) {
        const auto number = parsedNumber<std::int64_t>(std::string_view(text).substr(text.starts_with('+') ? 1 : 0));
        if (!number)
            return fmt::format("'{}' is no whole number that fits here", text);
        text = std::to_string(*number);
        return std::string();
    };
    return {read, "", "decimal"};
}

void addEngineOptions(CLI::App& command, int& threads, WeightStorage& weights)
{
    static const std::map<std::string, WeightStorage> storages = {{"automatic", WeightStorage::Automatic},
                                                                  {"widened", WeightStorage::Widened},
                                                                  {"as-stored", WeightStorage::AsStored}};
    command
        .add_option(
            "--weights", weights,
            "widened: copied as float32, which reads fastest; as-stored: left as the file has them, which takes "
            "the least memory; automatic: widened where half of the free memory holds them")
        ->transform(CLI::CheckedTransformer(storages, CLI::ignore_case).description(""))
        ->type_name("widened|as-stored|automatic");
    command
        .add_option("--threads", threads,
                    "0: all physical cores, less one when there are more than two, less those that other programs hold")
        ->transform(decimal())
        ->check(CLI::Range(0, 1024));
}

CLI::Option* addText(CLI::App& command, const std::string& name, std::optional<std::string>& value,
                     const std::string& description)
{
    return command.add_option_function<std::string>(
        name, [&value](const std::string& given) { value = given; }, description);
}

void RunRequest::addTo(CLI::App& command, std::span<const OptionGroup> groups)
{
    const auto offers = [groups](OptionGroup group) { return std::ranges::find(groups, group) != groups.end(); };
    visitRows(question, [&](const auto& row, auto& owner) {
        if (offers(row.group))
            addOption(command, row, owner, [this](const char* key) { m_given.insert(key); });
    });
    if (offers(OptionGroup::Input)) {
        addText(command, "--text-file", textFile, "read the sentence from this file")->type_name("FILE");
        addRun(command, run);
    }
    if (offers(OptionGroup::Run))
        addEngineOptions(command, threads, weights);
}

bool RunRequest::hasInput() const
{
    return textFile || std::ranges::any_of(questionRows(), [this](const auto& row) {
               return row.group == OptionGroup::Input && has(row.key);
           });
}

void RunRequest::completeInput()
{
    const int texts = int(has("text")) + int(textFile.has_value()) + int(has("source-ids"));
    if (texts > 1 || (texts == 0 && !has("image") && !has("audio"))) {
        refuseOtherFile(question.model);
        throw UsageError("give exactly one of --text, --text-file and --source-ids, or --image or --audio");
    }
    if (has("start") && !has("audio"))
        throw UsageError("--start goes with --audio");
    if (has("target") && has("target-ids"))
        throw UsageError("give --target or --target-ids, not both");
    checkPrefix(question.targetText || question.targetIds);
    if (has("text-pair") && has("source-ids"))
        throw UsageError("--text-pair goes with --text; with ids give --source-segments");
    if (has("source-segments") && !has("source-ids"))
        throw UsageError("--source-segments goes with --source-ids");
    if (textFile) {
        question.text = readTextFile(*textFile);
        requireUtf8(question.text, *textFile);
        question.text.erase(question.text.find_last_not_of("\r\n") + 1);
    }
}

void RunRequest::checkPrefix(bool wholeOutput) const
{
    if (has("prefix") && has("prefix-ids"))
        throw UsageError("give --prefix or --prefix-ids, not both");
    if (hasPrefix() && wholeOutput)
        throw UsageError("--prefix begins an output that goes on freely; with a given output leave it out");
}

void RunRequest::check(const LoadedModel& model) const
{
    const ModelInfo& info = model.model->info();
    readGiven([&] {
        checkInputKind(question, info);
        checkSpeech(question, info);
        checkDecoding(question.decoding, info.kind, info.hardAttention);
        checkEdits(question, model);
    });
    const bool compares = info.input == InputKind::PictureAndText;
    if (has("label") && !compares)
        throw UsageError("--label: this model compares no pictures with texts");
    if (!info.predictsTokens && !compares && info.kind != ModelKind::EncoderOnly) {
        const bool decodes = question.decoding.generate > 0 || question.decoding.search != Search::Greedy;
        if (decodes || hasPrefix() || has("target") || has("target-ids"))
            throw UsageError(fmt::format("--{}: this model {}, it produces no output",
                                         hasPrefix()                          ? "prefix"
                                             : question.decoding.generate > 0 ? "generate"
                                             : decodes                        ? "decode"
                                                                              : "target",
                                         info.task == TaskHead::None ? "has no head" : "classifies"));
    }
    if (hasPrefix() && info.kind == ModelKind::EncoderOnly)
        throw UsageError("--prefix: this is an encoder-only model, which produces no output");
    if (hasPrefix() && info.kind == ModelKind::DecoderOnly && question.decoding.generate == 0)
        throw UsageError("--prefix stands at the head of what --generate adds: say how much");
}

void requireUtf8Option(std::string_view key, std::string_view text)
{
    if (const std::size_t valid = validUtf8Prefix(text); valid != text.size())
        throw UsageError(fmt::format("--{}: is not UTF-8 (byte {})", key, valid));
}

bool holdsRuns(const std::string& model)
{
    return isSessionPath(model) || isAttentionFile(model);
}

void addRun(CLI::App& command, std::optional<int>& run)
{
    command
        .add_option_function<int>(
            "--run", [&run](int given) { run = given; }, "a session's run by its number; without: the one on show")
        ->transform(decimal())
        ->type_name("N");
}

const SessionRun& chosenRun(const Session& session, const std::optional<int>& run)
{
    if (session.runs.empty())
        throw Error(ErrorKind::Input, "session", "holds no runs", "make some in the window, and save it again");
    const SessionRun* found = findRun(session, run ? run : session.shown.run);
    if (found == nullptr && !run)
        found = &session.runs.front();
    if (found == nullptr) {
        std::vector<int> ids;
        for (const SessionRun& one : session.runs)
            ids.push_back(one.id);
        throw UsageError(fmt::format("--run: the session has no run {}, only {}", *run, fmt::join(ids, ", ")));
    }
    return *found;
}

void addLeaf(CLI::App& command, std::optional<int>& leaf)
{
    command
        .add_option_function<int>(
            "--leaf", [&leaf](int given) { leaf = given; },
            "the hypothesis that ends with this step of the search, as the window writes it")
        ->transform(decimal())
        ->check(CLI::Range(0, 1'000'000'000))
        ->type_name("N");
}

std::optional<StepId> chosenLeaf(const Trace& trace, const std::optional<int>& leaf)
{
    const auto chosen = leaf ? std::optional(StepId{*leaf}) : std::nullopt;
    if (!trace.has(chosen))
        throw UsageError("--leaf: the run has " + std::to_string(trace.stepCount()) + " steps");
    return chosen;
}

RunOrigin originOf(const RunRequest& request)
{
    RunOrigin origin;
    origin.model = lastingModel(request.question.model);
    origin.run = request.run;
    origin.capture = request.question.capture;
    origin.threads = request.threads;
    if (!holdsRuns(request.question.model))
        origin.question = request.question;
    return origin;
}

SiteChoice chooseSite(const std::string& text, Site best, const std::function<int(Site)>& headsOf)
{
    if (text.empty())
        return {best, headsOf(best) > 1 ? HeadReading(meanOfHeads) : HeadReading(0)};
    const SiteChoice choice = readGiven([&] { return parseSite(text, "site", best.stage); });
    const int heads = headsOf(choice.site);
    if (heads == 0)
        throw UsageError("--site: there is no attention " + text);
    if (choice.head.head().value_or(0) >= heads)
        throw UsageError(fmt::format("--site: this attention has heads 0 to {}", heads - 1));
    return choice;
}

std::string readTextFile(const std::string& path)
{
    const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rbe"));
    const std::uint64_t most = limit(Limit::Text);
    std::string content;
    std::size_t got = file == nullptr ? 0 : partBytes;
    while (got == partBytes && content.size() <= most) {
        const std::size_t before = content.size();
        content.resize(before + partBytes);
        got = std::fread(content.data() + before, 1, partBytes, file.get());
        content.resize(before + got);
    }
    if (file == nullptr || std::ferror(file.get()) != 0)
        throw Error(ErrorKind::File, path, fmt::format("cannot be read: {}", std::strerror(errno)),
                    "check the path and its permissions");
    if (content.size() > most)
        throw Error(ErrorKind::Input, path, fmt::format("is longer than the {} that are read", byteText(most)),
                    "split it; " + otherLimit(Limit::Text));
    if (content.starts_with(byteOrderMark))
        content.erase(0, byteOrderMark.size());
    return content;
}

std::vector<std::string> readLines(const std::string& path)
{
    return linesOf(readTextFile(path), path);
}

ReadPicture pictureReader()
{
#ifdef ATTN_WITH_PICTURES
    return ui::readPictureFile;
#else
    return {};
#endif
}

MadeTrace storedTrace(const std::string& path, const std::optional<int>& run)
{
    if (isSessionPath(path)) {
        const Session read = readSession(path);
        const SessionRun& chosen = chosenRun(read, run);
        const Trace& trace = chosen.trace;
        const Site site = read.shown.site.value_or(firstShownSite(trace));
        return {trace,        trace.heads(site) > 0 ? site : firstShownSite(trace), {}, {}, read.model.weightsSha256,
                chosen.change};
    }
    Trace trace = readAttentionFile(path);
    const Site site = firstShownSite(trace);
    return {std::move(trace), site};
}

namespace {

// Says on standard error how much of a sound was not read.
void noteUnread(const Trace& trace)
{
    constexpr double least = 0.005; // seconds
    if (const auto& media = trace.media(); media && media->unread >= least)
        std::cerr << fmt::format("attnscope: --audio: {:.2f} seconds behind what one run reads are left out; --start "
                                 "begins later\n",
                                 media->unread);
}

} // namespace

MadeTrace makeTrace(RunRequest& request, const std::optional<ComparisonRequest>& other, const ReadingRequest& readings)
{
    const Question& question = request.question;
    const bool session = isSessionPath(question.model);
    if (request.run && !session)
        throw UsageError("--run goes with a session");
    if (holdsRuns(question.model)) {
        const std::string what = session ? "a run of a session" : "an attention archive";
        if (request.hasInput() || request.hasPrefix())
            throw UsageError(what + " is shown as it is: leave out the text, the target and the prefix");
        if (!question.edits.empty())
            throw UsageError("--edit: " + what + " is shown as it is, nothing is run that could be edited");
        if (other)
            throw UsageError("--against-edit: " + what + " is shown as it is; compare it with --against");
        return storedTrace(question.model, request.run);
    }
    request.completeInput();
    const InterruptWatch interrupt;
    RunningLine line;
    Engine engine(request.threads, question.precision, request.weights);
    const LoadedModel loaded = loadModel(question.model, engine, {}, interrupt.token());
    const ModelInfo& info = loaded.model->info();
    request.check(loaded);
    const auto started = [&](const std::shared_ptr<const TraceBuilder>& builder) {
        line.watch(builder);
        notePositions(question, info, indexSize(builder->snapshot().source()));
    };
    MadeTrace made{{}, info.bestSite, {}, weightFiles(loaded)};
    try {
        made.trace = answer(question, loaded, engine,
                            {.stop = interrupt.token(), .started = started, .picture = pictureReader()});
        noteUnread(made.trace);
    } catch (const EditError& error) { // of this sentence
        throw UsageError(std::string("--") + error.what());
    }
    if (other)
        made.other = otherRun(question, made.trace, *other, loaded, engine, interrupt.token());
    if (readings.methods.empty())
        return made;
    made.about = addReadings(made.trace, readings, question, loaded, engine, interrupt.token());
    if (other) {
        Question edited = question;
        edited.edits.push_back(other->edit);
        addReadings(made.other->trace, {readings.methods, made.about}, edited, loaded, engine, interrupt.token());
    }
    return made;
}

void notePositions(const Question& question, const ModelInfo& info, Index prompt)
{
    const int asked = question.decoding.generate;
    if (!info.maximumLength || asked <= 0)
        return;
    const int left = *info.maximumLength - prompt;
    if (asked > left)
        std::cerr << fmt::format("attnscope: --generate: the model has {} positions, {} of them for the text: it is "
                                 "continued by {} tokens at most, not by {}\n",
                                 *info.maximumLength, prompt, left, asked);
}

namespace {

#ifdef ATTN_WITH_UI

template<class Rows>
std::vector<std::string> idsOf(const Rows& rows)
{
    std::vector<std::string> ids;
    for (const auto& row : rows)
        ids.emplace_back(row.id);
    return ids;
}

#endif

template<class Owner>
std::vector<std::string> namesOf(const OptionRow<Owner>& row)
{
    std::vector<std::string> names;
    if (const auto* member = std::get_if<ChoiceMember<Owner>>(&row.member)) {
        for (const OptionChoice& choice : member->choices)
            names.emplace_back(choice.name);
    }
    return names;
}

} // namespace

std::vector<std::string> choices(std::string_view option)
{
#ifdef ATTN_WITH_UI
    if (option == "--laboratory")
        return idsOf(ui::pageRows());
    if (option == "--view")
        return idsOf(ui::viewRows());
#endif
    if (option == "--capture")
        return benchCaptures();
    std::vector<std::string> names;
#ifdef ATTN_WITH_UI
    for (const auto& row : ui::figureRows()) {
        if (option == std::string("--") + row.key)
            names = namesOf(row);
    }
#endif
    const Question question;
    visitRows(question, [&](const auto& row, const auto&) {
        if (option == std::string("--") + row.key)
            names = namesOf(row);
    });
    return names;
}

std::string choicesText(std::string_view option)
{
    return fmt::format("{}", fmt::join(choices(option), " or "));
}

std::string jsonText(const nlohmann::ordered_json& json, int indent)
{
    return escapedJson(json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void addWindowOptions(CLI::App& app, GuiRequest& request)
{
    app.add_option("MODEL", request.model, "open the window on this model, archive or session");
    app.add_option("--text", request.text, "with this sentence")->type_name("TEXT");
    app.add_option("--screenshot", request.screenshot, "write a picture of the window to this PNG file and quit")
        ->type_name("FILE");
    app.add_option("--laboratory", request.laboratory, "and a page of the laboratory")
        ->check(CLI::IsMember(choices("--laboratory")));
    app.add_option("--theme", request.theme, choicesText("--theme"))->check(CLI::IsMember(choices("--theme")));
    app.add_option("--language", request.language, choicesText("--language"))
        ->check(CLI::IsMember(choices("--language")));
    app.add_flag("--hand-over", request.handOver, "open MODEL in the window that is open, where there is one");
    app.add_flag("--measure-startup", request.measureStartup)->group("");
}

} // namespace attn::app

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "base/memory.h"
#include "base/plain_text.h"
#include "commands/commands.h"
#include "commands/options.h"
#include "dumps/attention_file.h"
#include "loading/special_ids.h"
#include "models/families/family.h"
#include "nn/engine.h"
#include "text/tokenizer.h"
#include "trace/site.h"

#ifdef ATTN_WITH_UI
#include "figures/export/provenance.h"
#endif

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attn::app {

namespace {

using Json = nlohmann::ordered_json;

const char* kindName(ModelKind kind)
{
    constexpr const char* names[] = {"encoder-decoder", "encoder", "decoder"};
    return names[static_cast<std::size_t>(kind)];
}

// Output besides attention.
const char* predictsName(const ModelInfo& info)
{
    constexpr const char* tasks[] = {"", "a class of the text", "a class of each token", "the span of an answer"};
    if (info.task == TaskHead::Text && info.readsPictures())
        return "a class of the picture";
    if (info.input == InputKind::PictureAndText)
        return "how alike a picture and a text are";
    if (info.task != TaskHead::None)
        return tasks[static_cast<std::size_t>(info.task)];
    if (info.kind == ModelKind::EncoderOnly)
        return info.predictsMasked ? "masked tokens" : "nothing, it has no head";
    return info.predictsTokens ? "tokens" : "nothing, it has no head";
}

template<class HasHeads>
Json attentionJson(const std::vector<Site>& sites, const HasHeads& model)
{
    Json json = Json::array();
    for (const Site& site : sites)
        json.push_back({{"site", siteText(site)}, {"heads", model.heads(site)}});
    return json;
}

std::vector<std::string> dtypeNames(const CheckpointFile& file)
{
    std::vector<std::string> names;
    for (const DType dtype : file.dtypes)
        names.emplace_back(name(dtype));
    return names;
}

// The two sides of an encoder-decoder model where they differ.
Json tokenizerText(const Tokenizers& tokenizers)
{
    if (!tokenizers.source)
        return {};
    const std::string source = tokenizers.source->description();
    const std::string target = tokenizers.target ? tokenizers.target->description() : source;
    return source == target ? source : source + " to " + target;
}

// "model.safetensors: 92 tensors, f16, 15.3 MB", "tokenizer: SentencePiece unigram, 8000 pieces".
std::vector<std::string> fileLines(const LoadedModel& model)
{
    std::vector<std::string> lines;
    for (const CheckpointFile& file : model.weights)
        lines.push_back(fmt::format("{}: {} tensors, {}, {}", file.name, file.tensors,
                                    fmt::join(dtypeNames(file), " and "), byteText(file.bytes)));
    lines.push_back(fmt::format("weights in memory: {} widened, {} as stored", byteText(model.weightMemory.widened),
                                byteText(model.weightMemory.asStored)));
    const auto& source = model.tokenizers.source;
    const auto& target = model.tokenizers.target;
    if (source)
        lines.push_back((source == target ? "tokenizer: " : "source tokenizer: ") + source->description());
    if (target && source != target)
        lines.push_back("target tokenizer: " + target->description());
    return lines;
}

// "32 x 32, patches of 8 x 8"; null for a model that reads none.
Json picturesText(const LoadedModel& model)
{
    const ModelInfo& info = model.model->info();
    if (!model.pictures)
        return {};
    const auto of = [](PixelSize size) { return fmt::format("{} x {}", size.width, size.height); };
    const auto pixels = model.pictures->output();
    const std::string size = pixels ? of(*pixels) : std::string("any size");
    const std::string parts = info.patches.cells.height > 0
        ? fmt::format("{} x {} cells", info.patches.cells.width, info.patches.cells.height)
        : "patches of " + of(info.patches.patch);
    const bool assumed = model.pictures->assumed;
    return fmt::format("{}, {}{}", size, parts,
                       assumed ? "; no preprocessor_config.json: bilinear, mean and deviation 0.5 are assumed" : "");
}

// "30 s of 16000 samples a second, 80 bands, 1500 columns"; null for a model that reads none.
Json soundsText(const LoadedModel& model)
{
    if (!model.sounds)
        return {};
    const SoundProcessor& processor = *model.sounds;
    return fmt::format("{} s of {} samples a second, {} bands, {} columns{}", processor.seconds, processor.rate,
                       processor.bands, processor.columns(),
                       processor.assumed ? "; no preprocessor_config.json: Whisper's settings are assumed" : "");
}

// Heads that the configuration names, by layer.
Json prunedHeads(const LoadedModel& model)
{
    const auto* const pruned = model.config != nullptr ? model.config->find("pruned_heads") : nullptr;
    return pruned != nullptr ? Json(*pruned) : Json::object();
}

Json describe(const LoadedModel& model)
{
    const ModelInfo& info = model.model->info();
    Json json{{"name", model.name},
              {"directory", model.directory.string()},
              {"family", info.family},
              {"kind", kindName(info.kind)},
              {"description", architectureText(info)},
              {"encoder_layers", info.encoderLayers},
              {"decoder_layers", info.decoderLayers},
              {"encoder_heads", info.encoderHeads},
              {"decoder_heads", info.decoderHeads},
              {"cross_heads", info.crossHeads},
              {"key_value_heads", info.keyValueHeads > 0 ? Json(info.keyValueHeads) : Json()},
              {"head_width", info.headWidth > 0 ? Json(info.headWidth) : Json()},
              {"width", info.modelWidth},
              {"feed_forward_width", info.feedForwardWidth},
              {"source_vocabulary", info.sourceVocabulary},
              {"target_vocabulary", info.targetVocabulary},
              {"maximum_length", info.maximumLength ? Json(*info.maximumLength) : Json()},
              {"positions", positionsText(info.positions)},
              {"dtype", info.storedDType},
              {"parameters", info.parameters},
              {"source_language", info.sourceLanguage},
              {"target_language", info.targetLanguage}};
    json["reads"] = inputText(info.input);
    json["picture_size"] = picturesText(model);
    json["sound"] = soundsText(model);
    json["predicts"] = predictsName(info);
    json["labels"] = info.labels;
    json["experts"] = info.architecture.experts > 0
        ? Json{{"count", info.architecture.experts}, {"of_token", info.expertsOfToken}}
        : Json();
    json["sinks"] = info.architecture.sinks;
    json["tokenizer"] = tokenizerText(model.tokenizers);
    json["tokenizer_problem"] = model.tokenizerProblem ? Json(model.tokenizerProblem->whole()) : Json();
    json["special_tokens"] = Json::array();
    for (const auto& [tokenName, id, token] : namedIds(model))
        json["special_tokens"].push_back({{"name", tokenName}, {"id", id}, {"token", token}});
    json["attention"] = attentionJson(info.sites(), info);
    json["weights"] = Json::array();
    for (const CheckpointFile& file : model.weights)
        json["weights"].push_back(
            {{"file", file.name}, {"tensors", file.tensors}, {"dtypes", dtypeNames(file)}, {"bytes", file.bytes}});
    json["weight_memory"] = {{"widened", model.weightMemory.widened}, {"as_stored", model.weightMemory.asStored}};
    json["best_site"] = info.heads(info.bestSite) > 0 ? Json(siteText(info.bestSite)) : Json();
    json["files"] = fileLines(model);
    json["ignored_tensors"] = model.ignoredTensors;
    json["name_prefix"] = model.namePrefix;
    json["pruned_heads"] = prunedHeads(model);
    return json;
}

constexpr std::size_t longestShown = 200; // characters of a name; --json has all of it
constexpr std::size_t longestArgument = 4000; // of a word of a command

std::string line(const char* name, const std::string& value)
{
    return fmt::format("{:<14} {}\n", name, shown(value, longestShown));
}

// The command as it can be run, but for words that nobody typed.
std::string commandLine(const std::string& command)
{
    return fmt::format("{:<14} {}\n", "command", shown(command, longestArgument));
}

std::string layersAndHeads(int layers, int heads)
{
    const auto counted = [](int count, const char* what) {
        return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
    };
    return heads > 0 ? counted(layers, "layer") + ", " + counted(heads, "head") : counted(layers, "layer");
}

// Number of an archive's source ids, which in a decoder-only run include what was generated.
std::size_t sourceTokens(const Trace& trace)
{
    return (trace.kind() == ModelKind::DecoderOnly ? trace.sequence() : trace.source()).size();
}

Json describeArchive(const Trace& trace)
{
    const Provenance& provenance = trace.provenance();
    Json json{{"kind", "attention archive"},          {"model", provenance.model},
              {"family", provenance.modelType},       {"text", provenance.text},
              {"decoding", provenance.decoding},      {"precision", provenance.precision},
              {"source_tokens", sourceTokens(trace)}, {"target_tokens", trace.target().size()}};
    if (!provenance.edits.empty())
        json["edits"] = provenance.edits;
    if (!provenance.command.empty())
        json["command"] = provenance.command;
    json["attention"] = attentionJson(trace.sites(), trace);
    return json;
}

Json describeFile(const std::string& path)
{
    const AttentionFile file = openAttentionFile(path);
    Json json = describeArchive(file.trace(file.named));
    json["kind"] = file.kind;
    if (file.size > 1)
        json["sentences"] = file.size;
    return json;
}

// "dog.jpg, 640 x 480, 14 x 14 places".
std::string mediaText(const SourceMedia& media)
{
    const JsonObject about =
        media.about.empty() ? JsonObject(attn::Json::object(), "image") : JsonObject::parse(media.about, "image");
    std::string text = about.stringOr("file", "");
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (about.has("width") && about.has("height"))
        add(fmt::format("{} x {}", about.find("width")->dump(), about.find("height")->dump()));
    if (media.isPicture())
        add(fmt::format("{} x {} places", media.rows, media.columns));
    return text;
}

void printTrace(const Trace& trace)
{
    const Provenance& provenance = trace.provenance();
    std::cout << line("model", provenance.model);
    if (const auto& media = trace.media())
        std::cout << line(media->isPicture() ? "picture" : "sound", mediaText(*media));
    if (!trace.media() || !provenance.text.empty())
        std::cout << line("text", provenance.text);
    std::cout << line("decoding", provenance.decoding);
    for (const std::string& edit : provenance.edits)
        std::cout << line("edited", edit);
    std::cout << line("tokens", fmt::format("{} source, {} target", sourceTokens(trace), trace.target().size()));
    for (const Site& site : trace.sites())
        std::cout << line("attention", fmt::format("{}, heads 0 to {}", siteText(site), trace.heads(site) - 1));
}

void printArchive(const std::string& path)
{
    const AttentionFile file = openAttentionFile(path);
    const Trace trace = file.trace(file.named);
    std::cout << line("archive", path) << line("kind", file.kind);
    if (file.size > 1)
        std::cout << line("sentence", fmt::format("{} of {}, FILE#N is another", file.named + 1, file.size));
    printTrace(trace);
    if (const std::string& command = trace.provenance().command; !command.empty())
        std::cout << commandLine(command);
}

// "run 3": where it is from, and what it is called.
void printSession(const std::string& path, const std::optional<int>& chosen)
{
    const Session session = readSession(path);
    std::cout << line("session", path) << line("written by", "AttnScope " + session.program);
    if (chosen) {
        printTrace(chosenRun(session, chosen).trace);
        return;
    }
    std::cout << line("model", session.model.name);
    for (const SessionRun& run : session.runs) {
        const std::string note = run.note.empty() ? std::string() : fmt::format(" ({})", run.note);
        const std::string from = run.parent ? fmt::format(", from run {}", *run.parent) : std::string();
        const std::string shown = run.id == session.shown.run ? ", on show" : "";
        std::cout << line(fmt::format("run {}", run.id).c_str(),
                          fmt::format("{}{}{}{}", run.change, note, from, shown));
    }
}

Json describeSession(const Session& session)
{
    const auto orNull = [](const auto& value) { return value ? Json(*value) : Json(); };
    Json json{{"kind", "session"},
              {"program", session.program},
              {"model", session.model.name},
              {"shown", orNull(session.shown.run)},
              {"against", orNull(session.shown.against)}};
    json["runs"] = Json::array();
    for (const SessionRun& run : session.runs) {
        Json one{{"id", run.id}, {"parent", orNull(run.parent)}, {"change", run.change}, {"note", run.note}};
        one.update(describeArchive(run.trace));
        one["kind"] = "run";
        json["runs"].push_back(std::move(one));
    }
    return json;
}

void printJson(const Json& json)
{
    std::cout << jsonText(json, 2) << '\n';
}

#ifdef ATTN_WITH_UI

// The file of a figure.
void printFigure(const std::string& path, bool asJson)
{
    const auto found = ui::readProvenance(std::filesystem::path(path));
    if (!found)
        throw Error(ErrorKind::Format, path, "does not say where it comes from", "export it again");
    Json json{{"kind", "figure"}};
    for (const auto& [key, name, member] : ui::provenanceRows()) {
        const std::string value = ((*found).*member).toStdString();
        if (value.empty())
            continue;
        json[key] = value;
        if (!asJson && std::string_view(key) == "command")
            std::cout << commandLine(value);
        else if (!asJson)
            std::cout << line(key, value);
    }
    if (asJson)
        printJson(json);
}

#endif

std::string headsText(const ModelInfo& info)
{
    const bool shared = info.keyValueHeads > 0
        && info.keyValueHeads != (info.kind == ModelKind::EncoderOnly ? info.encoderHeads : info.decoderHeads);
    std::string text = fmt::format("{} features each", info.headWidth);
    return shared ? fmt::format("{}, {} of keys and values", text, info.keyValueHeads) : text;
}

std::string vocabularyText(const ModelInfo& info)
{
    if (info.input != InputKind::Text)
        return std::to_string(info.targetVocabulary);
    return info.kind == ModelKind::EncoderDecoder
        ? fmt::format("{} source, {} target", info.sourceVocabulary, info.targetVocabulary)
        : std::to_string(info.sourceVocabulary);
}

void printArchitecture(const ModelInfo& info)
{
    std::cout << line("family", fmt::format("{} ({}): {}", info.family, kindName(info.kind), architectureText(info)));
    if (info.kind != ModelKind::DecoderOnly)
        std::cout << line("encoder", layersAndHeads(info.encoderLayers, info.encoderHeads));
    if (info.kind != ModelKind::EncoderOnly)
        std::cout << line("decoder", layersAndHeads(info.decoderLayers, info.decoderHeads));
    if (info.crossHeads > 0)
        std::cout << line("cross", layersAndHeads(info.crossLayers, info.crossHeads));
    if (info.headWidth > 0)
        std::cout << line("heads", headsText(info));
    if (info.architecture.sinks)
        std::cout << line("sinks", "one for each head, which takes a share of every row");
    if (info.architecture.experts > 0)
        std::cout << line(
            "experts", fmt::format("{} in a layer, {} for each token", info.architecture.experts, info.expertsOfToken));
    std::cout << line("width",
                      info.feedForwardWidth > 0
                          ? fmt::format("{}, feed-forward {}", info.modelWidth, info.feedForwardWidth)
                          : std::to_string(info.modelWidth));
    if (info.input != InputKind::Picture || info.kind != ModelKind::EncoderOnly)
        std::cout << line("vocabulary", vocabularyText(info));
    std::cout << line("positions",
                      info.maximumLength
                          ? fmt::format("{}, at most {}", positionsText(info.positions), *info.maximumLength)
                          : positionsText(info.positions))
              << line("weights", fmt::format("{} parameters, {}", info.parameters, info.storedDType));
}

// "eos 3 </s>, pad 0 <pad>".
std::string namedIdsText(const LoadedModel& model)
{
    std::string text;
    for (const auto& [tokenName, id, token] : namedIds(model))
        text += fmt::format("{}{} {}{}{}", text.empty() ? "" : ", ", tokenName, id, token.empty() ? "" : " ", token);
    return text.empty() ? "none" : text;
}

void printTable(const LoadedModel& model)
{
    const ModelInfo& info = model.model->info();
    std::cout << line("model", model.name) << line("directory", model.directory.string());
    printArchitecture(info);
    std::cout << line("reads", inputText(info.input));
    if (model.pictures)
        std::cout << line("pictures", picturesText(model).get<std::string>());
    if (model.sounds)
        std::cout << line("sounds", soundsText(model).get<std::string>());
    std::cout << line("predicts", predictsName(info));
    if (!info.labels.empty())
        std::cout << line("classes", fmt::format("{}", fmt::join(info.labels, ", ")));
    const Json tokenizer = tokenizerText(model.tokenizers);
    const std::string none =
        model.tokenizerProblem ? fmt::format("none (ids only): {}", model.tokenizerProblem->what()) : "none (ids only)";
    std::cout << line("tokenizer", tokenizer.is_null() ? none : tokenizer.get<std::string>())
              << line("special tokens", namedIdsText(model))
              << line("best site", info.heads(info.bestSite) > 0 ? siteText(info.bestSite) : "no attention");
    for (const std::string& file : fileLines(model))
        std::cout << line("file", file);
    if (const Json pruned = prunedHeads(model); !pruned.empty())
        std::cout << line("pruned heads", fmt::format("{} (by layer; their weights are 0)", pruned.dump()));
    if (!model.namePrefix.empty())
        std::cout << line("prefix", fmt::format("{} (of a wrapper, taken off the tensors' names)", model.namePrefix));
    for (const std::string& tensor : model.ignoredTensors)
        std::cout << line("ignored", tensor);
}

constexpr std::size_t tableWidth = 100; // columns

// "translation, English to French".
std::string purpose(const BundledModel& model)
{
    const std::string languages = languagesText(model);
    const std::string task = taskText(model.task);
    return task.empty() || languages.empty() ? task + languages : task + ", " + languages;
}

std::string sizeText(std::uintmax_t bytes)
{
    const double megabytes = static_cast<double>(bytes) / 1e6;
    return fmt::format("{:.{}f} MB", megabytes, megabytes < 10 ? 1 : 0);
}

// Lines of at most tableWidth columns, all of them moved in, with nothing that a terminal obeys.
std::string wrapped(const std::string& text)
{
    constexpr std::string_view margin = "    ";
    std::istringstream words(text);
    std::string result;
    std::string current;
    for (std::string word; words >> word;) {
        word = escaped(word);
        if (!current.empty() && margin.size() + current.size() + 1 + word.size() > tableWidth) {
            result += fmt::format("{}{}\n", margin, current);
            current.clear();
        }
        current += (current.empty() ? "" : " ") + word;
    }
    return current.empty() ? result : result + fmt::format("{}{}\n", margin, current);
}

Json describeTypes()
{
    Json all = Json::array();
    for (const Family& family : families())
        all.push_back(
            {{"model_type", family.modelType}, {"kind", kindName(family.kind)}, {"models", family.published}});
    return all;
}

// A row for each type.
void printTypes()
{
    for (const Family& family : families())
        std::cout << fmt::format("{:<26}  {:<15}  {}\n", family.modelType, kindName(family.kind), family.published);
}

void printModels(const std::vector<BundledModel>& models)
{
    struct Row
    {
        std::string name;
        std::string family;
        std::string purpose;
        std::string size;
    };
    std::vector<Row> rows{{"name", "model", "for", "size"}};
    for (const BundledModel& model : models)
        rows.push_back({escaped(model.name), escaped(model.family), escaped(purpose(model)), sizeText(model.bytes())});
    const auto widest = [&rows](auto column) {
        std::size_t width = 0;
        for (const Row& row : rows)
            width = std::max(width, (row.*column).size());
        return width;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& [name, family, what, size] = rows[i];
        std::cout << fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>{}}\n", name, widest(&Row::name), family,
                                 widest(&Row::family), what, widest(&Row::purpose), size, widest(&Row::size));
        if (i > 0)
            std::cout << wrapped(models[i - 1].summary);
    }
}

} // namespace

void addInfoCommand(CLI::App& app)
{
    struct Arguments
    {
        std::string model;
        std::optional<int> run;
        bool json = false;
    };
    auto* command =
        app.add_subcommand("info", "architecture, sizes, tokenizer and files of a model, or where a figure comes from");
    auto arguments = std::make_shared<Arguments>();
    addModel(*command, arguments->model, "bundled name, checkpoint directory or file, archive or session");
    command->add_flag("--json", arguments->json, "as JSON");
    addRun(*command, arguments->run);
    const auto print = [arguments] {
        const auto& [path, run, asJson] = *arguments;
#ifdef ATTN_WITH_UI
        if (!run && ui::isFigurePath(path))
            return printFigure(path, asJson);
#endif
        if (isSessionPath(path) && !asJson)
            return printSession(path, run);
        if (isSessionPath(path)) {
            const Session session = readSession(path);
            return printJson(run ? describeArchive(chosenRun(session, run).trace) : describeSession(session));
        }
        if (run)
            throw UsageError("--run goes with a session");
        if (isAttentionFile(path))
            return asJson ? printJson(describeFile(path)) : printArchive(path);
        Engine engine(0, Precision::F32, WeightStorage::AsStored); // nothing is run
        const LoadedModel model = loadModel(arguments->model, engine);
        arguments->json ? printJson(describe(model)) : printTable(model);
    };
    command->callback([arguments, print] {
        try {
            print();
        } catch (const Error& error) {
            if (!arguments->json)
                throw;
            throw std::runtime_error(error.whole()); // no name is cut where a program reads it
        }
    });
}

void addModelsCommand(CLI::App& app)
{
    auto* command = app.add_subcommand("models", "list the bundled models, or the types of models that are read");
    auto json = std::make_shared<bool>(false);
    auto types = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "as JSON");
    command->add_flag("--types", *types, "the types of models that are read, with published ones");
    command->callback([json, types] {
        if (*types)
            return *json ? printJson(describeTypes()) : printTypes();
        requireBundledFolder();
        const std::vector<BundledModel> models = bundledModels();
        if (models.empty())
            std::cerr << "attnscope: no models are bundled; name a checkpoint directory or file instead\n";
        else if (!*json)
            return printModels(models);
        if (!*json)
            return;
        Json all = Json::array();
        for (const BundledModel& model : models)
            all.push_back({{"name", model.name},
                           {"summary", model.summary},
                           {"directory", model.directory.string()},
                           {"family", model.family},
                           {"task", taskText(model.task)},
                           {"languages", model.languages},
                           {"bytes", model.bytes()}});
        printJson(all);
    });
}

} // namespace attn::app

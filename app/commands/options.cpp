// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/options.h"

#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/error.h"
#include "nn/engine.h"
#include "trace/archive.h"
#include "trace/trace_builder.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>

namespace attn::app {

namespace {

constexpr std::uintmax_t largestTextFile = std::uintmax_t{64} << 20U;

int parseInt(std::string_view text, const std::string& what)
{
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size() || value < 0)
        throw UsageError(fmt::format("{}: '{}' is no whole number from 0", what, text));
    return value;
}

// CLI11 takes negative numbers and numbers that do not fit for others.
std::string isSeed(const std::string& text)
{
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size()
        ? std::string()
        : fmt::format("'{}' is not a whole number from 0 to {}", text, std::numeric_limits<std::uint64_t>::max());
}

} // namespace

CLI::Option* addText(CLI::App& command, const std::string& name, std::optional<std::string>& value,
                     const std::string& description)
{
    return command.add_option_function<std::string>(
        name, [&value](const std::string& given) { value = given; }, description);
}

void InputOptions::addTo(CLI::App& command)
{
    addText(command, "--text", text, "the sentence to read")->type_name("TEXT");
    addText(command, "--text-file", textFile, "read the sentence from this file")->type_name("FILE");
    addText(command, "--text-pair", secondText, "encoder-only models: the second sentence of a pair")
        ->type_name("TEXT");
    addText(command, "--source-ids", sourceIds, "token ids instead of a text, used as given")->type_name("5,9,2");
    addText(command, "--source-segments", sourceSegments, "which text of a pair each of the ids belongs to")
        ->type_name("0,0,1");
    addText(command, "--target", target, "follow this output instead of decoding")->type_name("TEXT");
    addText(command, "--target-ids", targetIds, "the same as token ids")->type_name("4,8,3");
}

void InputOptions::apply(RunRequest& request) const
{
    if (int(text.has_value()) + int(textFile.has_value()) + int(sourceIds.has_value()) != 1)
        throw UsageError("give exactly one of --text, --text-file and --source-ids");
    if (target && targetIds)
        throw UsageError("give --target or --target-ids, not both");
    if (textFile) {
        request.text = readTextFile(*textFile);
        while (request.text.ends_with('\n') || request.text.ends_with('\r'))
            request.text.pop_back();
    } else if (text) {
        request.text = *text;
    }
    request.secondText = secondText;
    if (sourceIds)
        request.sourceIds = parseIds(*sourceIds, "--source-ids");
    if (secondText && sourceIds)
        throw UsageError("--text-pair goes with --text; with ids give --source-segments");
    if (sourceSegments) {
        if (!sourceIds)
            throw UsageError("--source-segments goes with --source-ids");
        request.sourceSegments = parseIds(*sourceSegments, "--source-segments");
    }
    request.targetText = target;
    if (targetIds)
        request.targetIds = parseIds(*targetIds, "--target-ids");
}

void RunOptions::addTo(CLI::App& command)
{
    command.add_option("--decode", decode, "greedy, beam:K or sample")->type_name("HOW")->capture_default_str();
    command.add_option("--seed", seed, "of sampling")->check(isSeed);
    command.add_option("--temperature", temperature, "of sampling")->capture_default_str();
    command.add_option("--top-k", topK, "sample from the K most probable tokens; 0: from all")->capture_default_str();
    command.add_option("--top-p", topP, "sample from the smallest set with this probability")->capture_default_str();
    command.add_option("--max-length", maxLength, "most tokens to produce, end token counted")->capture_default_str();
    command.add_option("--generate", generate, "decoder-only models: continue the input by N tokens");
    addText(command, "--source-language", sourceLanguage, "multilingual models: what the text is written in")
        ->type_name("CODE");
    addText(command, "--target-language", targetLanguage, "multilingual models: what to translate into")
        ->type_name("CODE");
    command.add_option("--hard", hard, "models with hard attention: take the largest weight or draw by --seed")
        ->check(CLI::IsMember({"argmax", "sample"}))
        ->capture_default_str();
    command.add_option("--precision", precision, "f32 or bf16")->capture_default_str();
    command.add_option("--threads", threads, "0: all physical cores, less one when there are more than two")
        ->check(CLI::Range(0, 1024));
}

DecodingOptions RunOptions::decoding() const
{
    DecodingOptions options;
    try {
        options = DecodingOptions::parse(decode);
    } catch (const Error& error) {
        throw UsageError(std::string("--") + error.what());
    }
    const auto require = [](bool condition, const char* message) {
        if (!condition)
            throw UsageError(message);
    };
    require(temperature > 0, "--temperature must be above 0");
    require(topP > 0 && topP <= 1, "--top-p must be above 0 and at most 1");
    require(topK >= 0, "--top-k must be 0 or more");
    require(maxLength > 0, "--max-length must be 1 or more");
    require(generate >= 0, "--generate must be 0 or more");
    options.seed = seed.value_or(0);
    options.temperature = temperature;
    options.topK = topK;
    options.topP = topP;
    options.maxLength = maxLength;
    options.generate = generate;
    options.sampleHardAttention = hard == "sample";
    return options;
}

void RunOptions::apply(RunRequest& request) const
{
    request.decoding = decoding();
    request.sourceLanguage = sourceLanguage;
    request.targetLanguage = targetLanguage;
}

void CaptureOptions::addTo(CLI::App& command)
{
    command.add_flag("--logits", logits, "add logits");
    command.add_flag("--hidden", hidden, "add hidden states");
    command.add_flag("--scores", scores, "add the scores before the softmax");
}

SiteChoice parseSite(const std::string& text)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ':');)
        parts.push_back(part);
    SiteChoice choice{{}, 0};
    if (parts.empty() || parts.size() > 3)
        throw UsageError(fmt::format("--site: '{}' is no site; write cross:LAYER:HEAD, encoder: or decoder:", text));
    if (parts[0] == "encoder")
        choice.site.stage = Stage::Encoder;
    else if (parts[0] == "decoder")
        choice.site.stage = Stage::Decoder;
    else if (parts[0] == "cross")
        choice.site.stage = Stage::Cross;
    else
        throw UsageError(fmt::format("--site: '{}' is none of encoder, decoder, cross", parts[0]));
    if (parts.size() > 1)
        choice.site.layer = parseInt(parts[1], "--site layer");
    if (parts.size() > 2) {
        if (parts[2] == "mean")
            choice.head = HeadSummary::Mean;
        else if (parts[2] == "max")
            choice.head = HeadSummary::Max;
        else
            choice.head = parseInt(parts[2], "--site head (or mean, max)");
    }
    return choice;
}

std::vector<TokenId> parseIds(const std::string& text, const std::string& option)
{
    std::vector<TokenId> ids;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');)
        ids.push_back(parseInt(part, option));
    if (ids.empty() || text.ends_with(','))
        throw UsageError(option + ": write ids separated by commas, such as 5,9,2");
    return ids;
}

std::string readTextFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::error_code problem;
    if (!file || std::filesystem::is_directory(path, problem))
        throw Error(ErrorKind::File, path, "cannot be read", "check the path and its permissions");
    if (std::filesystem::is_regular_file(path, problem) && std::filesystem::file_size(path, problem) > largestTextFile)
        throw Error(ErrorKind::Input, path, "is larger than 64 MB");
    std::ostringstream content;
    content << file.rdbuf();
    return std::move(content).str();
}

std::vector<std::string> readLines(const std::string& path)
{
    std::istringstream content(readTextFile(path));
    std::vector<std::string> lines;
    for (std::string line; std::getline(content, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        lines.push_back(std::move(line));
    }
    return lines;
}

bool isArchive(const std::string& model)
{
    const std::filesystem::path path(model);
    const bool belongsToModel = path.filename() == "config.json" || model.ends_with(".index.json");
    return path.extension() == ".npz" || (path.extension() == ".json" && !belongsToModel);
}

MadeTrace makeTrace(const std::string& model, const InputOptions& input, const RunOptions& options,
                    const Capture& capture)
{
    const Precision precision = parsePrecision(options.precision);
    RunRequest request;
    options.apply(request);
    request.capture = capture;
    if (isArchive(model)) {
        if (input.given())
            throw UsageError("an attention archive is shown as it is: leave out the text and the target");
        Trace trace = readArchive(model);
        const Site site = firstShownSite(trace);
        return {std::move(trace), site};
    }
    input.apply(request);
    const InterruptWatch interrupt;
    Engine engine(options.threads, precision);
    const LoadedModel loaded = loadModel(model, engine, {}, interrupt.token());
    checkGenerate(options, loaded.model->info());
    const ModelInfo& info = loaded.model->info();
    const auto started = [&](const std::shared_ptr<const TraceBuilder>& builder) {
        notePositions(options, info, builder->snapshot().source().size());
    };
    return {run(loaded, request, engine, interrupt.token(), {}, started), info.bestSite};
}

Precision parsePrecision(const std::string& precision)
{
    if (precision == "bf16")
        return Precision::BF16;
    if (precision != "f32")
        throw UsageError(fmt::format("--precision: '{}' is neither f32 nor bf16", precision));
    return Precision::F32;
}

void checkGenerate(const RunOptions& options, const ModelInfo& info)
{
    if (info.kind == ModelKind::EncoderOnly && (options.generate > 0 || options.decode != "greedy"))
        throw UsageError(fmt::format("--{}: this is an encoder-only model, which reads a text and does not decode",
                                     options.generate > 0 ? "generate" : "decode"));
    if (options.generate > 0 && info.kind != ModelKind::DecoderOnly)
        throw UsageError("--generate is for decoder-only models; this one decodes by itself (see --max-length)");
    if (options.hard == "sample" && !info.hardAttention)
        throw UsageError("--hard sample: this model has no hard attention to draw from; leave it out");
}

void notePositions(const RunOptions& options, const ModelInfo& info, std::size_t prompt)
{
    if (!info.maximumLength || options.generate <= 0)
        return;
    const auto left = *info.maximumLength - static_cast<int>(prompt);
    if (options.generate > left)
        std::cerr << fmt::format("attnscope: --generate: the model has {} positions, {} of them for the text: it is "
                                 "continued by {} tokens at most, not by {}\n",
                                 *info.maximumLength, prompt, left, options.generate);
}

} // namespace attn::app

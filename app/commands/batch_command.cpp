// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/alignment.h"
#include "analysis/grounding.h"
#include "analysis/output_change.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/error.h"
#include "base/plain_text.h"
#include "base/progress.h"
#include "base/seen_file.h"
#include "commands/commands.h"
#include "commands/named_files.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "commands/unfinished_batch.h"
#include "io/atomic_file.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "sounds/sound_file.h"
#include "trace/archive.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace attn::app {

namespace {

namespace fs = std::filesystem;

// A file with an input a line.
struct BatchInput
{
    const char* option;
    const char* key; // of the JSON lines
    InputKind kind;
    const char* help;
};

constexpr BatchInput batchInputs[] = {
    {"--lines", "source", InputKind::Text, "a sentence a line"},
    {"--images", "image", InputKind::Picture, "in place of --lines: the path of a picture a line, beside this file"},
    {"--audios", "audio", InputKind::Sound, "the same of sounds; a long one has a JSON line for each part"},
};

struct BatchArguments
{
    const BatchInput* input = nullptr;
    std::string lines; // the file of that option
    std::string targetLines;
    std::string output;
    std::string alignments;
    std::string site;
    bool resume = false;
    RunRequest request;
};

// A float as a double would be written with digits that it does not have.
double sixDigits(float value)
{
    return std::round(static_cast<double>(value) * 1e6) / 1e6;
}

// Files that are written for an option; a device or pipe has nothing beside it.
std::vector<NamedFile> writtenFor(const std::string& option, const std::string& path)
{
    std::vector<NamedFile> files{{option, path}};
    if (becomesFile(path))
        files.push_back({fmt::format("the unfinished {}", option), unfinishedPath(path)});
    if (files.size() > 1 && option == "--output")
        files.push_back({"what the unfinished --output was asked", askedPath(path)});
    std::ranges::for_each(files, requireFileName);
    return files;
}

// Requires that the unfinished lines that lie there are this batch's: they say what they were asked.
void requireOwnLines(const BatchArguments& arguments)
{
    std::error_code unknown;
    if (!becomesFile(arguments.output) || fs::exists(askedPath(arguments.output), unknown))
        return;
    for (const std::string& path : {arguments.output, arguments.alignments}) {
        const fs::path unfinished = unfinishedPath(path);
        if (!path.empty() && fs::is_regular_file(unfinished, unknown) && fs::file_size(unfinished, unknown) > 0)
            throw UsageError(fmt::format("{} holds what is not of this batch: {} is missing; move it away, or choose "
                                         "another name",
                                         unfinished.string(), askedPath(arguments.output).string()));
    }
}

// Requires, before anything is read, that no file that is written is one of the others.
void checkFiles(const BatchArguments& arguments)
{
    std::vector<NamedFile> files = writtenFor("--output", arguments.output);
    if (!arguments.alignments.empty())
        std::ranges::copy(writtenFor("--alignments", arguments.alignments), std::back_inserter(files));
    files.push_back({arguments.input->option, arguments.lines, NamedFile::Use::Read});
    if (!arguments.targetLines.empty())
        files.push_back({"--target-lines", arguments.targetLines, NamedFile::Use::Read});
    requireDifferentFiles(files);
    for (const NamedFile& file : files)
        if (file.use == NamedFile::Use::Written)
            requireOtherThanModel(arguments.request.question.model, file);
    requireOwnLines(arguments);
}

class Batch
{
public:
    explicit Batch(const BatchArguments& arguments)
        : m_arguments(arguments)
        , m_sources(readLines(arguments.lines))
        , m_targets(arguments.targetLines.empty() ? std::vector<std::string>() : readLines(arguments.targetLines))
        , m_engine(arguments.request.threads, arguments.request.question.precision, arguments.request.weights)
    {
        if (holdsRuns(arguments.request.question.model))
            throw UsageError("batch runs a model; an attention archive is the result of a run");
        arguments.request.checkPrefix(!arguments.targetLines.empty());
        if (!arguments.targetLines.empty() && m_targets.size() != m_sources.size())
            throw UsageError(fmt::format("--target-lines has {} lines, {} has {}", m_targets.size(),
                                         arguments.input->option, m_sources.size()));
        m_model = loadModel(arguments.request.question.model, m_engine, {}, m_interrupt.token());
        RunRequest request = arguments.request;
        const ModelInfo& info = m_model.model->info();
        const InputKind read = info.readsPictures() ? InputKind::Picture : info.input;
        if (read != arguments.input->kind)
            throw UsageError(fmt::format("{}: this model reads a {}; use {}", arguments.input->option,
                                         inputText(info.input),
                                         std::ranges::find(batchInputs, read, &BatchInput::kind)->option));
        setSource(request.question, 0);
        request.check(m_model);
        if (m_targets.empty() && read == InputKind::Sound)
            divideSounds();
        notePositions(arguments.request.question, m_model.model->info(), 1);
        if (!m_targets.empty() && m_model.model->info().kind != ModelKind::EncoderDecoder)
            throw UsageError("--target-lines: this model does not turn one text into another");
        m_site = chooseSite(arguments.site, m_model.model->info().bestSite,
                            [this](Site site) { return m_model.model->info().heads(site); });
        checkAlignments();
    }

    // Returns how many lines failed.
    std::size_t run()
    {
        const std::uint64_t kept = m_arguments.resume ? std::numeric_limits<std::uint64_t>::max() : 0;
        const ThreadStop ofFiles(m_interrupt.token());
        AskedFile askedFile(m_arguments.output, m_arguments.alignments);
        AtomicFile output(m_arguments.output, kept);
        m_keepsLines = output.goesBack();
        if (m_arguments.resume && !m_keepsLines)
            throw UsageError("--resume: --output is a device or a pipe, which keeps no lines to go on from");
        std::optional<AtomicFile> alignments;
        if (!m_arguments.alignments.empty())
            openAlignments(alignments, kept);
        const FinishedLines finished = m_arguments.resume ? finishedLines() : FinishedLines{};
        output.cut(finished.outputBytes);
        if (alignments)
            alignments->cut(finished.alignmentBytes);
        if (output.goesBack())
            askedFile.write(asked());
        ProgressLine progress;
        std::size_t failed = finished.failed;
        for (std::size_t i = finished.lines; i < m_sources.size(); ++i) {
            const Answered answered = answerLine(i, alignments.has_value());
            failed += answered.json.contains("error") ? 1 : 0;
            if (alignments)
                alignments->write(answered.links + '\n');
            output.write(answerText(answered.json));
            progress.show(i + 1, m_sources.size());
        }
        if (alignments)
            AtomicFile::commit(*alignments, output);
        else
            output.commit();
        return failed;
    }

private:
    // Unfinished lines of them are of no use beside an output that keeps none.
    void openAlignments(std::optional<AtomicFile>& alignments, std::uint64_t kept) const
    {
        if (m_keepsLines)
            alignments.emplace(m_arguments.alignments, kept);
        else
            alignments.emplace(m_arguments.alignments);
    }

    struct Answered
    {
        nlohmann::ordered_json json;
        std::string links;
    };

    AskedOfBatch asked() const
    {
        AskedOfBatch asked;
        asked.question = m_arguments.request.question;
        asked.question.model = lastingModel(asked.question.model);
        asked.files = describedFiles(m_model);
        asked.site = siteText(m_site);
        asked.alignments = m_arguments.alignments;
        for (const std::string& target : m_targets)
            asked.targetsHash = fnv1a(target + '\n', asked.targetsHash);
        return asked;
    }

    FinishedLines finishedLines() const
    {
        const auto alignments = m_arguments.alignments.empty() ? std::optional<fs::path>()
                                                               : std::optional(unfinishedPath(m_arguments.alignments));
        return resumedLines(m_arguments.output, alignments, m_sources, asked(), m_interrupt.token(),
                            m_arguments.input->key, m_starts);
    }

    // Each sound becomes as many sources as it has parts that are read at once; one that cannot be read is one.
    void divideSounds()
    {
        const SoundProcessor& processor = m_model.sounds.value();
        std::vector<std::string> sources;
        for (const std::string& source : m_sources) {
            std::int64_t parts = 1;
            try {
                const std::int64_t samples = readSoundFile(pathOf(source), {processor.rate, 0, 0}).total;
                parts = std::max<std::int64_t>((samples + processor.samples() - 1) / processor.samples(), 1);
            } catch (const Error& error) {
                if (error.kind() == ErrorKind::Cancelled)
                    throw;
            }
            for (std::int64_t part = 0; part < parts; ++part) {
                sources.push_back(source);
                m_starts.push_back(static_cast<double>(part * processor.seconds));
            }
        }
        m_sources = std::move(sources);
    }

    // Paths lie beside their list.
    std::string pathOf(const std::string& source) const
    {
        return (fs::path(m_arguments.lines).parent_path() / source).string();
    }

    void setSource(Question& question, std::size_t i) const
    {
        const std::string source = i < m_sources.size() ? m_sources[i] : std::string();
        switch (m_arguments.input->kind) {
        case InputKind::Text:
            question.text = source;
            break;
        case InputKind::Sound:
            question.audio = pathOf(source);
            question.start = i < m_starts.size() ? m_starts[i] : 0;
            break;
        case InputKind::Picture:
        case InputKind::PictureAndText:
            question.image = pathOf(source);
            break;
        }
    }

    Answered answerLine(std::size_t i, bool withLinks)
    {
        Answered result{{{m_arguments.input->key, m_sources[i]}}, {}};
        if (!m_starts.empty())
            result.json["start"] = m_starts[i];
        try {
            const Trace trace = runLine(i);
            describe(trace, result.json);
            if (withLinks && trace.heads(m_site.site) > 0)
                result.links = pharaoh(wordLinks(readWeights(trace, m_site), trace.source(), targetTokens(trace, i)));
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled)
                throw Error(ErrorKind::Cancelled, m_arguments.output,
                            fmt::format("cancelled after {} of {} lines", i, m_sources.size()),
                            i == 0 || !m_keepsLines ? std::string()
                                                    : fmt::format("--resume goes on from there; they are in {}",
                                                                  unfinishedPath(m_arguments.output).string()));
            result.json["error"] = error.whole();
        } catch (const std::bad_alloc&) {
            result.json["error"] = "out of memory";
        }
        return result;
    }

    void checkAlignments() const
    {
        if (m_arguments.alignments.empty())
            return;
        if (m_model.model->info().heads(m_site.site) == 0)
            throw UsageError("--alignments: this model has no attention to align with");
        if (m_site.site.stage != Stage::Cross)
            throw UsageError("--alignments: needs a cross site");
    }

    Trace runLine(std::size_t i)
    {
        Question question = m_arguments.request.question;
        setSource(question, i);
        if (!m_targets.empty())
            question.targetText = m_targets[i];
        return answer(question, m_model, m_engine, {.stop = m_interrupt.token(), .picture = pictureReader()},
                      EditsFit::WherePossible);
    }

    // Where the output's tokens stand: in the line that was given, else in the text that they make.
    Encoding targetTokens(const Trace& trace, std::size_t i) const
    {
        Encoding produced = trace.target();
        if (m_targets.empty())
            return produced;
        Encoding given = m_model.tokenizers.target->encode(m_targets[i]);
        return given.ids == produced.ids ? given : produced;
    }

    void describe(const Trace& trace, nlohmann::ordered_json& line) const
    {
        line["output"] = "";
        if (m_arguments.input->kind == InputKind::Text)
            line["source_tokens"] = trace.source().tokens;
        line["target_tokens"] = nlohmann::ordered_json::array();
        line["logprob"] = nullptr;
        line["score"] = nullptr;
        line["alignment"] = nlohmann::ordered_json::array();
        if (trace.classification())
            describeClass(*trace.classification(), line);
        else if (trace.tokenPredictions())
            describeTokens(trace, line);
        else if (trace.readsOnly())
            line["output"] = nullptr;
        else if (trace.kind() == ModelKind::EncoderOnly)
            describeMasked(trace, line);
        else
            describeProduced(trace, line);
        if (m_site.site.stage != Stage::Cross)
            return;
        for (const AlignmentLink& link : strongestLinks(readWeights(trace, m_site)))
            line["alignment"].push_back(
                nlohmann::ordered_json::array({link.source, link.target, sixDigits(link.weight)}));
    }

    // A classifier's answer: the most probable class, and all of them.
    static void describeClass(const Classification& result, nlohmann::ordered_json& line)
    {
        const int best = result.best();
        line["output"] = result.labels[best];
        if (result.reading != ClassReading::Value) {
            line["logprob"] = std::log(static_cast<double>(result.probabilities[best]));
            line["score"] = line["logprob"];
        }
        line["classes"] = nlohmann::ordered_json::object();
        for (std::size_t i = 0; i < result.labels.size(); ++i)
            line["classes"][result.labels[i]] = sixDigits(result.probabilities[i]);
    }

    // A label for each token, or where the answer lies.
    static void describeTokens(const Trace& trace, nlohmann::ordered_json& line)
    {
        const TokenPredictions& predictions = *trace.tokenPredictions();
        if (predictions.task == TaskHead::Span) {
            const auto span = bestSpan(predictions, trace.source());
            line["output"] = span ? nlohmann::ordered_json(textOf(trace.source(), *span)) : nullptr;
            line["span"] = span ? nlohmann::ordered_json::array({span->first, span->last}) : nullptr;
            return;
        }
        line["labels"] = nlohmann::ordered_json::array();
        for (Index token = 0; token < predictions.logits.rows; ++token) {
            const Classification one = predictions.ofToken(token);
            line["labels"].push_back(one.labels[static_cast<std::size_t>(one.best())]);
        }
        line["output"] = fmt::format("{}", fmt::join(line["labels"].get<std::vector<std::string>>(), " "));
    }

    // Words between blanks, each from its first token to its last.
    static nlohmann::ordered_json spokenWords(const Encoding& tokens)
    {
        auto words = nlohmann::ordered_json::array();
        const std::vector<int> wordOf =
            tokens.times.empty() || tokens.spans.empty() ? std::vector<int>() : blankWords(tokens);
        int last = noWord;
        for (std::size_t i = 0; i < wordOf.size(); ++i) {
            if (wordOf[i] == noWord || !tokens.times[i].isPlace())
                continue;
            const auto [begin, end] = tokens.spans[i];
            if (wordOf[i] != last)
                words.push_back({{"word", ""}, {"begin", sixDigits(tokens.times[i].begin)}, {"end", 0}});
            last = wordOf[i];
            std::string word = words.back()["word"].get<std::string>() + tokens.text.substr(begin, end - begin);
            word.erase(0, std::min(word.find_first_not_of(' '), word.size()));
            words.back()["word"] = word;
            words.back()["end"] = sixDigits(tokens.times[i].end);
        }
        return words;
    }

    // Tokens that the decoder wrote: of a decoder-only model those after the prompt.
    void describeProduced(const Trace& trace, nlohmann::ordered_json& line) const
    {
        const bool decoderOnly = trace.kind() == ModelKind::DecoderOnly;
        const Encoding all = trace.target();
        const std::size_t given = decoderOnly ? trace.source().size() - 1 : 0;
        const std::span<const TokenId> ids = std::span(all.ids).subspan(given);
        const auto& tokenizer = decoderOnly ? m_model.tokenizers.source : m_model.tokenizers.target;
        const bool named = !decoderOnly && (!tokenizer || m_model.model->info().speech); // times are no text
        line["output"] = named ? all.text : tokenizer ? tokenizer->decode(ids) : std::string();
        line["target_tokens"] = std::vector(all.tokens.begin() + static_cast<std::ptrdiff_t>(given), all.tokens.end());
        if (m_model.model->info().speech)
            line["words"] = spokenWords(all);
        const Hypothesis& best = trace.summary()->hypotheses.at(0);
        line["logprob"] = best.sum;
        line["score"] = best.score;
    }

    // The text with its masked tokens filled in; one without any, or that nothing is predicted in, as it is.
    void describeMasked(const Trace& trace, nlohmann::ordered_json& line) const
    {
        line["output"] = line.contains("source") ? line["source"] : nlohmann::ordered_json();
        const auto& tokenizer = m_model.tokenizers.source;
        const auto mask = tokenizer ? tokenizer->maskToken() : std::nullopt;
        if (!mask || trace.predictions().empty())
            return;
        std::vector<TokenId> ids = trace.source().ids;
        double sum = 0;
        int filled = 0;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const TracePrediction& prediction = *trace.predictions()[i];
            if (ids[i] != *mask || prediction.prediction.candidates.empty())
                continue;
            ids[i] = prediction.prediction.candidates.front().token;
            sum += prediction.prediction.candidates.front().logProbability;
            ++filled;
            line["target_tokens"].push_back(prediction.candidateTexts.front());
        }
        if (filled > 0) {
            line["output"] = tokenizer->decode(ids);
            line["logprob"] = sum;
            line["score"] = sum / filled;
        }
    }

    const BatchArguments& m_arguments;
    std::vector<std::string> m_sources;
    std::vector<double> m_starts; // seconds, where sources are parts of sounds
    std::vector<std::string> m_targets;
    InterruptWatch m_interrupt; // after the lines are read
    Engine m_engine;
    LoadedModel m_model;
    SiteChoice m_site{{Stage::Cross, 0}, 0};
    bool m_keepsLines = false; // when it is interrupted
};

} // namespace

void addBatchCommand(CLI::App& app, int& status)
{
    auto* command = app.add_subcommand("batch", "run a sentence a line, write a JSON object a line");
    auto arguments = std::make_shared<BatchArguments>();
    addModel(*command, arguments->request.question.model, "bundled name, checkpoint directory or file");
    std::vector<CLI::Option*> inputs;
    for (const BatchInput& input : batchInputs) {
        const auto take = [arguments, &input](const std::string& file) {
            arguments->lines = file;
            arguments->input = &input;
        };
        auto* const option =
            command->add_option_function<std::string>(input.option, take, input.help)->type_name("FILE");
        for (CLI::Option* const other : inputs)
            option->excludes(other);
        inputs.push_back(option);
    }
    command->add_option("--target-lines", arguments->targetLines, "score these outputs instead of decoding")
        ->type_name("FILE");
    arguments->request.addTo(*command, editAndRun);
    command->add_option("--site", arguments->site, "attention to align with; default: the family's best");
    command->add_option("--alignments", arguments->alignments, "write Pharaoh lines (i-j)")->type_name("FILE");
    command->add_option("--output", arguments->output, "JSON lines")->required()->type_name("FILE");
    command->add_flag("--resume", arguments->resume, "go on behind the lines that the same batch had finished");
    command->callback([arguments, &status] {
        if (arguments->input == nullptr)
            throw UsageError("give --lines, --images or --audios");
        checkFiles(*arguments);
        if (const std::size_t failed = Batch(*arguments).run(); failed > 0) {
            std::cerr << fmt::format("attnscope: {}: {} of the lines failed; \"error\" says why\n",
                                     escaped(arguments->output), failed);
            status = Failed;
        }
    });
}

} // namespace attn::app

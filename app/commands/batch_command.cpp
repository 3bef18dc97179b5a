// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/alignment.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "base/error.h"
#include "commands/commands.h"
#include "commands/options.h"
#include "commands/progress_line.h"
#include "io/atomic_file.h"
#include "io/mapped_file.h"
#include "nn/engine.h"
#include "trace/archive.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn::app {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct BatchArguments
{
    std::string lines;
    std::string targetLines;
    std::string output;
    std::string alignments;
    std::string site;
    bool resume = false;
    Asking asking;
};

// What an interrupted batch has written of a file: whole lines, and where each one ends.
struct WrittenLines
{
    explicit WrittenLines(const fs::path& path)
        : text(fs::is_regular_file(path) ? readWholeFile(path) : std::string())
    {
        for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', end + 1))
            ends.push_back(end + 1);
    }

    std::uint64_t bytes(std::size_t lines) const { return lines == 0 ? 0 : ends[lines - 1]; }
    std::string_view line(std::size_t i) const
    {
        return std::string_view(text).substr(bytes(i), bytes(i + 1) - bytes(i));
    }

    std::string text;
    std::vector<std::size_t> ends;
};

std::string jsonLine(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

// What the line begins with that answers a sentence.
std::string startOfAnswer(const std::string& source)
{
    std::string start = jsonLine(Json{{"source", source}});
    start.resize(start.size() - std::string_view("}\n").size());
    return start + ',';
}

// A float as a double would be written with digits that it does not have.
double sixDigits(float value)
{
    return std::round(static_cast<double>(value) * 1e6) / 1e6;
}

class Batch
{
public:
    explicit Batch(const BatchArguments& arguments)
        : m_arguments(arguments)
        , m_sources(readLines(arguments.lines))
        , m_targets(arguments.targetLines.empty() ? std::vector<std::string>() : readLines(arguments.targetLines))
        , m_engine(arguments.asking.threads, arguments.asking.question.precision)
    {
        if (isArchivePath(arguments.asking.question.model))
            throw UsageError("batch runs a model; an attention archive is the result of a run");
        arguments.asking.checkPrefix(!arguments.targetLines.empty());
        if (!arguments.targetLines.empty() && m_targets.size() != m_sources.size())
            throw UsageError(
                fmt::format("--target-lines has {} lines, --lines has {}", m_targets.size(), m_sources.size()));
        m_model = loadModel(arguments.asking.question.model, m_engine, {}, m_interrupt.token());
        arguments.asking.check(m_model);
        notePositions(arguments.asking.question, m_model.model->info(), 1);
        if (!m_targets.empty() && m_model.model->info().kind != ModelKind::EncoderDecoder)
            throw UsageError("--target-lines: this model does not turn one text into another");
        m_site = chooseSite(arguments.site, m_model.model->info().bestSite,
                            [this](Site site) { return m_model.model->info().heads(site); });
        checkAlignments();
    }

    // Returns how many lines failed.
    std::size_t run()
    {
        const Finished finished = m_arguments.resume ? finishedLines() : Finished{};
        AtomicFile output(m_arguments.output, finished.outputBytes);
        std::optional<AtomicFile> alignments;
        if (!m_arguments.alignments.empty())
            alignments.emplace(m_arguments.alignments, finished.alignmentBytes);
        ProgressLine progress;
        std::size_t failed = finished.failed;
        for (std::size_t i = finished.lines; i < m_sources.size(); ++i) {
            const Answered answered = answerLine(i, alignments.has_value());
            failed += answered.json.contains("error") ? 1 : 0;
            if (alignments)
                alignments->write(answered.links + '\n');
            output.write(jsonLine(answered.json));
            progress.show(i + 1, m_sources.size());
        }
        if (alignments)
            alignments->commit();
        output.commit();
        return failed;
    }

private:
    // Of an interrupted batch.
    struct Finished
    {
        std::size_t lines = 0;
        std::size_t failed = 0;
        std::uint64_t outputBytes = 0;
        std::uint64_t alignmentBytes = 0;
    };

    struct Answered
    {
        Json json;
        std::string links;
    };

    // Throws UsageError where they answer other sentences.
    Finished finishedLines() const
    {
        const WrittenLines output(unfinishedPath(m_arguments.output));
        Finished finished{.lines = output.ends.size()};
        if (!m_arguments.alignments.empty()) {
            const WrittenLines alignments(unfinishedPath(m_arguments.alignments));
            finished.lines = std::min(finished.lines, alignments.ends.size());
            finished.alignmentBytes = alignments.bytes(finished.lines);
        }
        finished.outputBytes = output.bytes(finished.lines);
        for (std::size_t i = 0; i < finished.lines; ++i) {
            const std::string start = i < m_sources.size() ? startOfAnswer(m_sources[i]) : std::string();
            if (start.empty() || !output.line(i).starts_with(start))
                throw UsageError(fmt::format("--resume: line {} of {} is not the answer to that line of --lines", i + 1,
                                             unfinishedPath(m_arguments.output).string()));
            finished.failed += output.line(i).substr(start.size()).starts_with("\"error\":") ? 1 : 0;
        }
        return finished;
    }

    Answered answerLine(std::size_t i, bool withLinks)
    {
        Answered result{Json{{"source", m_sources[i]}}, {}};
        try {
            const Trace trace = runLine(i);
            describe(trace, result.json);
            if (withLinks && trace.heads(m_site.site) > 0)
                result.links =
                    pharaoh(wordLinks(trace.matrix(m_site.site, m_site.head), trace.source(), targetTokens(trace, i)));
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled)
                throw Error(ErrorKind::Cancelled, m_arguments.output,
                            fmt::format("cancelled after {} of {} lines", i, m_sources.size()),
                            i == 0 ? std::string()
                                   : fmt::format("--resume goes on from there; they are in {}",
                                                 unfinishedPath(m_arguments.output).string()));
            result.json["error"] = error.what();
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
        Question question = m_arguments.asking.question;
        question.text = m_sources[i];
        if (!m_targets.empty())
            question.targetText = m_targets[i];
        return answer(question, m_model, m_engine, {.stop = m_interrupt.token()}, EditsFit::WherePossible);
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

    void describe(const Trace& trace, Json& line) const
    {
        line["output"] = "";
        line["source_tokens"] = trace.source().tokens;
        line["target_tokens"] = Json::array();
        line["logprob"] = nullptr;
        line["score"] = nullptr;
        line["alignment"] = Json::array();
        if (trace.classification())
            describeClass(*trace.classification(), line);
        else if (trace.kind() == ModelKind::EncoderOnly)
            describeMasked(trace, line);
        else
            describeProduced(trace, line);
        if (m_site.site.stage != Stage::Cross)
            return;
        for (const AlignmentLink& link : strongestLinks(trace.matrix(m_site.site, m_site.head)))
            line["alignment"].push_back(Json::array({link.source, link.target, sixDigits(link.weight)}));
    }

    // A classifier's answer: the most probable class, and all of them.
    static void describeClass(const Classification& result, Json& line)
    {
        const int best = result.best();
        line["output"] = result.labels[best];
        line["logprob"] = std::log(static_cast<double>(result.probabilities[best]));
        line["score"] = line["logprob"];
        line["classes"] = Json::object();
        for (std::size_t i = 0; i < result.labels.size(); ++i)
            line["classes"][result.labels[i]] = sixDigits(result.probabilities[i]);
    }

    // What the decoder wrote: of a decoder-only model what follows the prompt.
    void describeProduced(const Trace& trace, Json& line) const
    {
        const bool decoderOnly = trace.kind() == ModelKind::DecoderOnly;
        const Encoding all = trace.target();
        const std::size_t given = decoderOnly ? trace.source().size() - 1 : 0;
        const std::span<const TokenId> ids = std::span(all.ids).subspan(given);
        const auto& tokenizer = decoderOnly ? m_model.tokenizers.source : m_model.tokenizers.target;
        line["output"] = tokenizer ? tokenizer->decode(ids) : decoderOnly ? std::string() : all.text;
        line["target_tokens"] = std::vector(all.tokens.begin() + static_cast<std::ptrdiff_t>(given), all.tokens.end());
        const Hypothesis& best = trace.summary()->hypotheses.at(0);
        line["logprob"] = best.sum;
        line["score"] = best.score;
    }

    // The text with its masked tokens filled in; one without any, or that nothing is predicted in, as it is.
    void describeMasked(const Trace& trace, Json& line) const
    {
        line["output"] = line["source"];
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
    std::vector<std::string> m_targets;
    InterruptWatch m_interrupt;
    Engine m_engine;
    LoadedModel m_model;
    SiteChoice m_site{{Stage::Cross, 0}, 0};
};

} // namespace

void addBatchCommand(CLI::App& app, int& status)
{
    auto* command = app.add_subcommand("batch", "run a sentence a line, write a JSON object a line");
    auto arguments = std::make_shared<BatchArguments>();
    addModel(*command, arguments->asking.question.model, "bundled name, checkpoint directory or file");
    command->add_option("--lines", arguments->lines, "a sentence a line")->required()->type_name("FILE");
    command->add_option("--target-lines", arguments->targetLines, "score these outputs instead of decoding")
        ->type_name("FILE");
    arguments->asking.addTo(*command, editAndRun);
    command->add_option("--site", arguments->site, "attention to align with; default: the family's best");
    command->add_option("--alignments", arguments->alignments, "write Pharaoh lines (i-j)")->type_name("FILE");
    command->add_option("--output", arguments->output, "JSON lines")->required()->type_name("FILE");
    command->add_flag("--resume", arguments->resume, "go on behind the lines that the same batch had finished");
    command->callback([arguments, &status] {
        if (!arguments->alignments.empty()
            && fs::weakly_canonical(arguments->alignments) == fs::weakly_canonical(arguments->output))
            throw UsageError("--output and --alignments name the same file");
        if (const std::size_t failed = Batch(*arguments).run(); failed > 0) {
            std::cerr << fmt::format("attnscope: {}: {} of the lines failed; \"error\" says why\n", arguments->output,
                                     failed);
            status = Failed;
        }
    });
}

} // namespace attn::app

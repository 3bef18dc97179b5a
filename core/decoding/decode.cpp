// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/decode.h"

#include "base/error.h"
#include "base/index.h"
#include "decoding/sampling.h"
#include "decoding/search.h"
#include "models/run_checks.h"
#include "models/speech.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <random>

namespace attn {

namespace {

void checkOptions(const DecodingOptions& options, const ModelInfo& info)
{
    checkDecoding(options);
    for (const auto& token : {options.start, options.firstToken}) {
        if (token && *token >= info.targetVocabulary)
            throw Error(ErrorKind::Input, "start",
                        fmt::format("token {} is outside the vocabulary of {}", *token, info.targetVocabulary));
    }
}

void checkPrefix(const GivenOutput& given, const ModelInfo& info, const DecodingOptions& options, int source)
{
    const std::span<const TokenId> prefix = given.prefix;
    if (prefix.empty())
        return;
    const auto refuse = [](const std::string& problem, const char* advice) {
        throw Error(ErrorKind::Input, "prefix", problem, advice);
    };
    if (info.kind == ModelKind::EncoderOnly)
        refuse("this is an encoder-only model, which produces no output", "leave it out");
    if (given.whole)
        refuse("the whole output is given already", "leave one of the two out");
    if (!info.predictsTokens)
        refuse("this model produces no output", "leave it out");
    const bool decoderOnly = info.kind == ModelKind::DecoderOnly;
    if (decoderOnly && options.generate == 0)
        refuse("stands at the head of what is generated, and nothing is", "say with --generate how much");
    checkIds(prefix, info.targetVocabulary, "prefix");
    const auto end = std::ranges::find_if(prefix, [&](TokenId id) { return info.ends(id); });
    if (end != prefix.end())
        refuse(fmt::format("token {} at position {} ends the output", *end, end - prefix.begin()), "leave it out");
    if (const int limit = outputLimit(info, options, decoderOnly ? source : 0); indexSize(prefix) > limit)
        refuse(fmt::format("has {} tokens, the output at most {}", prefix.size(), limit),
               decoderOnly ? "use a larger --generate" : "use a larger --max-length");
}

void checkTarget(std::span<const TokenId> target, const ModelInfo& info)
{
    if (info.input == InputKind::PictureAndText)
        return checkIds(target, info.targetVocabulary, "target");
    if (info.kind != ModelKind::EncoderDecoder)
        throw Error(ErrorKind::Input, "target", "a target can be forced on encoder-decoder models only",
                    "put the whole text into the input");
    if (!info.predictsTokens)
        throw Error(ErrorKind::Input, "target", "this model produces no output", "leave it out");
    checkIds(target, info.targetVocabulary, "target");
    if (target.empty())
        throw Error(ErrorKind::Input, "target", "is empty", "give at least one token to follow");
}

std::vector<Hypothesis> search(SearchRun& run, const GivenOutput& given)
{
    if (given.whole)
        return followTarget(run, *given.whole);
    const bool beam = run.options().search == Search::Beam && run.limit() > 0;
    return beam ? searchBeam(run) : searchOne(run);
}

void predictMasked(const SequenceModel& model, const Source& source, const EncoderOutput& encoded, int candidates,
                   RunContext& context)
{
    const Tensor logits = model.predictMasked(encoded, context);
    const NumberView rows = logits.matrix();
    if (context.capture.logits)
        context.sink.logits({0, 0, rows, Stage::Encoder});
    for (int position = 0; position < rows.rows; ++position) {
        throwIfStopped(context.stop);
        const std::vector<float> logs = logSoftmax(context.engine, rows.row(position));
        context.sink.predicted({position, logs.at(source.ids[position]), mostProbable(logs, candidates)});
    }
}

void reportTask(const ModelInfo& info, NumberView logits, RunContext& context)
{
    if (info.task == TaskHead::Text)
        context.sink.classified(classification(info.labels, logits.row(0), info.reading));
    else
        context.sink.labelled({info.task, info.labels, Numbers::of(logits), info.reading});
}

// Steps without probabilities, one for each token.
Hypothesis reportRead(std::span<const TokenId> tokens, RunContext& context)
{
    constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
    std::optional<StepId> last;
    for (Index position = 0; position < indexSize(tokens); ++position) {
        throwIfStopped(context.stop);
        DecodingStep step;
        step.index = StepId{position};
        step.parent = last;
        step.position = position;
        step.token = tokens[position];
        step.logProbability = step.score = unknown;
        context.sink.stepped(step);
        last = step.index;
    }
    return {last, unknown, unknown, true};
}

// A picture and, where one is given, the text beside it; then the texts to choose from, of which nothing else is
// reported.
std::vector<Hypothesis> matchTexts(const SequenceModel& model, const EncoderOutput& encoded, const GivenOutput& given,
                                   RunContext& context)
{
    const std::vector<TokenId> text = given.whole.value_or(std::vector<TokenId>());
    PictureMatch match = model.match(encoded, text, context);
    match.labelTexts = given.labelTexts;
    match.reading = model.info().reading;
    QuietSink nobody;
    RunContext unseen{context.engine, nobody, {false, false, false, false}, context.stop, context.positions};
    for (const std::vector<TokenId>& label : given.labels)
        match.labelSimilarities.push_back(model.match(encoded, label, unseen).similarity.value_or(0));
    context.sink.matched(match);
    if (text.empty())
        return {};
    return {reportRead(text, context)};
}

// A decoder that predicts no tokens reads all of the text, in steps without probabilities.
Hypothesis readText(const SequenceModel& model, const Source& source, std::shared_ptr<const EncoderOutput> encoded,
                    RunContext& context)
{
    const ModelInfo& info = model.info();
    const auto state = model.start(std::move(encoded), context);
    context.sink.progressed({0.5, Progress::Part::GivenTokens, 0, indexSize(source.ids)});
    state->extend(readInputs(info, source.ids), context);
    const bool decoderOnly = info.kind == ModelKind::DecoderOnly;
    const auto tokens = source.ids.subspan(decoderOnly ? 1 : 0); // each stands for the row before, or of its place
    const Hypothesis read = reportRead(tokens, context);
    if (decoderOnly)
        context.sink.closed(read.step, 0, {});
    if (info.task != TaskHead::None)
        reportTask(info, taskRows(info, source.ids, state->logits()), context);
    return read;
}

// Given output with the language that is heard: the most probable first token among those that are one.
GivenOutput withLanguage(GivenOutput given, const SequenceModel& model, std::shared_ptr<const EncoderOutput> encoded,
                         TokenId start, RunContext& context)
{
    QuietSink nobody;
    RunContext unseen{context.engine, nobody, {false, false, false, false}, context.stop, context.positions};
    unseen.edits = context.edits;
    const auto state = model.start(std::move(encoded), unseen);
    state->step({&start, 1}, unseen);
    const auto logits = state->logits().row(0);
    const auto& languages = model.info().speech->languages;
    const auto best = std::ranges::max_element(
        languages, {}, [&](const auto& language) { return logits[static_cast<std::size_t>(language.second)]; });
    (given.whole ? *given.whole : given.prefix).front() = best->second;
    context.sink.heard(best->second);
    return given;
}

std::vector<Hypothesis> runModel(const SequenceModel& model, const Source& source, const GivenOutput& given,
                                 const DecodingOptions& options, RunContext& context)
{
    const bool decoderOnly = model.info().kind == ModelKind::DecoderOnly;
    std::shared_ptr<const EncoderOutput> encoded;
    if (!decoderOnly)
        encoded = model.encode(source, context);
    if (model.info().kind == ModelKind::EncoderOnly) {
        if (model.info().predictsMasked)
            predictMasked(model, source, *encoded, options.candidates, context);
        if (model.info().task != TaskHead::None)
            reportTask(model.info(), model.classify(*encoded, context).matrix(), context);
        return {};
    }
    if (model.info().input == InputKind::PictureAndText)
        return matchTexts(model, *encoded, given, context);
    if (!model.info().predictsTokens)
        return {readText(model, source, encoded, context)};
    GivenOutput heard;
    if (given.prompt.heard)
        heard = withLanguage(given, model, encoded, options.start.value_or(model.info().decoderStart.value()), context);
    const GivenOutput& begun = given.prompt.heard ? heard : given;
    SearchRun run(model, encoded, decoderOnly ? source.ids : std::span<const TokenId>(), begun, options, context);
    return search(run, begun);
}

} // namespace

int outputLimit(const ModelInfo& info, const DecodingOptions& options, int prompt)
{
    const int asked = info.kind == ModelKind::DecoderOnly ? options.generate : options.maxLength;
    return info.maximumLength ? std::clamp(*info.maximumLength - prompt, 0, asked) : asked;
}

void decode(const SequenceModel& model, const Source& source, const GivenOutput& given, const DecodingOptions& options,
            RunContext& context)
{
    const auto started = std::chrono::steady_clock::now();
    checkOptions(options, model.info());
    if (!model.info().predictsTokens && options.generate > 0)
        throw Error(ErrorKind::Input, "generate", "this model produces no output", "leave it out");
    if (given.whole)
        checkTarget(*given.whole, model.info());
    checkPrefix(given, model.info(), options, indexSize(source.ids));
    if (source.ids.empty())
        throw Error(ErrorKind::Input, "source", "is empty", "give at least one token");
    throwIfStopped(context.stop);
    const bool decoderOnly = model.info().kind == ModelKind::DecoderOnly;
    const auto start = options.start ? options.start : model.info().decoderStart;
    context.sink.begun(source.ids, decoderOnly ? source.ids.front() : start);
    RunSummary summary;
    summary.hypotheses = runModel(model, source, given, options, context);
    for (Hypothesis& hypothesis : summary.hypotheses) {
        hypothesis.sum = known(hypothesis.sum);
        hypothesis.score = known(hypothesis.score);
    }
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    context.sink.finished(summary);
}

namespace {

class Sampler
{
public:
    explicit Sampler(const DecodingOptions& options)
        : m_options(options)
        , m_generator(options.seed)
    {
    }

    TokenId draw(std::span<const float> logProbabilities)
    {
        const auto kept = drawnTokens(logProbabilities, m_options);
        double sum = 0;
        for (const DrawnToken& drawn : kept)
            sum += drawn.weight;
        // 53 random bits: the same number on every platform, unlike std::uniform_real_distribution.
        double left = static_cast<double>(m_generator() >> 11U) * 0x1.0p-53 * sum;
        for (const DrawnToken& drawn : kept) {
            left -= drawn.weight;
            if (left < 0)
                return drawn.token;
        }
        return kept.back().token;
    }

private:
    const DecodingOptions& m_options;
    std::mt19937_64 m_generator;
};

} // namespace

std::vector<Hypothesis> searchOne(SearchRun& run)
{
    Sampler sampler(run.options());
    const bool sampling = run.options().search == Search::Sampling;
    Hypothesis result = run.begin();
    TokenId input = 0;
    int length = run.prefixLength();
    while (length < run.limit() && !result.ended) {
        if (length > run.prefixLength())
            run.feed({&input, 1});
        const std::vector<float> logs = run.logProbabilities(0, run.tokensTo(result.step));
        input = sampling ? sampler.draw(logs) : static_cast<TokenId>(std::ranges::max_element(logs) - logs.begin());
        run.append(result, run.firstPosition() + length++, input, logs);
        result.ended = run.ends(input);
    }
    if (length > 0)
        result.score = result.sum / length;
    run.close({&result, 1});
    return {result};
}

std::vector<Hypothesis> followTarget(SearchRun& run, std::span<const TokenId> target)
{
    Hypothesis result;
    if (target.empty())
        return {result};
    std::vector<TokenId> inputs{run.start()};
    inputs.insert(inputs.end(), target.begin(), target.end() - 1);
    run.feedAll(inputs);
    for (int i = 0; i < indexSize(target); ++i) {
        run.append(result, i, target[i], run.logSoftmaxOf(i));
    }
    result.score = result.sum / indexSize(target);
    result.ended = run.ends(target.back());
    return {result};
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/decode.h"

#include "base/error.h"
#include "base/stop.h"
#include "decoding/search.h"
#include "models/run_checks.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

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
    if (info.kind != ModelKind::EncoderDecoder)
        throw Error(ErrorKind::Input, "target", "a target can be forced on encoder-decoder models only",
                    "put the whole text into the input");
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

std::vector<Hypothesis> runModel(const SequenceModel& model, const Source& source, const GivenOutput& given,
                                 const DecodingOptions& options, RunContext& context, DecodedRun& left)
{
    const bool decoderOnly = model.info().kind == ModelKind::DecoderOnly;
    std::shared_ptr<const EncoderOutput> encoded;
    if (!decoderOnly)
        encoded = given.known ? given.known->encoded : model.encode(source, context);
    if (model.info().kind == ModelKind::EncoderOnly) {
        if (model.info().predictsMasked)
            predictMasked(model, source, *encoded, options.candidates, context);
        if (!model.info().labels.empty())
            context.sink.classified(classification(model.info().labels, model.classify(*encoded, context).values()));
        return {};
    }
    SearchRun run(model, encoded, decoderOnly ? source.ids : std::span<const TokenId>(), given, options, context);
    std::vector<Hypothesis> found = search(run, given);
    left = {std::move(encoded), run.takeMarks()};
    return found;
}

} // namespace

int outputLimit(const ModelInfo& info, const DecodingOptions& options, int prompt)
{
    const int asked = info.kind == ModelKind::DecoderOnly ? options.generate : options.maxLength;
    return info.maximumLength ? std::clamp(*info.maximumLength - prompt, 0, asked) : asked;
}

DecodedRun decode(const SequenceModel& model, const Source& source, const GivenOutput& given,
                  const DecodingOptions& options, RunContext& context)
{
    const auto started = std::chrono::steady_clock::now();
    checkOptions(options, model.info());
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
    DecodedRun left;
    summary.hypotheses = runModel(model, source, given, options, context, left);
    for (Hypothesis& hypothesis : summary.hypotheses) {
        hypothesis.sum = known(hypothesis.sum);
        hypothesis.score = known(hypothesis.score);
    }
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    context.sink.finished(summary);
    return left;
}

} // namespace attn

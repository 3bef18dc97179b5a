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

void checkTarget(std::span<const TokenId> target, const ModelInfo& info)
{
    if (info.kind != ModelKind::EncoderDecoder)
        throw Error(ErrorKind::Input, "target", "a target can be forced on encoder-decoder models only",
                    "put the whole text into the input");
    checkIds(target, info.targetVocabulary, "target");
    if (target.empty())
        throw Error(ErrorKind::Input, "target", "is empty", "give at least one token to follow");
}

std::vector<Hypothesis> search(SearchRun& run, const std::optional<std::vector<TokenId>>& forcedTarget)
{
    if (forcedTarget)
        return followTarget(run, *forcedTarget);
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
        const std::vector<float> logs = logSoftmax(rows.row(position));
        context.sink.predicted({position, logs.at(source.ids[position]), mostProbable(logs, candidates)});
    }
}

std::vector<Hypothesis> runModel(const SequenceModel& model, const Source& source,
                                 const std::optional<std::vector<TokenId>>& forcedTarget,
                                 const DecodingOptions& options, RunContext& context)
{
    if (model.info().kind == ModelKind::DecoderOnly) {
        SearchRun run(model, nullptr, source.ids, options, context);
        return search(run, {});
    }
    const auto encoded = model.encode(source, context);
    if (model.info().kind == ModelKind::EncoderOnly) {
        if (model.info().predictsMasked)
            predictMasked(model, source, *encoded, options.candidates, context);
        if (!model.info().labels.empty())
            context.sink.classified(classification(model.info().labels, model.classify(*encoded, context).values()));
        return {};
    }
    SearchRun run(model, encoded, {}, options, context);
    return search(run, forcedTarget);
}

} // namespace

void decode(const SequenceModel& model, const Source& source, const std::optional<std::vector<TokenId>>& forcedTarget,
            const DecodingOptions& options, RunContext& context)
{
    const auto started = std::chrono::steady_clock::now();
    checkOptions(options, model.info());
    if (forcedTarget)
        checkTarget(*forcedTarget, model.info());
    if (source.ids.empty())
        throw Error(ErrorKind::Input, "source", "is empty", "give at least one token");
    throwIfStopped(context.stop);
    const bool decoderOnly = model.info().kind == ModelKind::DecoderOnly;
    const auto start = options.start ? options.start : model.info().decoderStart;
    context.sink.begun(source.ids, decoderOnly ? source.ids.front() : start);
    RunSummary summary;
    summary.hypotheses = runModel(model, source, forcedTarget, options, context);
    for (Hypothesis& hypothesis : summary.hypotheses) {
        hypothesis.sum = known(hypothesis.sum);
        hypothesis.score = known(hypothesis.score);
    }
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    context.sink.finished(summary);
}

} // namespace attn

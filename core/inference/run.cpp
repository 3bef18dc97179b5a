// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/run.h"

#include "base/error.h"
#include "base/version.h"
#include "decoding/decode.h"
#include "loading/memory.h"
#include "nn/engine.h"
#include "trace/trace_builder.h"

#include <algorithm>
#include <fmt/format.h>

namespace attn {

namespace {

// The tokenizers for the languages that are asked for; the output begins with the target's token.
Tokenizers tokenizersFor(const LoadedModel& model, RunRequest& request)
{
    const auto& known = model.tokenizers.languages;
    if (!known) {
        if (request.sourceLanguage || request.targetLanguage)
            throw Error(ErrorKind::Input, "language", "this model has no languages to choose from", "leave it out");
        return model.tokenizers;
    }
    Tokenizers chosen = model.tokenizers;
    if (request.sourceLanguage || request.targetLanguage)
        chosen = chooseLanguages(model.tokenizers, request.sourceLanguage.value_or(known->source),
                                 request.targetLanguage.value_or(known->target));
    if (chosen.languages->target.empty() && !request.sourceIds && !request.targetIds)
        throw Error(ErrorKind::Input, "target language", "is not chosen, and the model's files name none",
                    "choose one, such as " + (known->codes.empty() ? std::string("fr") : known->codes.front()));
    if (!request.sourceIds) {
        request.decoding.start = chosen.languages->decoderStart;
        request.decoding.firstToken = chosen.languages->forcedFirst;
    }
    return chosen;
}

const Tokenizer& requireTokenizer(const std::shared_ptr<const Tokenizer>& tokenizer, const LoadedModel& model,
                                  const char* idsOption)
{
    if (!tokenizer && model.tokenizerProblem)
        throw Error(*model.tokenizerProblem);
    if (!tokenizer)
        throw Error(ErrorKind::Input, model.name, "has no tokenizer files, so it cannot read text",
                    fmt::format("give ids with {}", idsOption));
    return *tokenizer;
}

Encoding sourceOf(const LoadedModel& model, const Tokenizers& tokenizers, const RunRequest& request)
{
    if (request.sourceIds) {
        Encoding given;
        if (tokenizers.source) {
            given = tokenizers.source->describe(*request.sourceIds);
        } else {
            given.ids = *request.sourceIds;
            for (const TokenId id : given.ids)
                given.tokens.push_back(fmt::format("<{}>", id));
        }
        given.segments = request.sourceSegments;
        return given;
    }
    const Tokenizer& tokenizer = requireTokenizer(tokenizers.source, model, "--source-ids");
    const ModelInfo& info = model.model->info();
    const bool startsFromNothing = info.kind == ModelKind::DecoderOnly && info.decoderStart >= 0;
    if (request.text.find_first_not_of(" \t\r\n") == std::string::npos && !startsFromNothing)
        throw Error(ErrorKind::Input, "text", "is empty", "type a sentence");
    if (request.secondText) {
        if (info.segments < 2)
            throw Error(ErrorKind::Input, "second text", "this model reads one text, not a pair", "leave it out");
        return tokenizer.encodePair(request.text, *request.secondText);
    }
    Encoding source = tokenizer.encode(request.text);
    if (source.ids.empty() && startsFromNothing)
        source = tokenizer.describe({&info.decoderStart, 1});
    return source;
}

std::optional<std::vector<TokenId>> targetOf(const LoadedModel& model, const Tokenizers& tokenizers,
                                             const RunRequest& request)
{
    if (request.targetIds || !request.targetText)
        return request.targetIds;
    return requireTokenizer(tokenizers.target, model, "--target-ids").encode(*request.targetText).ids;
}

void checkSource(const Encoding& source, const ModelInfo& info)
{
    if (source.ids.empty())
        throw Error(ErrorKind::Input, "source", "is empty", "give at least one token");
    if (info.maximumLength && source.size() > static_cast<std::size_t>(*info.maximumLength))
        throw Error(ErrorKind::Input, "text",
                    fmt::format("has {} tokens, this model reads at most {}", source.size(), *info.maximumLength),
                    "shorten it");
}

// All maps of a run stay in memory; what could not fit is refused before anything is computed.
void checkMemory(const LoadedModel& model, const RunRequest& request, std::size_t sourceLength)
{
    if (!request.capture.attention)
        return;
    const ModelInfo& info = model.model->info();
    const std::uint64_t source = sourceLength;
    std::uint64_t decoded = 0;
    if (info.kind == ModelKind::DecoderOnly) {
        decoded = source + static_cast<std::uint64_t>(request.decoding.generate);
        if (info.maximumLength) // where generation ends
            decoded = std::min(decoded, static_cast<std::uint64_t>(*info.maximumLength));
    }
    std::uint64_t weights = 0;
    for (const Site& site : info.sites()) {
        const auto heads = static_cast<std::uint64_t>(info.heads(site));
        if (site.stage == Stage::Encoder)
            weights += heads * source * source;
        else if (site.stage == Stage::Decoder)
            weights += heads * decoded * decoded;
    }
    requireMemory(weights * sizeof(float) * (request.capture.scores ? 2 : 1), availableMemory(),
                  fmt::format("the attention of {} tokens", std::max(source, decoded)));
}

Provenance provenanceOf(const LoadedModel& model, const RunRequest& request, bool forced, Precision precision)
{
    Provenance result;
    result.kind = model.model->info().kind;
    result.model = model.name;
    result.modelType = model.model->info().family;
    result.text = request.text;
    result.secondText = request.secondText;
    result.decoding = forced ? "forced" : request.decoding.describe();
    result.precision = precision == Precision::BF16 ? "bf16" : "f32";
    result.seed = request.decoding.seed;
    result.programVersion = programVersion;
    return result;
}

} // namespace

Trace run(const LoadedModel& model, const RunRequest& asked, Engine& engine, const std::stop_token& stop,
          const std::function<void()>& changed, const std::function<void(std::shared_ptr<const TraceBuilder>)>& started)
{
    RunRequest request = asked;
    const Tokenizers tokenizers = tokenizersFor(model, request);
    Encoding source = sourceOf(model, tokenizers, request);
    checkSource(source, model.model->info());
    checkMemory(model, request, source.size());
    const std::vector<TokenId> ids = source.ids;
    const std::vector<int> segments = source.segments;
    const auto target = targetOf(model, tokenizers, request);
    const bool oneText = model.model->info().kind != ModelKind::EncoderDecoder;
    const auto describer = oneText ? tokenizers.source : tokenizers.target;
    const auto builder = std::make_shared<TraceBuilder>(
        std::move(source), describer, provenanceOf(model, request, target.has_value(), engine.precision()), changed);
    if (started)
        started(builder);
    RunContext context{engine, *builder, request.capture, stop, !request.withoutPositions, request.probe.get(), {}};
    if (request.decoding.sampleHardAttention)
        context.hardSeed = request.decoding.seed;
    decode(*model.model, {ids, segments}, target, request.decoding, context);
    return builder->snapshot();
}

} // namespace attn

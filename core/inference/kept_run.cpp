// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/kept_run.h"

#include "base/index.h"
#include "decoding/sampling.h"
#include "decoding/search.h"
#include "trace/trace.h"

#include <vector>

namespace attn {

namespace {

// In a decoder-only model's question the text is left to the tokens.
bool readAlike(const Question& before, const Question& asked, bool decoderOnly)
{
    if (asked.decoding.sampleHardAttention || asked.capture.inside || asked.targetText || asked.targetIds)
        return false;
    Question same = before;
    same.prefixText = asked.prefixText;
    same.prefixIds = asked.prefixIds;
    same.others = asked.others;
    if (decoderOnly) {
        same.text = asked.text;
        same.sourceIds = asked.sourceIds;
        same.sourceSegments = asked.sourceSegments;
    }
    DecodingOptions& decoding = same.decoding;
    decoding = asked.decoding;
    decoding.candidates = before.decoding.candidates;
    decoding.start = before.decoding.start;
    decoding.firstToken = before.decoding.firstToken;
    decoding.sampleHardAttention = before.decoding.sampleHardAttention;
    return same == asked;
}

} // namespace

std::optional<SharedBeginning> sharedBeginning(const KeptRun& kept, const Question& asked, const SequenceModel& model,
                                               std::span<const TokenId> source, std::span<const TokenId> prefix)
{
    const ModelInfo& info = model.info();
    const bool decoderOnly = info.kind == ModelKind::DecoderOnly;
    if (kept.model.get() != &model || info.kind == ModelKind::EncoderOnly || info.input == InputKind::PictureAndText
        || !readAlike(kept.question, asked, decoderOnly))
        return std::nullopt;
    if (decoderOnly && kept.trace.source().ids.front() != source.front())
        return std::nullopt;
    std::vector<TokenId> given;
    if (decoderOnly)
        given.assign(source.begin() + 1, source.end());
    const int prompt = indexSize(given);
    given.insert(given.end(), prefix.begin(), prefix.end());

    SharedBeginning shared;
    shared.known.encoded = kept.decoded.encoded;
    shared.steps = stepsAlong(kept.trace, given);
    const Trace::Path& path = shared.steps;
    const std::optional<StepId> last = path.empty() ? std::nullopt : std::optional(path.back()->step.index);
    const int limit = outputLimit(info, asked.decoding, decoderOnly ? indexSize(source) : 0);
    const bool goesOn = path.size() < given.size() || indexSize(prefix) < limit;
    std::optional<StepId> next;
    for (int index = 0; goesOn && !next && index < kept.trace.stepCount(); ++index) {
        if (kept.trace.step(StepId{index}).step.parent == last)
            next = StepId{index};
    }
    const auto marked = next ? next : last;
    shared.known.read = marked ? kept.decoded.marks.at(numberOf(*marked)) : nullptr;
    if (indexSize(path) < prompt || (decoderOnly && !shared.known.read))
        return std::nullopt;
    if (!shared.known.read) {
        shared.steps.clear();
        return shared;
    }
    for (const auto& step : path)
        shared.known.logProbabilities.push_back(step->step.logProbability);
    if (next)
        shared.next = &kept.trace.step(*next);
    return shared;
}

std::vector<double> drawProbabilitiesAt(const KeptRun& kept, StepId step, const DecodingOptions& options,
                                        Engine& engine)
{
    const auto& read = kept.decoded.marks.at(numberOf(step));
    if (!read)
        return {};
    QuietSink nobody;
    RunContext context{engine, nobody, {false, false, false, false}, {}, !kept.question.withoutPositions};
    const bool decoderOnly = kept.model->info().kind == ModelKind::DecoderOnly;
    const std::vector<TokenId>& source = kept.trace.source().ids;
    const GivenOutput given{.prompt = kept.decoded.prompt, .known = KnownBeginning{kept.decoded.encoded, read}};
    const SearchRun run(*kept.model, kept.decoded.encoded, decoderOnly ? source : std::span<const TokenId>(), given,
                        kept.question.decoding, context);
    const std::optional<StepId> before = kept.trace.step(step).step.parent;
    const std::vector<TokenId> output = before ? kept.trace.target(before).ids : std::vector<TokenId>();
    std::vector<float> choices = run.logProbabilities(0, output);
    const auto& candidates = kept.trace.step(step).step.candidates;
    if (candidates.size() == 1) // a language that the output must begin with
        keepOnly(choices, candidates.front().token);
    return drawProbabilities(choices, options);
}

} // namespace attn

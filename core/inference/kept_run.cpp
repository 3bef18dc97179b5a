// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/kept_run.h"

#include "base/index.h"

#include <vector>

namespace attn {

namespace {

bool readAlike(const Question& before, const Question& asked)
{
    if (asked.decoding.sampleHardAttention || asked.capture.inside || asked.targetText || asked.targetIds)
        return false;
    Question same = before;
    same.prefixText = asked.prefixText;
    same.prefixIds = asked.prefixIds;
    same.others = asked.others;
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
    if (kept.model.get() != &model || info.kind == ModelKind::EncoderOnly || !readAlike(kept.question, asked))
        return std::nullopt;
    const bool decoderOnly = info.kind == ModelKind::DecoderOnly;
    std::vector<TokenId> given;
    if (decoderOnly)
        given.assign(source.begin() + 1, source.end());
    const int prompt = indexSize(given);
    given.insert(given.end(), prefix.begin(), prefix.end());

    SharedBeginning shared;
    shared.known.encoded = kept.decoded.encoded;
    std::optional<StepId> last;
    std::vector<StepId> path;
    for (int index = 0; index < kept.trace.stepCount() && path.size() < given.size(); ++index) {
        const DecodingStep& step = kept.trace.step(StepId{index}).step;
        if (step.parent == last && step.token == given[path.size()]) {
            path.push_back(step.index);
            last = step.index;
        }
    }
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
    if (!shared.known.read)
        return shared;
    for (const StepId step : path)
        shared.known.logProbabilities.push_back(kept.trace.step(step).step.logProbability);
    if (last)
        shared.steps = kept.trace.path(last);
    if (next)
        shared.next = &kept.trace.step(*next);
    return shared;
}

} // namespace attn

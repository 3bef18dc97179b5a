// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/decode.h"

#include "base/error.h"
#include "base/stop.h"
#include "decoding/search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace attn {

namespace {

void checkOptions(const DecodingOptions& options)
{
    const auto refuse = [](const char* name, const std::string& problem) {
        throw Error(ErrorKind::Input, name, problem);
    };
    if (options.maxLength < 1)
        refuse("max-length", fmt::format("is {}, at least 1 is needed", options.maxLength));
    if (!(options.temperature > 0) || !std::isfinite(options.temperature))
        refuse("temperature", fmt::format("is {}, a number above 0 is needed", options.temperature));
    if (!(options.topP > 0 && options.topP <= 1))
        refuse("top-p", fmt::format("is {}, a number above 0 and at most 1 is needed", options.topP));
    if (options.topK < 0)
        refuse("top-k", fmt::format("is {}, 0 (all) or more is needed", options.topK));
    if (options.beamSize < 1)
        refuse("beam", fmt::format("is {}, at least 1 is needed", options.beamSize));
}

void checkTarget(std::span<const TokenId> target, const ModelInfo& info)
{
    const auto outside =
        std::ranges::find_if(target, [&](TokenId id) { return id < 0 || id >= info.targetVocabulary; });
    if (outside != target.end())
        throw Error(ErrorKind::Input, "target ids",
                    fmt::format("{} is outside the vocabulary of {} tokens", *outside, info.targetVocabulary));
    if (target.empty())
        throw Error(ErrorKind::Input, "target", "is empty", "give at least one token to follow");
}

std::vector<Hypothesis> search(SearchRun& run, const std::optional<std::vector<TokenId>>& forcedTarget)
{
    if (forcedTarget)
        return followTarget(run, *forcedTarget);
    return run.options().search == Search::Beam ? searchBeam(run) : searchOne(run);
}

} // namespace

void decode(const SequenceModel& model, std::span<const TokenId> source,
            const std::optional<std::vector<TokenId>>& forcedTarget, const DecodingOptions& options,
            RunContext& context)
{
    const auto started = std::chrono::steady_clock::now();
    checkOptions(options);
    if (forcedTarget)
        checkTarget(*forcedTarget, model.info());
    throwIfStopped(context.stop);
    context.sink.begun(source, model.info().decoderStart);
    RunSummary summary;
    {
        SearchRun run(model, model.encode(source, context), options, context);
        summary.hypotheses = search(run, forcedTarget);
    }
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    context.sink.finished(summary);
}

} // namespace attn

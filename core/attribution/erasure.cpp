// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"
#include "base/error.h"
#include "loading/special_ids.h"
#include "media/patches.h"

#include <algorithm>
#include <utility>

namespace attn {

namespace {

// The token in the place of an erased one; none: it is hidden, or there is nothing to put in.
std::optional<TokenId> replacement(const ExplainedRun& run)
{
    if (run.options().eraseHides || run.info().input != InputKind::Text)
        return std::nullopt;
    const auto mask = sourceIdNamed(run.loaded(), "mask");
    return mask ? mask : sourceIdNamed(run.loaded(), "unk");
}

// Whether patches are made grey.
bool greys(const ExplainedRun& run)
{
    return run.info().readsPictures() && !run.options().eraseHides;
}

std::string lackOfErasure(const ExplainedRun& run)
{
    return run.options().eraseHides || run.info().input != InputKind::Text || replacement(run)
        ? ""
        : "the model has neither a mask token nor an unknown token to put in (use --erase hide)";
}

std::string nameOf(const ExplainedRun& run, std::optional<TokenId> put)
{
    if (!put)
        return greys(run) ? "grey" : "hide";
    const TokenId id = *put;
    const auto& tokenizer = run.loaded().tokenizers.source;
    return (tokenizer ? tokenizer->describe({&id, 1}) : plainEncoding({id})).tokens.at(0);
}

void computeErasure(ExplainedRun& run, ReadingResults& results)
{
    const std::vector<TokenId>& source = run.source();
    const bool isText = run.info().kind == ModelKind::EncoderOnly || run.info().task != TaskHead::None;
    const std::vector<ExplainedOutput>& outputs = isText ? run.explained() : run.everyOutput();
    const bool isSequence = run.info().kind == ModelKind::DecoderOnly && !isText;
    const auto put = replacement(run);
    const auto valueOf = [&run](const ExplainedOutput& output, const ExplainedRun::FurtherLogits& logits) {
        return run.value(output, logits, Explained::LogProbability);
    };
    const Source read = run.input();
    const ExplainedRun::FurtherLogits own = run.logitsOf(read, {});
    std::vector<double> whole;
    for (const ExplainedOutput& output : outputs)
        whole.push_back(valueOf(output, own));
    const Index columns = indexSize(source);
    const Index first = isSequence ? outputs.front().position : 0;
    ReadArray array{{first + std::ssize(outputs), columns}, {}};
    array.values.resize(static_cast<std::size_t>(elementCount(array.shape)), 0.0F);
    array.erase = nameOf(run, put);
    const Index erased = isSequence ? columns - 1 : columns; // nothing follows the last token
    for (Index token = 0; token < erased; ++token) {
        throwIfStopped(run.stop());
        if (greys(run) && source[token] == noTokenId)
            continue; // a special token has no patch
        std::vector<TokenId> changed = source;
        Numbers pixels;
        std::vector<Edit> edits;
        if (greys(run)) {
            pixels = Numbers::of(read.input);
            greyPatch(run.info().patches, pixels.view(), source[token]);
        } else if (put) {
            changed[token] = *put;
        } else {
            edits.emplace_back(SourceEdit{token, SourceChange::Hide});
        }
        const Source without(changed, read.segments, greys(run) ? pixels.view() : read.input);
        const ExplainedRun::FurtherLogits left = run.logitsOf(without, edits, token);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!isSequence || token < outputs[i].position)
                array.values[(i + first) * columns + token] = static_cast<float>(whole[i] - valueOf(outputs[i], left));
        }
    }
    results.arrays["source_erasure"] = std::move(array);
    results.positions["source_erasure"] = outputs;
}

} // namespace

extern const ReadingMethod erasureMethod{
    .id = "erasure",
    .help = "what is lost of the output's log probability without each source token (Li et al. 2016)",
    .ofOutput = true,
    .lack = lackOfErasure,
    .compute = computeErasure};

} // namespace attn

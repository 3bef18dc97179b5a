// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_checks.h"

#include "base/error.h"
#include "models/text_model.h"

#include <algorithm>
#include <fmt/format.h>

namespace attn {

void checkIds(std::span<const TokenId> ids, int vocabulary, std::string_view what)
{
    const auto outside = std::ranges::find_if(ids, [&](TokenId id) { return id < 0 || id >= vocabulary; });
    if (outside != ids.end())
        throw Error(ErrorKind::Input, fmt::format("{} ids", what),
                    fmt::format("{} at position {} is outside the vocabulary of {} tokens", *outside,
                                outside - ids.begin(), vocabulary),
                    "use ids of this model's own tokenizer");
}

void checkSource(std::span<const TokenId> source, const ModelInfo& info)
{
    if (source.empty())
        throw Error(ErrorKind::Input, "source", "is empty", "give at least one token");
    checkIds(source, info.sourceVocabulary, "source");
    if (info.maximumLength && indexSize(source) > *info.maximumLength)
        throw Error(ErrorKind::Input, "source",
                    fmt::format("has {} tokens, the model has {} positions", source.size(), *info.maximumLength),
                    "shorten the text");
}

void checkInput(const Source& source, const ModelInfo& info)
{
    if (info.input == InputKind::Text)
        return checkSource(source.ids, info);
    const NumberView input = source.input;
    if (input.empty())
        throw Error(ErrorKind::Input, "source",
                    fmt::format("is a text, and this model reads a {}", inputText(info.input)));
    if (!info.readsPictures())
        return;
    const PixelSize grid = info.patches.grid({input.rows, input.columns});
    const Index places = grid.height * grid.width;
    if (places < 1 || indexSize(source.ids) != places + indexSize(info.patches.specials))
        throw Error(ErrorKind::Input, "picture",
                    fmt::format("is read as {} x {} pixels, which hold {} x {} patches", input.columns, input.rows,
                                grid.width, grid.height),
                    "check the sizes in preprocessor_config.json");
}

void checkTargetLength(int inputs, const ModelInfo& info)
{
    if (info.maximumLength && inputs > *info.maximumLength)
        throw Error(ErrorKind::Input, "target",
                    fmt::format("grows to {} tokens, the model has {} positions", inputs, *info.maximumLength),
                    "use a smaller --max-length or a shorter target");
}

void checkOneHypothesis(int hypotheses)
{
    if (hypotheses != 1)
        throw Error(ErrorKind::Input, "decoder",
                    fmt::format("several tokens at once need one live hypothesis, there are {}", hypotheses));
}

void checkInputs(std::span<const TokenId> inputs, int hypotheses, const ModelInfo& info)
{
    if (indexSize(inputs) != hypotheses)
        throw Error(ErrorKind::Input, "decoder",
                    fmt::format("{} tokens for {} live hypotheses", inputs.size(), hypotheses));
    checkIds(inputs, info.targetVocabulary, "target");
}

Tensor stepByStep(DecoderState& state, std::span<const TokenId> inputs, const ModelInfo& info, RunContext& context)
{
    Tensor all({std::ssize(inputs), info.targetVocabulary});
    float* row = all.data();
    for (const TokenId& input : inputs) {
        state.step({&input, 1}, context);
        row = std::ranges::copy(state.logits().values(), row).out;
    }
    return all;
}

void checkParents(std::span<const int> parents, int hypotheses)
{
    const auto outside = std::ranges::find_if(parents, [&](int parent) { return parent < 0 || parent >= hypotheses; });
    if (outside != parents.end())
        throw Error(ErrorKind::Input, "hypotheses",
                    fmt::format("{} is none of the {} live hypotheses", *outside, hypotheses));
}

AttentionRun attentionRun(RunContext& context)
{
    return {context.engine, context.sink, context.capture, context.positions, context.edits, context.maps};
}

void reportHidden(RunContext& context, Stage stage, int layer, int hypothesis, int firstRow, NumberView rows)
{
    if (context.capture.hidden)
        context.sink.hidden({stage, layer, hypothesis, firstRow, rows});
}

void reportHiddenOfHypotheses(RunContext& context, int layer, int position, NumberView rows)
{
    for (int hypothesis = 0; hypothesis < rows.rows; ++hypothesis)
        reportHidden(context, Stage::Decoder, layer, hypothesis, position, rows.rowRange(hypothesis, 1));
}

void reportLayer(RunContext& context, int layer, int layers, double share)
{
    context.sink.progressed({(layer + share) / layers, Progress::Part::EncoderLayer, layer, layers});
}

std::uint64_t logitBytes(const ModelInfo& info, std::uint64_t rows, const RunLength& length, const Capture& capture)
{
    constexpr std::uint64_t choices = 2; // their log-probabilities, and what the search makes of them
    const std::uint64_t kept = capture.logits ? std::max(rows, length.inputs()) : 0;
    const std::uint64_t all = rows + (1 + choices) * length.hypotheses + kept;
    return floatBytes(all, info.targetVocabulary);
}

namespace {

bool isSentenceMap(const ModelInfo& info, Site site)
{
    return info.architecture.form == Architecture::Form::Hierarchical && site.layer == 1;
}

// Rows of an encoder's maps over `tokens` tokens in `sentences` sentences.
Index encoderRows(const ModelInfo& info, Site site, Index tokens, Index sentences)
{
    if (site.stage == Stage::Pooling)
        return 1;
    switch (info.architecture.form) {
    case Architecture::Form::AttentionPooling:
        return 1;
    case Architecture::Form::StructuredSelfAttention:
        return info.architecture.hops;
    case Architecture::Form::Hierarchical:
        return site.layer == 0 ? sentences : 1;
    case Architecture::Form::Transformer:
    case Architecture::Form::Recurrent:
    case Architecture::Form::Lstmn:
        break;
    }
    return tokens;
}

} // namespace

EditExtent editExtent(const ModelInfo& info)
{
    EditExtent extent;
    extent.vocabulary = info.sourceVocabulary;
    extent.places = info.input != InputKind::Text;
    extent.patches = info.readsPictures();
    extent.specials = indexSize(info.patches.specials);
    for (const Site& site : info.sites()) {
        const bool ofOutput = site.stage == Stage::Decoder && info.kind != ModelKind::DecoderOnly;
        extent.maps.push_back({site, info.heads(site), {}, {}, !ofOutput && !isSentenceMap(info, site)});
    }
    return extent;
}

EditExtent editExtent(const ModelInfo& info, std::span<const TokenId> source, std::optional<Index> output)
{
    EditExtent extent = editExtent(info);
    const Index tokens = indexSize(source);
    const bool inSentences = info.architecture.form == Architecture::Form::Hierarchical;
    const Index sentences = inSentences ? indexSize(sentenceStarts(source, info.endToken.value())) : 1;
    extent.source = tokens;
    for (MapExtent& map : extent.maps) {
        const bool encodes = map.site.stage == Stage::Encoder || map.site.stage == Stage::Pooling;
        map.rows = encodes ? encoderRows(info, map.site, tokens, sentences) : output;
        map.columns = map.site.stage == Stage::Decoder ? output : isSentenceMap(info, map.site) ? sentences : tokens;
    }
    return extent;
}

} // namespace attn

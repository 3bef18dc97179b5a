// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/layer_reader.h"

#include "base/error.h"
#include "models/families/config_values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <optional>
#include <utility>

namespace attn {

namespace {

std::string layerPrefix(const LayerPlan& plan, int layer)
{
    return fmt::format("{}{}.", plan.prefix, layer);
}

Weight<Linear> declareMatrix(WeightTable& table, const LayerPlan& plan, const std::string& name, int outputs,
                             int inputs, bool bias)
{
    if (!plan.convolutions)
        return table.linear(name, outputs, inputs, bias);
    const auto only = table.convolution(name, inputs, outputs, 1);
    return [only](WeightReader& reader) { return std::move(only(reader).front()); };
}

// Queries, keys and values.
Weight<std::vector<Linear>> declareInputs(WeightTable& table, const LayerPlan& plan, const std::string& layer,
                                          const AttentionNames& names, int keyInputs)
{
    const int queryWidth = plan.shape.heads * plan.shape.width;
    const int keyWidth = plan.shape.keyValueHeads() * plan.shape.width;
    if (names.key.empty())
        return table.convolution(layer + names.query, plan.width, queryWidth + 2 * keyWidth, 3);
    const std::vector parts{
        declareMatrix(table, plan, layer + names.query, queryWidth, plan.width, plan.inputBias),
        declareMatrix(table, plan, layer + names.key, keyWidth, keyInputs, plan.inputBias),
        declareMatrix(table, plan, layer + names.value, keyWidth, keyInputs, plan.inputBias),
    };
    return [parts](WeightReader& reader) {
        std::vector<Linear> result;
        for (const auto& part : parts)
            result.push_back(part(reader));
        return result;
    };
}

MultiHeadSettings settingsOf(const LayerPlan& plan, int layer, bool self)
{
    const auto index = static_cast<std::size_t>(layer);
    MultiHeadSettings settings;
    settings.shape = plan.shape;
    settings.scale =
        plan.scales.empty() ? 1.0F / std::sqrt(static_cast<float>(plan.shape.width)) : plan.scales.at(index);
    if (self) {
        settings.rotary = plan.rotary;
        settings.window = plan.windows.empty() ? 0 : plan.windows.at(index);
    }
    return settings;
}

using Relative = std::shared_ptr<const RelativePositions>;

std::function<AttentionBlockLayer(WeightReader&, const Relative&)>
declareAttention(WeightTable& table, const LayerPlan& plan, int layer, bool self)
{
    const AttentionNames& names = self ? plan.names.self : plan.names.cross;
    const std::string prefix = layerPrefix(plan, layer);
    const auto inputs = declareInputs(table, plan, prefix, names, self ? plan.width : plan.memoryWidth);
    const auto output = declareMatrix(table, plan, prefix + names.output, plan.width,
                                      plan.shape.heads * plan.shape.width, plan.outputBias);
    const auto norm = table.norm(prefix + names.norm, plan.width, plan.epsilon, plan.rmsNorm);
    return [=, settings = settingsOf(plan, layer, self),
            place = plan.place](WeightReader& reader, const Relative& relative) -> AttentionBlockLayer {
        MultiHeadSettings own = settings;
        own.relative = relative;
        std::vector<Linear> parts = inputs(reader);
        MultiHeadAttention attention(std::move(own), std::move(parts[0]), std::move(parts[1]), std::move(parts[2]),
                                     output(reader));
        return {std::move(attention), norm(reader), place};
    };
}

Weight<FeedForward> declareFeedForward(WeightTable& table, const LayerPlan& plan, const std::string& layer)
{
    const LayerNames& names = plan.names;
    const int inner = plan.feedForwardWidth;
    const auto first = declareMatrix(table, plan, layer + names.first, inner, plan.width, plan.feedForwardBias);
    const auto second = declareMatrix(table, plan, layer + names.second, plan.width, inner, plan.feedForwardBias);
    std::optional<Weight<Linear>> gate;
    if (!names.gate.empty())
        gate = declareMatrix(table, plan, layer + names.gate, inner, plan.width, plan.feedForwardBias);
    const auto norm = table.norm(layer + names.norm, plan.width, plan.epsilon, plan.rmsNorm);
    return [=, activation = plan.activation, place = plan.place](WeightReader& reader) -> FeedForward {
        Linear inwards = first(reader);
        Linear outwards = second(reader);
        std::optional<Linear> gated = readIf(gate, reader);
        return {std::move(inwards), std::move(outwards), std::move(gated), activation, norm(reader), place};
    };
}

} // namespace

Weight<std::vector<TransformerLayer>> declareLayers(WeightTable& table, const LayerPlan& plan)
{
    using Layer = std::function<TransformerLayer(WeightReader&, const Relative&)>;
    std::vector<Layer> layers;
    for (int layer = 0; layer < plan.layers; ++layer) {
        const auto self = declareAttention(table, plan, layer, true);
        const auto cross = plan.memoryWidth > 0 ? declareAttention(table, plan, layer, false) : nullptr;
        const auto feedForward = declareFeedForward(table, plan, layerPrefix(plan, layer));
        layers.emplace_back([=](WeightReader& reader, const Relative& relative) -> TransformerLayer {
            AttentionBlockLayer own = self(reader, relative);
            std::optional<AttentionBlockLayer> other;
            if (cross)
                other = cross(reader, nullptr);
            return {std::move(own), std::move(other), feedForward(reader)};
        });
    }
    return [layers, relative = plan.relative](WeightReader& reader) {
        const Relative positions = relative ? relative(reader) : nullptr;
        std::vector<TransformerLayer> result;
        for (const Layer& layer : layers)
            result.push_back(layer(reader, positions));
        return result;
    };
}

TransformerStack readStack(WeightReader& reader, TokenInput input, const Weight<std::vector<TransformerLayer>>& layers,
                           const std::optional<Weight<Norm>>& finalNorm)
{
    std::vector<TransformerLayer> read = layers(reader);
    std::optional<Norm> norm = readIf(finalNorm, reader);
    return {std::move(input), std::move(read), std::move(norm)};
}

ModelInfo describeLayers(const JsonObject& config, const LayerPlan* encoder, const LayerPlan* decoder,
                         const WeightReader& reader)
{
    const LayerPlan& plan = encoder == nullptr ? *decoder : *encoder;
    ModelInfo info;
    info.family = config.requireString("model_type");
    info.kind = encoder == nullptr ? ModelKind::DecoderOnly
        : decoder == nullptr       ? ModelKind::EncoderOnly
                                   : ModelKind::EncoderDecoder;
    info.architecture.preNorm = plan.place == NormPlace::Before;
    info.architecture.gated = !plan.names.gate.empty();
    if (encoder != nullptr) {
        info.encoderLayers = encoder->layers;
        info.encoderHeads = encoder->shape.heads;
        info.bestSite = {Stage::Encoder, 0};
    }
    if (decoder != nullptr) {
        info.decoderLayers = decoder->layers;
        info.decoderHeads = decoder->shape.heads;
        info.bestSite = {Stage::Decoder, 0};
    }
    if (encoder != nullptr && decoder != nullptr) {
        info.crossLayers = decoder->layers;
        info.crossHeads = decoder->shape.heads;
        info.bestSite = {Stage::Cross, aligningLayer(decoder->layers)};
    }
    info.keyValueHeads = plan.shape.sharing > 1 ? plan.shape.keyValueHeads() : 0;
    info.headWidth = plan.shape.width;
    info.modelWidth = plan.width;
    info.feedForwardWidth = plan.feedForwardWidth;
    info.storedDType = reader.storedDType();
    info.parameters = reader.parameters();
    return info;
}

FamilyOutput buildDecoder(const FamilyInput& input, const LayerPlan& plan, const DecoderNames& names, bool tied,
                          Positions scheme, std::optional<int> positions)
{
    const int vocabulary = requireSize(input.config, "vocab_size");
    const auto checkpoint =
        std::make_shared<RenamedCheckpoint>(input.checkpoint, names.prefix, std::vector{names.output + '.'});
    const auto [embedding, output] = tokenTables(*checkpoint, {weightOf(names.words)}, {weightOf(names.output)},
                                                 input.config.boolOr("tie_word_embeddings", tied));
    const Shape shape{vocabulary, plan.width};
    WeightTable table;
    const auto tokens = table.embedding(embedding, shape);
    std::optional<Weight<Embedding>> positionRows;
    if (positions)
        positionRows = table.embedding(weightOf(names.positions), {*positions, plan.width});
    const auto layers = declareLayers(table, plan);
    const auto norm = table.norm(names.finalNorm, plan.width, plan.epsilon, plan.rmsNorm);
    const auto logits = table.matrix(output, shape);

    requireOutput(*checkpoint, embedding, output, shape);
    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    TokenInput words{tokens(reader), 1, {}, {}, {}, {}};
    if (positions)
        words.positions = {AddedPositions::Learned, plan.width, readIf(positionRows, reader), 0, {}};
    parts.decoder = readStack(reader, std::move(words), layers, norm);
    parts.head = OutputHead{{}, Activation::Gelu, {}, 1, logits(reader)};
    ModelInfo info = describeLayers(input.config, nullptr, &plan, reader);
    info.sourceVocabulary = info.targetVocabulary = vocabulary;
    info.maximumLength = positions;
    info.positions = std::move(scheme);
    readTokenSettings(input.config, info);
    return {std::make_shared<Transformer>(std::move(info), std::move(parts)), reader.ignored()};
}

std::vector<GgufName> ggufWhole(const DecoderNames& names)
{
    std::vector<GgufName> result{{"token_embd", names.prefix + names.words},
                                 {"output_norm", names.prefix + names.finalNorm},
                                 {"output", names.output}};
    if (!names.positions.empty())
        result.push_back({"position_embd", names.prefix + names.positions});
    return result;
}

std::vector<GgufName> ggufLayer(const LayerNames& names, NormPlace place)
{
    const bool before = place == NormPlace::Before;
    std::vector<GgufName> result{{"attn_output", names.self.output},
                                 {before ? "attn_norm" : "attn_output_norm", names.self.norm},
                                 {"ffn_up", names.first},
                                 {"ffn_down", names.second},
                                 {before ? "ffn_norm" : "layer_output_norm", names.norm}};
    if (names.self.key.empty())
        result.push_back({"attn_qkv", names.self.query});
    else
        result.insert(result.end(),
                      {{"attn_q", names.self.query}, {"attn_k", names.self.key}, {"attn_v", names.self.value}});
    if (!names.gate.empty())
        result.push_back({"ffn_gate", names.gate});
    return result;
}

std::string firstStored(const Checkpoint& checkpoint, const std::vector<std::string>& names)
{
    const auto found =
        std::ranges::find_if(names, [&](const std::string& name) { return checkpoint.find(name).has_value(); });
    return found == names.end() ? names.front() : *found;
}

TokenTables tokenTables(const Checkpoint& checkpoint, std::vector<std::string> embedding,
                        const std::vector<std::string>& output, bool tied)
{
    if (!tied)
        return {firstStored(checkpoint, embedding), firstStored(checkpoint, output)};
    embedding.insert(embedding.end(), output.begin(), output.end());
    const std::string table = firstStored(checkpoint, embedding);
    return {table, table};
}

void requireOutput(const Checkpoint& checkpoint, const std::string& words, const std::string& output,
                   const Shape& shape)
{
    if (checkpoint.find(output) || !checkpoint.find(words))
        return;
    throw Error(ErrorKind::Format, checkpoint.name(),
                fmt::format("has no output layer: {} [{}] is missing, and {} does not tie it to {}", output,
                            fmt::join(shape, ", "), checkpoint.configName(), words),
                checkpoint.config() != nullptr
                    ? "convert the whole model, not its base"
                    : "save the whole model (AutoModelForCausalLM or AutoModelForSeq2SeqLM), not its base; if the two "
                      "are one matrix, add \"tie_word_embeddings\": true to config.json");
}

} // namespace attn

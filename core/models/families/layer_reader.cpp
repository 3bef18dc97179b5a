// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/layer_reader.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace attn {

namespace {

std::string layerPrefix(const LayerPlan& plan, int layer)
{
    return fmt::format("{}{}.", plan.prefix, layer);
}

void expectMatrix(ExpectedTensors& expected, const LayerPlan& plan, const std::string& name, int outputs, int inputs,
                  bool bias)
{
    expectLinear(expected, name, outputs, inputs, bias);
    if (plan.convolutions)
        expected[name + ".weight"] = {inputs, outputs};
}

void expectAttention(ExpectedTensors& expected, const LayerPlan& plan, const std::string& layer,
                     const AttentionNames& names, int keyInputs)
{
    const int queryWidth = plan.shape.heads * plan.shape.width;
    const int keyWidth = plan.shape.keyValueHeads() * plan.shape.width;
    if (names.key.empty()) {
        expectMatrix(expected, plan, layer + names.query, queryWidth + 2 * keyWidth, plan.width, plan.inputBias);
    } else {
        expectMatrix(expected, plan, layer + names.query, queryWidth, plan.width, plan.inputBias);
        expectMatrix(expected, plan, layer + names.key, keyWidth, keyInputs, plan.inputBias);
        expectMatrix(expected, plan, layer + names.value, keyWidth, keyInputs, plan.inputBias);
    }
    expectMatrix(expected, plan, layer + names.output, plan.width, queryWidth, plan.outputBias);
    expectNorm(expected, layer + names.norm, plan.width, plan.rmsNorm);
}

Linear readMatrix(WeightReader& reader, const LayerPlan& plan, const std::string& name, bool bias)
{
    if (!plan.convolutions)
        return readLinear(reader, name, bias);
    return std::move(reader.convolution(name + ".weight", name + ".bias", 1).front());
}

MultiHeadAttention readProjections(WeightReader& reader, const LayerPlan& plan, const std::string& layer,
                                   const AttentionNames& names, MultiHeadSettings settings)
{
    if (names.key.empty()) {
        auto parts = reader.convolution(layer + names.query + ".weight", layer + names.query + ".bias", 3);
        return {std::move(settings), std::move(parts[0]), std::move(parts[1]), std::move(parts[2]),
                readMatrix(reader, plan, layer + names.output, plan.outputBias)};
    }
    Linear query = readMatrix(reader, plan, layer + names.query, plan.inputBias);
    Linear key = readMatrix(reader, plan, layer + names.key, plan.inputBias);
    Linear value = readMatrix(reader, plan, layer + names.value, plan.inputBias);
    return {std::move(settings), std::move(query), std::move(key), std::move(value),
            readMatrix(reader, plan, layer + names.output, plan.outputBias)};
}

AttentionBlockLayer readAttention(WeightReader& reader, const LayerPlan& plan, int layer, const AttentionNames& names,
                                  bool self)
{
    const auto index = static_cast<std::size_t>(layer);
    MultiHeadSettings settings;
    settings.shape = plan.shape;
    settings.scale =
        plan.scales.empty() ? 1.0F / std::sqrt(static_cast<float>(plan.shape.width)) : plan.scales.at(index);
    if (self) {
        settings.rotary = plan.rotary;
        settings.relative = plan.relative;
        settings.window = plan.windows.empty() ? 0 : plan.windows.at(index);
    }
    const std::string prefix = layerPrefix(plan, layer);
    return {readProjections(reader, plan, prefix, names, std::move(settings)),
            readNorm(reader, prefix + names.norm, plan.epsilon, plan.rmsNorm), plan.place};
}

FeedForward readFeedForward(WeightReader& reader, const LayerPlan& plan, const std::string& layer)
{
    const LayerNames& names = plan.names;
    Linear first = readMatrix(reader, plan, layer + names.first, plan.feedForwardBias);
    Linear second = readMatrix(reader, plan, layer + names.second, plan.feedForwardBias);
    std::optional<Linear> gate;
    if (!names.gate.empty())
        gate = readMatrix(reader, plan, layer + names.gate, plan.feedForwardBias);
    return {std::move(first),
            std::move(second),
            std::move(gate),
            plan.activation,
            readNorm(reader, layer + names.norm, plan.epsilon, plan.rmsNorm),
            plan.place};
}

} // namespace

void expectNorm(ExpectedTensors& expected, const std::string& name, std::int64_t width, bool rms)
{
    expected[name + ".weight"] = {width};
    if (!rms)
        expected[name + ".bias"] = {width};
}

void expectLayers(ExpectedTensors& expected, const LayerPlan& plan)
{
    for (int layer = 0; layer < plan.layers; ++layer) {
        const std::string prefix = layerPrefix(plan, layer);
        expectAttention(expected, plan, prefix, plan.names.self, plan.width);
        if (plan.memoryWidth > 0)
            expectAttention(expected, plan, prefix, plan.names.cross, plan.memoryWidth);
        expectMatrix(expected, plan, prefix + plan.names.first, plan.feedForwardWidth, plan.width,
                     plan.feedForwardBias);
        expectMatrix(expected, plan, prefix + plan.names.second, plan.width, plan.feedForwardWidth,
                     plan.feedForwardBias);
        if (!plan.names.gate.empty())
            expectMatrix(expected, plan, prefix + plan.names.gate, plan.feedForwardWidth, plan.width,
                         plan.feedForwardBias);
        expectNorm(expected, prefix + plan.names.norm, plan.width, plan.rmsNorm);
    }
}

Linear readLinear(WeightReader& reader, const std::string& name, bool bias)
{
    return reader.linear(name + ".weight", bias ? name + ".bias" : std::string());
}

Norm readNorm(WeightReader& reader, const std::string& name, float epsilon, bool rms)
{
    if (rms)
        return reader.rmsNorm(name, epsilon);
    return reader.layerNorm(name, epsilon);
}

std::vector<TransformerLayer> readLayers(WeightReader& reader, const LayerPlan& plan)
{
    std::vector<TransformerLayer> result;
    for (int layer = 0; layer < plan.layers; ++layer) {
        AttentionBlockLayer self = readAttention(reader, plan, layer, plan.names.self, true);
        std::optional<AttentionBlockLayer> cross;
        if (plan.memoryWidth > 0)
            cross = readAttention(reader, plan, layer, plan.names.cross, false);
        result.push_back({std::move(self), std::move(cross), readFeedForward(reader, plan, layerPrefix(plan, layer))});
    }
    return result;
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
    info.description = fmt::format("Transformer{}, {}{}",
                                   decoder == nullptr       ? " encoder"
                                       : encoder == nullptr ? " decoder"
                                                            : "",
                                   plan.place == NormPlace::After ? "post-norm" : "pre-norm",
                                   plan.names.gate.empty() ? "" : ", gated feed-forward");
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

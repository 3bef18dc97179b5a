// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/families/family.h"
#include "models/families/token_settings.h"
#include "models/transformer.h"
#include "models/weight_reader.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

constexpr std::int64_t largestSize = 1 << 24;
constexpr std::int64_t mostLayers = 1024;

int size(const JsonObject& config, std::string_view field, std::int64_t most = largestSize)
{
    return static_cast<int>(config.requireInt(field, 1, most));
}

void refuse(const JsonObject& config, std::string_view field, std::string_view problem, std::string_view advice)
{
    throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", config.where(), field), std::string(problem),
                std::string(advice));
}

TransformerStack readStack(const JsonObject& config, const std::string& side, int width)
{
    const TransformerStack stack{size(config, side + "_layers", mostLayers), size(config, side + "_attention_heads"),
                                 size(config, side + "_ffn_dim")};
    if (width % stack.heads != 0)
        throw Error(ErrorKind::Format, fmt::format("{}: {}_attention_heads", config.where(), side),
                    fmt::format("{} heads do not divide d_model {}", stack.heads, width));
    return stack;
}

TransformerConfig readConfig(const JsonObject& config)
{
    if (config.boolOr("normalize_before", false))
        refuse(config, "normalize_before", "true (normalisation before each block) is not supported",
               "Hugging Face's Marian models normalise after each block");
    if (config.boolOr("normalize_embedding", false))
        refuse(config, "normalize_embedding", "true (normalised embeddings) is not supported",
               "Hugging Face's Marian models do not normalise embeddings");
    if (!config.boolOr("static_position_embeddings", true))
        refuse(config, "static_position_embeddings", "false (learned positions) is not supported",
               "Hugging Face's Marian models use sinusoidal positions");

    TransformerConfig result;
    result.width = size(config, "d_model");
    result.encoder = readStack(config, "encoder", result.width);
    result.decoder = readStack(config, "decoder", result.width);
    result.sourceVocabulary = size(config, "vocab_size");
    result.targetVocabulary =
        static_cast<int>(config.optionalInt("decoder_vocab_size", 1, largestSize).value_or(result.sourceVocabulary));
    result.maximumPositions =
        static_cast<int>(config.optionalInt("max_position_embeddings", 1, largestSize).value_or(1024));
    const std::string activation = config.stringOr("activation_function", "gelu");
    const auto known = activationByName(activation);
    if (!known)
        refuse(config, "activation_function", fmt::format("'{}' is not supported", activation),
               "use relu, gelu, gelu_new, swish or tanh");
    result.activation = *known;
    if (config.boolOr("scale_embedding", false))
        result.embeddingScale = std::sqrt(static_cast<float>(result.width));
    return result;
}

// Where this checkpoint keeps what: with or without the base model's prefix, and under which of the names that tied
// tables may be stored.
struct Names
{
    std::string prefix; // "model." or ""
    std::string sourceEmbedding;
    std::string targetEmbedding;
    std::string output;
    std::string outputBias; // empty: none
};

Names resolveNames(const JsonObject& config, const Checkpoint& checkpoint)
{
    const bool shared = config.boolOr("share_encoder_decoder_embeddings", true);
    const bool tied = config.boolOr("tie_word_embeddings", true);
    const auto stored = [&](const std::string& name) { return checkpoint.find(name).has_value(); };
    const auto firstStored = [&](const std::vector<std::string>& candidates) {
        const auto found = std::ranges::find_if(candidates, stored);
        return found == candidates.end() ? candidates.front() : *found;
    };

    Names names;
    const auto all = checkpoint.tensorNames();
    names.prefix =
        std::ranges::any_of(all, [](const std::string& name) { return name.starts_with("model."); }) ? "model." : "";
    const std::string common = names.prefix + "shared.weight";
    const std::string encoder = names.prefix + "encoder.embed_tokens.weight";
    const std::string decoder = names.prefix + "decoder.embed_tokens.weight";
    const std::string head = "lm_head.weight";
    if (shared) {
        names.sourceEmbedding =
            tied ? firstStored({common, encoder, decoder, head}) : firstStored({common, encoder, decoder});
        names.targetEmbedding = names.sourceEmbedding;
    } else {
        names.sourceEmbedding = firstStored({encoder, common});
        names.targetEmbedding = tied ? firstStored({decoder, head}) : decoder;
    }
    names.output = tied ? names.targetEmbedding : head;
    if (stored("final_logits_bias"))
        names.outputBias = "final_logits_bias";
    return names;
}

// The attention blocks of a layer as (block, its normalisation).
using Block = std::pair<std::string, std::string>;
const Block selfBlock{"self_attn", "self_attn_layer_norm"};
const Block crossBlock{"encoder_attn", "encoder_attn_layer_norm"};

void expectVectorPair(ExpectedTensors& expected, const std::string& name, std::int64_t width)
{
    expected[name + ".weight"] = {width};
    expected[name + ".bias"] = {width};
}

void expectLinear(ExpectedTensors& expected, const std::string& name, std::int64_t outputs, std::int64_t inputs)
{
    expected[name + ".weight"] = {outputs, inputs};
    expected[name + ".bias"] = {outputs};
}

void expectLayer(ExpectedTensors& expected, const std::string& layer, const TransformerConfig& config,
                 const TransformerStack& stack, bool cross)
{
    std::vector<Block> blocks{selfBlock};
    if (cross)
        blocks.push_back(crossBlock);
    for (const auto& [attention, norm] : blocks) {
        for (const char* projection : {"q_proj", "k_proj", "v_proj", "out_proj"})
            expectLinear(expected, fmt::format("{}{}.{}", layer, attention, projection), config.width, config.width);
        expectVectorPair(expected, layer + norm, config.width);
    }
    expectLinear(expected, layer + "fc1", stack.feedForwardWidth, config.width);
    expectLinear(expected, layer + "fc2", config.width, stack.feedForwardWidth);
    expectVectorPair(expected, layer + "final_layer_norm", config.width);
}

std::string layerPrefix(const Names& names, const char* side, int layer)
{
    return fmt::format("{}{}.layers.{}.", names.prefix, side, layer);
}

ExpectedTensors expectTensors(const TransformerConfig& config, const Names& names)
{
    ExpectedTensors expected;
    for (int layer = 0; layer < config.encoder.layers; ++layer)
        expectLayer(expected, layerPrefix(names, "encoder", layer), config, config.encoder, false);
    for (int layer = 0; layer < config.decoder.layers; ++layer)
        expectLayer(expected, layerPrefix(names, "decoder", layer), config, config.decoder, true);
    expected[names.sourceEmbedding] = {config.sourceVocabulary, config.width};
    expected[names.targetEmbedding] = {config.targetVocabulary, config.width};
    expected[names.output] = {config.targetVocabulary, config.width};
    if (!names.outputBias.empty())
        expected[names.outputBias] = {1, config.targetVocabulary};
    return expected;
}

AttentionBlockLayer readAttention(WeightReader& reader, const std::string& layer, const Block& block,
                                  const TransformerConfig& config, const TransformerStack& stack)
{
    const auto projection = [&](const char* name) {
        const std::string prefix = fmt::format("{}{}.{}", layer, block.first, name);
        return reader.linear(prefix + ".weight", prefix + ".bias");
    };
    return {MultiHeadAttention(stack.heads, projection("q_proj"), projection("k_proj"), projection("v_proj"),
                               projection("out_proj")),
            reader.layerNorm(layer + block.second, config.normEpsilon)};
}

TransformerLayer readLayer(WeightReader& reader, const std::string& layer, const TransformerConfig& config,
                           const TransformerStack& stack, bool cross)
{
    return {readAttention(reader, layer, selfBlock, config, stack),
            cross ? std::optional(readAttention(reader, layer, crossBlock, config, stack)) : std::nullopt,
            {reader.linear(layer + "fc1.weight", layer + "fc1.bias"),
             reader.linear(layer + "fc2.weight", layer + "fc2.bias"),
             reader.layerNorm(layer + "final_layer_norm", config.normEpsilon), config.activation}};
}

TransformerWeights readWeights(WeightReader& reader, const TransformerConfig& config, const Names& names)
{
    std::vector<TransformerLayer> encoder;
    for (int layer = 0; layer < config.encoder.layers; ++layer)
        encoder.push_back(readLayer(reader, layerPrefix(names, "encoder", layer), config, config.encoder, false));
    std::vector<TransformerLayer> decoder;
    for (int layer = 0; layer < config.decoder.layers; ++layer)
        decoder.push_back(readLayer(reader, layerPrefix(names, "decoder", layer), config, config.decoder, true));
    return {reader.embedding(names.sourceEmbedding), reader.embedding(names.targetEmbedding), std::move(encoder),
            std::move(decoder), reader.linear(names.output, names.outputBias)};
}

ModelInfo describe(const JsonObject& json, const TransformerConfig& config, const WeightReader& reader)
{
    ModelInfo info;
    info.family = "marian";
    info.kind = ModelKind::EncoderDecoder;
    info.description = "Transformer, post-norm";
    info.encoderLayers = config.encoder.layers;
    info.decoderLayers = config.decoder.layers;
    info.encoderHeads = config.encoder.heads;
    info.decoderHeads = config.decoder.heads;
    info.crossHeads = config.decoder.heads;
    info.crossLayers = config.decoder.layers;
    info.modelWidth = config.width;
    info.feedForwardWidth = config.encoder.feedForwardWidth;
    info.sourceVocabulary = config.sourceVocabulary;
    info.targetVocabulary = config.targetVocabulary;
    info.maximumLength = config.maximumPositions;
    info.positions = "sinusoidal";
    info.storedDType = reader.storedDType();
    info.parameters = reader.parameters();
    // Of six layers the one before the last aligned words best (Garg et al. 2019, section 4); of the three of the
    // bundled model it is the last.
    const int layers = config.decoder.layers;
    info.bestSite = {Stage::Cross, layers < 6 ? layers - 1 : layers - 2};
    readTokenSettings(json, info);
    return info;
}

} // namespace

FamilyOutput buildMarian(const FamilyInput& input)
{
    const TransformerConfig config = readConfig(input.config);
    const Names names = resolveNames(input.config, *input.checkpoint);
    WeightReader reader(input.engine, input.checkpoint, expectTensors(config, names), input.progress, input.stop);
    ModelInfo info = describe(input.config, config, reader);
    TransformerWeights weights = readWeights(reader, config, names);
    return {std::make_shared<Transformer>(config, std::move(info), std::move(weights)), reader.ignored()};
}

} // namespace attn

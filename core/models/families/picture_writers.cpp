// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/families/bert_plan.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/families/vision_plan.h"
#include "models/transformer.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace attn {

namespace {

// A decoder with cross attention to a picture, as data. Names are whole, without ".weight"; empty: none.
struct WriterPlan
{
    LayerPlan layers;
    std::string words;
    std::string output;
    std::string positions; // of a learned table
    std::string norm = {}; // of the embeddings
    std::string finalNorm = {};
    AddedPositions scheme = AddedPositions::Learned;
    int vocabulary = 0;
    int positionCount = 0;
    int positionOffset = 0; // as of PositionTable
    std::optional<TokenId> padding = {}; // likewise
    float scale = 1; // of the embeddings
};

// Width of the feed-forward halves, where the configuration leaves n_inner out: the stored one's.
std::optional<int> storedInnerWidth(const Checkpoint& checkpoint)
{
    constexpr std::int64_t most = 1 << 24;
    const auto bias = checkpoint.find("decoder.transformer.h.0.mlp.c_fc.bias");
    const bool isWidth = bias && bias->shape.size() == 1 && bias->shape[0] > 0 && bias->shape[0] <= most;
    return isWidth ? std::optional(static_cast<int>(bias->shape[0])) : std::nullopt;
}

WriterPlan readGpt2Writer(const JsonObject& config, const Checkpoint& checkpoint)
{
    WriterPlan plan{readGpt2Layers(config), "decoder.transformer.wte", "decoder.lm_head", "decoder.transformer.wpe"};
    plan.layers.prefix.insert(0, "decoder.transformer.");
    if (!config.has("n_inner"))
        plan.layers.feedForwardWidth = storedInnerWidth(checkpoint).value_or(plan.layers.feedForwardWidth);
    plan.layers.names.cross = {"crossattention.q_attn", "crossattention.c_attn", "", "crossattention.c_proj",
                               "ln_cross_attn"};
    plan.finalNorm = "decoder.transformer.ln_f";
    plan.vocabulary = sizeOr(config, "vocab_size", 50257);
    plan.positionCount = sizeOr(config, "n_positions", 1024);
    return plan;
}

WriterPlan readTrocrWriter(const JsonObject& config)
{
    const std::string prefix = "decoder.model.decoder.";
    WriterPlan plan;
    LayerPlan& layers = plan.layers;
    layers.prefix = prefix + "layers.";
    layers.names = bartLayerNames();
    layers.width = sizeOr(config, "d_model", 1024);
    layers.layers = config.has("decoder_layers") ? requireLayers(config, "decoder_layers") : 12;
    const int heads = sizeOr(config, "decoder_attention_heads", 16);
    layers.shape = {heads, headWidth(config, "decoder_attention_heads", heads, layers.width)};
    layers.feedForwardWidth = sizeOr(config, "decoder_ffn_dim", 4096);
    layers.activation = activationOr(config, "activation_function", "gelu");
    plan.words = prefix + "embed_tokens";
    plan.output = "decoder.output_projection";
    if (config.boolOr("layernorm_embedding", true))
        plan.norm = prefix + "layernorm_embedding";
    plan.vocabulary = sizeOr(config, "vocab_size", 50265);
    plan.positionCount = sizeOr(config, "max_position_embeddings", 512);
    plan.positionOffset = 2;
    if (config.boolOr("use_learned_position_embeddings", true)) {
        plan.positions = prefix + "embed_positions";
    } else {
        plan.scheme = AddedPositions::SinusoidalSpread;
        plan.padding = config.optionalInt("pad_token_id", 0, plan.vocabulary - 1).value_or(1);
        plan.positionOffset = *plan.padding + 1;
    }
    if (config.boolOr("scale_embedding", false))
        plan.scale = std::sqrt(static_cast<float>(layers.width));
    return plan;
}

WriterPlan readWriter(const JsonObject& config, const Checkpoint& checkpoint)
{
    const std::string type = config.requireString("model_type");
    if (type == "gpt2")
        return readGpt2Writer(config, checkpoint);
    if (type == "trocr")
        return readTrocrWriter(config);
    refuseSetting(config, "model_type", fmt::format("'{}' is not supported here", type), "gpt2 and trocr are");
}

Weight<TransformerStack> declareWriter(WeightTable& table, const WriterPlan& plan, const std::string& embedding)
{
    const int width = plan.layers.width;
    const auto words = table.embedding(embedding, {plan.vocabulary, width});
    std::optional<Weight<Embedding>> positions;
    if (plan.scheme == AddedPositions::Learned)
        positions = table.embedding(weightOf(plan.positions), {plan.positionCount + plan.positionOffset, width});
    const auto normOf = [&](const std::string& name) -> std::optional<Weight<Norm>> {
        if (name.empty())
            return std::nullopt;
        return table.norm(name, width, plan.layers.epsilon);
    };
    const auto norm = normOf(plan.norm);
    const auto layers = declareLayers(table, plan.layers);
    const auto finalNorm = normOf(plan.finalNorm);
    return [=](WeightReader& reader) {
        TokenInput input{words(reader), plan.scale, {}, {}, {}, {}};
        input.positions = {plan.scheme, width, readIf(positions, reader), plan.positionOffset, plan.padding};
        input.norm = readIf(norm, reader);
        return readStack(reader, std::move(input), layers, finalNorm);
    };
}

FamilyOutput buildPictureWriter(const FamilyInput& input)
{
    const JsonObject encoderConfig = input.config.requireObject("encoder");
    const JsonObject decoderConfig = input.config.requireObject("decoder");
    const auto checkpoint = std::make_shared<RenamedCheckpoint>(input.checkpoint, "", std::vector<std::string>());
    const RenamedCheckpoint below(checkpoint, "encoder.", {"decoder."});
    std::optional<VisionPlan> encoder = readVisionEncoder(encoderConfig, below);
    if (!encoder)
        refuseSetting(encoderConfig, "model_type",
                      fmt::format("'{}' is not supported here", encoderConfig.requireString("model_type")),
                      fmt::format("{} are", fmt::join(visionEncoderTypes(), ", ")));
    encoder->addPrefix("encoder.");
    WriterPlan decoder = readWriter(decoderConfig, *checkpoint);
    constexpr auto bridgeName = "enc_to_dec_proj";
    const bool bridged = checkpoint->find(weightOf(bridgeName)).has_value();
    decoder.layers.memoryWidth = bridged ? decoder.layers.width : encoder->layers.width;
    const auto [embedding, output] = tokenTables(*checkpoint, {weightOf(decoder.words)}, {weightOf(decoder.output)},
                                                 decoderConfig.boolOr("tie_word_embeddings", true));
    WeightTable table;
    const auto first = declareVision(table, *encoder);
    const auto second = declareWriter(table, decoder, embedding);
    const auto logits = table.matrix(output, {decoder.vocabulary, decoder.layers.width});
    std::optional<Weight<Linear>> bridge;
    if (bridged)
        bridge = table.linear(bridgeName, decoder.layers.width, encoder->layers.width);
    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    parts.encoder = first(reader);
    parts.decoder = second(reader);
    parts.head = OutputHead{{}, {}, {}, 1, logits(reader)};
    parts.bridge = readIf(bridge, reader);
    ModelInfo info = describeLayers(input.config, &encoder->layers, &decoder.layers, reader);
    describePictures(*encoder, info);
    info.targetVocabulary = decoder.vocabulary;
    info.maximumLength = decoder.positionCount;
    readTokenSettings(withTokensOf(input.config, decoderConfig), info);
    return {std::make_shared<Transformer>(std::move(info), std::move(parts)), reader.ignored()};
}

// A part of a configuration, with what its class has where it says nothing.
JsonObject withDefaults(const JsonObject& config, std::string_view field, const Json& defaults)
{
    Json part = config.has(field) ? config.requireObject(field).json() : Json::object();
    for (const auto& [key, value] : defaults.items()) {
        if (!part.contains(key) || part[key].is_null())
            part[key] = value;
    }
    return {std::move(part), fmt::format("{}: {}", config.where(), field)};
}

VisionPlan readBlipVision(const JsonObject& config, const Checkpoint& checkpoint)
{
    VisionPlan plan;
    LayerPlan& layers = plan.layers;
    layers.prefix = "vision_model.encoder.layers.";
    layers.names = {
        {"self_attn.qkv", "", "", "self_attn.projection", "layer_norm1"}, {}, "mlp.fc1", "mlp.fc2", "", "layer_norm2"};
    layers.width = requireSize(config, "hidden_size");
    layers.layers = requireLayers(config, "num_hidden_layers");
    const int heads = requireSize(config, "num_attention_heads");
    layers.shape = {heads, headWidth(config, "num_attention_heads", heads, layers.width)};
    layers.feedForwardWidth = requireSize(config, "intermediate_size");
    layers.activation = activationOr(config, "hidden_act", "gelu");
    layers.place = NormPlace::Before;
    layers.epsilon = epsilonOr(config, "layer_norm_eps", 1e-5);
    const std::string embeddings = "vision_model.embeddings.";
    plan.specials.push_back({embeddings + "class_embedding", {1, 1, layers.width}, {"[CLS]"}});
    plan.projection = embeddings + "patch_embedding";
    plan.positions = embeddings + "position_embedding";
    plan.finalNorm = "vision_model.post_layernorm";
    readPictureSizes(config, checkpoint, 384, 16, plan);
    return plan;
}

// BERT as a decoder without token types, behind a picture.
BertPlan readBlipText(const JsonObject& config, int memoryWidth)
{
    BertPlan plan = readBertPlan(config, {.segments = 0});
    plan.names.layer.cross = {"crossattention.self.query", "crossattention.self.key", "crossattention.self.value",
                              "crossattention.output.dense", "crossattention.output.LayerNorm"};
    plan.layers.memoryWidth = memoryWidth;
    return plan;
}

FamilyOutput buildBlip(const FamilyInput& input)
{
    const JsonObject vision = withDefaults(
        input.config, "vision_config",
        {{"hidden_size", 768}, {"intermediate_size", 3072}, {"num_hidden_layers", 12}, {"num_attention_heads", 12}});
    const JsonObject text = withDefaults(input.config, "text_config",
                                         {{"vocab_size", 30524},
                                          {"hidden_size", 768},
                                          {"intermediate_size", 3072},
                                          {"num_hidden_layers", 12},
                                          {"num_attention_heads", 8},
                                          {"max_position_embeddings", 512},
                                          {"bos_token_id", 30522},
                                          {"sep_token_id", 102}});
    const auto checkpoint = std::make_shared<RenamedCheckpoint>(input.checkpoint, "", std::vector<std::string>());
    const std::string side = "text_decoder.bert.";
    if (!checkpoint->find(weightOf(side + "embeddings.word_embeddings")))
        throw Error(ErrorKind::Unsupported, checkpoint->name(), "has no text_decoder",
                    "BLIP is read for captions (BlipForConditionalGeneration), not for questions or retrieval");
    const VisionPlan picture = readBlipVision(vision, *checkpoint);
    const BertPlan plan = readBlipText(text, picture.layers.width);
    const std::string words = weightOf(side + plan.names.words);
    const std::string output = firstStored(*checkpoint, {"text_decoder.cls.predictions.decoder.weight", words});
    WeightTable table;
    const auto first = declareVision(table, picture);
    const auto second = declareBert(table, plan, table.embedding(words, {plan.vocabulary, plan.embeddingWidth}), side);
    const auto head = declareBertHead(table, plan, output, "text_decoder.cls.predictions.bias", "text_decoder.");
    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    parts.encoder = first(reader);
    parts.decoder = second(reader);
    parts.head = head(reader);
    LayerPlan decoder = plan.layers;
    decoder.names = plan.names.layer;
    ModelInfo info = describeLayers(input.config, &picture.layers, &decoder, reader);
    describePictures(picture, info);
    info.targetVocabulary = plan.vocabulary;
    info.maximumLength = plan.maximumLength();
    info.decoderStart = text.requireInt("bos_token_id", 0, plan.vocabulary - 1);
    info.endToken = text.requireInt("sep_token_id", 0, plan.vocabulary - 1);
    return {std::make_shared<Transformer>(std::move(info), std::move(parts)), reader.ignored()};
}

ConfigKeys pictureWriterKeys()
{
    return {.read = {"decoder", "encoder"},
            .nested = {{"encoder", "", ModelKind::EncoderOnly}, {"decoder", "", ModelKind::DecoderOnly}}};
}

ConfigKeys blipKeys()
{
    return {.read = {"text_config", "vision_config"},
            .silent = {"image_text_hidden_size", "label_smoothing", "logit_scale_init_value", "projection_dim"}};
}

constexpr Family pictureWriterRows[] = {
    {"vision-encoder-decoder",
     "ViT-GPT2, TrOCR",
     {.tokenizerClass = "GPT2"},
     ModelKind::EncoderDecoder,
     pictureWriterKeys,
     buildPictureWriter},
    {"blip", "BLIP, for captions", {.tokenizerClass = "Bert"}, ModelKind::EncoderDecoder, blipKeys, buildBlip},
};

} // namespace

std::span<const Family> pictureWriterFamilies()
{
    return pictureWriterRows;
}

} // namespace attn

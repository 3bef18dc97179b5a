// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/vision_plan.h"
#include "models/two_towers.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace attn {

namespace {

// Differences between CLIP and SigLIP.
struct TowerKind
{
    bool pools; // by a learned query, not the class token
    const char* activation; // where the configuration does not say
    double epsilon; // likewise
    int patch;
    int textWidth;
    int textInner;
    int textHeads;
    int positions;
    int vocabulary;
    TokenId end;
};

constexpr TowerKind clip{false, "quick_gelu", 1e-5, 32, 512, 2048, 8, 77, 49408, 49407};
constexpr TowerKind siglip{true, "gelu_pytorch_tanh", 1e-6, 16, 768, 3072, 12, 64, 32000, 1};

struct TowerSizes
{
    int width = 768;
    int inner = 3072;
    int layers = 12;
    int heads = 12;
};

LayerPlan readTower(const JsonObject& config, const TowerKind& kind, const TowerSizes& sizes, const std::string& prefix)
{
    LayerPlan plan;
    plan.prefix = prefix + "encoder.layers.";
    plan.names = {{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj", "layer_norm1"},
                  {},
                  "mlp.fc1",
                  "mlp.fc2",
                  "",
                  "layer_norm2"};
    plan.width = sizeOr(config, "hidden_size", sizes.width);
    plan.layers = config.has("num_hidden_layers") ? requireLayers(config, "num_hidden_layers") : sizes.layers;
    const int heads = sizeOr(config, "num_attention_heads", sizes.heads);
    plan.shape = {heads, headWidth(config, "num_attention_heads", heads, plan.width)};
    plan.feedForwardWidth = sizeOr(config, "intermediate_size", sizes.inner);
    plan.activation = activationOr(config, "hidden_act", kind.activation);
    plan.place = NormPlace::Before;
    plan.epsilon = epsilonOr(config, "layer_norm_eps", kind.epsilon);
    return plan;
}

VisionPlan readPictureTower(const JsonObject& config, const TowerKind& kind, const Checkpoint& checkpoint,
                            const std::string& prefix)
{
    VisionPlan plan;
    plan.layers = readTower(config, kind, {}, prefix);
    plan.projection = prefix + "embeddings.patch_embedding";
    plan.projectionBias = kind.pools;
    plan.positions = prefix + "embeddings.position_embedding.weight";
    plan.positionsInBatch = false;
    if (kind.pools) {
        plan.finalNorm = prefix + "post_layernorm";
    } else {
        plan.specials.push_back({prefix + "embeddings.class_embedding", {plan.layers.width}, {"[CLS]"}});
        plan.inputNorm = prefix + "pre_layrnorm"; // as it is published
    }
    readPictureSizes(config, checkpoint, 224, kind.patch, plan);
    return plan;
}

// The tower of texts. Names are those of the tensors behind `prefix`.
struct TextTower
{
    LayerPlan layers;
    int vocabulary = 0;
    int positions = 0;
    TokenId end = 0; // whose state stands for the text
    std::string prefix;
};

TextTower readTextTower(const JsonObject& config, const TowerKind& kind, const std::string& prefix)
{
    constexpr TokenId largest = std::numeric_limits<TokenId>::max();
    return {.layers = readTower(config, kind, {kind.textWidth, kind.textInner, 12, kind.textHeads}, prefix),
            .vocabulary = sizeOr(config, "vocab_size", kind.vocabulary),
            .positions = sizeOr(config, "max_position_embeddings", kind.positions),
            .end = config.optionalInt("eos_token_id", 0, largest).value_or(kind.end),
            .prefix = prefix};
}

Weight<TransformerStack> declareTextTower(WeightTable& table, const TextTower& tower)
{
    const LayerPlan& plan = tower.layers;
    const std::string embeddings = tower.prefix + "embeddings.";
    const auto words = table.embedding(embeddings + "token_embedding.weight", {tower.vocabulary, plan.width});
    const auto places = table.embedding(embeddings + "position_embedding.weight", {tower.positions, plan.width});
    const auto layers = declareLayers(table, plan);
    const auto finalNorm = table.norm(tower.prefix + "final_layer_norm", plan.width, plan.epsilon);
    return [=, width = plan.width](WeightReader& reader) {
        TokenInput tokens{words(reader), 1, {}, {}, {}, {}};
        tokens.positions = {AddedPositions::Learned, width, places(reader), 0, {}};
        return readStack(reader, std::move(tokens), layers, std::optional(finalNorm));
    };
}

Weight<PoolingHead> declarePoolingHead(WeightTable& table, const LayerPlan& plan)
{
    const std::string prefix = "vision_model.head.";
    const std::int64_t width = plan.width;
    const auto probe = table.tensor(prefix + "probe", {1, 1, width});
    const auto weight = table.tensor(prefix + "attention.in_proj_weight", {3 * width, width});
    const auto bias = table.tensor(prefix + "attention.in_proj_bias", {3 * width});
    const auto output = table.linear(prefix + "attention.out_proj", width, width);
    const auto norm = table.norm(prefix + "layernorm", width, plan.epsilon);
    const auto first = table.linear(prefix + "mlp.fc1", plan.feedForwardWidth, width);
    const auto second = table.linear(prefix + "mlp.fc2", width, plan.feedForwardWidth);
    return [=, shape = plan.shape, activation = plan.activation](WeightReader& reader) -> PoolingHead {
        const Tensor weights = weight(reader);
        const Tensor biases = bias(reader);
        const auto part = [&](int number) { // of queries, keys and values
            const auto row = static_cast<Index>(number * width);
            return Linear(reader.engine(), Tensor::of(weights.matrix().rowRange(row, static_cast<Index>(width))),
                          Tensor({width},
                                 copyOf(biases.values().subspan(static_cast<std::size_t>(row),
                                                                static_cast<std::size_t>(width)))));
        };
        MultiHeadSettings settings;
        settings.shape = shape;
        settings.scale = 1.0F / std::sqrt(static_cast<float>(shape.width));
        Linear query = part(0);
        Linear key = part(1);
        Linear value = part(2);
        MultiHeadAttention attention(
            std::move(settings), AttentionLayers{std::move(query), std::move(key), std::move(value), output(reader)});
        Tensor probeRow({1, width}, copyOf(std::span<const float>(probe(reader).values())));
        Norm normed = norm(reader);
        Linear inwards = first(reader);
        Perceptron perceptron{std::move(inwards), second(reader), {}, activation};
        return {std::move(probeRow), std::move(attention), std::move(normed), std::move(perceptron)};
    };
}

FamilyOutput buildTowers(const FamilyInput& input, const TowerKind& kind)
{
    const auto part = [&](const char* field) {
        return input.config.has(field) ? input.config.requireObject(field)
                                       : JsonObject(Json::object(), fmt::format("{}: {}", input.config.where(), field));
    };
    const JsonObject pictureConfig = part("vision_config");
    const JsonObject textConfig = part("text_config");
    const auto checkpoint = std::make_shared<RenamedCheckpoint>(input.checkpoint, "", std::vector<std::string>());
    const VisionPlan picture = readPictureTower(pictureConfig, kind, *checkpoint, "vision_model.");
    const TextTower text = readTextTower(textConfig, kind, "text_model.");
    const int textWidth = text.layers.width;
    const int space = sizeOr(input.config, "projection_dim", kind.pools ? textWidth : 512);
    WeightTable table;
    const auto pictureStack = declareVision(table, picture);
    std::optional<Weight<PoolingHead>> pooling;
    std::optional<Weight<Norm>> classNorm;
    std::optional<Weight<Linear>> pictureProjection;
    if (kind.pools) {
        pooling = declarePoolingHead(table, picture.layers);
    } else {
        classNorm = table.norm("vision_model.post_layernorm", picture.layers.width, picture.layers.epsilon);
        pictureProjection = table.linear("visual_projection", space, picture.layers.width, false);
    }
    const auto textStack = declareTextTower(table, text);
    const auto textProjection = kind.pools ? table.linear(text.prefix + "head", picture.layers.width, textWidth)
                                           : table.linear("text_projection", space, textWidth, false);
    const auto numberShape = [&](const char* name) { // of one number, [] or [1]
        const auto stored = checkpoint->find(name);
        return stored ? stored->shape : Shape();
    };
    const auto scale = table.tensor("logit_scale", numberShape("logit_scale"));
    std::optional<Weight<Tensor>> shift;
    if (kind.pools)
        shift = table.tensor("logit_bias", numberShape("logit_bias"));
    WeightReader reader(input, checkpoint, table);
    std::optional<PoolingHead> head = readIf(pooling, reader);
    TransformerStack pictures = pictureStack(reader);
    TransformerStack texts = textStack(reader);
    ModelInfo info = describeLayers(input.config, &picture.layers, &text.layers, reader);
    describePictures(picture, info);
    info.input = InputKind::PictureAndText;
    info.crossLayers = info.crossHeads = 0;
    info.bestSite = {Stage::Encoder, info.encoderLayers - 1};
    info.poolingHeads = kind.pools ? picture.layers.shape.heads : 0;
    info.predictsTokens = false;
    info.targetVocabulary = text.vocabulary;
    info.maximumLength = text.positions;
    info.endToken = kind.pools ? kind.end : text.end;
    info.padsText = info.plainWords = kind.pools;
    info.reading = kind.pools ? ClassReading::AnyOf : ClassReading::OneOf; // of similarities
    constexpr TokenId misread = 2; // by configurations that were written when this was not looked at
    TowerParts parts{.picture = std::move(pictures),
                     .pooling = std::move(head),
                     .classNorm = readIf(classNorm, reader),
                     .pictureProjection = readIf(pictureProjection, reader),
                     .text = std::move(texts),
                     .textMask = kind.pools ? Mask::None : Mask::Causal,
                     .textEnd = kind.pools ? std::nullopt : std::optional(text.end),
                     .largestEnds = !kind.pools && text.end == misread,
                     .textProjection = textProjection(reader),
                     .scale = std::exp(scale(reader).values().front()),
                     .shift = shift ? (*shift)(reader).values().front() : 0.0F};
    return {std::make_shared<TwoTowers>(std::move(info), std::move(parts)), reader.ignored()};
}

// CLIP's tower of pictures, alone in a file.
FamilyOutput buildPictureHalf(const FamilyInput& input)
{
    const auto checkpoint = std::make_shared<RenamedCheckpoint>(input.checkpoint, "vision_model.",
                                                                std::vector<std::string>{"visual_projection."});
    const VisionPlan plan = readPictureTower(input.config, clip, *checkpoint, "");
    WeightTable table;
    const auto stack = declareVision(table, plan);
    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    parts.encoder = stack(reader);
    ModelInfo info = describeLayers(input.config, &plan.layers, nullptr, reader);
    describePictures(plan, info);
    return {std::make_shared<Transformer>(std::move(info), std::move(parts)), reader.ignored()};
}

// CLIP's tower of texts, alone in a file.
FamilyOutput buildTextHalf(const FamilyInput& input)
{
    const auto checkpoint = std::make_shared<RenamedCheckpoint>(input.checkpoint, "text_model.",
                                                                std::vector<std::string>{"text_projection."});
    const TextTower tower = readTextTower(input.config, clip, "");
    WeightTable table;
    const auto stack = declareTextTower(table, tower);
    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    parts.decoder = stack(reader);
    ModelInfo info = describeLayers(input.config, nullptr, &tower.layers, reader);
    info.sourceVocabulary = info.targetVocabulary = tower.vocabulary;
    info.maximumLength = tower.positions;
    info.positions.scheme = PositionScheme::Learned;
    info.predictsTokens = false;
    return {std::make_shared<Transformer>(std::move(info), std::move(parts)), reader.ignored()};
}

template<const TowerKind& kind>
FamilyOutput buildTowersOf(const FamilyInput& input)
{
    return buildTowers(input, kind);
}

ConfigKeys towerKeys()
{
    return {.read = {"projection_dim", "text_config", "vision_config"},
            .silent = {"logit_scale_init_value", "text_config_dict", "vision_config_dict"},
            .nested = {{"text_config", "clip_text_model", ModelKind::DecoderOnly},
                       {"vision_config", "clip_vision_model", ModelKind::EncoderOnly}}};
}

ConfigKeys pictureHalfKeys()
{
    return {.read = {"hidden_act", "hidden_size", "image_size", "intermediate_size", "layer_norm_eps",
                     "num_attention_heads", "num_channels", "num_hidden_layers", "patch_size"},
            .silent = {"projection_dim"}};
}

ConfigKeys textHalfKeys()
{
    return {.read = {"eos_token_id", "hidden_act", "hidden_size", "intermediate_size", "layer_norm_eps",
                     "max_position_embeddings", "num_attention_heads", "num_hidden_layers", "vocab_size"},
            .silent = {"projection_dim"}};
}

constexpr Family towerRows[] = {
    {.modelType = "clip",
     .published = "CLIP",
     .text = {.tokenizerClass = "CLIP"},
     .kind = ModelKind::EncoderDecoder,
     .keys = towerKeys,
     .build = buildTowersOf<clip>},
    {.modelType = "siglip",
     .published = "SigLIP",
     .text = {.tokenizerClass = "Siglip"},
     .kind = ModelKind::EncoderDecoder,
     .keys = towerKeys,
     .build = buildTowersOf<siglip>},
    {.modelType = "clip_vision_model",
     .published = "CLIP, its half of pictures",
     .text = {},
     .kind = ModelKind::EncoderOnly,
     .keys = pictureHalfKeys,
     .build = buildPictureHalf},
    {.modelType = "clip_text_model",
     .published = "CLIP, its half of texts",
     .text = {.tokenizerClass = "CLIP"},
     .kind = ModelKind::DecoderOnly,
     .keys = textHalfKeys,
     .build = buildTextHalf},
};

} // namespace

std::span<const Family> towerFamilies()
{
    return towerRows;
}

} // namespace attn

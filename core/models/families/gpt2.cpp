// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/transformer.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr auto gpt2Prefix = "transformer.";
constexpr auto gpt2Words = "wte";
constexpr auto gpt2Positions = "wpe";
constexpr auto gpt2FinalNorm = "ln_f";
constexpr auto gpt2Layers = "h.";
constexpr auto gpt2Output = "lm_head";

LayerNames gpt2LayerNames()
{
    return {{"attn.c_attn", "", "", "attn.c_proj", "ln_1"}, {}, "mlp.c_fc", "mlp.c_proj", "", "ln_2"};
}

LayerPlan readGpt2Plan(const JsonObject& config)
{
    if (config.boolOr("add_cross_attention", false))
        refuseSetting(config, "add_cross_attention", "true is not supported", "decoder-only models can be opened");
    LayerPlan plan;
    plan.prefix = gpt2Layers;
    plan.names = gpt2LayerNames();
    plan.layers = requireLayers(config, "n_layer");
    plan.width = requireSize(config, "n_embd");
    const int heads = requireSize(config, "n_head");
    plan.shape = {heads, headWidth(config, "n_head", heads, plan.width)};
    plan.feedForwardWidth = sizeOr(config, "n_inner", 4 * plan.width);
    plan.activation = activationOr(config, "activation_function", "gelu_new");
    plan.place = NormPlace::Before;
    plan.epsilon = epsilonOr(config, "layer_norm_epsilon", 1e-5);
    plan.convolutions = true;
    const bool byLayer = config.boolOr("scale_attn_by_inverse_layer_idx", false);
    const float scale =
        config.boolOr("scale_attn_weights", true) ? 1.0F / std::sqrt(static_cast<float>(plan.shape.width)) : 1.0F;
    for (int layer = 0; layer < plan.layers; ++layer)
        plan.scales.push_back(byLayer ? scale / static_cast<float>(layer + 1) : scale);
    return plan;
}

ModelInfo describeGpt2(const JsonObject& config, const LayerPlan& plan, int vocabulary, int positions,
                       const WeightReader& reader)
{
    ModelInfo info = describeLayers(config, nullptr, &plan, reader);
    info.sourceVocabulary = info.targetVocabulary = vocabulary;
    info.maximumLength = positions;
    info.positions.scheme = PositionScheme::Learned;
    readTokenSettings(config, info);
    return info;
}

FamilyOutput buildGpt2(const FamilyInput& input)
{
    const LayerPlan plan = readGpt2Plan(input.config);
    const int vocabulary = requireSize(input.config, "vocab_size");
    const int positions = sizeOr(input.config, "n_positions", 1024);
    const auto checkpoint =
        std::make_shared<RenamedCheckpoint>(input.checkpoint, gpt2Prefix, std::vector{std::string(gpt2Output) + '.'});
    const auto [embedding, output] = tokenTables(*checkpoint, {weightOf(gpt2Words)}, {weightOf(gpt2Output)},
                                                 input.config.boolOr("tie_word_embeddings", true));
    const Shape shape{vocabulary, plan.width};
    WeightTable table;
    const auto tokens = table.embedding(embedding, shape);
    const auto positionRows = table.embedding(weightOf(gpt2Positions), {positions, plan.width});
    const auto layers = declareLayers(table, plan);
    const auto norm = table.norm(gpt2FinalNorm, plan.width, plan.epsilon);
    const auto logits = table.matrix(output, shape);

    requireOutput(*checkpoint, embedding, output, shape);
    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    TokenInput words{tokens(reader), 1, {}, {}, {}, {}};
    words.positions = {AddedPositions::Learned, plan.width, positionRows(reader), 0, {}};
    parts.decoder = readStack(reader, std::move(words), layers, norm);
    parts.head = OutputHead{{}, Activation::Gelu, {}, 1, logits(reader)};
    return {std::make_shared<Transformer>(describeGpt2(input.config, plan, vocabulary, positions, reader),
                                          std::move(parts)),
            reader.ignored()};
}

Json gpt2Config(const GgufMetadata& file)
{
    return {{"n_embd", file.size("embedding_length")},
            {"n_layer", file.size("block_count")},
            {"n_head", file.size("attention.head_count")},
            {"n_inner", file.size("feed_forward_length")},
            {"n_positions", file.rows("position_embd.weight")},
            {"activation_function", "gelu_new"},
            {"layer_norm_epsilon", file.number("attention.layer_norm_epsilon").value_or(1e-5)},
            {"tie_word_embeddings", !file.hasTensor("output.weight")}};
}

GgufLayout gpt2Gguf()
{
    const std::string base = gpt2Prefix;
    return {.architecture = "gpt2",
            .config = gpt2Config,
            .whole = {{"token_embd", base + gpt2Words},
                      {"position_embd", base + gpt2Positions},
                      {"output_norm", base + gpt2FinalNorm},
                      {"output", gpt2Output}},
            .inLayer = ggufLayer(gpt2LayerNames(), NormPlace::Before),
            .layers = base + gpt2Layers,
            .transposed = true};
}

constexpr Family gpt2Rows[] = {{"gpt2", "Transformer decoder (GPT-2)", ModelKind::DecoderOnly, buildGpt2, gpt2Gguf}};

} // namespace

std::span<const Family> gpt2Families()
{
    return gpt2Rows;
}

} // namespace attn

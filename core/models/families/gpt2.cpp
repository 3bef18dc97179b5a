// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/renamed_checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/families/token_settings.h"
#include "models/transformer.h"

#include <cmath>
#include <utility>

namespace attn {

namespace {

constexpr auto gpt2Words = "wte.weight";
constexpr auto gpt2Positions = "wpe.weight";
constexpr auto gpt2FinalNorm = "ln_f";

LayerPlan readGpt2Plan(const JsonObject& config)
{
    if (config.boolOr("add_cross_attention", false))
        refuseSetting(config, "add_cross_attention", "true is not supported", "decoder-only models can be opened");
    LayerPlan plan;
    plan.prefix = "h.";
    plan.names = {{"attn.c_attn", "", "", "attn.c_proj", "ln_1"}, {}, "mlp.c_fc", "mlp.c_proj", "", "ln_2"};
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
    info.positions = "learned";
    readTokenSettings(config, info);
    return info;
}

} // namespace

FamilyOutput buildGpt2(const FamilyInput& input)
{
    const LayerPlan plan = readGpt2Plan(input.config);
    const int vocabulary = requireSize(input.config, "vocab_size");
    const int positions = sizeOr(input.config, "n_positions", 1024);
    const auto checkpoint =
        std::make_shared<RenamedCheckpoint>(input.checkpoint, "transformer.", std::vector<std::string>{"lm_head."});
    const auto [embedding, output] =
        tokenTables(*checkpoint, {gpt2Words}, {"lm_head.weight"}, input.config.boolOr("tie_word_embeddings", true));
    ExpectedTensors expected;
    expected[embedding] = {vocabulary, plan.width};
    expected[gpt2Positions] = {positions, plan.width};
    expected[output] = {vocabulary, plan.width};
    expectNorm(expected, gpt2FinalNorm, plan.width);
    expectLayers(expected, plan);

    requireOutput(*checkpoint, embedding, output, expected.at(output));
    WeightReader reader(input.engine, checkpoint, expected, input.progress, input.stop);
    TokenInput tokens{reader.embedding(embedding), 1, {}, {}, {}, {}};
    tokens.positions = {AddedPositions::Learned, plan.width, reader.embedding(gpt2Positions), 0, {}};
    TransformerParts parts;
    parts.decoder =
        TransformerStack{std::move(tokens), readLayers(reader, plan), readNorm(reader, gpt2FinalNorm, plan.epsilon)};
    parts.head = OutputHead{{}, Activation::Gelu, {}, 1, reader.linear(output, {})};
    return {std::make_shared<Transformer>(describeGpt2(input.config, plan, vocabulary, positions, reader),
                                          std::move(parts)),
            reader.ignored()};
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr auto gpt2Layers = "h.";

DecoderNames gpt2Names()
{
    return {"transformer.", "wte", "wpe", "ln_f", "lm_head"};
}

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

FamilyOutput buildGpt2(const FamilyInput& input)
{
    return buildDecoder(input, readGpt2Plan(input.config), gpt2Names(), true, {PositionScheme::Learned},
                        sizeOr(input.config, "n_positions", 1024));
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
    return {.architecture = "gpt2",
            .config = gpt2Config,
            .whole = ggufWhole(gpt2Names()),
            .inLayer = ggufLayer(gpt2LayerNames(), NormPlace::Before),
            .layers = gpt2Names().prefix + gpt2Layers,
            .transposed = true};
}

constexpr Family gpt2Rows[] = {{"gpt2", {.tokenizerClass = "GPT2"}, ModelKind::DecoderOnly, buildGpt2, gpt2Gguf}};

} // namespace

std::span<const Family> gpt2Families()
{
    return gpt2Rows;
}

} // namespace attn

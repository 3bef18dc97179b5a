// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"

#include <nlohmann/json.hpp>

#include <span>
#include <utility>

namespace attn {

namespace {

FamilyOutput buildOpt(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    if (!config.boolOr("layer_norm_elementwise_affine", true))
        refuseSetting(config, "layer_norm_elementwise_affine", "false is not supported",
                      "models whose norms have weights can be opened");
    const bool before = config.boolOr("do_layer_norm_before", true);
    DecoderPlan plan{{},
                     {"model.", "decoder.embed_tokens", "decoder.embed_positions", {}, "lm_head"},
                     {PositionScheme::Learned},
                     true};
    if (before && !config.boolOr("_remove_final_layer_norm", false))
        plan.names.finalNorm = "decoder.final_layer_norm";
    plan.positions = requireSize(config, "max_position_embeddings");
    plan.positionOffset = 2;
    LayerPlan& layers = plan.layers;
    layers.prefix = "decoder.layers.";
    layers.names = {
        {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj", "self_attn_layer_norm"},
        {},
        "fc1",
        "fc2",
        "",
        "final_layer_norm"};
    layers.layers = requireLayers(config, "num_hidden_layers");
    layers.width = requireSize(config, "hidden_size");
    const int heads = requireSize(config, "num_attention_heads");
    layers.shape = {heads, headWidth(config, "num_attention_heads", heads, layers.width)};
    layers.feedForwardWidth = requireSize(config, "ffn_dim");
    layers.activation = readActivation(config, "relu");
    layers.place = before ? NormPlace::Before : NormPlace::After;
    layers.inputBias = layers.outputBias = layers.feedForwardBias = config.boolOr("enable_bias", true);
    plan.wordWidth = sizeOr(config, "word_embed_proj_dim", layers.width);
    if (plan.wordWidth != layers.width) {
        plan.names.projectIn = "decoder.project_in";
        plan.names.projectOut = "decoder.project_out";
    }
    return buildDecoder(input, std::move(plan));
}

ConfigKeys optKeys()
{
    return {.read = {"_remove_final_layer_norm", "do_layer_norm_before", "enable_bias", "ffn_dim", "hidden_size",
                     "layer_norm_elementwise_affine", "max_position_embeddings", "num_attention_heads",
                     "num_hidden_layers", "word_embed_proj_dim"}};
}

constexpr Family optRows[] = {{"opt", "OPT", {.tokenizerClass = "GPT2"}, ModelKind::DecoderOnly, optKeys, buildOpt}};

} // namespace

std::span<const Family> optFamilies()
{
    return optRows;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/families/rotary_config.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <span>
#include <utility>

namespace attn {

namespace {

// BLOOM and Falcon call their tensors the same.
DecoderPlan plainPlan()
{
    DecoderPlan plan;
    plan.names = {"transformer.", "word_embeddings", {}, "ln_f", "lm_head"};
    plan.tied = true;
    plan.tokenHead = "classifier";
    LayerPlan& layers = plan.layers;
    layers.prefix = "h.";
    layers.names = {{"self_attention.query_key_value", "", "", "self_attention.dense", "input_layernorm"},
                    {},
                    "mlp.dense_h_to_4h",
                    "mlp.dense_4h_to_h",
                    "",
                    "post_attention_layernorm"};
    layers.place = NormPlace::Before;
    return plan;
}

// The first of two names of a field that is there.
std::string_view either(const JsonObject& config, std::string_view first, std::string_view second)
{
    return config.has(first) ? first : second;
}

void readSizes(const JsonObject& config, LayerPlan& layers)
{
    layers.layers = requireLayers(config, either(config, "num_hidden_layers", "n_layer"));
    layers.width = requireSize(config, either(config, "hidden_size", "n_embed"));
    const std::string_view field = either(config, "num_attention_heads", "n_head");
    const int heads = requireSize(config, field);
    layers.shape = {heads, headWidth(config, field, heads, layers.width)};
    layers.epsilon = epsilonOr(config, "layer_norm_epsilon", 1e-5);
}

void addAlibi(DecoderPlan& plan, float scale, bool rounded)
{
    plan.scheme = {PositionScheme::Alibi};
    plan.layers.positions = [heads = plan.layers.shape.heads, scale, rounded](WeightReader& /*reader*/) {
        return std::make_shared<const AlibiPositions>(heads, scale, rounded);
    };
}

FamilyOutput buildBloom(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = plainPlan();
    plan.names.embeddingNorm = "word_embeddings_layernorm";
    LayerPlan& layers = plan.layers;
    readSizes(config, layers);
    layers.fused = fusedOrder(*input.checkpoint);
    layers.feedForwardWidth = sizeOr(config, "n_inner", 4 * layers.width);
    layers.activation = Activation::GeluTanh;
    layers.passesNormed = config.boolOr("apply_residual_connection_post_layernorm", false);
    addAlibi(plan, 1, false);
    return buildDecoder(input, std::move(plan));
}

FamilyOutput buildFalcon(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = plainPlan();
    LayerPlan& layers = plan.layers;
    readSizes(config, layers);
    layers.fused = fusedOrder(*input.checkpoint);
    layers.feedForwardWidth = sizeOr(config, "ffn_hidden_size", 4 * layers.width);
    layers.activation = readActivation(config, "gelu");
    layers.inputBias = layers.outputBias = layers.feedForwardBias = config.boolOr("bias", false);
    const bool newer = config.boolOr("new_decoder_architecture", false);
    const int heads = layers.shape.heads;
    int keyHeads = heads;
    if (newer) {
        keyHeads = sizeOr(config, "num_kv_heads", heads);
        if (heads % keyHeads != 0)
            config.refuse("num_kv_heads", fmt::format("a divisor of the {} heads", heads));
    } else if (config.boolOr("multi_query", true)) {
        keyHeads = 1;
        layers.fused = FusedOrder::Sides;
    }
    layers.shape.sharing = heads / keyHeads;
    layers.parallel = newer || config.boolOr("parallel_attn", true);
    const int norms = config.optionalInt("num_ln_in_parallel_attn", 1, 2).value_or(newer ? 2 : 1);
    if (layers.parallel && norms == 2) {
        layers.names.self.norm = "ln_attn";
        if (input.checkpoint->config() == nullptr) // GGUF files call it as where there is one
            layers.names.norm = "ln_mlp";
        else
            layers.names.norm = "input_layernorm";
    } else if (layers.parallel) {
        layers.names.norm.clear();
    }
    if (config.boolOr("alibi", false)) {
        addAlibi(plan, 1.0F / std::sqrt(static_cast<float>(layers.shape.width)), true);
    } else {
        const RotarySettings rotary = readRotary(config, layers.shape.width);
        layers.rotateAll(rotary);
        plan.scheme = describeRotary(rotary);
    }
    return buildDecoder(input, std::move(plan));
}

Json plainConfig(const GgufMetadata& file)
{
    return {{"hidden_size", file.size("embedding_length")},
            {"num_hidden_layers", file.size("block_count")},
            {"num_attention_heads", file.heads().queries},
            {"max_position_embeddings", file.size("context_length")},
            {"layer_norm_epsilon", file.number("attention.layer_norm_epsilon").value_or(1e-5)},
            {"tie_word_embeddings", !file.hasTensor("output.weight")}};
}

Json bloomConfig(const GgufMetadata& file)
{
    Json json = plainConfig(file);
    json["n_inner"] = file.size("feed_forward_length");
    return json;
}

Json falconConfig(const GgufMetadata& file)
{
    Json json = plainConfig(file);
    json["ffn_hidden_size"] = file.size("feed_forward_length");
    json["new_decoder_architecture"] = true; // whose settings say all that older ones mean
    json["num_kv_heads"] = file.heads().keys;
    json["num_ln_in_parallel_attn"] = file.hasTensor("blk.0.attn_norm_2.weight") ? 2 : 1;
    json["bias"] = file.hasTensor("blk.0.attn_qkv.bias");
    addGgufRotary(json, file, file.heads().features);
    return json;
}

GgufLayout plainLayout(std::string_view architecture, Json (*config)(const GgufMetadata& file))
{
    DecoderPlan plan = plainPlan();
    plan.names.embeddingNorm = "word_embeddings_layernorm";
    GgufLayout layout{.architecture = architecture,
                      .config = config,
                      .whole = ggufWhole(plan.names),
                      .inLayer = ggufLayer(plan.layers.names, NormPlace::Before),
                      .layers = plan.names.prefix + plan.layers.prefix};
    layout.inLayer.push_back({"attn_norm_2", "ln_attn"});
    return layout;
}

GgufLayout bloomGguf()
{
    return plainLayout("bloom", bloomConfig);
}

GgufLayout falconGguf()
{
    return plainLayout("falcon", falconConfig);
}

ConfigKeys bloomKeys()
{
    return {.read = {"apply_residual_connection_post_layernorm", "hidden_size", "layer_norm_epsilon", "n_embed",
                     "n_head", "n_inner", "n_layer", "num_attention_heads"},
            .silent = {"attention_softmax_in_fp32", "masked_softmax_fusion", "offset_alibi", "skip_bias_add",
                       "skip_bias_add_qkv", "slow_but_exact"}};
}

ConfigKeys falconKeys()
{
    return {.read = {"alibi", "apply_residual_connection_post_layernorm", "bias", "ffn_hidden_size", "hidden_size",
                     "layer_norm_epsilon", "max_position_embeddings", "multi_query", "new_decoder_architecture",
                     "num_attention_heads", "num_hidden_layers", "num_kv_heads", "num_ln_in_parallel_attn",
                     "parallel_attn", "partial_rotary_factor", "rope_parameters", "rope_scaling", "rope_theta"}};
}

constexpr Family bloomRows[] = {
    {"bloom", "BLOOM, BLOOMZ", {}, ModelKind::DecoderOnly, bloomKeys, buildBloom, bloomGguf},
    {"falcon", "Falcon 7B to 180B, Falcon-rw", {}, ModelKind::DecoderOnly, falconKeys, buildFalcon, falconGguf},
};

} // namespace

std::span<const Family> bloomFamilies()
{
    return bloomRows;
}

} // namespace attn

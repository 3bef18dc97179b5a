// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/bert_plan.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/llama_plan.h"
#include "models/families/rotary_config.h"

#include <nlohmann/json.hpp>

#include <span>
#include <utility>

namespace attn {

namespace {

constexpr auto modernLayers = "layers.";

// Layers of both kinds: local ones see a window and have positions of their own. localTheta: where the configuration
// does not say.
LayerPlan readModernLayers(const JsonObject& config, double localTheta, Positions& scheme)
{
    LayerPlan layers;
    layers.prefix = modernLayers;
    layers.layers = requireLayers(config, "num_hidden_layers");
    layers.width = requireSize(config, "hidden_size");
    const int heads = requireSize(config, "num_attention_heads");
    layers.shape = {heads, headWidth(config, "num_attention_heads", heads, layers.width)};
    layers.feedForwardWidth = requireSize(config, "intermediate_size");
    layers.activation = readActivation(config, "gelu");
    layers.place = NormPlace::Before;
    layers.norm = config.boolOr("norm_bias", false) ? NormKind::Layer : NormKind::LayerUnshifted;
    layers.epsilon = epsilonOr(config, "norm_eps", 1e-5);
    layers.normlessLayer = 0; // reads embeddings that are normalised
    layers.inputBias = layers.outputBias = config.boolOr("attention_bias", false);
    layers.feedForwardBias = config.boolOr("mlp_bias", false);
    const int every = sizeOr(config, "global_attn_every_n_layers", 3);
    const auto local = localLayers(config, layers.layers, [every](int layer) { return layer % every != 0; });
    layers.windows = windowsOf(local, std::max(1, sizeOr(config, "local_attention", 128) / 2));
    RotaryReading global;
    global.unsaid.base = 160000;
    global.base = "global_rope_theta";
    global.layerType = "full_attention";
    RotaryReading nearby;
    nearby.unsaid.base = localTheta;
    nearby.base = "local_rope_theta";
    nearby.layerType = "sliding_attention";
    layers.rotary = rotaryByLayer(config, layers.shape.width, local, global, nearby);
    scheme = describeRotary(readRotary(config, layers.shape.width, global));
    return layers;
}

LayerNames modernNames()
{
    return {{"attn.Wqkv", "", "", "attn.Wo", "attn_norm"}, {}, "mlp.Wi", "mlp.Wo", "mlp.Wi", "mlp_norm"};
}

constexpr auto modernWords = "embeddings.tok_embeddings";
constexpr auto modernNorm = "embeddings.norm";

FamilyOutput buildModernBert(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    BertPlan plan;
    plan.layers = readModernLayers(config, 10000, plan.scheme);
    plan.names = {"model.", modernNames(), plan.layers.prefix, "head.dense", "head.norm", {}, {"decoder.weight"}};
    plan.names.words = modernWords;
    plan.names.norm = modernNorm;
    plan.names.finalNorm = "final_norm";
    if (config.boolOr("decoder_bias", true))
        plan.names.headBias = {"decoder.bias"};
    plan.embeddingWidth = plan.layers.width;
    plan.vocabulary = requireSize(config, "vocab_size");
    plan.headActivation = activationOr(config, "classifier_activation", "gelu");
    plan.headBias = config.boolOr("classifier_bias", false);
    plan.tied = config.boolOr("tie_word_embeddings", true);
    const TaskNames head{
        .dense = "head.dense", .activation = plan.headActivation, .norm = "head.norm", .denseBias = plan.headBias};
    plan.names.ofText = plan.names.ofTokens = plan.names.ofSpan = head;
    constexpr auto pooling = "classifier_pooling";
    const std::string pooled = config.stringOr(pooling, "cls");
    if (pooled != "cls" && pooled != "mean")
        config.refuse(pooling, "\"cls\" or \"mean\"");
    plan.pooling = pooled == "mean" ? Pooling::Mean : Pooling::First;
    return buildBert(input, plan);
}

FamilyOutput buildModernBertDecoder(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan;
    plan.layers = readModernLayers(config, 160000, plan.scheme);
    plan.layers.names = modernNames();
    plan.layers.names.self.query = "attn.q_proj";
    plan.layers.names.self.key = "attn.k_proj";
    plan.layers.names.self.value = "attn.v_proj";
    plan.names = {"model.", modernWords, {}, "final_norm", "decoder", modernNorm, "lm_head.dense", "lm_head.norm"};
    plan.headActivation = activationOr(config, "classifier_activation", "gelu");
    plan.transformBias = config.boolOr("classifier_bias", false);
    plan.outputBias = config.boolOr("decoder_bias", true);
    plan.tied = true;
    return buildDecoder(input, std::move(plan));
}

Json modernConfig(const GgufMetadata& file)
{
    return {{"hidden_size", file.size("embedding_length")},
            {"num_hidden_layers", file.size("block_count")},
            {"num_attention_heads", file.heads().queries},
            {"intermediate_size", file.size("feed_forward_length")},
            {"max_position_embeddings", file.size("context_length")},
            {"norm_eps", file.number("attention.layer_norm_epsilon").value_or(1e-5)},
            {"local_attention", file.optionalSize("attention.sliding_window").value_or(128)},
            {"global_rope_theta", file.number("rope.freq_base").value_or(10000)},
            {"local_rope_theta", file.number("rope.freq_base_swa").value_or(10000)},
            {"norm_bias", file.hasTensor("output_norm.bias")},
            {"attention_bias", file.hasTensor("blk.0.attn_qkv.bias")},
            {"mlp_bias", file.hasTensor("blk.0.ffn_up.bias")}};
}

GgufLayout modernGguf()
{
    return {.architecture = "modern-bert",
            .config = modernConfig,
            .whole = ggufWhole({"model.", modernWords, {}, "final_norm", "decoder", modernNorm}),
            .inLayer = ggufLayer(modernNames(), NormPlace::Before),
            .layers = std::string("model.") + modernLayers};
}

ConfigKeys modernBertKeys()
{
    return {.read = {"attention_bias",   "classifier_activation",      "classifier_bias",   "classifier_pooling",
                     "decoder_bias",     "global_attn_every_n_layers", "global_rope_theta", "hidden_activation",
                     "hidden_size",      "intermediate_size",          "layer_types",       "local_attention",
                     "local_rope_theta", "max_position_embeddings",    "mlp_bias",          "norm_bias",
                     "norm_eps",         "num_attention_heads",        "num_hidden_layers", "rope_parameters"},
            .silent = {"position_embedding_type", "sliding_window"}};
}

constexpr Family modernBertRows[] = {
    {"modernbert", "ModernBERT", {}, ModelKind::EncoderOnly, modernBertKeys, buildModernBert, modernGguf},
    {"modernbert-decoder", "Ettin decoders", {}, ModelKind::DecoderOnly, modernBertKeys, buildModernBertDecoder},
};

} // namespace

std::span<const Family> modernBertFamilies()
{
    return modernBertRows;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/llama_plan.h"
#include "models/families/rotary_config.h"
#include "models/families/text_settings.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr int usualHeadWidth = 256;

// llama.cpp adds the 1 of Gemma's norms when it writes a file.
NormKind normsOf(const FamilyInput& input)
{
    return input.checkpoint->config() != nullptr ? NormKind::Rms : NormKind::RmsAboveOne;
}

DecoderPlan readGemmaPlan(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = readLlamaPlan(config, {.headWidth = usualHeadWidth});
    plan.tied = true;
    plan.embeddingScale = std::sqrt(static_cast<float>(plan.layers.width));
    plan.layers.norm = normsOf(input);
    // The models were trained with it, whatever hidden_act says.
    plan.layers.activation = activationOr(config, "hidden_activation", "gelu_pytorch_tanh");
    return plan;
}

void rotate(const JsonObject& config, DecoderPlan& plan)
{
    const RotarySettings rotary = readRotary(config, plan.layers.shape.width);
    plan.layers.rotateAll(rotary);
    plan.scheme = describeRotary(rotary);
}

FamilyOutput buildGemma(const FamilyInput& input)
{
    DecoderPlan plan = readGemmaPlan(input);
    rotate(input.config, plan);
    return buildDecoder(input, std::move(plan));
}

// Null: none.
float capOr(const JsonObject& config, std::string_view field, double fallback)
{
    const bool none = config.json().contains(field) && !config.has(field);
    return none ? 0.0F
                : static_cast<float>(fallback > 0 || config.has(field) ? positiveOr(config, field, fallback) : 0);
}

// Each half is normalised before and after, and scores have a scale of their own.
DecoderPlan readSandwichPlan(const FamilyInput& input)
{
    DecoderPlan plan = readGemmaPlan(input);
    LayerPlan& layers = plan.layers;
    layers.place = NormPlace::Around;
    layers.names.self.outputNorm = "post_attention_layernorm";
    layers.names.norm = "pre_feedforward_layernorm";
    layers.names.outputNorm = "post_feedforward_layernorm";
    const double scalar = positiveOr(input.config, "query_pre_attn_scalar", 256);
    layers.scales.assign(static_cast<std::size_t>(layers.layers), static_cast<float>(1 / std::sqrt(scalar)));
    return plan;
}

FamilyOutput buildGemma2(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = readSandwichPlan(input);
    LayerPlan& layers = plan.layers;
    layers.cap = capOr(config, "attn_logit_softcapping", 50);
    plan.logitCap = capOr(config, "final_logit_softcapping", 30);
    layers.windows = windowsOf(localLayers(config, layers.layers, [](int layer) { return layer % 2 == 0; }),
                               slidingWindow(config, 4096));
    rotate(config, plan);
    return buildDecoder(input, std::move(plan));
}

FamilyOutput buildGemma3Text(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = readSandwichPlan(input);
    LayerPlan& layers = plan.layers;
    nameHeadNorms(layers.names);
    plan.logitCap = capOr(config, "final_logit_softcapping", 0);
    const int pattern = sizeOr(config, "sliding_window_pattern", 6);
    const auto local = localLayers(config, layers.layers, [pattern](int layer) { return (layer + 1) % pattern != 0; });
    layers.windows = windowsOf(local, slidingWindow(config, 4096));
    RotaryReading global;
    global.unsaid.base = 1e6;
    global.layerType = "full_attention";
    RotaryReading nearby;
    nearby.layerType = "sliding_attention";
    nearby.base = "rope_local_base_freq";
    nearby.scaled = false;
    layers.rotary = rotaryByLayer(config, layers.shape.width, local, global, nearby);
    plan.scheme = describeRotary(readRotary(config, layers.shape.width, global));
    return buildDecoder(input, std::move(plan));
}

// The text part of a model that reads pictures, too.
FamilyOutput buildGemma3(const FamilyInput& input)
{
    // Published files say only what differs from these.
    const CompositeText text(input,
                             {{"model_type", "gemma3_text"},
                              {"vocab_size", 262208},
                              {"hidden_size", 2304},
                              {"intermediate_size", 9216},
                              {"num_hidden_layers", 26},
                              {"num_attention_heads", 8},
                              {"num_key_value_heads", 4},
                              {"head_dim", usualHeadWidth}});
    return buildGemma3Text(text.input());
}

Json gemmaConfig(const GgufMetadata& file)
{
    Json json = llamaConfig(file);
    const GgufHeads heads = file.heads();
    const std::int64_t layers = file.size("block_count");
    // The two largest models scale scores by the width over the heads, not by that of a head.
    const bool isLargest = layers == (file.architecture() == "gemma2" ? 46 : 62);
    json["query_pre_attn_scalar"] = isLargest ? file.size("embedding_length") / heads.queries : heads.features;
    json["hidden_activation"] = "gelu_pytorch_tanh";
    for (const char* cap : {"attn_logit_softcapping", "final_logit_softcapping"}) {
        const auto value = file.number(cap);
        json[cap] = value && *value > 0 ? Json(*value) : Json();
    }
    json["rope_local_base_freq"] = file.number("rope.freq_base_swa").value_or(10000);
    return json;
}

LayerNames sandwichNames()
{
    LayerNames names = llamaLayerNames();
    names.self.outputNorm = "post_attention_layernorm";
    names.norm = "pre_feedforward_layernorm";
    names.outputNorm = "post_feedforward_layernorm";
    return names;
}

GgufLayout gemmaGguf()
{
    return llamaLayout("gemma", llamaLayerNames(), gemmaConfig);
}

GgufLayout gemma2Gguf()
{
    return llamaLayout("gemma2", sandwichNames(), gemmaConfig);
}

GgufLayout gemma3Gguf()
{
    LayerNames names = sandwichNames();
    nameHeadNorms(names);
    return llamaLayout("gemma3", names, gemmaConfig);
}

ConfigKeys gemmaKeys()
{
    return {.more = llamaPlanKeys};
}

ConfigKeys gemma2Keys()
{
    return {.read = {"attn_logit_softcapping", "final_logit_softcapping", "layer_types", "query_pre_attn_scalar",
                     "sliding_window"},
            .silent = {"sliding_window_size"},
            .more = llamaPlanKeys};
}

ConfigKeys gemma3TextKeys()
{
    return {.read = {"layer_types", "rope_local_base_freq", "sliding_window_pattern"}, .more = gemma2Keys};
}

ConfigKeys gemma3Keys()
{
    return {.read = {"text_config"}, .silent = {"vision_config"}, .nested = {{"text_config", "gemma3_text"}}};
}

constexpr Family gemmaRows[] = {
    {"gemma", "Gemma", {}, ModelKind::DecoderOnly, gemmaKeys, buildGemma, gemmaGguf},
    {"gemma2", "Gemma 2", {}, ModelKind::DecoderOnly, gemma2Keys, buildGemma2, gemma2Gguf},
    {"gemma3_text", "Gemma 3 270M and 1B", {}, ModelKind::DecoderOnly, gemma3TextKeys, buildGemma3Text, gemma3Gguf},
    {"gemma3", "Gemma 3 4B to 27B, the text part", {}, ModelKind::DecoderOnly, gemma3Keys, buildGemma3},
};

} // namespace

std::span<const Family> gemmaFamilies()
{
    return gemmaRows;
}

} // namespace attn

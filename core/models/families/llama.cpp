// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/llama_plan.h"
#include "models/families/rotary_config.h"
#include "models/families/text_settings.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace attn {

namespace {

// Rotated the same way in all layers.
FamilyOutput buildRotated(const FamilyInput& input, DecoderPlan plan, const RotaryReading& reading = {})
{
    const RotarySettings rotary = readRotary(input.config, plan.layers.shape.width, reading);
    plan.layers.rotateAll(rotary);
    plan.scheme = describeRotary(rotary);
    return buildDecoder(input, std::move(plan));
}

RotaryReading basedOn(double base)
{
    RotaryReading reading;
    reading.unsaid.base = base;
    return reading;
}

// Layers that layer_types names, else all of them.
void addWindow(const JsonObject& config, LayerPlan& plan, int fallback)
{
    if (const int window = slidingWindow(config, fallback); window > 0)
        plan.windows = windowsOf(localLayers(config, plan.layers, [](int) { return true; }), window);
}

// Where use_sliding_window says so, by layer_types or from layer max_window_layers on.
void addOptionalWindow(const JsonObject& config, LayerPlan& plan)
{
    if (!config.boolOr("use_sliding_window", false))
        return;
    const auto full = config.optionalInt("max_window_layers", 0, 1 << 20).value_or(28);
    if (const int window = slidingWindow(config, 4096); window > 0)
        plan.windows = windowsOf(localLayers(config, plan.layers, [full](int layer) { return layer >= full; }), window);
}

FamilyOutput buildLlama(const FamilyInput& input)
{
    return buildRotated(input, readLlamaPlan(input.config));
}

FamilyOutput buildMistral(const FamilyInput& input)
{
    DecoderPlan plan = readLlamaPlan(input.config, {.readsBiases = false});
    addWindow(input.config, plan.layers, 4096);
    return buildRotated(input, std::move(plan));
}

FamilyOutput buildMinistral3(const FamilyInput& input)
{
    DecoderPlan plan = readLlamaPlan(input.config, {.epsilon = 1e-5, .headWidth = 128});
    addWindow(input.config, plan.layers, 0);
    RotaryReading reading = basedOn(1e6);
    reading.unsaid.scaling = RotaryScaling::Yarn;
    reading.unsaid.factor = 16;
    reading.unsaid.originalPositions = 16384;
    reading.unsaid.queryGrowth = 0.1; // and mscale equals mscale_all_dim: the magnitude is 1
    return buildRotated(input, std::move(plan), reading);
}

// The text part of a model that reads pictures, too.
FamilyOutput buildMistral3(const FamilyInput& input)
{
    const CompositeText text(input, {{"model_type", "mistral"}});
    const std::string type = text.config().requireString("model_type");
    if (type != "mistral" && type != "ministral3")
        refuseSetting(text.config(), "model_type", fmt::format("'{}' is not supported here", type),
                      "mistral and ministral3 are");
    return type == "mistral" ? buildMistral(text.input()) : buildMinistral3(text.input());
}

FamilyOutput buildQwen2(const FamilyInput& input)
{
    DecoderPlan plan = readLlamaPlan(input.config, {.inputBias = true, .readsBiases = false});
    addOptionalWindow(input.config, plan.layers);
    return buildRotated(input, std::move(plan));
}

FamilyOutput buildQwen3(const FamilyInput& input)
{
    DecoderPlan plan = readLlamaPlan(input.config, {.headWidth = 128});
    nameHeadNorms(plan.layers.names);
    addOptionalWindow(input.config, plan.layers);
    return buildRotated(input, std::move(plan));
}

// no_rope_layers has a 0 for each layer without positions.
std::vector<bool> readRotated(const JsonObject& config, int layers)
{
    constexpr auto field = "no_rope_layers";
    std::vector<bool> result;
    if (!config.has(field)) {
        const int interval = sizeOr(config, "no_rope_layer_interval", 4);
        for (int layer = 0; layer < layers; ++layer)
            result.push_back((layer + 1) % interval != 0);
        return result;
    }
    const std::string expected = fmt::format("a list of {} numbers, 0 or 1", layers);
    for (const Json& value : config.requireList(field, expected)) {
        const auto rotates = indexIn(value, 1);
        if (!rotates)
            config.refuse(field, expected);
        result.push_back(*rotates == 1);
    }
    if (std::ssize(result) != layers)
        config.refuse(field, expected);
    return result;
}

FamilyOutput buildSmolLm3(const FamilyInput& input)
{
    DecoderPlan plan = readLlamaPlan(input.config);
    LayerPlan& layers = plan.layers;
    plan.tied = true;
    const RotarySettings rotary = readRotary(input.config, layers.shape.width, basedOn(2e6));
    plan.scheme = describeRotary(rotary);
    layers.rotateAll(rotary);
    const std::vector<bool> rotated = readRotated(input.config, layers.layers);
    for (std::size_t layer = 0; layer < rotated.size(); ++layer) {
        if (!rotated[layer])
            layers.rotary[layer] = nullptr;
    }
    const int window = slidingWindow(input.config, 0);
    if (input.config.boolOr("use_sliding_window", false) && window > 0)
        layers.windows = windowsOf(localLayers(input.config, layers.layers,
                                               [&](int layer) { return !rotated[static_cast<std::size_t>(layer)]; }),
                                   window);
    return buildDecoder(input, std::move(plan));
}

FamilyOutput buildGranite(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = readLlamaPlan(config);
    LayerPlan& layers = plan.layers;
    layers.scales.assign(static_cast<std::size_t>(layers.layers),
                         static_cast<float>(positiveOr(config, "attention_multiplier", 1)));
    layers.residualScale = static_cast<float>(positiveOr(config, "residual_multiplier", 1));
    plan.embeddingScale = static_cast<float>(positiveOr(config, "embedding_multiplier", 1));
    plan.logitScale = static_cast<float>(1 / positiveOr(config, "logits_scaling", 1));
    return buildRotated(input, std::move(plan));
}

LayerNames olmoNames()
{
    LayerNames names = llamaLayerNames();
    names.self.norm = "post_attention_layernorm";
    names.norm = "post_feedforward_layernorm";
    nameHeadNorms(names);
    return names;
}

// Normalised are what each half adds, and queries and keys over their full width.
DecoderPlan readOlmo(const JsonObject& config)
{
    DecoderPlan plan = readLlamaPlan(config, {.epsilon = 1e-5});
    plan.layers.place = NormPlace::Output;
    plan.layers.names = olmoNames();
    plan.layers.wholeHeadNorms = true;
    return plan;
}

FamilyOutput buildOlmo2(const FamilyInput& input)
{
    return buildRotated(input, readOlmo(input.config));
}

// Every fourth layer is global, and scaled positions are its alone.
FamilyOutput buildOlmo3(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = readOlmo(config);
    const auto local = localLayers(config, plan.layers.layers, [](int layer) { return (layer + 1) % 4 != 0; });
    plan.layers.windows = windowsOf(local, slidingWindow(config, 4096));
    RotaryReading global = basedOn(500000);
    global.layerType = "full_attention";
    RotaryReading nearby = global;
    nearby.layerType = "sliding_attention";
    nearby.scaled = false;
    const int features = plan.layers.shape.width;
    plan.layers.rotary = rotaryByLayer(config, features, local, global, nearby);
    plan.scheme = describeRotary(readRotary(config, features, global));
    return buildDecoder(input, std::move(plan));
}

FamilyOutput buildPhi3(const FamilyInput& input)
{
    DecoderPlan plan = readLlamaPlan(input.config, {.epsilon = 1e-5, .readsBiases = false});
    LayerPlan& layers = plan.layers;
    layers.names.self.query = "self_attn.qkv_proj";
    layers.names.self.key.clear();
    layers.names.self.value.clear();
    layers.names.first = layers.names.gate = "mlp.gate_up_proj";
    addWindow(input.config, layers, 0);
    return buildRotated(input, std::move(plan));
}

// One norm for both halves; positions in local layers alone.
FamilyOutput buildCohere2(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = readLlamaPlan(config, {.epsilon = 1e-5, .epsilonField = "layer_norm_eps"});
    LayerPlan& layers = plan.layers;
    plan.tied = true;
    plan.logitScale = static_cast<float>(positiveOr(config, "logit_scale", 0.0625));
    layers.norm = NormKind::LayerUnshifted;
    layers.parallel = true;
    layers.names.norm.clear();
    const int pattern = sizeOr(config, "sliding_window_pattern", 4);
    const auto local = localLayers(config, layers.layers, [pattern](int layer) { return (layer + 1) % pattern != 0; });
    layers.windows = windowsOf(local, slidingWindow(config, 4096));
    RotaryReading reading;
    reading.unsaid.pairs = RotaryPairs::Neighbours;
    const RotarySettings rotary = readRotary(config, layers.shape.width, reading);
    layers.rotateAll(rotary);
    for (std::size_t layer = 0; layer < local.size(); ++layer) {
        if (!local[layer])
            layers.rotary[layer] = nullptr;
    }
    plan.scheme = describeRotary(rotary);
    return buildDecoder(input, std::move(plan));
}

GgufLayout qwen2Gguf()
{
    return llamaLayout("qwen2");
}

GgufLayout qwen3Gguf()
{
    LayerNames names = llamaLayerNames();
    nameHeadNorms(names);
    return llamaLayout("qwen3", names);
}

GgufLayout smollm3Gguf()
{
    GgufLayout result = llamaLayout("smollm3");
    result.neighbouringPairs = true;
    return result;
}

Json graniteConfig(const GgufMetadata& file)
{
    constexpr std::pair<const char*, const char*> scales[] = {{"embedding_scale", "embedding_multiplier"},
                                                              {"residual_scale", "residual_multiplier"},
                                                              {"logit_scale", "logits_scaling"},
                                                              {"attention.scale", "attention_multiplier"}};
    Json json = llamaConfig(file);
    json["attention_multiplier"] = 1 / std::sqrt(static_cast<double>(file.heads().features));
    for (const auto& [stored, name] : scales) {
        if (const auto value = file.number(stored); value && *value != 0) // 0: not scaled
            json[name] = *value;
    }
    return json;
}

GgufLayout graniteGguf()
{
    GgufLayout result = llamaLayout("granite", llamaLayerNames(), graniteConfig);
    result.neighbouringPairs = true;
    return result;
}

Json olmoConfig(const GgufMetadata& file)
{
    Json json = llamaConfig(file);
    json["model_type"] = json.contains("sliding_window") ? "olmo3" : "olmo2";
    return json;
}

GgufLayout olmo2Gguf()
{
    return llamaLayout("olmo2", olmoNames(), olmoConfig, NormPlace::Output);
}

Json cohereConfig(const GgufMetadata& file)
{
    Json json = llamaConfig(file);
    json["layer_norm_eps"] = file.number("attention.layer_norm_epsilon").value_or(1e-5);
    if (const auto scale = file.number("logit_scale"))
        json["logit_scale"] = *scale;
    return json;
}

GgufLayout cohere2Gguf()
{
    LayerNames names = llamaLayerNames();
    names.norm.clear();
    return llamaLayout("cohere2", names, cohereConfig);
}

GgufLayout phi3Gguf()
{
    LayerNames names = llamaLayerNames();
    names.self.query = "self_attn.qkv_proj";
    names.self.key.clear();
    names.self.value.clear();
    names.first = names.gate = "mlp.gate_up_proj";
    return llamaLayout("phi3", names);
}

GgufLayout llamaGguf()
{
    GgufLayout result = llamaLayout("llama", llamaLayerNames(), [](const GgufMetadata& file) {
        Json json = llamaConfig(file);
        if (json.contains("num_local_experts"))
            json["model_type"] = "mixtral";
        return json;
    });
    result.neighbouringPairs = true;
    result.inLayer.insert(result.inLayer.end(),
                          {{"ffn_gate_inp", "block_sparse_moe.gate"},
                           {"ffn_gate_exps", "block_sparse_moe.experts.w1"},
                           {"ffn_up_exps", "block_sparse_moe.experts.w3"},
                           {"ffn_down_exps", "block_sparse_moe.experts.w2"},
                           {"ffn_gate.#", "block_sparse_moe.experts.#.w1"}, // as older files have them
                           {"ffn_up.#", "block_sparse_moe.experts.#.w3"},
                           {"ffn_down.#", "block_sparse_moe.experts.#.w2"}});
    return result;
}

ConfigKeys llamaKeys()
{
    return {.more = llamaPlanKeys};
}

ConfigKeys mistralKeys()
{
    return {
        .read = {"layer_types", "sliding_window"}, .fixed = {{"attention_bias"}, {"mlp_bias"}}, .more = llamaPlanKeys};
}

ConfigKeys ministral3Keys()
{
    return {.read = {"layer_types", "sliding_window"}, .more = llamaPlanKeys};
}

ConfigKeys mistral3Keys()
{
    return {.read = {"text_config"},
            .silent = {"multimodal_projector_bias", "vision_config"},
            .nested = {{"text_config", "mistral"}}};
}

ConfigKeys qwen2Keys()
{
    return {.read = {"layer_types", "max_window_layers", "sliding_window", "use_sliding_window"},
            .fixed = {{"attention_bias"}, {"mlp_bias"}},
            .more = llamaPlanKeys};
}

ConfigKeys qwen3Keys()
{
    return {.read = {"layer_types", "max_window_layers", "sliding_window", "use_sliding_window"},
            .more = llamaPlanKeys};
}

ConfigKeys smollm3Keys()
{
    return {.read = {"layer_types", "no_rope_layer_interval", "no_rope_layers", "sliding_window", "use_sliding_window"},
            .more = llamaPlanKeys};
}

ConfigKeys graniteKeys()
{
    return {.read = {"attention_multiplier", "embedding_multiplier", "logits_scaling", "residual_multiplier"},
            .more = llamaPlanKeys};
}

ConfigKeys olmo3Keys()
{
    return {.read = {"layer_types", "sliding_window"}, .more = llamaPlanKeys};
}

ConfigKeys phi3Keys()
{
    return {.read = {"layer_types", "sliding_window"},
            .fixed = {{"attention_bias"}, {"full_attn_mod", "1"}, {"interpolate_factor", "1"}, {"mlp_bias"}},
            .more = llamaPlanKeys};
}

ConfigKeys cohere2Keys()
{
    return {.read = {"layer_norm_eps", "layer_types", "logit_scale", "sliding_window", "sliding_window_pattern"},
            .silent = {"position_embedding_type", "use_gated_activation"},
            .more = llamaPlanKeys};
}

constexpr Family llamaRows[] = {
    {"llama",
     "LLaMA 1 to 3, TinyLlama, SmolLM 2, Yi",
     {.tokenizerClass = "Llama"},
     ModelKind::DecoderOnly,
     llamaKeys,
     buildLlama,
     llamaGguf},
    {"mistral", "Mistral 7B", {.tokenizerClass = "Mistral"}, ModelKind::DecoderOnly, mistralKeys, buildMistral},
    {"ministral3", "Ministral 3", {}, ModelKind::DecoderOnly, ministral3Keys, buildMinistral3},
    {"mistral3", "Mistral Small 3.1 and 3.2, the text part", {}, ModelKind::DecoderOnly, mistral3Keys, buildMistral3},
    {"qwen2", "Qwen 1.5 to 2.5", {.tokenizerClass = "Qwen2"}, ModelKind::DecoderOnly, qwen2Keys, buildQwen2, qwen2Gguf},
    {"qwen3", "Qwen 3", {.tokenizerClass = "Qwen2"}, ModelKind::DecoderOnly, qwen3Keys, buildQwen3, qwen3Gguf},
    {"smollm3", "SmolLM 3", {}, ModelKind::DecoderOnly, smollm3Keys, buildSmolLm3, smollm3Gguf},
    {"granite",
     "Granite 3",
     {.tokenizerClass = "GPT2"},
     ModelKind::DecoderOnly,
     graniteKeys,
     buildGranite,
     graniteGguf},
    {"olmo2", "OLMo 2", {.tokenizerClass = "GPT2"}, ModelKind::DecoderOnly, llamaPlanKeys, buildOlmo2, olmo2Gguf},
    {"olmo3", "OLMo 3", {.tokenizerClass = "GPT2"}, ModelKind::DecoderOnly, olmo3Keys, buildOlmo3},
    {"phi3", "Phi-3, Phi-4", {.tokenizerClass = "Llama"}, ModelKind::DecoderOnly, phi3Keys, buildPhi3, phi3Gguf},
    {"cohere2", "Command R7B, Command A", {}, ModelKind::DecoderOnly, cohere2Keys, buildCohere2, cohere2Gguf},
};

} // namespace

std::span<const Family> llamaFamilies()
{
    return llamaRows;
}

} // namespace attn

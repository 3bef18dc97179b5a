// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/llama_plan.h"
#include "models/families/rotary_config.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace attn {

namespace {

using Scores = Routing::Scores;

constexpr int mostExperts = 4096;

int requireExperts(const JsonObject& config, std::string_view field)
{
    return config.requireInt(field, 1, mostExperts);
}

int expertsOfToken(const JsonObject& config, std::string_view field, int fallback, int experts)
{
    const int chosen = config.optionalInt(field, 1, mostExperts).value_or(std::min(fallback, experts));
    if (chosen > experts)
        config.refuse(field, fmt::format("at most the {} experts that there are", experts));
    return chosen;
}

FamilyOutput buildMixture(const FamilyInput& input, DecoderPlan plan, const RotaryReading& reading)
{
    const RotarySettings rotary = readRotary(input.config, plan.layers.shape.width, reading);
    plan.layers.rotateAll(rotary);
    plan.scheme = describeRotary(rotary);
    return buildDecoder(input, std::move(plan));
}

// Windows of all layers.
void windowAll(const JsonObject& config, LayerPlan& plan, int fallback)
{
    if (const int window = slidingWindow(config, fallback); window > 0)
        plan.windows = windowsOf(localLayers(config, plan.layers, [](int) { return true; }), window);
}

FamilyOutput buildMixtral(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = readLlamaPlan(config, {.epsilon = 1e-5, .readsBiases = false});
    windowAll(config, plan.layers, 0);
    ExpertsPlan experts{.router = "block_sparse_moe.gate",
                        .prefix = "block_sparse_moe.experts",
                        .first = "w3",
                        .gate = "w1",
                        .second = "w2"};
    experts.count = requireExperts(config, "num_local_experts");
    experts.width = plan.layers.feedForwardWidth;
    experts.routing.chosen = expertsOfToken(config, "num_experts_per_tok", 2, experts.count);
    experts.routing.normalized = true;
    plan.layers.experts = std::move(experts);
    RotaryReading reading;
    reading.unsaid.base = 1e6;
    return buildMixture(input, std::move(plan), reading);
}

// Numbers of layers.
std::vector<bool> denseLayers(const JsonObject& config, int layers)
{
    constexpr auto field = "mlp_only_layers";
    std::vector<bool> result(static_cast<std::size_t>(layers));
    if (!config.has(field))
        return result;
    for (const Json& value : config.requireList(field)) {
        const auto layer = indexIn(value, mostExperts);
        if (!layer)
            config.refuse(field, "numbers of layers");
        if (*layer < layers)
            result[static_cast<std::size_t>(*layer)] = true;
    }
    return result;
}

FamilyOutput buildQwen3Moe(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = readLlamaPlan(config);
    LayerPlan& layers = plan.layers;
    nameHeadNorms(layers.names);
    if (config.boolOr("use_sliding_window", false))
        windowAll(config, layers, 4096);
    ExpertsPlan experts{.router = "mlp.gate", .prefix = "mlp.experts"};
    experts.count = requireExperts(config, "num_experts");
    experts.width = sizeOr(config, "moe_intermediate_size", 768);
    experts.routing.chosen = expertsOfToken(config, "num_experts_per_tok", 8, experts.count);
    experts.routing.normalized = config.boolOr("norm_topk_prob", false);
    const int step = sizeOr(config, "decoder_sparse_step", 1);
    const std::vector<bool> dense = denseLayers(config, layers.layers);
    for (int layer = 0; layer < layers.layers; ++layer)
        experts.layers.push_back((layer + 1) % step == 0 && !dense[static_cast<std::size_t>(layer)]);
    layers.experts = std::move(experts);
    return buildMixture(input, std::move(plan), {});
}

FamilyOutput buildGptOss(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = readLlamaPlan(config, {.epsilon = 1e-5, .headWidth = 64, .outputBias = true});
    LayerPlan& layers = plan.layers;
    layers.names.self.sinks = "self_attn.sinks";
    layers.windows = windowsOf(localLayers(config, layers.layers, [](int layer) { return layer % 2 == 0; }),
                               slidingWindow(config, 128));
    ExpertsPlan experts{.router = "mlp.router", .prefix = "mlp.experts"};
    experts.stored = ExpertsPlan::Stored::Interleaved;
    experts.routerBias = experts.bias = true;
    experts.count = requireExperts(config, "num_local_experts");
    experts.width = layers.feedForwardWidth;
    experts.clamped = ClampedGate{static_cast<float>(positiveOr(config, "swiglu_limit", 7)),
                                  static_cast<float>(positiveOr(config, "swiglu_alpha", 1.702))};
    experts.routing.scores = Scores::SoftmaxOfChosen;
    experts.routing.chosen = expertsOfToken(config, "num_experts_per_tok", 4, experts.count);
    layers.experts = std::move(experts);
    RotaryReading reading;
    reading.unsaid.base = 150000;
    reading.unsaid.scaling = RotaryScaling::Yarn;
    reading.unsaid.factor = 32;
    reading.unsaid.originalPositions = 4096;
    reading.unsaid.wholeRotations = false;
    reading.unsaid.magnitude = 0.1 * std::log(reading.unsaid.factor) + 1;
    return buildMixture(input, std::move(plan), reading);
}

Json gptOssConfig(const GgufMetadata& file)
{
    Json json = llamaConfig(file);
    json["num_local_experts"] = file.size("expert_count");
    json["intermediate_size"] = json["moe_intermediate_size"];
    if (json.contains("rope_scaling"))
        json["rope_scaling"]["truncate"] = false;
    else
        json["rope_scaling"] = {{"rope_type", "default"}};
    return json;
}

// router, and what the matrices of its experts are called below the layer.
GgufLayout mixtureLayout(std::string_view architecture, Json (*config)(const GgufMetadata& metadata),
                         const std::string& router, const std::string& experts)
{
    LayerNames names = llamaLayerNames();
    nameHeadNorms(names);
    GgufLayout layout = llamaLayout(architecture, names, config);
    layout.inLayer.insert(layout.inLayer.end(),
                          {{"ffn_gate_inp", router},
                           {"ffn_gate_exps", experts + ".gate_proj"},
                           {"ffn_up_exps", experts + ".up_proj"},
                           {"ffn_down_exps", experts + ".down_proj"}});
    return layout;
}

GgufLayout qwen3MoeGguf()
{
    return mixtureLayout("qwen3moe", llamaConfig, "mlp.gate", "mlp.experts");
}

GgufLayout gptOssGguf()
{
    GgufLayout layout = mixtureLayout("gpt-oss", gptOssConfig, "mlp.router", "mlp.experts");
    layout.inLayer.push_back({"post_attention_norm", "post_attention_layernorm"});
    layout.inLayer.push_back({"attn_sinks", "self_attn.sinks", true});
    return layout;
}

ConfigKeys mixtralKeys()
{
    return {.read = {"num_experts_per_tok", "num_local_experts", "sliding_window"}, .more = llamaPlanKeys};
}

ConfigKeys qwen3MoeKeys()
{
    return {.read = {"decoder_sparse_step", "layer_types", "max_window_layers", "mlp_only_layers",
                     "moe_intermediate_size", "norm_topk_prob", "num_experts", "num_experts_per_tok", "sliding_window",
                     "use_sliding_window"},
            .more = llamaPlanKeys};
}

ConfigKeys gptOssKeys()
{
    return {.read = {"layer_types", "num_experts_per_tok", "num_local_experts", "sliding_window", "swiglu_alpha",
                     "swiglu_limit"},
            .aliases = {{"experts_per_token", "num_experts_per_tok"}},
            .more = llamaPlanKeys};
}

constexpr Family mixtureRows[] = {
    {"mixtral",
     "Mixtral 8x7B and 8x22B",
     {.tokenizerClass = "Llama"},
     ModelKind::DecoderOnly,
     mixtralKeys,
     buildMixtral},
    {"qwen3_moe",
     "Qwen 3 30B-A3B and 235B-A22B",
     {.tokenizerClass = "Qwen2"},
     ModelKind::DecoderOnly,
     qwen3MoeKeys,
     buildQwen3Moe,
     qwen3MoeGguf},
    {"gpt_oss", "gpt-oss 20B and 120B", {}, ModelKind::DecoderOnly, gptOssKeys, buildGptOss, gptOssGguf},
};

} // namespace

std::span<const Family> mixtureFamilies()
{
    return mixtureRows;
}

} // namespace attn

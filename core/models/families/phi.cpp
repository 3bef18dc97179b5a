// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/llama_plan.h"
#include "models/families/rotary_config.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr auto fusedSides = "self_attn.qkv_proj"; // in some GGUF files

// Attention and feed-forward block read the same normalised rows.
FamilyOutput buildPhi(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan = readLlamaPlan(config,
                                     {.epsilon = 1e-5,
                                      .epsilonField = "layer_norm_eps",
                                      .inputBias = true,
                                      .outputBias = true,
                                      .readsBiases = false});
    plan.names.finalNorm = "final_layernorm";
    plan.outputBias = true;
    LayerPlan& layers = plan.layers;
    layers.names.self.output = "self_attn.dense";
    if (input.checkpoint->find(fmt::format("{}{}0.{}.weight", plan.names.prefix, layers.prefix, fusedSides))) {
        layers.names.self.query = fusedSides;
        layers.names.self.key.clear();
        layers.names.self.value.clear();
    }
    layers.names.first = "mlp.fc1";
    layers.names.second = "mlp.fc2";
    layers.names.gate.clear();
    layers.names.norm.clear();
    layers.norm = NormKind::Layer;
    layers.parallel = true;
    layers.feedForwardBias = true;
    layers.activation = readActivation(config, "gelu_new");
    if (config.boolOr("qk_layernorm", false)) {
        layers.names.self.queryNorm = "self_attn.q_layernorm";
        layers.names.self.keyNorm = "self_attn.k_layernorm";
    }
    RotaryReading reading;
    reading.part = 0.5;
    const RotarySettings rotary = readRotary(config, layers.shape.width, reading);
    layers.rotateAll(rotary);
    plan.scheme = describeRotary(rotary);
    return buildDecoder(input, std::move(plan));
}

Json phiConfig(const GgufMetadata& file)
{
    Json json = llamaConfig(file);
    json["layer_norm_eps"] = file.number("attention.layer_norm_epsilon").value_or(1e-5);
    json["hidden_act"] = "gelu_new";
    return json;
}

GgufLayout phi2Gguf()
{
    LayerNames names = llamaLayerNames();
    names.self.output = "self_attn.dense";
    names.first = "mlp.fc1";
    names.second = "mlp.fc2";
    names.gate.clear();
    GgufLayout layout = llamaLayout("phi2", names, phiConfig);
    DecoderNames whole = llamaNames();
    whole.finalNorm = "final_layernorm";
    layout.whole = ggufWhole(whole);
    layout.inLayer.push_back({"attn_qkv", fusedSides});
    return layout;
}

ConfigKeys phiKeys()
{
    return {.read = {"layer_norm_eps", "qk_layernorm"}, .more = llamaPlanKeys};
}

constexpr Family phiRows[] = {
    {"phi", "Phi-1, Phi-1.5, Phi-2", {.tokenizerClass = "GPT2"}, ModelKind::DecoderOnly, phiKeys, buildPhi, phi2Gguf}};

} // namespace

std::span<const Family> phiFamilies()
{
    return phiRows;
}

} // namespace attn

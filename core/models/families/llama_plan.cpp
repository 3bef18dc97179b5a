// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/llama_plan.h"

#include "models/families/config_values.h"
#include "models/families/rotary_config.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace attn {

namespace {

constexpr auto llamaLayers = "layers.";

} // namespace

DecoderNames llamaNames()
{
    return {"model.", "embed_tokens", {}, "norm", "lm_head"};
}

LayerNames llamaLayerNames()
{
    return {{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "input_layernorm"},
            {},
            "mlp.up_proj",
            "mlp.down_proj",
            "mlp.gate_proj",
            "post_attention_layernorm"};
}

void nameHeadNorms(LayerNames& names)
{
    names.self.queryNorm = "self_attn.q_norm";
    names.self.keyNorm = "self_attn.k_norm";
}

ConfigKeys llamaPlanKeys()
{
    return {.read = {"attention_bias", "head_dim", "hidden_act", "hidden_size", "intermediate_size",
                     "max_position_embeddings", "mlp_bias", "num_attention_heads", "num_hidden_layers",
                     "num_key_value_heads", "partial_rotary_factor", "rms_norm_eps", "rope_parameters", "rope_scaling",
                     "rope_theta"}};
}

DecoderPlan readLlamaPlan(const JsonObject& config, const LlamaDefaults& defaults)
{
    DecoderPlan result;
    result.names = llamaNames();
    LayerPlan& plan = result.layers;
    plan.prefix = llamaLayers;
    plan.names = llamaLayerNames();
    plan.layers = requireLayers(config, "num_hidden_layers");
    plan.width = requireSize(config, "hidden_size");
    const int heads = requireSize(config, "num_attention_heads");
    const int keyValueHeads = sizeOr(config, "num_key_value_heads", heads);
    if (heads % keyValueHeads != 0)
        config.refuse("num_key_value_heads", fmt::format("a divisor of the {} heads", heads));
    const int features = config.has("head_dim") ? requireSize(config, "head_dim")
        : defaults.headWidth > 0                ? defaults.headWidth
                                                : headWidth(config, "num_attention_heads", heads, plan.width);
    checkHeads(config, "head_dim", heads, features);
    plan.shape = {heads, features, heads / keyValueHeads};
    plan.feedForwardWidth = requireSize(config, "intermediate_size");
    plan.activation = readActivation(config, "silu");
    plan.norm = NormKind::Rms;
    plan.place = NormPlace::Before;
    plan.epsilon = epsilonOr(config, defaults.epsilonField, defaults.epsilon);
    plan.outputBias = defaults.readsBiases ? config.boolOr("attention_bias", defaults.outputBias) : defaults.outputBias;
    plan.inputBias = defaults.inputBias || plan.outputBias;
    plan.feedForwardBias = defaults.readsBiases && config.boolOr("mlp_bias", false);
    return result;
}

std::vector<bool> localLayers(const JsonObject& config, int layers, const std::function<bool(int)>& pattern)
{
    constexpr auto field = "layer_types";
    std::vector<bool> result;
    if (!config.has(field)) {
        for (int layer = 0; layer < layers; ++layer)
            result.push_back(pattern(layer));
        return result;
    }
    const std::string expected = fmt::format("a list of {} words, \"full_attention\" or \"sliding_attention\"", layers);
    for (const Json& word : config.requireList(field, expected)) {
        if (word != "full_attention" && word != "sliding_attention")
            refuseSetting(config, field, fmt::format("layer {} is {:.40}", result.size(), word.dump()),
                          "\"full_attention\" and \"sliding_attention\" are read");
        result.push_back(word == "sliding_attention");
    }
    if (std::ssize(result) != layers)
        config.refuse(field, expected);
    return result;
}

std::vector<int> windowsOf(const std::vector<bool>& local, int window)
{
    std::vector<int> result;
    for (const bool windowed : local)
        result.push_back(windowed ? window : 0);
    return result;
}

int slidingWindow(const JsonObject& config, int fallback, std::string_view field)
{
    const bool none = config.json().contains(field) && !config.has(field);
    return none ? 0 : config.has(field) ? requireSize(config, field) : fallback;
}

Json llamaConfig(const GgufMetadata& file)
{
    const GgufHeads heads = file.heads();
    Json json{{"hidden_size", file.size("embedding_length")},
              {"num_hidden_layers", file.size("block_count")},
              {"num_attention_heads", heads.queries},
              {"num_key_value_heads", heads.keys},
              {"head_dim", heads.features},
              {"intermediate_size", file.size("feed_forward_length")},
              {"max_position_embeddings", file.size("context_length")},
              {"rms_norm_eps", file.number("attention.layer_norm_rms_epsilon").value_or(1e-5)},
              {"hidden_act", "silu"},
              {"attention_bias", file.hasTensor("blk.0.attn_q.bias")},
              {"mlp_bias", file.hasTensor("blk.0.ffn_up.bias")},
              {"tie_word_embeddings", !file.hasTensor("output.weight")}};
    if (const auto experts = file.optionalSize("expert_count")) {
        json["num_experts"] = json["num_local_experts"] = *experts;
        json["num_experts_per_tok"] = file.size("expert_used_count");
        json["moe_intermediate_size"] =
            file.optionalSize("expert_feed_forward_length").value_or(file.size("feed_forward_length"));
        json["norm_topk_prob"] = true;
    }
    if (const auto window = file.optionalSize("attention.sliding_window"))
        json["sliding_window"] = *window;
    addGgufRotary(json, file, heads.features);
    return json;
}

GgufLayout llamaLayout(std::string_view architecture, const LayerNames& names,
                       Json (*config)(const GgufMetadata& metadata), NormPlace place)
{
    return {.architecture = architecture,
            .config = config,
            .whole = ggufWhole(llamaNames()),
            .inLayer = ggufLayer(names, place),
            .layers = llamaNames().prefix + llamaLayers};
}

} // namespace attn

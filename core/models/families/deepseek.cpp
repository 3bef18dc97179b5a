// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/llama_plan.h"
#include "models/families/rotary_config.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr int mostRouted = 4096;

// Differences of the two versions.
struct DeepSeekKind
{
    Routing::Scores scores;
    int dense; // layers at the beginning without experts, where the configuration does not say
    bool corrected; // experts are chosen by scores with a correction
};

constexpr DeepSeekKind second{Routing::Scores::Softmax, 0, false};
constexpr DeepSeekKind third{Routing::Scores::Sigmoid, 3, true};

ExpertsPlan readRouted(const JsonObject& config, const DeepSeekKind& kind, int layers)
{
    ExpertsPlan experts{.router = "mlp.gate", .prefix = "mlp.experts"};
    experts.count = config.requireInt("n_routed_experts", 1, mostRouted);
    experts.width = requireSize(config, "moe_intermediate_size");
    if (const int shared = config.optionalInt("n_shared_experts", 0, mostRouted).value_or(0); shared > 0) {
        experts.shared = "mlp.shared_experts";
        experts.sharedWidth = shared * experts.width;
    }
    Routing& routing = experts.routing;
    routing.scores = kind.scores;
    routing.chosen = config.requireInt("num_experts_per_tok", 1, experts.count);
    routing.scale = static_cast<float>(positiveOr(config, "routed_scaling_factor", 1));
    routing.normalized = kind.corrected && config.boolOr("norm_topk_prob", true);
    const bool grouped = kind.corrected || config.stringOr("topk_method", "greedy") == "group_limited_greedy";
    if (grouped) {
        routing.groups = config.optionalInt("n_group", 1, experts.count).value_or(1);
        if (experts.count % routing.groups != 0)
            config.refuse("n_group", fmt::format("a divisor of the {} experts", experts.count));
        routing.keptGroups = config.optionalInt("topk_group", 1, routing.groups).value_or(routing.groups);
        routing.groupBest = kind.corrected ? 2 : 1;
        if (routing.chosen > experts.count / routing.groups * routing.keptGroups)
            config.refuse("num_experts_per_tok", "at most the experts of the groups that stay");
    }
    if (kind.corrected)
        experts.correction = "mlp.gate.e_score_correction_bias";
    const int dense = config.optionalInt("first_k_dense_replace", 0, 1 << 20).value_or(kind.dense);
    const int frequency = sizeOr(config, "moe_layer_freq", 1);
    for (int layer = 0; layer < layers; ++layer)
        experts.layers.push_back(layer >= dense && layer % frequency == 0);
    return experts;
}

// mscale_all_dim of a yarn scaling sharpens the scores, too.
double sharpness(const JsonObject& config, const RotarySettings& rotary)
{
    if (rotary.scaling != RotaryScaling::Yarn || rotary.factor <= 1)
        return 1;
    const char* const field = config.has("rope_parameters") ? "rope_parameters" : "rope_scaling";
    const double scale = 0.1 * config.requireObject(field).numberOr("mscale_all_dim", 0) * std::log(rotary.factor) + 1;
    return scale * scale;
}

template<const DeepSeekKind& kind>
FamilyOutput buildDeepSeek(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    const int own = requireSize(config, "qk_nope_head_dim");
    const int rotated = requireSize(config, "qk_rope_head_dim");
    DecoderPlan plan = readLlamaPlan(config, {.headWidth = own + rotated});
    LayerPlan& layers = plan.layers;
    checkHeads(config, "qk_nope_head_dim", layers.shape.heads, own + rotated);
    layers.shape = {layers.shape.heads, own + rotated};
    LatentPlan latent;
    latent.keyDown = "self_attn.kv_a_proj_with_mqa";
    latent.keyNorm = "self_attn.kv_a_layernorm";
    latent.keyRank = requireSize(config, "kv_lora_rank");
    latent.sharedWidth = rotated;
    latent.valueWidth = requireSize(config, "v_head_dim");
    checkHeads(config, "v_head_dim", layers.shape.heads, latent.valueWidth);
    latent.bias = layers.inputBias;
    layers.names.self.key = "self_attn.kv_b_proj";
    if (config.has("q_lora_rank")) {
        latent.queryRank = requireSize(config, "q_lora_rank");
        latent.queryDown = "self_attn.q_a_proj";
        latent.queryNorm = "self_attn.q_a_layernorm";
        layers.names.self.query = "self_attn.q_b_proj";
    }
    layers.latent = std::move(latent);
    layers.experts = readRouted(config, kind, layers.layers);
    RotaryReading reading;
    reading.unsaid.pairs = RotaryPairs::Neighbours;
    reading.unsaid.first = own;
    const RotarySettings rotary = readRotary(config, rotated, reading);
    layers.rotateAll(rotary);
    plan.scheme = describeRotary(rotary);
    const double scale = sharpness(config, rotary) / std::sqrt(static_cast<double>(own + rotated));
    layers.scales.assign(static_cast<std::size_t>(layers.layers), static_cast<float>(scale));
    return buildDecoder(input, std::move(plan));
}

ConfigKeys deepSeekKeys()
{
    return {.read = {"first_k_dense_replace", "kv_lora_rank", "moe_intermediate_size", "moe_layer_freq", "n_group",
                     "n_routed_experts", "n_shared_experts", "norm_topk_prob", "num_experts_per_tok", "q_lora_rank",
                     "qk_nope_head_dim", "qk_rope_head_dim", "routed_scaling_factor", "scoring_func", "topk_group",
                     "topk_method", "v_head_dim"},
            .silent = {"num_nextn_predict_layers", "qk_head_dim"},
            .fixed = {{"rope_interleave", "true"}},
            .more = llamaPlanKeys};
}

constexpr Family deepSeekRows[] = {
    {"deepseek_v2", "DeepSeek-V2, DeepSeek-Coder-V2", {}, ModelKind::DecoderOnly, deepSeekKeys, buildDeepSeek<second>},
    {"deepseek_v3",
     "DeepSeek-V3, DeepSeek-R1, Moonlight",
     {},
     ModelKind::DecoderOnly,
     deepSeekKeys,
     buildDeepSeek<third>},
};

} // namespace

std::span<const Family> deepSeekFamilies()
{
    return deepSeekRows;
}

} // namespace attn

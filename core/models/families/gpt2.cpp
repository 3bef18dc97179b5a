// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/families/llama_plan.h"
#include "models/families/rotary_config.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr auto gpt2Layers = "h.";
constexpr auto classifierName = "classifier";

DecoderNames gpt2Names()
{
    return {"transformer.", "wte", "wpe", "ln_f", "lm_head"};
}

LayerNames gpt2LayerNames()
{
    return {{"attn.c_attn", "", "", "attn.c_proj", "ln_1"}, {}, "mlp.c_fc", "mlp.c_proj", "", "ln_2"};
}

FamilyOutput buildGpt2(const FamilyInput& input)
{
    if (input.config.boolOr("add_cross_attention", false))
        refuseSetting(input.config, "add_cross_attention", "true is not supported",
                      "decoder-only models can be opened");
    DecoderPlan plan{readGpt2Layers(input.config), gpt2Names(), {PositionScheme::Learned}, true};
    plan.layers.convolutions = input.checkpoint->config() == nullptr; // GGUF files have matrices [outputs, inputs]
    plan.positions = sizeOr(input.config, "n_positions", 1024);
    plan.tokenHead = classifierName;
    return buildDecoder(input, std::move(plan));
}

// Named as LLaMA's projections are, below GPT-2's names.
void nameProjections(LayerNames& names, const std::string& prefix)
{
    names.self.query = prefix + "q_proj";
    names.self.key = prefix + "k_proj";
    names.self.value = prefix + "v_proj";
    names.self.output = prefix + "out_proj";
}

// Attention and feed-forward block read the same normalised rows, and neighbouring features turn together.
FamilyOutput buildGptJ(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan;
    plan.names = gpt2Names();
    plan.names.positions.clear();
    plan.outputBias = true;
    LayerPlan& layers = plan.layers;
    layers.prefix = gpt2Layers;
    layers.names = gpt2LayerNames();
    nameProjections(layers.names, "attn.");
    layers.names.first = "mlp.fc_in";
    layers.names.second = "mlp.fc_out";
    layers.names.norm.clear();
    layers.layers = requireLayers(config, "n_layer");
    layers.width = requireSize(config, "n_embd");
    const int heads = requireSize(config, "n_head");
    layers.shape = {heads, headWidth(config, "n_head", heads, layers.width)};
    layers.feedForwardWidth = sizeOr(config, "n_inner", 4 * layers.width);
    layers.activation = readActivation(config, "gelu_new");
    layers.place = NormPlace::Before;
    layers.parallel = true;
    layers.epsilon = epsilonOr(config, "layer_norm_epsilon", 1e-5);
    layers.inputBias = layers.outputBias = false;
    RotaryReading reading;
    reading.unsaid.pairs = RotaryPairs::Neighbours;
    const bool all = config.json().contains("rotary_dim") && !config.has("rotary_dim");
    const int rotated = all ? layers.shape.width : sizeOr(config, "rotary_dim", 64);
    if (rotated > layers.shape.width)
        config.refuse("rotary_dim", fmt::format("at most the {} features of a head", layers.shape.width));
    reading.part = static_cast<double>(rotated) / layers.shape.width;
    const RotarySettings rotary = readRotary(config, layers.shape.width, reading);
    layers.rotateAll(rotary);
    plan.scheme = describeRotary(rotary);
    return buildDecoder(input, std::move(plan));
}

// [[["global", "local"], 12]]: words, and how often they come.
std::vector<bool> readAttentionTypes(const JsonObject& config, int layers)
{
    constexpr auto field = "attention_types";
    const std::string expected = fmt::format("lists of \"global\" or \"local\" and a number, for {} layers", layers);
    std::vector<bool> result;
    if (!config.has(field)) {
        for (int layer = 0; layer < layers; ++layer)
            result.push_back(layer % 2 == 1);
        return result;
    }
    for (const Json& entry : config.requireList(field, expected)) {
        const bool isPair = entry.is_array() && entry.size() == 2 && entry[0].is_array();
        const auto times = isPair ? indexIn(entry[1], layers) : std::nullopt;
        if (!times)
            config.refuse(field, expected);
        for (int round = 0; round < *times; ++round) {
            for (const Json& word : entry[0]) {
                if (word != "global" && word != "local")
                    config.refuse(field, expected);
                result.push_back(word == "local");
                if (std::ssize(result) > layers)
                    config.refuse(field, expected);
            }
        }
    }
    if (std::ssize(result) != layers)
        config.refuse(field, expected);
    return result;
}

// Its matrices are [outputs, inputs], and scores are not scaled.
FamilyOutput buildGptNeo(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan{{}, gpt2Names(), {PositionScheme::Learned}, true};
    plan.positions = sizeOr(config, "max_position_embeddings", 2048);
    plan.tokenHead = classifierName;
    LayerPlan& layers = plan.layers;
    layers.prefix = gpt2Layers;
    layers.names = gpt2LayerNames();
    nameProjections(layers.names, "attn.attention.");
    layers.layers = requireLayers(config, "num_layers");
    layers.width = requireSize(config, "hidden_size");
    const int heads = requireSize(config, "num_heads");
    layers.shape = {heads, headWidth(config, "num_heads", heads, layers.width)};
    layers.feedForwardWidth = sizeOr(config, "intermediate_size", 4 * layers.width);
    layers.activation = readActivation(config, "gelu_new");
    layers.place = NormPlace::Before;
    layers.epsilon = epsilonOr(config, "layer_norm_epsilon", 1e-5);
    layers.inputBias = false;
    layers.scales.assign(static_cast<std::size_t>(layers.layers), 1.0F);
    const auto local = readAttentionTypes(config, layers.layers);
    layers.windows =
        windowsOf(localLayers(config, layers.layers, [&](int layer) { return local[static_cast<std::size_t>(layer)]; }),
                  sizeOr(config, "window_size", 256));
    return buildDecoder(input, std::move(plan));
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
            .layers = gpt2Names().prefix + gpt2Layers};
}

ConfigKeys gpt2Keys()
{
    return {.read = {"activation_function", "add_cross_attention", "layer_norm_epsilon", "n_embd", "n_head", "n_inner",
                     "n_layer", "n_positions", "pruned_heads", "scale_attn_by_inverse_layer_idx", "scale_attn_weights"},
            .silent = {"n_ctx", "reorder_and_upcast_attn", "summary_activation", "summary_proj_to_labels",
                       "summary_type", "summary_use_proj"},
            .aliases = {{"hidden_size", "n_embd"},
                        {"max_position_embeddings", "n_positions"},
                        {"num_attention_heads", "n_head"},
                        {"num_hidden_layers", "n_layer"}}};
}

ConfigKeys gptNeoKeys()
{
    return {.read = {"activation_function", "attention_types", "hidden_size", "intermediate_size", "layer_norm_epsilon",
                     "max_position_embeddings", "num_heads", "num_layers", "window_size"},
            .silent = {"attention_layers", "summary_activation", "summary_proj_to_labels", "summary_type",
                       "summary_use_proj"},
            .aliases = {{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}}};
}

ConfigKeys gptJKeys()
{
    return {.read = {"activation_function", "layer_norm_epsilon", "n_embd", "n_head", "n_inner", "n_layer",
                     "n_positions", "rotary_dim"},
            .silent = {"n_ctx", "rotary", "summary_activation", "summary_proj_to_labels", "summary_type",
                       "summary_use_proj"},
            .fixed = {{"scale_attn_weights", "true"}},
            .aliases = {{"hidden_size", "n_embd"},
                        {"max_position_embeddings", "n_positions"},
                        {"num_attention_heads", "n_head"},
                        {"num_hidden_layers", "n_layer"}}};
}

constexpr Family gpt2Rows[] = {
    {"gpt2", "GPT-2, DistilGPT-2", {.tokenizerClass = "GPT2"}, ModelKind::DecoderOnly, gpt2Keys, buildGpt2, gpt2Gguf},
    {"gpt_neo", "GPT-Neo, TinyStories", {.tokenizerClass = "GPT2"}, ModelKind::DecoderOnly, gptNeoKeys, buildGptNeo},
    {"gptj", "GPT-J 6B", {.tokenizerClass = "GPT2"}, ModelKind::DecoderOnly, gptJKeys, buildGptJ},
};

} // namespace

LayerPlan readGpt2Layers(const JsonObject& config)
{
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
    plan.pruned = readPrunedHeads(config, plan.layers, heads);
    const bool byLayer = config.boolOr("scale_attn_by_inverse_layer_idx", false);
    const float scale =
        config.boolOr("scale_attn_weights", true) ? 1.0F / std::sqrt(static_cast<float>(plan.shape.width)) : 1.0F;
    for (int layer = 0; layer < plan.layers; ++layer)
        plan.scales.push_back(byLayer ? scale / static_cast<float>(layer + 1) : scale);
    return plan;
}

std::span<const Family> gpt2Families()
{
    return gpt2Rows;
}

} // namespace attn

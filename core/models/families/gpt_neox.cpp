// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/families/rotary_config.h"

#include <nlohmann/json.hpp>

#include <span>
#include <utility>

namespace attn {

namespace {

DecoderNames neoXNames()
{
    return {"gpt_neox.", "embed_in", {}, "final_layer_norm", "embed_out"};
}

LayerNames neoXLayerNames()
{
    return {{"attention.query_key_value", "", "", "attention.dense", "input_layernorm"},
            {},
            "mlp.dense_h_to_4h",
            "mlp.dense_4h_to_h",
            "",
            "post_attention_layernorm"};
}

constexpr auto neoXLayers = "layers.";

FamilyOutput buildGptNeoX(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    DecoderPlan plan;
    plan.names = neoXNames();
    plan.tokenHead = "classifier";
    LayerPlan& layers = plan.layers;
    layers.prefix = neoXLayers;
    layers.names = neoXLayerNames();
    layers.layers = requireLayers(config, "num_hidden_layers");
    layers.width = requireSize(config, "hidden_size");
    const int heads = requireSize(config, "num_attention_heads");
    layers.shape = {heads, headWidth(config, "num_attention_heads", heads, layers.width)};
    layers.fused = fusedOrder(*input.checkpoint);
    layers.feedForwardWidth = requireSize(config, "intermediate_size");
    layers.activation = readActivation(config, "gelu");
    layers.place = NormPlace::Before;
    layers.parallel = config.boolOr("use_parallel_residual", true);
    layers.epsilon = epsilonOr(config, "layer_norm_eps", 1e-5);
    layers.inputBias = layers.outputBias = config.boolOr("attention_bias", true);
    RotaryReading reading;
    reading.part = 0.25;
    reading.base = "rotary_emb_base";
    reading.partField = "rotary_pct";
    const RotarySettings rotary = readRotary(config, layers.shape.width, reading);
    layers.rotateAll(rotary);
    plan.scheme = describeRotary(rotary);
    return buildDecoder(input, std::move(plan));
}

Json neoXConfig(const GgufMetadata& file)
{
    const GgufHeads heads = file.heads();
    Json json{{"hidden_size", file.size("embedding_length")},
              {"num_hidden_layers", file.size("block_count")},
              {"num_attention_heads", heads.queries},
              {"intermediate_size", file.size("feed_forward_length")},
              {"max_position_embeddings", file.size("context_length")},
              {"layer_norm_eps", file.number("attention.layer_norm_epsilon").value_or(1e-5)},
              {"use_parallel_residual", file.flag("use_parallel_residual").value_or(true)},
              {"attention_bias", file.hasTensor("blk.0.attn_qkv.bias")},
              {"tie_word_embeddings", !file.hasTensor("output.weight")}};
    addGgufRotary(json, file, heads.features);
    json["rotary_pct"] = json["partial_rotary_factor"];
    json["rotary_emb_base"] = json["rope_theta"];
    return json;
}

GgufLayout neoXGguf()
{
    return {.architecture = "gptneox",
            .config = neoXConfig,
            .whole = ggufWhole(neoXNames()),
            .inLayer = ggufLayer(neoXLayerNames(), NormPlace::Before),
            .layers = neoXNames().prefix + neoXLayers};
}

ConfigKeys gptNeoXKeys()
{
    return {.read = {"attention_bias", "hidden_size", "intermediate_size", "layer_norm_eps", "max_position_embeddings",
                     "num_attention_heads", "num_hidden_layers", "partial_rotary_factor", "rope_parameters",
                     "rope_scaling", "rope_theta", "rotary_emb_base", "rotary_pct", "use_parallel_residual"}};
}

constexpr Family gptNeoXRows[] = {{"gpt_neox",
                                   "Pythia, GPT-NeoX 20B",
                                   {.tokenizerClass = "GPT2"},
                                   ModelKind::DecoderOnly,
                                   gptNeoXKeys,
                                   buildGptNeoX,
                                   neoXGguf}};

} // namespace

std::span<const Family> gptNeoXFamilies()
{
    return gptNeoXRows;
}

} // namespace attn

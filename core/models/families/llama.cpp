// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/families/rotary_config.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr auto llamaLayers = "layers.";

DecoderNames llamaNames()
{
    return {"model.", "embed_tokens", {}, "norm", "lm_head"};
}

// What the families make of the same network.
struct LlamaKind
{
    bool mayHaveBiases = false; // where the configuration says so
    bool hasInputBias = false; // always
    bool hasWindow = false; // a sliding one
    bool windowIsOptional = false; // used where use_sliding_window says so, from layer max_window_layers on
};

constexpr LlamaKind llama{.mayHaveBiases = true};
constexpr LlamaKind mistral{.hasWindow = true};
constexpr LlamaKind qwen2{.hasInputBias = true, .hasWindow = true, .windowIsOptional = true};

LayerNames llamaLayerNames()
{
    return {{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "input_layernorm"},
            {},
            "mlp.up_proj",
            "mlp.down_proj",
            "mlp.gate_proj",
            "post_attention_layernorm"};
}

// A sliding window by layer, as the three families word it.
std::vector<int> readWindows(const JsonObject& config, const LlamaKind& kind, int layers)
{
    constexpr int usual = 4096; // what the families' configurations mean where they do not say
    if (!kind.hasWindow || (kind.windowIsOptional && !config.boolOr("use_sliding_window", false)))
        return {};
    if (config.json().contains("sliding_window") && !config.has("sliding_window"))
        return {};
    const int window = sizeOr(config, "sliding_window", usual);
    std::vector<int> result(layers, window);
    if (config.has("layer_types")) {
        const std::string expected = fmt::format("a list of {} kinds of attention", layers);
        const Json& types = config.requireList("layer_types", expected);
        if (types.size() != result.size())
            config.refuse("layer_types", expected);
        for (std::size_t layer = 0; layer < result.size(); ++layer)
            result[layer] = types[layer] == "sliding_attention" ? window : 0;
    } else if (kind.windowIsOptional) {
        const auto full = config.optionalInt("max_window_layers", 0, 1 << 20).value_or(28);
        for (Index layer = 0; layer < layers; ++layer)
            result[layer] = layer < full ? 0 : window;
    }
    return result;
}

LayerPlan readLlamaPlan(const JsonObject& config, const LlamaKind& kind)
{
    LayerPlan plan;
    plan.prefix = llamaLayers;
    plan.names = llamaLayerNames();
    plan.layers = requireLayers(config, "num_hidden_layers");
    plan.width = requireSize(config, "hidden_size");
    const int heads = requireSize(config, "num_attention_heads");
    const int keyValueHeads = sizeOr(config, "num_key_value_heads", heads);
    if (heads % keyValueHeads != 0)
        config.refuse("num_key_value_heads", fmt::format("a divisor of the {} heads", heads));
    const int features = config.has("head_dim") ? requireSize(config, "head_dim")
                                                : headWidth(config, "num_attention_heads", heads, plan.width);
    checkHeads(config, "head_dim", heads, features);
    plan.shape = {heads, features, heads / keyValueHeads};
    plan.feedForwardWidth = requireSize(config, "intermediate_size");
    plan.activation = activationOr(config, "hidden_act", "silu");
    plan.rmsNorm = true;
    plan.place = NormPlace::Before;
    plan.epsilon = epsilonOr(config, "rms_norm_eps", 1e-6);
    plan.outputBias = kind.mayHaveBiases && config.boolOr("attention_bias", false);
    plan.inputBias = kind.hasInputBias || plan.outputBias;
    plan.feedForwardBias = kind.mayHaveBiases && config.boolOr("mlp_bias", false);
    plan.rotary = std::make_shared<RotaryPositions>(readRotary(config, features));
    plan.windows = readWindows(config, kind, plan.layers);
    return plan;
}

template<const LlamaKind& kind>
FamilyOutput buildKind(const FamilyInput& input)
{
    const LayerPlan plan = readLlamaPlan(input.config, kind);
    return buildDecoder(input, plan, llamaNames(), false, describeRotary(plan.rotary->settings()));
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
    addGgufRotary(json, file, heads.features);
    return json;
}

GgufLayout qwen2Gguf()
{
    return {.architecture = "qwen2",
            .config = llamaConfig,
            .whole = ggufWhole(llamaNames()),
            .inLayer = ggufLayer(llamaLayerNames(), NormPlace::Before),
            .layers = llamaNames().prefix + llamaLayers};
}

GgufLayout llamaGguf()
{
    GgufLayout result = qwen2Gguf();
    result.architecture = "llama";
    result.neighbouringPairs = true;
    return result;
}

constexpr Family llamaRows[] = {
    {"llama", {.tokenizerClass = "Llama"}, ModelKind::DecoderOnly, buildKind<llama>, llamaGguf},
    {"mistral", {.tokenizerClass = "Mistral"}, ModelKind::DecoderOnly, buildKind<mistral>},
    {"qwen2", {.tokenizerClass = "Qwen2"}, ModelKind::DecoderOnly, buildKind<qwen2>, qwen2Gguf},
};

} // namespace

std::span<const Family> llamaFamilies()
{
    return llamaRows;
}

} // namespace attn

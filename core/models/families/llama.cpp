// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/renamed_checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/families/rotary_config.h"
#include "models/families/token_settings.h"
#include "models/transformer.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

constexpr auto llamaWords = "embed_tokens.weight";
constexpr auto llamaFinalNorm = "norm";

// A sliding window by layer, as the three families word it.
std::vector<int> readWindows(const JsonObject& config, const std::string& type, int layers)
{
    constexpr int usual = 4096; // what the families' configurations mean where they do not say
    if (type == "llama" || (type == "qwen2" && !config.boolOr("use_sliding_window", false)))
        return {};
    if (config.json().contains("sliding_window") && !config.has("sliding_window"))
        return {};
    const int window = sizeOr(config, "sliding_window", usual);
    std::vector<int> result(static_cast<std::size_t>(layers), window);
    if (config.has("layer_types")) {
        const Json& types = config.json().at("layer_types");
        if (!types.is_array() || types.size() != result.size())
            config.refuse("layer_types", fmt::format("a list of {} kinds of attention", layers));
        for (std::size_t layer = 0; layer < result.size(); ++layer)
            result[layer] = types[layer] == "sliding_attention" ? window : 0;
    } else if (type == "qwen2") {
        const auto full = config.optionalInt("max_window_layers", 0, 1 << 20).value_or(28);
        for (std::size_t layer = 0; layer < result.size(); ++layer)
            result[layer] = static_cast<std::int64_t>(layer) < full ? 0 : window;
    }
    return result;
}

LayerPlan readLlamaPlan(const JsonObject& config, const std::string& type)
{
    LayerPlan plan;
    plan.prefix = "layers.";
    plan.names = {{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "input_layernorm"},
                  {},
                  "mlp.up_proj",
                  "mlp.down_proj",
                  "mlp.gate_proj",
                  "post_attention_layernorm"};
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
    plan.inputBias = type == "qwen2" || (type == "llama" && config.boolOr("attention_bias", false));
    plan.outputBias = type == "llama" && plan.inputBias;
    plan.feedForwardBias = type == "llama" && config.boolOr("mlp_bias", false);
    plan.rotary = std::make_shared<RotaryPositions>(readRotary(config, features));
    plan.windows = readWindows(config, type, plan.layers);
    return plan;
}

ModelInfo describeLlama(const JsonObject& config, const LayerPlan& plan, int vocabulary, const WeightReader& reader)
{
    ModelInfo info = describeLayers(config, nullptr, &plan, reader);
    info.sourceVocabulary = info.targetVocabulary = vocabulary;
    info.positions = describeRotary(plan.rotary->settings());
    readTokenSettings(config, info);
    return info;
}

} // namespace

FamilyOutput buildLlama(const FamilyInput& input)
{
    const LayerPlan plan = readLlamaPlan(input.config, input.config.requireString("model_type"));
    const int vocabulary = requireSize(input.config, "vocab_size");
    const auto checkpoint =
        std::make_shared<RenamedCheckpoint>(input.checkpoint, "model.", std::vector<std::string>{"lm_head."});
    const auto [embedding, output] =
        tokenTables(*checkpoint, {llamaWords}, {"lm_head.weight"}, input.config.boolOr("tie_word_embeddings", false));
    ExpectedTensors expected;
    expected[embedding] = {vocabulary, plan.width};
    expected[output] = {vocabulary, plan.width};
    expectNorm(expected, llamaFinalNorm, plan.width, true);
    expectLayers(expected, plan);

    requireOutput(*checkpoint, embedding, output, expected.at(output));
    WeightReader reader(input.engine, checkpoint, expected, input.progress, input.stop);
    TransformerParts parts;
    parts.decoder = TransformerStack{{reader.embedding(embedding), 1, {}, {}, {}, {}},
                                     readLayers(reader, plan),
                                     readNorm(reader, llamaFinalNorm, plan.epsilon, true)};
    parts.head = OutputHead{{}, Activation::Gelu, {}, 1, reader.linear(output, {})};
    return {std::make_shared<Transformer>(describeLlama(input.config, plan, vocabulary, reader), std::move(parts)),
            reader.ignored()};
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/config_keys.h"

#include "models/families/config_values.h"
#include "models/families/family.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <span>
#include <string>

namespace attn {

namespace {

// Keys of Hugging Face's PretrainedConfig and GenerationConfig, and of the tools that write configurations.
ConfigKeys commonKeys()
{
    return {
        .read = {"architectures", "bad_words_ids", "bos_token_id", "decoder_start_token_id", "eos_token_id",
                 "forced_bos_token_id", "id2label", "model_type", "pad_token_id", "source_language", "target_language",
                 "tie_word_embeddings", "vocab_size"},
        .silent = {"add_pooling_layer",
                   "attn_implementation",
                   "auto_map",
                   "begin_suppress_tokens",
                   "cache_implementation",
                   "chunk_size_feed_forward",
                   "diversity_penalty",
                   "do_sample",
                   "dtype",
                   "early_stopping",
                   "encoder_no_repeat_ngram_size",
                   "exponential_decay_length_penalty",
                   "finetuning_task",
                   "forced_eos_token_id",
                   "gradient_checkpointing",
                   "init_std",
                   "initializer_factor",
                   "initializer_range",
                   "is_decoder",
                   "is_encoder_decoder",
                   "label2id",
                   "layer_norm_eps",
                   "layer_norm_epsilon",
                   "length_penalty",
                   "max_length",
                   "max_window_layers", // sliding_window tells
                   "min_length",
                   "model_max_length",
                   "name_or_path",
                   "no_repeat_ngram_size",
                   "num_beam_groups",
                   "num_beams",
                   "num_labels",
                   "num_return_sequences",
                   "original_max_position_embeddings",
                   "output_attentions",
                   "output_hidden_states",
                   "output_past",
                   "output_scores",
                   "prefix",
                   "pretraining_tp",
                   "problem_type",
                   "quantization_config", // the tensors tell
                   "remove_invalid_values",
                   "repetition_penalty",
                   "return_dict",
                   "return_dict_in_generate",
                   "rms_norm_eps",
                   "sep_token_id",
                   "suppress_tokens",
                   "task_specific_params",
                   "temperature",
                   "tf_legacy_loss",
                   "tie_encoder_decoder",
                   "tokenizer_class",
                   "top_k",
                   "top_p",
                   "torch_dtype",
                   "torchscript",
                   "transformers_version",
                   "typical_p",
                   "use_bfloat16",
                   "use_cache",
                   "use_memory_efficient_attention",
                   "xla_device"},
        .fixed = {{"_remove_final_layer_norm"},
                  {"add_cross_attention"},
                  {"alibi"},
                  {"attention_multiplier"},
                  {"clip_qkv"},
                  {"embedding_multiplier", "1"},
                  {"layer_types"},
                  {"logit_scale", "1"},
                  {"logits_scaling", "1"},
                  {"n_routed_experts"},
                  {"new_decoder_architecture"},
                  {"num_experts"},
                  {"num_local_experts"},
                  {"parallel_attn"},
                  {"partial_rotary_factor", "1"},
                  {"per_layer_config"},
                  {"position_embedding_type", "\"absolute\""},
                  {"pruned_heads"},
                  {"q_lora_rank"},
                  {"kv_lora_rank"},
                  {"residual_multiplier", "1"},
                  {"rotary_pct", "1"},
                  {"scale_depth"},
                  {"scale_emb", "1"},
                  {"token_dropout"}, // ESM's, which scales embeddings
                  {"use_task_id"}},
    };
}

// Keys that say who attends to whom.
ConfigKeys directionKeys(ModelKind kind)
{
    if (kind == ModelKind::DecoderOnly)
        return {
            .fixed = {
                {"is_causal", "true"}, {"causal_mask", "true"}, {"use_bidirectional_attention"}, {"bidirectional"}}};
    if (kind == ModelKind::EncoderOnly)
        return {.fixed = {{"is_causal", "false"}, {"use_bidirectional_attention", "true"}, {"bidirectional", "true"}}};
    return {};
}

// Names that tell of training or of how kernels are chosen.
constexpr std::array<std::string_view, 4> harmless = {"dropout", "layerdrop", "pdrop", "flash"};
// Parts of a network that names of settings are made of.
constexpr std::array<std::string_view, 24> parts = {
    "alibi",    "attention", "attn", "bias",   "causal",  "conv_",    "directional", "expert",
    "gate",     "kv_heads",  "moe",  "norm",   "pos_emb", "position", "qk_",         "query",
    "relative", "resid",     "rope", "rotary", "scal",    "softcap",  "sink",        "window"};

bool speaksOf(std::string_view name, std::span<const std::string_view> words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

// Lists by layer may say of each that it is nothing special.
bool isOff(const Json& value)
{
    if (value.is_array())
        return std::ranges::all_of(value, [](const Json& layer) { return layer == "full_attention"; });
    return value.is_null() || value == false || value == 0 || value == "" || (value.is_object() && value.empty());
}

template<typename Row>
const Row* rowOf(const std::vector<Row>& rows, std::string_view name)
{
    const auto found = std::ranges::find(rows, name, &Row::name);
    return found == rows.end() ? nullptr : &*found;
}

// Whether the value is one that the family computes; none where it does not know the key.
std::optional<bool> isComputed(const JsonObject& config, std::string_view name, const Json& value,
                               const ConfigKeys& keys)
{
    if (const FixedKey* const fixed = rowOf(keys.fixed, name))
        return fixed->value.empty() ? isOff(value) : value == Json::parse(fixed->value);
    if (const KeyAlias* const alias = rowOf(keys.aliases, name)) {
        const Json* const other = config.find(alias->of);
        return other == nullptr || *other == value;
    }
    const bool isRead = std::ranges::find(keys.read, name) != keys.read.end();
    return isRead || std::ranges::find(keys.silent, name) != keys.silent.end() ? std::optional(true) : std::nullopt;
}

std::string listed(const std::vector<std::string>& names)
{
    constexpr std::size_t most = 6;
    const auto shown = std::span(names).first(std::min(names.size(), most));
    return fmt::format("{}{}", fmt::join(shown, ", "), names.size() > most ? ", ..." : "");
}

bool mayBeOfTheNetwork(std::string_view name, const Json& value)
{
    const bool isPrivate = name.starts_with('_');
    return !isPrivate && !isOff(value) && !speaksOf(name, harmless) && speaksOf(name, parts);
}

// known: the first that has a key counts.
void checkKeys(const JsonObject& config, std::string_view modelType, const std::vector<ConfigKeys>& known)
{
    std::vector<std::string> others;
    std::vector<std::string> unknown;
    for (const std::string& name : config.fields()) {
        const Json* const value = config.find(name);
        if (value == nullptr)
            continue;
        std::optional<bool> computed;
        for (auto keys = known.begin(); keys != known.end() && !computed; ++keys)
            computed = isComputed(config, name, *value, *keys);
        if (!computed.value_or(true))
            others.push_back(name);
        else if (!computed && mayBeOfTheNetwork(name, *value))
            unknown.push_back(name);
    }
    if (!others.empty())
        refuseSetting(config, listed(others),
                      fmt::format("names another computation than that of '{}' models", modelType),
                      "models without this setting can be opened");
    if (!unknown.empty())
        refuseSetting(config, listed(unknown), "is not known, and may name another computation",
                      "remove it if the model is computed without it");
}

void checkAsPart(const JsonObject& config, const Family& family, ModelKind kind, std::vector<ConfigKeys> known)
{
    for (auto next = family.keys; next != nullptr; next = known.back().more)
        known.push_back(next());
    known.push_back(directionKeys(kind));
    known.push_back(commonKeys());
    checkKeys(config, family.modelType, known);
    for (const ConfigKeys& keys : known) {
        for (const NestedConfig& nested : keys.nested) {
            if (!config.has(nested.name))
                continue;
            const JsonObject part = config.requireObject(nested.name);
            const Family* const own = findFamily(part.stringOr("model_type", std::string(nested.usualType)));
            if (own != nullptr) // which of them can be such a part is for the family to say
                checkAsPart({part.json(), fmt::format("{}: {}", config.where(), nested.name)}, *own, nested.kind,
                            nested.also ? std::vector{nested.also()} : std::vector<ConfigKeys>());
        }
    }
}

} // namespace

void checkConfigKeys(const JsonObject& config, const Family& family)
{
    checkAsPart(config, family, family.kind, {});
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/config_values.h"

#include "base/error.h"
#include "models/families/family.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace attn {

namespace {

constexpr int largestSize = 1 << 24;
constexpr int mostLayers = 1024;
constexpr std::size_t mostLabels = 100000;

// None for an id outside the vocabulary: configurations keep their class's defaults when only the vocabulary is cut.
std::optional<TokenId> tokenId(const JsonObject& config, std::string_view field, int vocabulary)
{
    const auto id =
        config.optionalInt(field, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    return id && *id >= 0 && *id < vocabulary ? indexIn(*config.find(field), vocabulary - 1) : std::nullopt;
}

// The same of one id of a list.
void addToken(const Json& id, const JsonObject& config, std::string_view field, int vocabulary,
              std::vector<TokenId>& tokens)
{
    if (!id.is_number_integer())
        config.refuse(field, "token ids");
    if (const auto token = indexIn(id, vocabulary - 1))
        tokens.push_back(*token);
}

// Sequences of one token: longer ones would need the tokens before.
std::vector<TokenId> badTokens(const JsonObject& config, int vocabulary)
{
    constexpr auto field = "bad_words_ids";
    constexpr auto expected = "lists of token ids";
    std::vector<TokenId> result;
    if (!config.has(field))
        return result;
    for (const Json& list : config.requireList(field, expected)) {
        if (!list.is_array())
            config.refuse(field, expected);
        if (list.size() == 1)
            addToken(list.front(), config, field, vocabulary, result);
    }
    return result;
}

// One id or, as in LLaMA 3, a list of them.
std::vector<TokenId> endTokens(const JsonObject& config, int vocabulary)
{
    constexpr auto field = "eos_token_id";
    if (!config.has(field))
        return {};
    std::vector<TokenId> result;
    if (!config.find(field)->is_array()) {
        if (const auto id = tokenId(config, field, vocabulary))
            result.push_back(*id);
        return result;
    }
    for (const Json& id : config.requireList(field))
        addToken(id, config, field, vocabulary, result);
    return result;
}

} // namespace

int requireSize(const JsonObject& config, std::string_view field)
{
    return config.requireInt(field, 1, largestSize);
}

int sizeOr(const JsonObject& config, std::string_view field, int fallback)
{
    return config.optionalInt(field, 1, largestSize).value_or(fallback);
}

int requireLayers(const JsonObject& config, std::string_view field)
{
    return config.requireInt(field, 1, mostLayers);
}

float epsilonOr(const JsonObject& config, std::string_view field, double fallback)
{
    const double epsilon = config.numberOr(field, fallback);
    if (!(epsilon >= 0 && epsilon < 1))
        config.refuse(field, "a small number, 0 or more");
    return static_cast<float>(epsilon);
}

Activation activationOr(const JsonObject& config, std::string_view field, std::string_view fallback)
{
    const std::string name = config.stringOr(field, std::string(fallback));
    const auto known = activationByName(name);
    if (!known)
        refuseSetting(config, field, fmt::format("'{}' is not supported", name),
                      "use relu, gelu, gelu_new, silu or tanh");
    return *known;
}

Activation readActivation(const JsonObject& config, std::string_view fallback)
{
    std::string_view field = "hidden_act";
    for (const std::string_view other : {"hidden_activation", "activation_function", "activation"}) {
        if (!config.has(field))
            field = other;
    }
    return activationOr(config, field, fallback);
}

double positiveOr(const JsonObject& config, std::string_view field, double fallback)
{
    const double value = config.numberOr(field, fallback);
    if (!(value > 0) || !std::isfinite(value))
        config.refuse(field, "a number above 0");
    return value;
}

int headWidth(const JsonObject& config, std::string_view headsField, int heads, int width)
{
    if (width % heads != 0)
        throw Error(ErrorKind::Format, fmt::format("{}: {}", config.where(), headsField),
                    fmt::format("{} heads do not divide the width {}", heads, width));
    return width / heads;
}

void checkHeads(const JsonObject& config, std::string_view widthField, int heads, int width)
{
    if (std::int64_t{heads} * width > largestSize)
        throw Error(ErrorKind::Format, fmt::format("{}: {}", config.where(), widthField),
                    fmt::format("{} heads of {} features are more than any model has", heads, width));
}

std::vector<std::string> readLabels(const JsonObject& config)
{
    constexpr auto field = "id2label";
    if (!config.has(field))
        return {};
    const JsonObject labels = config.requireObject(field);
    const std::size_t count = labels.json().size();
    if (count < 1 || count > mostLabels)
        config.refuse(field, R"(an object that names the classes "0", "1", ...)");
    std::vector<std::string> result;
    for (std::size_t id = 0; id < count; ++id)
        result.push_back(labels.requireString(std::to_string(id)));
    return result;
}

std::vector<TokenId> tokensOr(const JsonObject& config, std::string_view field, int vocabulary)
{
    std::vector<TokenId> result;
    if (config.has(field)) {
        for (const Json& id : config.requireList(field, "token ids"))
            addToken(id, config, field, vocabulary, result);
    }
    return result;
}

void refuseSetting(const JsonObject& config, std::string_view field, std::string_view problem, std::string_view advice)
{
    throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", config.where(), field), std::string(problem),
                std::string(advice));
}

JsonObject withTokensOf(const JsonObject& config, const JsonObject& decoder)
{
    Json merged = config.json();
    for (const char* field : {"decoder_start_token_id", "bos_token_id", "eos_token_id", "pad_token_id"}) {
        if (const Json* const value = decoder.find(field); value != nullptr && !config.has(field))
            merged[field] = *value;
    }
    return {std::move(merged), config.where()};
}

void readTokenSettings(const JsonObject& config, ModelInfo& info)
{
    const int vocabulary = info.targetVocabulary;
    if (info.kind == ModelKind::DecoderOnly) {
        info.decoderStart = tokenId(config, "bos_token_id", vocabulary);
        info.padding = tokenId(config, "pad_token_id", vocabulary);
    } else {
        constexpr auto start = "decoder_start_token_id"; // the others may be left over, this one is meant
        if (config.has(start))
            config.requireInt(start, 0, vocabulary - 1);
        for (const char* field : {"decoder_start_token_id", "bos_token_id", "pad_token_id"}) {
            if (info.decoderStart)
                break;
            info.decoderStart = tokenId(config, field, vocabulary);
        }
        if (!info.decoderStart)
            throw Error(ErrorKind::Format, config.where(), "names no token that decoding could start from",
                        "add decoder_start_token_id");
        info.firstToken = tokenId(config, "forced_bos_token_id", vocabulary);
    }
    info.otherEndTokens = endTokens(config, vocabulary);
    if (!info.otherEndTokens.empty()) {
        info.endToken = info.otherEndTokens.front();
        info.otherEndTokens.erase(info.otherEndTokens.begin());
    }
    info.badTokens = badTokens(config, vocabulary);
    info.sourceLanguage = config.stringOr("source_language", {});
    info.targetLanguage = config.stringOr("target_language", {});
}

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

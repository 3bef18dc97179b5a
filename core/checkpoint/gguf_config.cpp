// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/gguf_config.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <numbers>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

namespace {

constexpr std::int64_t largestSize = 1 << 24;
constexpr auto architectureKey = "general.architecture";
constexpr std::array<std::pair<std::string_view, GgufArchitecture>, 4> architectures = {
    {{"llama", GgufArchitecture::Llama},
     {"qwen2", GgufArchitecture::Qwen2},
     {"gpt2", GgufArchitecture::Gpt2},
     {"bert", GgufArchitecture::Bert}}};

const GgufTensor* findTensor(const GgufFile& file, std::string_view name)
{
    const auto found = std::ranges::find(file.tensors(), name, &GgufTensor::name);
    return found == file.tensors().end() ? nullptr : &*found;
}

std::int64_t rowsOf(const GgufFile& file, std::string_view tensor)
{
    const GgufTensor* found = findTensor(file, tensor);
    if (found == nullptr || found->shape.size() != 2)
        throw Error(ErrorKind::Format, file.where(), fmt::format("holds no matrix {}", tensor),
                    "the file is incomplete or damaged");
    return found->shape.front();
}

// Reads the metadata below the architecture's name.
class ConfigBuilder
{
public:
    explicit ConfigBuilder(const GgufFile& file)
        : m_file(file)
        , m_prefix(file.text(architectureKey).value_or("") + '.')
    {
    }

    std::string key(std::string_view name) const { return m_prefix + std::string(name); }

    std::optional<std::int64_t> optionalSize(std::string_view name) const
    {
        const auto value = m_file.integer(key(name));
        if (value && (*value < 1 || *value > largestSize))
            m_file.refuse(key(name), fmt::format("is {}, not from 1 to {}", *value, largestSize));
        return value;
    }

    std::int64_t size(std::string_view name) const
    {
        const auto value = optionalSize(name);
        if (!value)
            m_file.refuse(key(name), "is missing");
        return *value;
    }

    std::optional<double> number(std::string_view name) const
    {
        const auto value = m_file.number(key(name));
        if (value && !std::isfinite(*value))
            m_file.refuse(key(name), "is not a number");
        return value;
    }

    Json llama(GgufArchitecture architecture) const
    {
        const GgufHeads heads = ggufHeads(m_file);
        Json json{{"model_type", architecture == GgufArchitecture::Llama ? "llama" : "qwen2"},
                  {"hidden_size", size("embedding_length")},
                  {"num_hidden_layers", size("block_count")},
                  {"num_attention_heads", heads.queries},
                  {"num_key_value_heads", heads.keys},
                  {"head_dim", heads.features},
                  {"intermediate_size", size("feed_forward_length")},
                  {"max_position_embeddings", size("context_length")},
                  {"rms_norm_eps", number("attention.layer_norm_rms_epsilon").value_or(1e-5)},
                  {"hidden_act", "silu"},
                  {"attention_bias", findTensor(m_file, "blk.0.attn_q.bias") != nullptr},
                  {"mlp_bias", findTensor(m_file, "blk.0.ffn_up.bias") != nullptr},
                  {"rope_theta", number("rope.freq_base").value_or(10000.0)},
                  {"tie_word_embeddings", findTensor(m_file, "output.weight") == nullptr}};
        if (const auto rotated = optionalSize("rope.dimension_count"); rotated && *rotated != heads.features)
            json["partial_rotary_factor"] = static_cast<double>(*rotated) / static_cast<double>(heads.features);
        if (Json scaling = ropeScaling(heads.features, json["rope_theta"].get<double>()); !scaling.is_null())
            json["rope_scaling"] = std::move(scaling);
        return json;
    }

    Json gpt2() const
    {
        return {{"model_type", "gpt2"},
                {"n_embd", size("embedding_length")},
                {"n_layer", size("block_count")},
                {"n_head", size("attention.head_count")},
                {"n_inner", size("feed_forward_length")},
                {"n_positions", rowsOf(m_file, "position_embd.weight")},
                {"activation_function", "gelu_new"},
                {"layer_norm_epsilon", number("attention.layer_norm_epsilon").value_or(1e-5)},
                {"tie_word_embeddings", findTensor(m_file, "output.weight") == nullptr}};
    }

    Json bert() const
    {
        return {{"model_type", "bert"},
                {"hidden_size", size("embedding_length")},
                {"num_hidden_layers", size("block_count")},
                {"num_attention_heads", size("attention.head_count")},
                {"intermediate_size", size("feed_forward_length")},
                {"max_position_embeddings", rowsOf(m_file, "position_embd.weight")},
                {"type_vocab_size", rowsOf(m_file, "token_types.weight")},
                {"hidden_act", "gelu"},
                {"layer_norm_eps", number("attention.layer_norm_epsilon").value_or(1e-12)}};
    }

private:
    Json ropeScaling(std::int64_t features, double base) const
    {
        if (const GgufTensor* factors = findTensor(m_file, "rope_freqs.weight"))
            return llama3Scaling(*factors, features, base);
        const std::string kind = m_file.text(key("rope.scaling.type")).value_or("");
        const auto factor =
            number(m_file.has(key("rope.scaling.factor")) ? "rope.scaling.factor" : "rope.scale_linear");
        if (kind == "none" || !factor || *factor == 0 || *factor == 1)
            return {};
        if (kind.empty() || kind == "linear")
            return {{"rope_type", "linear"}, {"factor", *factor}};
        if (kind != "yarn")
            throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", m_file.where(), key("rope.scaling.type")),
                        fmt::format("the rotary scaling {} is not read", kind), "none, linear, yarn and llama3 are");
        Json json{{"rope_type", "yarn"}, {"factor", *factor}};
        if (const auto original = optionalSize("rope.scaling.original_context_length"))
            json["original_max_position_embeddings"] = *original;
        if (const auto scale = number("rope.scaling.attn_factor"); scale && *scale != 1)
            json["attention_factor"] = *scale * (0.1 * std::log(*factor) + 1);
        if (const auto fast = number("rope.scaling.yarn_beta_fast"))
            json["beta_fast"] = *fast;
        if (const auto slow = number("rope.scaling.yarn_beta_slow"))
            json["beta_slow"] = *slow;
        return json;
    }

    // LLaMA 3 files hold what each frequency is divided by, not the settings behind it; those are recovered and
    // checked.
    Json llama3Scaling(const GgufTensor& tensor, std::int64_t features, double base) const
    {
        constexpr double low = 1;
        constexpr double high = 4;
        const auto original = static_cast<double>(optionalSize("rope.scaling.original_context_length").value_or(8192));
        const std::vector<float> stored = floats(tensor, features / 2);
        const double factor = std::max(1.0F, *std::ranges::max_element(stored));
        for (std::size_t i = 0; i < stored.size(); ++i) {
            const double exponent = 2 * static_cast<double>(i) / static_cast<double>(features);
            const double turns = original / (2 * std::numbers::pi * std::pow(base, exponent));
            const double smooth = std::clamp((turns - low) / (high - low), 0.0, 1.0);
            const double expected = 1 / ((1 - smooth) / factor + smooth);
            if (!(std::abs(expected - static_cast<double>(stored[i])) <= 1e-3 * factor))
                throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", m_file.where(), tensor.name),
                            "holds rotary frequencies that are not those of LLaMA 3",
                            "use the model's safetensors files");
        }
        return {{"rope_type", "llama3"},
                {"factor", factor},
                {"low_freq_factor", low},
                {"high_freq_factor", high},
                {"original_max_position_embeddings", static_cast<std::int64_t>(original)}};
    }

    std::vector<float> floats(const GgufTensor& tensor, std::int64_t count) const
    {
        if (tensor.type != 0 || tensor.shape != std::vector<std::int64_t>{count}
            || tensor.bytes.size() / sizeof(float) < static_cast<std::size_t>(count))
            m_file.refuse(tensor.name, fmt::format("is not a list of {} f32 values", count));
        std::vector<float> values(static_cast<std::size_t>(count));
        std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(float));
        return values;
    }

    const GgufFile& m_file;
    std::string m_prefix;
};

// Ids that do not fit into the vocabulary are left out: some files carry them for a tokenizer that was changed.
void addTokens(Json& json, const GgufFile& file, std::int64_t vocabulary)
{
    const auto id = [&](const char* key) {
        const auto value = file.integer(key);
        return value && *value >= 0 && *value < vocabulary ? value : std::nullopt;
    };
    if (const auto first = id("tokenizer.ggml.bos_token_id"))
        json["bos_token_id"] = *first;
    if (const auto padding = id("tokenizer.ggml.padding_token_id"))
        json["pad_token_id"] = *padding;
    const auto last = id("tokenizer.ggml.eos_token_id");
    const auto turn = id("tokenizer.ggml.eot_token_id");
    if (last && turn && *last != *turn)
        json["eos_token_id"] = {*last, *turn};
    else if (last)
        json["eos_token_id"] = *last;
}

} // namespace

GgufArchitecture ggufArchitecture(const GgufFile& file)
{
    const std::string name = file.text(architectureKey).value_or("");
    const auto* const found =
        std::ranges::find(architectures, name, &std::pair<std::string_view, GgufArchitecture>::first);
    if (found == architectures.end())
        throw Error(ErrorKind::Unsupported, file.where(),
                    name.empty() ? "names no architecture"
                                 : fmt::format("is a GGUF file of the architecture {}, which is not read", name),
                    "llama, qwen2, gpt2 and bert are");
    if (file.integer("split.count").value_or(1) > 1)
        throw Error(ErrorKind::Unsupported, file.where(), "is one part of a split model",
                    "merge the parts: llama-gguf-split --merge");
    if (file.integer(name + ".expert_count").value_or(0) > 0)
        throw Error(ErrorKind::Unsupported, file.where(), "is a mixture of experts, which is not read");
    return found->second;
}

GgufHeads ggufHeads(const GgufFile& file)
{
    const ConfigBuilder metadata(file);
    GgufHeads heads;
    heads.queries = metadata.size("attention.head_count");
    heads.keys = metadata.optionalSize("attention.head_count_kv").value_or(heads.queries);
    heads.features =
        metadata.optionalSize("attention.key_length").value_or(metadata.size("embedding_length") / heads.queries);
    if (const auto values = metadata.optionalSize("attention.value_length"); values && *values != heads.features)
        throw Error(ErrorKind::Unsupported, fmt::format("{}: {}", file.where(), metadata.key("attention.value_length")),
                    "keys and values of different widths are not read");
    if (heads.features < 1)
        file.refuse(metadata.key("attention.head_count"), "is larger than the model is wide");
    return heads;
}

JsonObject ggufConfig(const GgufFile& file)
{
    const GgufArchitecture architecture = ggufArchitecture(file);
    const ConfigBuilder builder(file);
    Json json = architecture == GgufArchitecture::Gpt2 ? builder.gpt2()
        : architecture == GgufArchitecture::Bert       ? builder.bert()
                                                       : builder.llama(architecture);
    const std::int64_t vocabulary = rowsOf(file, "token_embd.weight");
    json["vocab_size"] = vocabulary;
    addTokens(json, file, vocabulary);
    return JsonObject::parse(json.dump(), file.where());
}

} // namespace attn

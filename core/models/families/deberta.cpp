// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/disentangled.h"
#include "checkpoint/checkpoint.h"
#include "models/families/bert_plan.h"
#include "models/families/config_values.h"
#include "models/families/family.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <span>
#include <utility>

namespace attn {

namespace {

// Parts of the scores besides the products of queries and keys.
struct ScoreParts
{
    bool contentToPosition = false;
    bool positionToContent = false;
};

ScoreParts readParts(const JsonObject& config)
{
    constexpr auto field = "pos_att_type";
    constexpr auto expected = "\"c2p\" or \"p2c\", in a list or joined by |";
    std::string words;
    if (const Json* const value = config.find(field); value != nullptr && value->is_array()) {
        for (const Json& word : *value) {
            if (!word.is_string())
                config.refuse(field, expected);
            words += word.get<std::string>() + '|';
        }
    } else {
        words = config.stringOr(field, "");
    }
    ScoreParts parts;
    for (std::size_t begin = 0; begin < words.size();) {
        const std::size_t end = std::min(words.find('|', begin), words.size());
        const std::string word = words.substr(begin, end - begin);
        if (word == "c2p")
            parts.contentToPosition = true;
        else if (word == "p2c")
            parts.positionToContent = true;
        else if (!word.empty())
            config.refuse(field, expected);
        begin = end + 1;
    }
    return parts;
}

DistanceRows readDistances(const JsonObject& config)
{
    const int positions = requireSize(config, "max_position_embeddings");
    const auto given = config.optionalInt("max_relative_positions", -1, 1 << 24).value_or(-1);
    const auto buckets = config.optionalInt("position_buckets", -1, 1 << 20).value_or(-1);
    DistanceRows distances;
    distances.positions = given > 0 ? given : positions;
    distances.buckets = std::max(0, buckets);
    distances.span = buckets > 0 ? buckets : distances.positions;
    if (buckets == 1 || (buckets > 0 && distances.positions - 1 <= buckets / 2))
        config.refuse("position_buckets", "2 or more, and less than twice the positions");
    return distances;
}

// The distances' rows through the layer's projections, or its own for positions.
void addDistances(const JsonObject& config, BertPlan& plan)
{
    const ScoreParts parts = readParts(config);
    const DistanceRows distances = readDistances(config);
    LayerPlan& layers = plan.layers;
    const int kinds = 1 + (parts.contentToPosition ? 1 : 0) + (parts.positionToContent ? 1 : 0);
    layers.scales.assign(static_cast<std::size_t>(layers.layers),
                         1.0F / std::sqrt(static_cast<float>(layers.shape.width * kinds)));
    plan.scheme = {.scheme = PositionScheme::Relative, .buckets = 2 * distances.span};
    const bool shared = config.boolOr("share_att_key", false);
    const bool normed = config.stringOr("norm_rel_ebd", "none").find("layer_norm") != std::string::npos;
    const int width = layers.width;
    const int heads = layers.shape.heads;
    const int inner = heads * layers.shape.width;
    const float epsilon = layers.epsilon;
    layers.layerPositions = [=](WeightTable& table, const std::string& layer) {
        const auto rows = table.tensor("encoder.rel_embeddings.weight", {2 * distances.span, width});
        std::optional<Weight<Norm>> norm;
        if (normed)
            norm = table.norm("encoder.LayerNorm", width, epsilon);
        const auto projection = [&](bool used, const char* common, const char* own) -> std::optional<Weight<Linear>> {
            if (!used)
                return std::nullopt;
            return table.linear(fmt::format("{}attention.self.{}", layer, shared ? common : own), inner, width);
        };
        const auto keys = projection(parts.contentToPosition, "key_proj", "pos_key_proj");
        const auto queries = projection(parts.positionToContent, "query_proj", "pos_query_proj");
        return [=](WeightReader& reader) -> std::shared_ptr<const PositionScores> {
            Tensor table = rows(reader);
            if (const auto normalization = readIf(norm, reader))
                normalize(reader.engine(), *normalization, table);
            const auto project = [&](const std::optional<Weight<Linear>>& by) {
                const std::optional<Linear> read = readIf(by, reader);
                return read ? read->apply(reader.engine(), table.matrix()) : Tensor();
            };
            Tensor projectedKeys = project(keys);
            return std::make_shared<const DisentangledPositions>(distances, heads, std::move(projectedKeys),
                                                                 project(queries));
        };
    };
}

// conv.weight is [width, width / groups, size].
Weight<ConvolutionBeside> declareBeside(WeightTable& table, const JsonObject& config, const LayerPlan& layers)
{
    constexpr auto field = "conv_kernel_size";
    const int size = config.requireInt(field, 1, 99);
    if (size % 2 == 0)
        config.refuse(field, "an odd number");
    const int width = layers.width;
    const int groups = sizeOr(config, "conv_groups", 1);
    if (width % groups != 0)
        config.refuse("conv_groups", fmt::format("a divisor of the width {}", width));
    const auto stored = table.tensor("encoder.conv.conv.weight", {width, width / groups, size});
    const auto bias = table.tensor("encoder.conv.conv.bias", {width});
    const auto norm = table.norm("encoder.conv.LayerNorm", width, layers.epsilon);
    const Activation activation = activationOr(config, "conv_act", "tanh");
    return [=](WeightReader& reader) -> ConvolutionBeside {
        const Tensor kernel = stored(reader);
        Tensor matrix({width, std::int64_t{size} * width}); // zeros between groups
        const int inputs = width / groups;
        for (int output = 0; output < width; ++output) {
            const int first = output / inputs * inputs;
            for (int in = 0; in < inputs; ++in) {
                for (int part = 0; part < size; ++part)
                    matrix.matrix().at(output, part * width + first + in) =
                        kernel.values()[(static_cast<std::size_t>(output) * inputs + in) * size + part];
            }
        }
        Linear linear(reader.engine(), matrix, bias(reader));
        return {std::move(linear), size, activation, norm(reader)};
    };
}

FamilyOutput buildDeberta(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    BertPlan plan = readBertPlan(config, {.segments = 0});
    BertNames& names = plan.names;
    names.prefix = "deberta.";
    names.layer.self.query = "attention.self.query_proj";
    names.layer.self.key = "attention.self.key_proj";
    names.layer.self.value = "attention.self.value_proj";
    names.projection = "embeddings.embed_proj";
    names.ofText.activation = activationOr(config, "pooler_hidden_act", "gelu");
    plan.projectionBias = false;
    plan.embeddingWidth = sizeOr(config, "embedding_size", plan.layers.width);
    plan.segments = config.optionalInt("type_vocab_size", 0, 1 << 20).value_or(0);
    plan.layers.epsilon = epsilonOr(config, "layer_norm_eps", 1e-7);
    if (config.has("attention_head_size"))
        plan.layers.shape.width = requireSize(config, "attention_head_size");
    checkHeads(config, "attention_head_size", plan.layers.shape.heads, plan.layers.shape.width);
    const bool relative = config.boolOr("relative_attention", false);
    if (!config.boolOr("position_biased_input", true))
        plan.positions = 0;
    if (relative)
        addDistances(config, plan);
    if (config.optionalInt("conv_kernel_size", 0, 99).value_or(0) > 0)
        plan.beside = [&config](WeightTable& table, const LayerPlan& layers) {
            return declareBeside(table, config, layers);
        };
    return buildBert(input, plan);
}

ConfigKeys debertaKeys()
{
    return {.read = {"attention_head_size",
                     "conv_act",
                     "conv_groups",
                     "conv_kernel_size",
                     "embedding_size",
                     "hidden_act",
                     "hidden_size",
                     "intermediate_size",
                     "layer_norm_eps",
                     "max_position_embeddings",
                     "max_relative_positions",
                     "norm_rel_ebd",
                     "num_attention_heads",
                     "num_hidden_layers",
                     "pos_att_type",
                     "position_biased_input",
                     "position_buckets",
                     "relative_attention",
                     "share_att_key",
                     "type_vocab_size"}};
}

constexpr Family debertaRows[] = {
    {"deberta-v2", "DeBERTa v2 and v3", {}, ModelKind::EncoderOnly, debertaKeys, buildDeberta}};

} // namespace

std::span<const Family> debertaFamilies()
{
    return debertaRows;
}

} // namespace attn

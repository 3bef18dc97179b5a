// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/bert_plan.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/rotary_config.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <memory>
#include <span>
#include <utility>

namespace attn {

namespace {

void requireEncoder(const JsonObject& config, std::string_view positions = "absolute")
{
    if (const std::string kind = config.stringOr("position_embedding_type", "absolute"); kind != positions)
        refuseSetting(config, "position_embedding_type", fmt::format("'{}' is not supported", kind),
                      "models with absolute positions can be opened");
    if (config.boolOr("is_decoder", false))
        refuseSetting(config, "is_decoder", "true is not supported", "encoders of this family can be opened");
}

BertPlan readBert(const JsonObject& config)
{
    requireEncoder(config);
    return readBertPlan(config);
}

BertPlan readRoberta(const JsonObject& config)
{
    requireEncoder(config);
    return readRobertaPlan(config);
}

BertPlan readElectra(const JsonObject& config)
{
    BertPlan result = readBert(config);
    result.names.prefix = "electra.";
    result.names.headTransform = "generator_predictions.dense";
    result.names.headNorm = "generator_predictions.LayerNorm";
    result.names.headBias = {"generator_lm_head.bias"};
    result.names.headWeight = {"generator_lm_head.weight"};
    result.names.ofText = {
        .logits = "classifier.out_proj", .dense = "classifier.dense", .activation = Activation::Gelu};
    result.embeddingWidth = sizeOr(config, "embedding_size", 128);
    result.headActivation = Activation::Gelu;
    return result;
}

BertPlan readDistilbert(const JsonObject& config)
{
    requireEncoder(config);
    BertPlan result = readBertPlan(config, {"dim", "n_layers", "n_heads", "hidden_dim", "activation", 0});
    result.names = {"distilbert.",
                    {{"attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm"},
                     {},
                     "ffn.lin1",
                     "ffn.lin2",
                     "",
                     "output_layer_norm"},
                    "transformer.layer.",
                    "vocab_transform",
                    "vocab_layer_norm",
                    {"vocab_projector.bias"},
                    {"vocab_projector.weight"}};
    result.names.ofText = {.dense = "pre_classifier", .activation = Activation::Relu};
    return result;
}

// BERT with one more table, of tasks.
BertPlan readErnie(const JsonObject& config)
{
    BertPlan result = readBert(config);
    result.names.prefix = "ernie.";
    if (config.boolOr("use_task_id", false))
        result.tasks = sizeOr(config, "task_type_vocab_size", 3);
    return result;
}

// Groups of layers that are used several times, and embeddings that are narrower than they.
BertPlan readAlbert(const JsonObject& config)
{
    requireEncoder(config);
    BertPlan result = readBertPlan(config);
    BertNames& names = result.names;
    names.prefix = "albert.";
    names.layer = {{"attention.query", "attention.key", "attention.value", "attention.dense", "attention.LayerNorm"},
                   {},
                   "ffn",
                   "ffn_output",
                   "",
                   "full_layer_layer_norm"};
    names.headTransform = "predictions.dense";
    names.headNorm = "predictions.LayerNorm";
    names.headBias = {"predictions.bias", "predictions.decoder.bias"};
    names.headWeight = {"predictions.decoder.weight"};
    names.projection = "encoder.embedding_hidden_mapping_in";
    names.ofText.dense = "pooler";
    result.embeddingWidth = sizeOr(config, "embedding_size", 128);
    result.layers.activation = result.headActivation = activationOr(config, "hidden_act", "gelu_new");
    const int rounds = result.layers.layers;
    const int groups = config.optionalInt("num_hidden_groups", 1, rounds).value_or(1);
    const int inner = config.optionalInt("inner_group_num", 1, 64).value_or(1);
    for (int group = 0; group < groups; ++group) {
        for (int layer = 0; layer < inner; ++layer)
            result.layers.prefixes.push_back(
                fmt::format("encoder.albert_layer_groups.{}.albert_layers.{}.", group, layer));
    }
    for (int round = 0; round < rounds; ++round) {
        const int group = std::min(round * groups / rounds, groups - 1);
        for (int layer = 0; layer < inner; ++layer)
            result.order.push_back(group * inner + layer);
    }
    result.layers.layers = groups * inner;
    result.layersOfState = inner;
    return result;
}

// T5's table of distances for all layers, besides learned positions.
BertPlan readMpnet(const JsonObject& config)
{
    requireEncoder(config);
    BertPlan result = readRobertaPlan(config);
    result.names.prefix = "mpnet.";
    result.names.layer.self = {"attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o",
                               "attention.LayerNorm"};
    result.segments = 0;
    result.padding = 1;
    const int buckets = sizeOr(config, "relative_attention_num_buckets", 32);
    if (buckets < 4 || buckets > 254)
        config.refuse("relative_attention_num_buckets", "4 to 254");
    result.scheme.buckets = buckets;
    result.layers.layerPositions = [buckets, heads = result.layers.shape.heads](WeightTable& table,
                                                                                const std::string& /*layer*/) {
        const auto rows = table.tensor("encoder.relative_attention_bias.weight", {buckets, heads});
        return [rows](WeightReader& reader) -> std::shared_ptr<const PositionScores> {
            return std::make_shared<const RelativePositions>(rows(reader), true, 128);
        };
    };
    return result;
}

// Protein models: norms before each block, and rotary positions (ESM-2) or learned ones (ESM-1b).
BertPlan readEsm(const JsonObject& config)
{
    const bool rotary = config.stringOr("position_embedding_type", "absolute") == "rotary";
    requireEncoder(config, rotary ? "rotary" : "absolute");
    BertPlan result = readRobertaPlan(config);
    BertNames& names = result.names;
    names.prefix = "esm.";
    names.layer.self.norm = "attention.LayerNorm";
    names.layer.norm = "LayerNorm";
    names.norm = config.boolOr("emb_layer_norm_before", false) ? "embeddings.layer_norm" : "";
    names.finalNorm = "encoder.emb_layer_norm_after";
    result.layers.place = NormPlace::Before;
    result.segments = 0;
    if (rotary) {
        result.positions = 0;
        result.padding.reset();
        RotarySettings settings;
        settings.width = result.layers.shape.width;
        if (settings.width % 2 != 0)
            config.refuse("hidden_size", "heads of an even number of features");
        result.layers.rotateAll(settings);
        result.scheme = describeRotary(settings);
    }
    if (config.boolOr("token_dropout", true))
        result.dropped = config.optionalInt("mask_token_id", 0, result.vocabulary - 1).value_or(32);
    return result;
}

Json bertConfig(const GgufMetadata& file)
{
    return {{"hidden_size", file.size("embedding_length")},
            {"num_hidden_layers", file.size("block_count")},
            {"num_attention_heads", file.size("attention.head_count")},
            {"intermediate_size", file.size("feed_forward_length")},
            {"max_position_embeddings", file.rows("position_embd.weight")},
            {"type_vocab_size", file.rows("token_types.weight")},
            {"hidden_act", "gelu"},
            {"layer_norm_eps", file.number("attention.layer_norm_epsilon").value_or(1e-12)}};
}

GgufLayout bertGguf()
{
    const BertNames names;
    return {.architecture = "bert",
            .config = bertConfig,
            .whole = {{"token_embd", names.words},
                      {"position_embd", names.positions},
                      {"token_types", names.segments},
                      {"token_embd_norm", names.norm}},
            .inLayer = ggufLayer(bertLayerNames(), NormPlace::After),
            .layers = bertLayers};
}

template<BertPlan (*read)(const JsonObject&)>
FamilyOutput buildKindOfBert(const FamilyInput& input)
{
    return buildBert(input, read(input.config));
}

ConfigKeys bertSharedKeys()
{
    return {.read = {"is_decoder", "layer_norm_eps", "max_position_embeddings", "position_embedding_type"},
            .silent = {"summary_activation", "summary_type", "summary_use_proj"}};
}

ConfigKeys bertKeys()
{
    return {.read = {"hidden_act", "hidden_size", "intermediate_size", "num_attention_heads", "num_hidden_layers",
                     "pruned_heads", "type_vocab_size"},
            .silent = {"directionality", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers",
                       "pooler_size_per_head", "pooler_type"},
            .aliases = {{"embedding_size", "hidden_size"}},
            .more = bertSharedKeys};
}

ConfigKeys electraKeys()
{
    return {.read = {"embedding_size"}, .more = bertKeys};
}

ConfigKeys ernieKeys()
{
    return {.read = {"task_type_vocab_size", "use_task_id"}, .more = bertKeys};
}

ConfigKeys albertKeys()
{
    return {.read = {"embedding_size", "inner_group_num", "num_hidden_groups"},
            .silent = {"down_scale_factor"},
            .fixed = {{"pruned_heads"}},
            .more = bertKeys};
}

ConfigKeys mpnetKeys()
{
    return {.read = {"relative_attention_num_buckets"}, .fixed = {{"pruned_heads"}}, .more = bertKeys};
}

ConfigKeys esmKeys()
{
    return {.read = {"emb_layer_norm_before", "mask_token_id", "token_dropout"},
            .fixed = {{"is_folding_model"}, {"pruned_heads"}},
            .more = bertKeys};
}

ConfigKeys distilbertKeys()
{
    return {.read = {"activation", "dim", "hidden_dim", "n_heads", "n_layers", "pruned_heads"},
            .silent = {"sinusoidal_pos_embds", "tie_weights_"},
            .aliases = {{"hidden_size", "dim"}, {"num_attention_heads", "n_heads"}, {"num_hidden_layers", "n_layers"}},
            .more = bertSharedKeys};
}

constexpr Family bertRows[] = {
    {"bert",
     "BERT, its multilingual and biomedical relatives, many sentence embedders",
     {.tokenizerClass = "Bert"},
     ModelKind::EncoderOnly,
     bertKeys,
     buildKindOfBert<readBert>,
     bertGguf},
    {"distilbert",
     "DistilBERT",
     {.tokenizerClass = "DistilBert"},
     ModelKind::EncoderOnly,
     distilbertKeys,
     buildKindOfBert<readDistilbert>},
    {"electra",
     "ELECTRA",
     {.tokenizerClass = "Electra"},
     ModelKind::EncoderOnly,
     electraKeys,
     buildKindOfBert<readElectra>},
    {"roberta",
     "RoBERTa, CodeBERT",
     {.tokenizerClass = "Roberta"},
     ModelKind::EncoderOnly,
     bertKeys,
     buildKindOfBert<readRoberta>},
    // Its text where there is a tokenizer.json.
    {"camembert", "CamemBERT", {}, ModelKind::EncoderOnly, bertKeys, buildKindOfBert<readRoberta>},
    {"xlm-roberta",
     "XLM-RoBERTa, multilingual E5",
     {.tokenizerClass = "XLMRoberta"},
     ModelKind::EncoderOnly,
     bertKeys,
     buildKindOfBert<readRoberta>},
    {"ernie",
     "ERNIE 2.0 and 3.0",
     {.tokenizerClass = "Bert"},
     ModelKind::EncoderOnly,
     ernieKeys,
     buildKindOfBert<readErnie>},
    {"albert", "ALBERT", {}, ModelKind::EncoderOnly, albertKeys, buildKindOfBert<readAlbert>},
    {"mpnet", "MPNet, all-mpnet-base-v2", {}, ModelKind::EncoderOnly, mpnetKeys, buildKindOfBert<readMpnet>},
    {"esm", "ESM-1b, ESM-2", {}, ModelKind::EncoderOnly, esmKeys, buildKindOfBert<readEsm>},
};

} // namespace

std::span<const Family> bertFamilies()
{
    return bertRows;
}

} // namespace attn

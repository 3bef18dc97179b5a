// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/transformer.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr auto bertWords = "embeddings.word_embeddings";
constexpr auto bertPositions = "embeddings.position_embeddings";
constexpr auto segmentTable = "embeddings.token_type_embeddings";
constexpr auto embeddingNorm = "embeddings.LayerNorm";
constexpr auto bertLayers = "encoder.layer.";

// What the encoder-only families call things; the network is the same.
struct BertNames
{
    const char* prefix; // of the base model
    LayerNames layer;
    const char* layers;
    std::string headTransform;
    std::string headNorm;
    std::vector<std::string> headBias; // one of these
    std::vector<std::string> headWeight; // where it is not the embedding
};

LayerNames bertLayer()
{
    return {{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
             "attention.output.LayerNorm"},
            {},
            "intermediate.dense",
            "output.dense",
            "",
            "output.LayerNorm"};
}

BertNames bertNames()
{
    return {"bert.",
            bertLayer(),
            bertLayers,
            "cls.predictions.transform.dense",
            "cls.predictions.transform.LayerNorm",
            {"cls.predictions.bias", "cls.predictions.decoder.bias"},
            {"cls.predictions.decoder.weight"}};
}

BertNames robertaNames()
{
    return {"roberta.",
            bertLayer(),
            bertLayers,
            "lm_head.dense",
            "lm_head.layer_norm",
            {"lm_head.bias", "lm_head.decoder.bias"},
            {"lm_head.decoder.weight"}};
}

BertNames electraNames()
{
    return {"electra.",
            bertLayer(),
            bertLayers,
            "generator_predictions.dense",
            "generator_predictions.LayerNorm",
            {"generator_lm_head.bias"},
            {"generator_lm_head.weight"}};
}

BertNames distilbertNames()
{
    return {"distilbert.",
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
}

// An encoder-only configuration, whatever its fields are called.
struct Encoder
{
    int width = 0;
    int embeddingWidth = 0;
    int layers = 0;
    int heads = 0;
    int headWidth = 0;
    int feedForwardWidth = 0;
    int vocabulary = 0;
    int positions = 0; // rows of the table
    int segments = 0; // rows of the table; 0: none
    Activation activation = Activation::Gelu;
    Activation headActivation = Activation::Gelu;
    float epsilon = 1e-12F;
    std::optional<TokenId> padding; // positions are counted from behind it
    bool tied = true;
};

// What the fields of a configuration are called.
struct EncoderFields
{
    const char* width = "hidden_size";
    const char* layers = "num_hidden_layers";
    const char* heads = "num_attention_heads";
    const char* feedForwardWidth = "intermediate_size";
    const char* activation = "hidden_act";
    int segments = 2; // where the configuration does not say
};

Encoder readEncoder(const JsonObject& config, const EncoderFields& fields = {})
{
    if (const std::string kind = config.stringOr("position_embedding_type", "absolute"); kind != "absolute")
        refuseSetting(config, "position_embedding_type", fmt::format("'{}' is not supported", kind),
                      "models with absolute positions can be opened");
    if (config.boolOr("is_decoder", false))
        refuseSetting(config, "is_decoder", "true is not supported", "encoders of this family can be opened");
    Encoder result;
    result.width = result.embeddingWidth = requireSize(config, fields.width);
    result.layers = requireLayers(config, fields.layers);
    result.heads = requireSize(config, fields.heads);
    result.headWidth = headWidth(config, fields.heads, result.heads, result.width);
    result.feedForwardWidth = requireSize(config, fields.feedForwardWidth);
    result.vocabulary = requireSize(config, "vocab_size");
    result.positions = requireSize(config, "max_position_embeddings");
    result.segments = fields.segments > 0 ? sizeOr(config, "type_vocab_size", fields.segments) : 0;
    result.activation = result.headActivation = activationOr(config, fields.activation, "gelu");
    result.epsilon = epsilonOr(config, "layer_norm_eps", 1e-12);
    result.tied = config.boolOr("tie_word_embeddings", true);
    return result;
}

Encoder readBert(const JsonObject& config)
{
    return readEncoder(config);
}

Encoder readRoberta(const JsonObject& config)
{
    Encoder result = readEncoder(config);
    result.headActivation = Activation::Gelu;
    result.padding = config.optionalInt("pad_token_id", 0, result.vocabulary - 1).value_or(1);
    if (*result.padding + 1 >= result.positions)
        config.refuse("max_position_embeddings", "more positions than pad_token_id + 1");
    return result;
}

Encoder readElectra(const JsonObject& config)
{
    Encoder result = readEncoder(config);
    result.embeddingWidth = sizeOr(config, "embedding_size", 128);
    result.headActivation = Activation::Gelu;
    return result;
}

Encoder readDistilbert(const JsonObject& config)
{
    return readEncoder(config, {"dim", "n_layers", "n_heads", "hidden_dim", "activation", 0});
}

ModelInfo describeBert(const JsonObject& config, const Encoder& encoder, const LayerPlan& plan,
                       const WeightReader& reader, bool head)
{
    ModelInfo info = describeLayers(config, &plan, nullptr, reader);
    info.sourceVocabulary = info.targetVocabulary = encoder.vocabulary;
    info.maximumLength = encoder.positions - (encoder.padding ? *encoder.padding + 1 : 0);
    info.positions.scheme = PositionScheme::Learned;
    info.segments = 2;
    info.predictsMasked = head;
    return info;
}

FamilyOutput buildEncoder(const FamilyInput& input, const Encoder& encoder, const BertNames& names)
{
    const auto checkpoint = std::make_shared<RenamedCheckpoint>(
        input.checkpoint, names.prefix,
        std::vector<std::string>{"cls.", "lm_head.", "generator_", "discriminator_", "vocab_", "classifier.", "qa_"});
    LayerPlan plan;
    plan.prefix = names.layers;
    plan.names = names.layer;
    plan.layers = encoder.layers;
    plan.width = encoder.width;
    plan.shape = {encoder.heads, encoder.headWidth};
    plan.feedForwardWidth = encoder.feedForwardWidth;
    plan.activation = encoder.activation;
    plan.epsilon = encoder.epsilon;

    const int width = encoder.embeddingWidth;
    const bool projected = width != encoder.width;
    const bool hasHead = checkpoint->find(names.headTransform + ".weight")
        || checkpoint->find(names.headTransform + ".bias") || checkpoint->find(names.headNorm + ".weight");
    const std::string bias = firstStored(*checkpoint, names.headBias);
    const auto [embedding, output] = tokenTables(*checkpoint, {weightOf(bertWords)}, names.headWeight, encoder.tied);
    WeightTable table;
    const auto tokens = table.embedding(embedding, {encoder.vocabulary, width});
    const auto positions = table.embedding(weightOf(bertPositions), {encoder.positions, width});
    std::optional<Weight<Embedding>> segments;
    if (encoder.segments > 0)
        segments = table.embedding(weightOf(segmentTable), {encoder.segments, width});
    const auto norm = table.norm(embeddingNorm, width, encoder.epsilon);
    std::optional<Weight<Linear>> projection;
    if (projected)
        projection = table.linear("embeddings_project", encoder.width, width);
    const auto layers = declareLayers(table, plan);
    std::optional<Weight<OutputHead>> head;
    if (hasHead)
        head = [&, transform = table.linear(names.headTransform, width, encoder.width),
                headNorm = table.norm(names.headNorm, width, encoder.epsilon),
                logits = table.matrix(output, {encoder.vocabulary, width}, bias, {encoder.vocabulary})](
                   WeightReader& reader) -> OutputHead {
            Linear inner = transform(reader);
            Norm normalized = headNorm(reader);
            return {std::move(inner), encoder.headActivation, std::move(normalized), 1, logits(reader)};
        };

    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    const int offset = encoder.padding ? *encoder.padding + 1 : 0;
    TokenInput words{tokens(reader), 1, {}, {}, {}, {}};
    words.positions = {AddedPositions::Learned, width, positions(reader), offset, encoder.padding};
    words.segments = readIf(segments, reader);
    words.norm = norm(reader);
    words.projection = readIf(projection, reader);
    parts.encoder = readStack(reader, std::move(words), layers, std::nullopt);
    parts.head = readIf(head, reader);
    return {std::make_shared<Transformer>(describeBert(input.config, encoder, plan, reader, hasHead), std::move(parts)),
            reader.ignored()};
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
    return {.architecture = "bert",
            .config = bertConfig,
            .whole = {{"token_embd", bertWords},
                      {"position_embd", bertPositions},
                      {"token_types", segmentTable},
                      {"token_embd_norm", embeddingNorm}},
            .inLayer = ggufLayer(bertLayer(), NormPlace::After),
            .layers = bertLayers};
}

template<Encoder (*read)(const JsonObject&), BertNames (*names)()>
FamilyOutput buildKindOfBert(const FamilyInput& input)
{
    return buildEncoder(input, read(input.config), names());
}

constexpr auto buildRoberta = buildKindOfBert<readRoberta, robertaNames>;

constexpr Family bertRows[] = {
    {"bert", {.tokenizerClass = "Bert"}, ModelKind::EncoderOnly, buildKindOfBert<readBert, bertNames>, bertGguf},
    {"distilbert",
     {.tokenizerClass = "DistilBert"},
     ModelKind::EncoderOnly,
     buildKindOfBert<readDistilbert, distilbertNames>},
    {"electra", {.tokenizerClass = "Electra"}, ModelKind::EncoderOnly, buildKindOfBert<readElectra, electraNames>},
    {"roberta", {.tokenizerClass = "Roberta"}, ModelKind::EncoderOnly, buildRoberta},
    {"camembert", {}, ModelKind::EncoderOnly, buildRoberta}, // its text where there is a tokenizer.json
    {"xlm-roberta", {.tokenizerClass = "XLMRoberta"}, ModelKind::EncoderOnly, buildRoberta},
};

} // namespace

std::span<const Family> bertFamilies()
{
    return bertRows;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/families/task_head.h"
#include "models/transformer.h"

#include <cmath>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace attn {

namespace {

// Differences between the four families; their tensors have the same names.
struct Kind
{
    NormPlace place;
    AddedPositions positions;
    bool embeddingNorm;
    bool finalNorm;
    bool scalesEmbedding; // where the configuration does not say
    const char* activation; // likewise
    PositionScheme scheme;
    int offset = 0; // rows of the position table before the first position
    bool decoderAddsLast = false; // positions, to normalised embeddings
};

constexpr Kind marian{NormPlace::After, AddedPositions::Sinusoidal, false, false, false,
                      "gelu",           PositionScheme::Sinusoidal};
constexpr Kind bart{NormPlace::After, AddedPositions::Learned, true, false, false, "gelu", PositionScheme::Learned, 2};
constexpr Kind blenderbotSmall{NormPlace::After, AddedPositions::Learned, true, false, false,
                               "gelu",           PositionScheme::Learned, 0,    true};
constexpr Kind mbart{NormPlace::Before, AddedPositions::Learned, true, true, false, "gelu", PositionScheme::Learned, 2};
constexpr Kind pegasus{NormPlace::Before,         AddedPositions::Sinusoidal, false, true, false, "gelu",
                       PositionScheme::Sinusoidal};
constexpr Kind m2m100{NormPlace::Before,         AddedPositions::SinusoidalSpread, false, true, true, "relu",
                      PositionScheme::Sinusoidal};

// Under which names the tables are stored: those that are tied may have any of several.
struct BartNames
{
    std::string sourceEmbedding;
    std::string targetEmbedding;
    std::string output;
    std::string outputBias; // empty: none
};

BartNames resolveNames(const JsonObject& config, const Checkpoint& checkpoint)
{
    const bool shared = config.boolOr("share_encoder_decoder_embeddings", true);
    const bool tied = config.boolOr("tie_word_embeddings", true);
    const std::string common = "shared.weight";
    const std::string encoder = "encoder.embed_tokens.weight";
    const std::string decoder = "decoder.embed_tokens.weight";
    const std::string head = "lm_head.weight";
    BartNames names;
    if (shared) {
        names.sourceEmbedding = tied ? firstStored(checkpoint, {common, encoder, decoder, head})
                                     : firstStored(checkpoint, {common, encoder, decoder});
        names.targetEmbedding = names.sourceEmbedding;
    } else {
        names.sourceEmbedding = firstStored(checkpoint, {encoder, common});
        names.targetEmbedding = tied ? firstStored(checkpoint, {decoder, head}) : decoder;
    }
    names.output = tied ? names.targetEmbedding : head;
    if (checkpoint.find("final_logits_bias"))
        names.outputBias = "final_logits_bias";
    return names;
}

class BartBuilder
{
public:
    BartBuilder(const FamilyInput& input, const Kind& kind)
        : m_input(input)
        , m_config(input.config)
        , m_kind(kind)
        , m_checkpoint(std::make_shared<RenamedCheckpoint>(
              input.checkpoint, "model.",
              std::vector<std::string>{"lm_head.", "final_logits_bias", "classification_head."}))
        , m_task(readTask(m_config, true, false))
        , m_names(resolveNames(m_config, *m_checkpoint))
        , m_encoder(readBartLayers(m_config, "encoder", kind.activation))
        , m_decoder(readBartLayers(m_config, "decoder", kind.activation))
        , m_sourceVocabulary(requireSize(m_config, "vocab_size"))
        , m_targetVocabulary(sizeOr(m_config, "decoder_vocab_size", m_sourceVocabulary))
        , m_positions(sizeOr(m_config, "max_position_embeddings", 1024))
    {
        m_encoder.place = m_decoder.place = kind.place;
        if (m_config.boolOr("scale_embedding", kind.scalesEmbedding))
            m_embeddingScale = std::sqrt(static_cast<float>(m_encoder.width));
        if (kind.positions == AddedPositions::SinusoidalSpread)
            m_padding = m_config.optionalInt("pad_token_id", 0, m_sourceVocabulary - 1).value_or(1);
    }

    FamilyOutput build()
    {
        const Shape output{m_targetVocabulary, m_encoder.width};
        const bool predictsTokens = m_task.head == TaskHead::None && !m_task.attentionOnly;
        if (predictsTokens)
            requireOutput(*m_checkpoint, m_names.targetEmbedding, m_names.output, output);
        WeightTable table;
        const auto encoder = declareStack(table, m_encoder, "encoder.", m_names.sourceEmbedding, m_sourceVocabulary);
        const auto decoder = declareStack(table, m_decoder, "decoder.", m_names.targetEmbedding, m_targetVocabulary);
        std::optional<Weight<OutputHead>> head;
        if (m_task.head != TaskHead::None) {
            const TaskNames names{.logits = "classification_head.out_proj",
                                  .dense = "classification_head.dense",
                                  .activation = Activation::Tanh};
            head = declareTask(table, *m_checkpoint, m_decoder, names, m_task);
        } else if (predictsTokens) {
            head = [logits = table.matrix(m_names.output, output, m_names.outputBias, {1, m_targetVocabulary})](
                       WeightReader& reader) -> OutputHead {
                return {{}, Activation::Gelu, {}, 1, logits(reader)};
            };
        }
        WeightReader reader(m_input, m_checkpoint, table);
        TransformerParts parts;
        parts.encoder = encoder(reader);
        parts.decoder = decoder(reader);
        parts.head = readIf(head, reader);
        return {std::make_shared<Transformer>(describe(reader), std::move(parts)), reader.ignored()};
    }

private:
    Weight<TransformerStack> declareStack(WeightTable& table, const LayerPlan& plan, const std::string& side,
                                          const std::string& embedding, int vocabulary) const
    {
        const int width = m_encoder.width;
        const auto tokens = table.embedding(embedding, {vocabulary, width});
        std::optional<Weight<Embedding>> positions;
        if (m_kind.positions == AddedPositions::Learned)
            positions = table.embedding(weightOf(side + "embed_positions"), {m_positions + m_kind.offset, width});
        std::optional<Weight<Norm>> embeddingNorm;
        if (m_kind.embeddingNorm)
            embeddingNorm = table.norm(side + "layernorm_embedding", width, plan.epsilon);
        const auto layers = declareLayers(table, plan);
        std::optional<Weight<Norm>> finalNorm;
        if (m_kind.finalNorm)
            finalNorm = table.norm(side + "layer_norm", width, plan.epsilon);
        const int offset = m_padding ? *m_padding + 1 : m_kind.offset;
        return [=, this](WeightReader& reader) -> TransformerStack {
            TokenInput input{tokens(reader), m_embeddingScale, {}, {}, {}, {}};
            input.positions = {m_kind.positions, width, readIf(positions, reader), offset, m_padding};
            input.norm = readIf(embeddingNorm, reader);
            input.positionsLast = m_kind.decoderAddsLast && side == "decoder.";
            return readStack(reader, std::move(input), layers, finalNorm);
        };
    }

    ModelInfo describe(const WeightReader& reader) const
    {
        ModelInfo info = describeLayers(m_config, &m_encoder, &m_decoder, reader);
        info.sourceVocabulary = m_sourceVocabulary;
        info.targetVocabulary = m_targetVocabulary;
        info.maximumLength = m_positions;
        info.positions.scheme = m_kind.scheme;
        readTokenSettings(m_config, info);
        describeTask(m_task, info);
        return info;
    }

    const FamilyInput& m_input;
    const JsonObject& m_config;
    const Kind& m_kind;
    std::shared_ptr<const Checkpoint> m_checkpoint;
    TaskConfig m_task;
    BartNames m_names;
    LayerPlan m_encoder;
    LayerPlan m_decoder;
    int m_sourceVocabulary;
    int m_targetVocabulary;
    int m_positions;
    float m_embeddingScale = 1;
    std::optional<TokenId> m_padding;
};

template<const Kind& kind>
FamilyOutput buildBart(const FamilyInput& input)
{
    return BartBuilder(input, kind).build();
}

ConfigKeys bartSharedKeys()
{
    return {.read = {"activation_function", "d_model", "decoder_attention_heads", "decoder_ffn_dim", "decoder_layers",
                     "decoder_vocab_size", "encoder_attention_heads", "encoder_ffn_dim", "encoder_layers",
                     "max_position_embeddings", "scale_embedding", "share_encoder_decoder_embeddings"},
            .silent = {"force_bos_token_to_be_generated", "num_hidden_layers"},
            .fixed = {{"add_bias_logits"}, {"do_blenderbot_90_layernorm"}},
            .aliases = {{"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}}};
}

ConfigKeys bartKeys()
{
    return {.fixed = {{"add_final_layer_norm"},
                      {"extra_pos_embeddings", "2"},
                      {"normalize_before"},
                      {"normalize_embedding", "true"},
                      {"static_position_embeddings"}},
            .more = bartSharedKeys};
}

// The norm of the embeddings comes before the positions in the decoder, which this family always computes so.
ConfigKeys blenderbotSmallKeys()
{
    return {.silent = {"extra_pos_embeddings", "layernorm_variant"},
            .fixed = {{"add_final_layer_norm"},
                      {"do_blenderbot_90_layernorm", "true"},
                      {"learn_positional_embeddings", "true"},
                      {"normalize_before"},
                      {"normalize_embedding", "true"},
                      {"static_position_embeddings"}},
            .more = bartSharedKeys};
}
ConfigKeys mbartKeys()
{
    return {.fixed = {{"add_final_layer_norm", "true"},
                      {"extra_pos_embeddings", "2"},
                      {"normalize_before", "true"},
                      {"normalize_embedding", "true"},
                      {"static_position_embeddings"}},
            .more = bartSharedKeys};
}

ConfigKeys m2m100Keys()
{
    return {.fixed = {{"add_final_layer_norm", "true"},
                      {"normalize_before", "true"},
                      {"normalize_embedding"},
                      {"static_position_embeddings", "true"}},
            .more = bartSharedKeys};
}

ConfigKeys marianKeys()
{
    return {.silent = {"extra_pos_embeddings"},
            .fixed = {{"add_final_layer_norm"},
                      {"normalize_before"},
                      {"normalize_embedding"},
                      {"static_position_embeddings", "true"}},
            .more = bartSharedKeys};
}

ConfigKeys pegasusKeys()
{
    return {.silent = {"extra_pos_embeddings"},
            .fixed = {{"add_final_layer_norm", "true"},
                      {"normalize_before", "true"},
                      {"normalize_embedding"},
                      {"static_position_embeddings", "true"}},
            .more = bartSharedKeys};
}

constexpr Family bartRows[] = {
    {"bart",
     "BART, its zero-shot classifiers",
     {.tokenizerClass = "Bart"},
     ModelKind::EncoderDecoder,
     bartKeys,
     buildBart<bart>},
    {"blenderbot-small",
     "BlenderBot 90M",
     {},
     ModelKind::EncoderDecoder,
     blenderbotSmallKeys,
     buildBart<blenderbotSmall>},
    // NLLB's models and M2M-100's have the same type.
    {"m2m_100",
     "M2M-100, NLLB-200",
     {.tokenizerClass = "Nllb", .multilingualClass = "M2M100"},
     ModelKind::EncoderDecoder,
     m2m100Keys,
     buildBart<m2m100>},
    {"marian", "OPUS-MT", {TextFiles::Kind::Marian}, ModelKind::EncoderDecoder, marianKeys, buildBart<marian>},
    {"mbart", "mBART-50", {.tokenizerClass = "MBart"}, ModelKind::EncoderDecoder, mbartKeys, buildBart<mbart>},
    {"pegasus", "PEGASUS", {}, ModelKind::EncoderDecoder, pegasusKeys, buildBart<pegasus>},
};

} // namespace

LayerNames bartLayerNames()
{
    return {{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj", "self_attn_layer_norm"},
            {"encoder_attn.q_proj", "encoder_attn.k_proj", "encoder_attn.v_proj", "encoder_attn.out_proj",
             "encoder_attn_layer_norm"},
            "fc1",
            "fc2",
            "",
            "final_layer_norm"};
}

LayerPlan readBartLayers(const JsonObject& config, const std::string& side, std::string_view activation)
{
    LayerPlan plan;
    plan.prefix = side + ".layers.";
    plan.names = bartLayerNames();
    plan.width = requireSize(config, "d_model");
    plan.memoryWidth = side == "decoder" ? plan.width : 0;
    plan.layers = requireLayers(config, side + "_layers");
    const std::string headsField = side + "_attention_heads";
    const int heads = requireSize(config, headsField);
    plan.shape = {heads, headWidth(config, headsField, heads, plan.width)};
    plan.feedForwardWidth = requireSize(config, side + "_ffn_dim");
    plan.activation = activationOr(config, "activation_function", activation);
    return plan;
}

std::span<const Family> bartFamilies()
{
    return bartRows;
}

} // namespace attn

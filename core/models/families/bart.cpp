// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "checkpoint/renamed_checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/families/token_settings.h"
#include "models/transformer.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

// What tells the four families apart; their tensors have the same names.
struct Kind
{
    NormPlace place;
    AddedPositions positions;
    bool embeddingNorm;
    bool finalNorm;
    bool scalesEmbedding; // where the configuration does not say
    const char* activation; // likewise
    const char* positionText;
};

constexpr Kind marian{NormPlace::After, AddedPositions::Sinusoidal, false, false, false, "gelu", "sinusoidal"};
constexpr Kind bart{NormPlace::After, AddedPositions::Learned, true, false, false, "gelu", "learned"};
constexpr Kind mbart{NormPlace::Before, AddedPositions::Learned, true, true, false, "gelu", "learned"};
constexpr Kind m2m100{NormPlace::Before, AddedPositions::SinusoidalSpread, false, true, true, "relu", "sinusoidal"};

constexpr int learnedOffset = 2; // rows of the position table before the first position

void checkMarian(const JsonObject& config)
{
    if (config.boolOr("normalize_before", false))
        refuseSetting(config, "normalize_before", "true (normalisation before each block) is not supported",
                      "Hugging Face's Marian models normalise after each block");
    if (config.boolOr("normalize_embedding", false))
        refuseSetting(config, "normalize_embedding", "true (normalised embeddings) is not supported",
                      "Hugging Face's Marian models do not normalise embeddings");
    if (!config.boolOr("static_position_embeddings", true))
        refuseSetting(config, "static_position_embeddings", "false (learned positions) is not supported",
                      "Hugging Face's Marian models use sinusoidal positions");
}

LayerPlan readBartPlan(const JsonObject& config, const Kind& kind, const std::string& side)
{
    LayerPlan plan;
    plan.prefix = side + ".layers.";
    plan.names = {
        {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj", "self_attn_layer_norm"},
        {"encoder_attn.q_proj", "encoder_attn.k_proj", "encoder_attn.v_proj", "encoder_attn.out_proj",
         "encoder_attn_layer_norm"},
        "fc1",
        "fc2",
        "",
        "final_layer_norm"};
    plan.width = requireSize(config, "d_model");
    plan.memoryWidth = side == "decoder" ? plan.width : 0;
    plan.layers = requireLayers(config, side + "_layers");
    const std::string headsField = side + "_attention_heads";
    const int heads = requireSize(config, headsField);
    plan.shape = {heads, headWidth(config, headsField, heads, plan.width)};
    plan.feedForwardWidth = requireSize(config, side + "_ffn_dim");
    plan.activation = activationOr(config, "activation_function", kind.activation);
    plan.place = kind.place;
    return plan;
}

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
        , m_checkpoint(std::make_shared<RenamedCheckpoint>(input.checkpoint, "model.",
                                                           std::vector<std::string>{"lm_head.", "final_logits_bias"}))
        , m_names(resolveNames(m_config, *m_checkpoint))
        , m_encoder(readBartPlan(m_config, kind, "encoder"))
        , m_decoder(readBartPlan(m_config, kind, "decoder"))
        , m_sourceVocabulary(requireSize(m_config, "vocab_size"))
        , m_targetVocabulary(sizeOr(m_config, "decoder_vocab_size", m_sourceVocabulary))
        , m_positions(sizeOr(m_config, "max_position_embeddings", 1024))
    {
        if (m_config.boolOr("scale_embedding", kind.scalesEmbedding))
            m_embeddingScale = std::sqrt(static_cast<float>(m_encoder.width));
        if (kind.positions == AddedPositions::SinusoidalSpread)
            m_padding =
                static_cast<TokenId>(m_config.optionalInt("pad_token_id", 0, m_sourceVocabulary - 1).value_or(1));
    }

    FamilyOutput build()
    {
        requireOutput(*m_checkpoint, m_names.targetEmbedding, m_names.output, {m_targetVocabulary, m_encoder.width});
        WeightReader reader(m_input.engine, m_checkpoint, expected(), m_input.progress, m_input.stop);
        TransformerParts parts;
        parts.encoder = stack(reader, m_encoder, "encoder.", m_names.sourceEmbedding);
        parts.decoder = stack(reader, m_decoder, "decoder.", m_names.targetEmbedding);
        parts.head = OutputHead{{}, Activation::Gelu, {}, 1, reader.linear(m_names.output, m_names.outputBias)};
        return {std::make_shared<Transformer>(describe(reader), std::move(parts)), reader.ignored()};
    }

private:
    ExpectedTensors expected() const
    {
        const int width = m_encoder.width;
        ExpectedTensors result;
        expectLayers(result, m_encoder);
        expectLayers(result, m_decoder);
        for (const std::string side : {"encoder.", "decoder."}) {
            if (m_kind.positions == AddedPositions::Learned)
                result[side + "embed_positions.weight"] = {m_positions + learnedOffset, width};
            if (m_kind.embeddingNorm)
                expectNorm(result, side + "layernorm_embedding", width);
            if (m_kind.finalNorm)
                expectNorm(result, side + "layer_norm", width);
        }
        result[m_names.sourceEmbedding] = {m_sourceVocabulary, width};
        result[m_names.targetEmbedding] = {m_targetVocabulary, width};
        result[m_names.output] = {m_targetVocabulary, width};
        if (!m_names.outputBias.empty())
            result[m_names.outputBias] = {1, m_targetVocabulary};
        return result;
    }

    PositionTable positions(WeightReader& reader, const std::string& side) const
    {
        PositionTable result{m_kind.positions, m_encoder.width, {}, 0, {}};
        if (m_kind.positions == AddedPositions::Learned) {
            result.learned = reader.embedding(side + "embed_positions.weight");
            result.offset = learnedOffset;
        }
        if (m_padding) {
            result.offset = *m_padding + 1;
            result.padding = m_padding;
        }
        return result;
    }

    TransformerStack stack(WeightReader& reader, const LayerPlan& plan, const std::string& side,
                           const std::string& embedding) const
    {
        TokenInput tokens{reader.embedding(embedding), m_embeddingScale, positions(reader, side), {}, {}, {}};
        if (m_kind.embeddingNorm)
            tokens.norm = readNorm(reader, side + "layernorm_embedding", plan.epsilon);
        TransformerStack result{std::move(tokens), readLayers(reader, plan), {}};
        if (m_kind.finalNorm)
            result.finalNorm = readNorm(reader, side + "layer_norm", plan.epsilon);
        return result;
    }

    ModelInfo describe(const WeightReader& reader) const
    {
        ModelInfo info = describeLayers(m_config, &m_encoder, &m_decoder, reader);
        info.sourceVocabulary = m_sourceVocabulary;
        info.targetVocabulary = m_targetVocabulary;
        info.maximumLength = m_positions;
        info.positions = m_kind.positionText;
        readTokenSettings(m_config, info);
        return info;
    }

    const FamilyInput& m_input;
    const JsonObject& m_config;
    const Kind& m_kind;
    std::shared_ptr<const Checkpoint> m_checkpoint;
    BartNames m_names;
    LayerPlan m_encoder;
    LayerPlan m_decoder;
    int m_sourceVocabulary;
    int m_targetVocabulary;
    int m_positions;
    float m_embeddingScale = 1;
    std::optional<TokenId> m_padding;
};

} // namespace

FamilyOutput buildMarian(const FamilyInput& input)
{
    checkMarian(input.config);
    return BartBuilder(input, marian).build();
}

FamilyOutput buildBart(const FamilyInput& input)
{
    return BartBuilder(input, bart).build();
}

FamilyOutput buildMbart(const FamilyInput& input)
{
    return BartBuilder(input, mbart).build();
}

FamilyOutput buildM2m100(const FamilyInput& input)
{
    return BartBuilder(input, m2m100).build();
}

} // namespace attn

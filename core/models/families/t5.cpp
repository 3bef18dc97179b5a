// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
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

// "relu", "gated-gelu", ...: T5 1.0 and 1.1.
struct FeedForwardKind
{
    bool gated = false;
    Activation activation = Activation::Relu;
};

FeedForwardKind readFeedForwardKind(const JsonObject& config, const std::string& fallback)
{
    constexpr std::string_view gate = "gated-";
    std::string name = config.stringOr("feed_forward_proj", fallback);
    FeedForwardKind result;
    result.gated = name.starts_with(gate);
    if (result.gated)
        name.erase(0, gate.size());
    if (result.gated && name == "gelu")
        name = "gelu_new"; // as the models were trained
    const auto known = activationByName(name);
    if (!known)
        refuseSetting(config, "feed_forward_proj", fmt::format("'{}' is not supported", name),
                      "use relu, gelu or silu, with or without 'gated-'");
    result.activation = *known;
    return result;
}

LayerPlan readT5Plan(const JsonObject& config, const std::string& side, const FeedForwardKind& kind)
{
    const bool decoder = side == "decoder";
    const std::string feedForward = decoder ? "layer.2" : "layer.1";
    const auto names = [](const std::string& layer, const std::string& block) {
        const std::string prefix = layer + '.' + block + '.';
        return AttentionNames{prefix + 'q', prefix + 'k', prefix + 'v', prefix + 'o', layer + ".layer_norm"};
    };
    LayerPlan plan;
    plan.prefix = side + ".block.";
    plan.names = {names("layer.0", "SelfAttention"),
                  names("layer.1", "EncDecAttention"),
                  feedForward + (kind.gated ? ".DenseReluDense.wi_1" : ".DenseReluDense.wi"),
                  feedForward + ".DenseReluDense.wo",
                  kind.gated ? feedForward + ".DenseReluDense.wi_0" : std::string(),
                  feedForward + ".layer_norm"};
    plan.layers = requireLayers(config, "num_layers");
    if (decoder && config.has("num_decoder_layers"))
        plan.layers = requireLayers(config, "num_decoder_layers");
    plan.width = requireSize(config, "d_model");
    plan.memoryWidth = decoder ? plan.width : 0;
    plan.shape = {requireSize(config, "num_heads"), requireSize(config, "d_kv")};
    checkHeads(config, "d_kv", plan.shape.heads, plan.shape.width);
    plan.feedForwardWidth = requireSize(config, "d_ff");
    plan.activation = kind.activation;
    plan.norm = NormKind::Rms;
    plan.place = NormPlace::Before;
    plan.epsilon = epsilonOr(config, "layer_norm_epsilon", 1e-6);
    plan.inputBias = plan.outputBias = plan.feedForwardBias = false;
    plan.scales.assign(plan.layers, 1.0F); // the initialisation makes up for it
    return plan;
}

class T5Builder
{
public:
    T5Builder(const FamilyInput& input, bool multilingual)
        : m_input(input)
        , m_config(input.config)
        , m_task(readTask(m_config, false, false))
        , m_feedForward(readFeedForwardKind(m_config, multilingual ? "gated-gelu" : "relu"))
        , m_encoder(readT5Plan(m_config, "encoder", m_feedForward))
        , m_decoder(readT5Plan(m_config, "decoder", m_feedForward))
        , m_vocabulary(requireSize(m_config, "vocab_size"))
        , m_buckets(sizeOr(m_config, "relative_attention_num_buckets", 32))
        , m_distance(sizeOr(m_config, "relative_attention_max_distance", 128))
        , m_tied(m_config.boolOr("tie_word_embeddings", !multilingual))
        , m_checkpoint(std::make_shared<RenamedCheckpoint>(input.checkpoint, "", std::vector<std::string>()))
        , m_tables(tokenTables(*m_checkpoint,
                               {"shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"},
                               {"lm_head.weight"}, m_tied))
    {
        if (m_buckets < 4 || m_distance <= m_buckets / 2)
            m_config.refuse("relative_attention_num_buckets", "4 or more, and fewer than twice the maximum distance");
    }

    FamilyOutput build()
    {
        const Shape words{m_vocabulary, m_encoder.width};
        if (!m_task.attentionOnly)
            requireOutput(*m_checkpoint, m_tables.embedding, m_tables.output, words);
        WeightTable table;
        const auto tokens = table.embedding(m_tables.embedding, words);
        const auto encoder = declareStack(table, m_encoder, tokens, "encoder");
        const auto decoder = declareStack(table, m_decoder, tokens, "decoder");
        std::optional<Weight<Linear>> logits;
        if (!m_task.attentionOnly)
            logits = table.matrix(m_tables.output, words);
        WeightReader reader(m_input, m_checkpoint, table);
        TransformerParts parts;
        parts.encoder = encoder(reader);
        parts.decoder = decoder(reader);
        const float scale = m_tied ? 1.0F / std::sqrt(static_cast<float>(m_encoder.width)) : 1.0F;
        if (auto matrix = readIf(logits, reader))
            parts.head = OutputHead{{}, Activation::Gelu, {}, scale, std::move(*matrix)};
        return {std::make_shared<Transformer>(describe(reader), std::move(parts)), reader.ignored()};
    }

private:
    Weight<TransformerStack> declareStack(WeightTable& table, LayerPlan plan, const Weight<Embedding>& tokens,
                                          const std::string& side) const
    {
        const auto bias = table.tensor(side + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight",
                                       {m_buckets, m_encoder.shape.heads});
        plan.positions = [=, encoder = side == "encoder", distance = m_distance](WeightReader& reader) {
            return std::make_shared<const RelativePositions>(bias(reader), encoder, distance);
        };
        const auto layers = declareLayers(table, plan);
        const auto norm = table.norm(side + ".final_layer_norm", m_encoder.width, plan.epsilon, plan.norm);
        return [=](WeightReader& reader) -> TransformerStack {
            return readStack(reader, {tokens(reader), 1, {}, {}, {}, {}}, layers, norm);
        };
    }

    ModelInfo describe(const WeightReader& reader) const
    {
        ModelInfo info = describeLayers(m_config, &m_encoder, &m_decoder, reader);
        info.sourceVocabulary = info.targetVocabulary = m_vocabulary;
        info.positions = {.scheme = PositionScheme::Relative, .buckets = m_buckets};
        readTokenSettings(m_config, info);
        describeTask(m_task, info);
        return info;
    }

    const FamilyInput& m_input;
    const JsonObject& m_config;
    TaskConfig m_task;
    FeedForwardKind m_feedForward;
    LayerPlan m_encoder;
    LayerPlan m_decoder;
    int m_vocabulary;
    int m_buckets;
    int m_distance;
    bool m_tied;
    std::shared_ptr<const Checkpoint> m_checkpoint;
    TokenTables m_tables;
};

template<bool multilingual>
FamilyOutput buildT5(const FamilyInput& input)
{
    return T5Builder(input, multilingual).build();
}

// T5 and T5 1.1, and their multilingual version.
ConfigKeys t5Keys()
{
    return {.read = {"d_ff", "d_kv", "d_model", "feed_forward_proj", "layer_norm_epsilon", "num_decoder_layers",
                     "num_heads", "num_layers", "relative_attention_max_distance", "relative_attention_num_buckets"},
            .silent = {"dense_act_fn", "is_gated_act", "max_position_embeddings", "n_positions"},
            .fixed = {{"scalable_attention"}},
            .aliases = {{"head_dim", "d_kv"},
                        {"hidden_size", "d_model"},
                        {"num_attention_heads", "num_heads"},
                        {"num_hidden_layers", "num_layers"}}};
}

constexpr Family t5Rows[] = {
    {"mt5", "mT5", {.tokenizerClass = "MT5"}, ModelKind::EncoderDecoder, t5Keys, buildT5<true>},
    {"t5", "T5, T5 1.1, Flan-T5", {.tokenizerClass = "T5"}, ModelKind::EncoderDecoder, t5Keys, buildT5<false>},
};

} // namespace

std::span<const Family> t5Families()
{
    return t5Rows;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention_pooling.h"

#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/families/text_settings.h"

#include <fmt/format.h>
#include <functional>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr int mostHops = 1024;

TextSettings readEncoderSettings(const JsonObject& config)
{
    TextSettings settings = readTextSettings(config);
    settings.encoder = readStack(config, "encoder");
    return settings;
}

std::string nameOfEncoder(const RecurrentStack& stack)
{
    return fmt::format("{}{}", stack.bidirectional ? "bidirectional " : "", stack.cell == Cell::Gru ? "GRU" : "LSTM");
}

// What tells the two families apart.
struct PoolingKind
{
    AttentionAxis rows; // of the maps
    std::int64_t queries = 1;
    std::string description; // behind that of the encoder
    std::function<Weight<LearnedQueryScore>(WeightTable&)> declareScore;
};

FamilyOutput buildPooling(const FamilyInput& input, const TextSettings& settings, const PoolingKind& kind)
{
    const int width = settings.annotationWidth();
    WeightTable table;
    const TextWeights text = declareText(table, settings, kind.queries * width);
    const auto encoder = declareLayers(table, "encoder.rnn.", settings.encoder, settings.embedding);
    const auto score = kind.declareScore(table);
    WeightReader reader(input, input.checkpoint, table);
    ModelInfo info =
        describeText(input.config, settings, reader, nameOfEncoder(settings.encoder) + kind.description, 1);
    AttentionPoolingModel::Parts parts{text.embedding(reader), encoder(reader), score(reader),
                                       readIf(text.classifier, reader)};
    return {std::make_shared<AttentionPoolingModel>(std::move(info), kind.rows, std::move(parts)), reader.ignored()};
}

FamilyOutput buildAttentionPooling(const FamilyInput& input)
{
    TextSettings settings = readEncoderSettings(input.config);
    const JsonObject attention = input.config.requireObject("attention");
    const std::string score = attention.stringOr("score", "additive");
    if (score != "additive" && score != "dot")
        attention.refuse("score", "'additive' or 'dot'");
    if (score == "additive")
        settings.attentionSize = requireSize(attention, "size");
    return buildPooling(input, settings, {AttentionAxis::Text, 1, " with attention pooling", [&](WeightTable& table) {
                                              return declarePooling(table, "attention", settings);
                                          }});
}

FamilyOutput buildStructuredSelfAttention(const FamilyInput& input)
{
    TextSettings settings = readEncoderSettings(input.config);
    const JsonObject attention = input.config.requireObject("attention");
    settings.attentionSize = requireSize(attention, "size");
    const int hops = attention.requireInt("hops", 1, mostHops);
    const auto declareScore = [&](WeightTable& table) -> Weight<LearnedQueryScore> {
        const auto key = table.matrix("attention.w1.weight", {settings.attentionSize, settings.annotationWidth()});
        const auto v = table.matrix("attention.w2.weight", {hops, settings.attentionSize});
        return [=](WeightReader& reader) -> LearnedQueryScore {
            Linear own = key(reader);
            return {std::move(own), v(reader)};
        };
    };
    return buildPooling(
        input, settings,
        {AttentionAxis::Hops, hops, fmt::format(" with structured self-attention, {} hops", hops), declareScore});
}

constexpr Family poolingRows[] = {
    {"attention_pooling", "recurrent encoder with attention pooling", ModelKind::EncoderOnly, buildAttentionPooling},
    {"structured_self_attention", "recurrent encoder with structured self-attention", ModelKind::EncoderOnly,
     buildStructuredSelfAttention},
};

} // namespace

std::span<const Family> poolingFamilies()
{
    return poolingRows;
}

} // namespace attn

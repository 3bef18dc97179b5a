// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention_pooling.h"

#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/families/text_settings.h"

#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

constexpr std::int64_t mostHops = 1024;

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

std::shared_ptr<const SequenceModel> buildPooling(const TextSettings& settings, ModelInfo info, AttentionAxis rows,
                                                  LearnedQueryScore score, WeightReader& reader)
{
    return std::make_shared<AttentionPoolingModel>(
        std::move(info), rows,
        AttentionPoolingModel::Parts{reader.embedding("embedding.weight"),
                                     readLayers(reader, "encoder.rnn.", settings.encoder, settings.embedding),
                                     std::move(score), readClassifier(reader, settings)});
}

} // namespace

FamilyOutput buildAttentionPooling(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    TextSettings settings = readEncoderSettings(config);
    const JsonObject attention = config.requireObject("attention");
    const std::string score = attention.stringOr("score", "additive");
    if (score != "additive" && score != "dot")
        attention.refuse("score", "'additive' or 'dot'");
    if (score == "additive")
        settings.attentionSize = requireSize(attention, "size");
    ExpectedTensors expected;
    expectText(expected, settings, settings.annotationWidth());
    expectLayers(expected, "encoder.rnn.", settings.encoder, settings.embedding);
    expectPooling(expected, "attention", settings);
    WeightReader reader(input.engine, input.checkpoint, std::move(expected), input.progress, input.stop);
    ModelInfo info = describeText(config, settings, reader,
                                  fmt::format("{} with attention pooling", nameOfEncoder(settings.encoder)), 1);
    auto model = buildPooling(settings, std::move(info), AttentionAxis::Text,
                              readPooling(reader, "attention", settings), reader);
    return {std::move(model), reader.ignored()};
}

FamilyOutput buildStructuredSelfAttention(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    TextSettings settings = readEncoderSettings(config);
    const JsonObject attention = config.requireObject("attention");
    settings.attentionSize = requireSize(attention, "size");
    const std::int64_t hops = attention.requireInt("hops", 1, mostHops);
    ExpectedTensors expected;
    expectText(expected, settings, hops * settings.annotationWidth());
    expectLayers(expected, "encoder.rnn.", settings.encoder, settings.embedding);
    expected["attention.w1.weight"] = {settings.attentionSize, settings.annotationWidth()};
    expected["attention.w2.weight"] = {hops, settings.attentionSize};
    WeightReader reader(input.engine, input.checkpoint, std::move(expected), input.progress, input.stop);
    ModelInfo info = describeText(
        config, settings, reader,
        fmt::format("{} with structured self-attention, {} hops", nameOfEncoder(settings.encoder), hops), 1);
    Linear key = reader.linear("attention.w1.weight", std::string());
    LearnedQueryScore score(std::move(key), reader.linear("attention.w2.weight", std::string()));
    auto model = buildPooling(settings, std::move(info), AttentionAxis::Hops, std::move(score), reader);
    return {std::move(model), reader.ignored()};
}

} // namespace attn

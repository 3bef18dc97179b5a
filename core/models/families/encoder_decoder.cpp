// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "models/families/bert_plan.h"
#include "models/families/config_values.h"
#include "models/families/family.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <memory>
#include <span>
#include <utility>

namespace attn {

namespace {

BertPlan readSide(const JsonObject& config)
{
    const std::string type = config.requireString("model_type");
    if (type == "bert")
        return readBertPlan(config);
    if (type == "roberta" || type == "camembert" || type == "xlm-roberta")
        return readRobertaPlan(config);
    refuseSetting(config, "model_type", fmt::format("'{}' is not supported here", type), "bert and roberta are");
}

// Two BERTs (Rothe et al. 2020): the second with cross attention between its halves.
FamilyOutput buildPair(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    const JsonObject encoderConfig = config.requireObject("encoder");
    const JsonObject decoderConfig = config.requireObject("decoder");
    BertPlan encoder = readSide(encoderConfig);
    BertPlan decoder = readSide(decoderConfig);
    decoder.names.layer.cross = {"crossattention.self.query", "crossattention.self.key", "crossattention.self.value",
                                 "crossattention.output.dense", "crossattention.output.LayerNorm"};
    decoder.layers.memoryWidth = decoder.layers.width;
    const bool bridged = encoder.layers.width != decoder.layers.width;
    if (bridged && decoderConfig.has("cross_attention_hidden_size"))
        refuseSetting(decoderConfig, "cross_attention_hidden_size", "is not supported with two widths",
                      "models with enc_to_dec_proj can be opened");
    const std::string side = "decoder." + decoder.names.prefix;
    const auto checkpoint = std::make_shared<RenamedCheckpoint>(input.checkpoint, "", std::vector<std::string>());
    std::vector<std::string> matrices;
    for (const std::string& name : decoder.names.headWeight)
        matrices.push_back("decoder." + name);
    std::vector<std::string> biases;
    for (const std::string& name : decoder.names.headBias)
        biases.push_back("decoder." + name);
    const auto [embedding, output] =
        tokenTables(*checkpoint, {weightOf(side + decoder.names.words)}, matrices, decoder.tied);
    WeightTable table;
    const auto sourceWords =
        table.embedding(weightOf("encoder." + encoder.names.words), {encoder.vocabulary, encoder.embeddingWidth});
    const auto targetWords = table.embedding(embedding, {decoder.vocabulary, decoder.embeddingWidth});
    const auto first = declareBert(table, encoder, sourceWords, "encoder.");
    const auto second = declareBert(table, decoder, targetWords, side);
    const auto head = declareBertHead(table, decoder, output, firstStored(*checkpoint, biases), "decoder.");
    std::optional<Weight<Linear>> bridge;
    if (bridged)
        bridge = table.linear("enc_to_dec_proj", decoder.layers.width, encoder.layers.width);
    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    parts.encoder = first(reader);
    parts.decoder = second(reader);
    parts.head = head(reader);
    parts.bridge = readIf(bridge, reader);
    ModelInfo info = describeLayers(config, &encoder.layers, &decoder.layers, reader);
    info.sourceVocabulary = encoder.vocabulary;
    info.targetVocabulary = decoder.vocabulary;
    info.maximumLength = std::min(encoder.maximumLength(), decoder.maximumLength());
    info.positions = encoder.scheme;
    readTokenSettings(withTokensOf(config, decoderConfig), info);
    return {std::make_shared<Transformer>(std::move(info), std::move(parts)), reader.ignored()};
}

ConfigKeys decoderKeys()
{
    return {.read = {"cross_attention_hidden_size"}, .fixed = {{"add_cross_attention", "true"}}};
}

ConfigKeys pairKeys()
{
    return {.read = {"cross_attention_hidden_size", "decoder", "encoder"},
            .nested = {{"encoder", "", ModelKind::EncoderOnly}, {"decoder", "", ModelKind::DecoderOnly, decoderKeys}}};
}

constexpr Family pairRows[] = {{"encoder-decoder",
                                "two BERTs or RoBERTas (Rothe et al. 2020)",
                                {.tokenizerClass = "Bert"},
                                ModelKind::EncoderDecoder,
                                pairKeys,
                                buildPair}};

} // namespace

std::span<const Family> pairFamilies()
{
    return pairRows;
}

} // namespace attn

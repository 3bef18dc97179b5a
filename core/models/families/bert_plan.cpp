// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/bert_plan.h"

#include "checkpoint/checkpoint.h"
#include "models/families/config_values.h"
#include "models/families/layer_reader.h"
#include "models/transformer.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <memory>
#include <utility>

namespace attn {

LayerNames bertLayerNames()
{
    return {{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
             "attention.output.LayerNorm"},
            {},
            "intermediate.dense",
            "output.dense",
            "",
            "output.LayerNorm"};
}

std::optional<int> BertPlan::maximumLength() const
{
    if (positions == 0)
        return std::nullopt;
    return positions - (padding ? *padding + 1 : 0);
}

BertPlan readBertPlan(const JsonObject& config, const BertFields& fields)
{
    BertPlan result;
    result.names = {"bert.",
                    bertLayerNames(),
                    bertLayers,
                    "cls.predictions.transform.dense",
                    "cls.predictions.transform.LayerNorm",
                    {"cls.predictions.bias", "cls.predictions.decoder.bias"},
                    {"cls.predictions.decoder.weight"}};
    LayerPlan& layers = result.layers;
    layers.width = result.embeddingWidth = requireSize(config, fields.width);
    layers.layers = requireLayers(config, fields.layers);
    const int heads = requireSize(config, fields.heads);
    layers.shape = {heads, headWidth(config, fields.heads, heads, layers.width)};
    layers.feedForwardWidth = requireSize(config, fields.feedForwardWidth);
    layers.activation = result.headActivation = activationOr(config, fields.activation, "gelu");
    layers.epsilon = epsilonOr(config, "layer_norm_eps", 1e-12);
    layers.pruned = readPrunedHeads(config, layers.layers, heads);
    result.vocabulary = requireSize(config, "vocab_size");
    result.positions = requireSize(config, "max_position_embeddings");
    result.segments = fields.segments > 0 ? sizeOr(config, "type_vocab_size", fields.segments) : 0;
    result.tied = config.boolOr("tie_word_embeddings", true);
    return result;
}

BertPlan readRobertaPlan(const JsonObject& config)
{
    BertPlan result = readBertPlan(config);
    result.names.prefix = "roberta.";
    result.names.headTransform = "lm_head.dense";
    result.names.headNorm = "lm_head.layer_norm";
    result.names.headBias = {"lm_head.bias", "lm_head.decoder.bias"};
    result.names.headWeight = {"lm_head.decoder.weight"};
    result.names.ofText = {
        .logits = "classifier.out_proj", .dense = "classifier.dense", .activation = Activation::Tanh};
    result.headActivation = Activation::Gelu;
    result.padding = config.optionalInt("pad_token_id", 0, result.vocabulary - 1).value_or(1);
    if (*result.padding + 1 >= result.positions)
        config.refuse("max_position_embeddings", "more positions than pad_token_id + 1");
    return result;
}

Weight<TransformerStack> declareBert(WeightTable& table, const BertPlan& plan, const Weight<Embedding>& words,
                                     const std::string& prefix)
{
    const BertNames& names = plan.names;
    const int width = plan.embeddingWidth;
    const auto rows = [&](int count, const std::string& name) -> std::optional<Weight<Embedding>> {
        if (count == 0)
            return std::nullopt;
        return table.embedding(weightOf(prefix + name), {count, width});
    };
    const auto normOf = [&](const std::string& name, int features) -> std::optional<Weight<Norm>> {
        if (name.empty())
            return std::nullopt;
        return table.norm(prefix + name, features, plan.layers.epsilon, plan.layers.norm);
    };
    const auto positions = rows(plan.positions, names.positions);
    const auto segments = rows(plan.segments, names.segments);
    const auto tasks = rows(plan.tasks, names.tasks);
    const auto norm = normOf(names.norm, width);
    std::optional<Weight<Linear>> projection;
    if (width != plan.layers.width)
        projection = table.linear(prefix + names.projection, plan.layers.width, width, plan.projectionBias);
    LayerPlan prefixed = plan.layers;
    prefixed.prefix = prefix + names.layers;
    prefixed.names = names.layer;
    const auto layers = declareLayers(table, prefixed);
    std::optional<Weight<ConvolutionBeside>> beside;
    if (plan.beside)
        beside = plan.beside(table, plan.layers);
    const auto finalNorm = normOf(names.finalNorm, plan.layers.width);
    const int offset = plan.padding ? *plan.padding + 1 : 0;
    return [=, padding = plan.padding, dropped = plan.dropped, order = plan.order,
            layersOfState = plan.layersOfState](WeightReader& reader) {
        TokenInput input{words(reader), 1, {}, {}, {}, {}};
        if (positions)
            input.positions = {AddedPositions::Learned, width, readIf(positions, reader), offset, padding};
        input.segments = readIf(segments, reader);
        input.tasks = readIf(tasks, reader);
        input.norm = readIf(norm, reader);
        input.projection = readIf(projection, reader);
        input.dropped = dropped;
        TransformerStack stack = readStack(reader, std::move(input), layers, finalNorm);
        stack.order = order;
        stack.layersOfState = layersOfState;
        stack.beside = readIf(beside, reader);
        return stack;
    };
}

Weight<OutputHead> declareBertHead(WeightTable& table, const BertPlan& plan, const std::string& output,
                                   const std::string& bias, const std::string& prefix)
{
    const LayerPlan& layers = plan.layers;
    const int width = plan.embeddingWidth;
    const auto transform = table.linear(prefix + plan.names.headTransform, width, layers.width, plan.headBias);
    const auto norm = table.norm(prefix + plan.names.headNorm, width, layers.epsilon, layers.norm);
    const auto logits = table.matrix(output, {plan.vocabulary, width}, bias, {plan.vocabulary});
    return [=, activation = plan.headActivation](WeightReader& reader) -> OutputHead {
        Linear inner = transform(reader);
        Norm normalized = norm(reader);
        return {std::move(inner), activation, std::move(normalized), 1, logits(reader)};
    };
}

FamilyOutput buildBert(const FamilyInput& input, const BertPlan& plan)
{
    const BertNames& names = plan.names;
    LayerPlan named = plan.layers;
    named.prefix = names.layers;
    named.names = names.layer;
    const auto checkpoint = withAllHeads(
        std::make_shared<RenamedCheckpoint>(input.checkpoint, names.prefix,
                                            std::vector<std::string>{"cls.", "lm_head.", "generator_", "discriminator_",
                                                                     "vocab_", "classifier.", "qa_", "predictions.",
                                                                     "head.", "decoder.", "pre_classifier.", "score."}),
        named);
    TaskConfig task = readTask(input.config);
    const bool predicts = task.head == TaskHead::None
        && (checkpoint->find(weightOf(names.headTransform)) || checkpoint->find(names.headTransform + ".bias")
            || checkpoint->find(weightOf(names.headNorm)));
    const auto [embedding, output] = tokenTables(*checkpoint, {weightOf(names.words)}, names.headWeight, plan.tied);
    WeightTable table;
    const auto words = table.embedding(embedding, {plan.vocabulary, plan.embeddingWidth});
    const auto stack = declareBert(table, plan, words);
    std::optional<Weight<OutputHead>> head;
    if (task.head != TaskHead::None)
        head = declareTask(table, *checkpoint, plan.layers,
                           task.head == TaskHead::Text         ? names.ofText
                               : task.head == TaskHead::Tokens ? names.ofTokens
                                                               : names.ofSpan,
                           task);
    else if (predicts)
        head = declareBertHead(table, plan, output,
                               names.headBias.empty() ? "" : firstStored(*checkpoint, names.headBias));
    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    parts.encoder = stack(reader);
    parts.head = readIf(head, reader);
    parts.pooling = plan.pooling;
    LayerPlan described = plan.layers;
    described.names = names.layer;
    described.layers = parts.encoder->depth();
    ModelInfo info = describeLayers(input.config, &described, nullptr, reader);
    info.sourceVocabulary = info.targetVocabulary = plan.vocabulary;
    info.maximumLength = plan.maximumLength();
    info.positions = plan.scheme;
    info.segments = 2;
    info.predictsMasked = predicts;
    describeTask(task, info);
    return {std::make_shared<Transformer>(std::move(info), std::move(parts)), reader.ignored()};
}

} // namespace attn

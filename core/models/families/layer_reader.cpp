// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/layer_reader.h"

#include "base/error.h"
#include "models/families/config_values.h"
#include "models/families/task_head.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <optional>
#include <utility>

namespace attn {

namespace {

std::string layerPrefix(const LayerPlan& plan, int layer)
{
    return plan.prefixes.empty() ? fmt::format("{}{}.", plan.prefix, layer)
                                 : plan.prefixes.at(static_cast<std::size_t>(layer));
}

Weight<Linear> declareMatrix(WeightTable& table, const LayerPlan& plan, const std::string& name, int outputs,
                             int inputs, bool bias)
{
    if (!plan.convolutions)
        return table.linear(name, outputs, inputs, bias);
    const auto only = table.convolution(name, inputs, outputs, 1);
    return [only](WeightReader& reader) { return std::move(only(reader).front()); };
}

// Rows of a fused tensor that hold queries, keys and values.
std::vector<std::vector<RowRange>> fusedRows(const HeadShape& shape, FusedOrder order)
{
    const std::int64_t queries = std::int64_t{shape.heads} * shape.width;
    const std::int64_t keys = std::int64_t{shape.keyValueHeads()} * shape.width;
    if (order == FusedOrder::Sides)
        return {{{0, queries}}, {{queries, keys}}, {{queries + keys, keys}}};
    std::vector<std::vector<RowRange>> result(3);
    const std::int64_t own = std::int64_t{shape.sharing} * shape.width; // queries of one head of keys
    for (int head = 0; head < shape.keyValueHeads(); ++head) {
        const std::int64_t first = head * (own + 2 * std::int64_t{shape.width});
        result[0].push_back({first, own});
        result[1].push_back({first + own, shape.width});
        result[2].push_back({first + own + shape.width, shape.width});
    }
    return result;
}

// Queries, keys and values.
Weight<std::vector<Linear>> declareInputs(WeightTable& table, const LayerPlan& plan, const std::string& layer,
                                          const AttentionNames& names, int keyInputs)
{
    const int queryWidth = plan.shape.heads * plan.shape.width;
    const int keyWidth = plan.shape.keyValueHeads() * plan.shape.width;
    if (names.key.empty() && plan.convolutions)
        return table.convolution(layer + names.query, plan.width, queryWidth + 2 * keyWidth, 3);
    if (names.key.empty())
        return table.fused(layer + names.query, queryWidth + 2 * keyWidth, plan.width, plan.inputBias,
                           fusedRows(plan.shape, plan.fused));
    if (names.value.empty()) { // GPT-2's cross attention
        const auto query = declareMatrix(table, plan, layer + names.query, queryWidth, plan.width, plan.inputBias);
        const auto others = table.convolution(layer + names.key, keyInputs, 2 * keyWidth, 2);
        return [=](WeightReader& reader) {
            std::vector<Linear> result;
            result.push_back(query(reader));
            for (Linear& part : others(reader))
                result.push_back(std::move(part));
            return result;
        };
    }
    const std::vector parts{
        declareMatrix(table, plan, layer + names.query, queryWidth, plan.width, plan.inputBias),
        declareMatrix(table, plan, layer + names.key, keyWidth, keyInputs, plan.inputBias && plan.keyBias),
        declareMatrix(table, plan, layer + names.value, keyWidth, keyInputs, plan.inputBias),
    };
    return [parts](WeightReader& reader) {
        std::vector<Linear> result;
        for (const auto& part : parts)
            result.push_back(part(reader));
        return result;
    };
}

// Linear layers of one attention block, in the order of its members.
using LayersReader = std::function<AttentionLayers(WeightReader&)>;

// Keys and values from few features, queries as well where they are compressed.
LayersReader declareLatent(WeightTable& table, const LayerPlan& plan, const std::string& layer)
{
    const AttentionNames& names = plan.names.self;
    const LatentPlan& latent = *plan.latent;
    const std::int64_t heads = plan.shape.heads;
    const std::int64_t own = plan.shape.width - latent.sharedWidth; // features of a key that are its head's
    const std::int64_t rank = latent.keyRank;
    const bool compressed = !latent.queryDown.empty();
    std::optional<Weight<Linear>> queryDown;
    std::optional<Weight<Norm>> queryNorm;
    if (compressed) {
        queryDown = table.linear(layer + latent.queryDown, latent.queryRank, plan.width, latent.bias);
        queryNorm = table.norm(layer + latent.queryNorm, latent.queryRank, plan.epsilon, plan.norm);
    }
    const auto query =
        table.linear(layer + names.query, heads * plan.shape.width, compressed ? latent.queryRank : plan.width, false);
    const auto keyDown = table.fused(layer + latent.keyDown, rank + latent.sharedWidth, plan.width, latent.bias,
                                     {{{0, rank}}, {{rank, latent.sharedWidth}}});
    const auto keyNorm = table.norm(layer + latent.keyNorm, rank, plan.epsilon, plan.norm);
    std::vector<std::vector<RowRange>> rows(2); // of keys and of values
    for (std::int64_t head = 0; head < heads; ++head) {
        const std::int64_t first = head * (own + latent.valueWidth);
        rows[0].push_back({first, own});
        rows[1].push_back({first + own, latent.valueWidth});
    }
    const auto keyUp = table.fused(layer + names.key, heads * (own + latent.valueWidth), rank, false, rows);
    const auto output = table.linear(layer + names.output, plan.width, heads * latent.valueWidth, plan.outputBias);
    return [=](WeightReader& reader) -> AttentionLayers {
        std::optional<Linear> toQuery = readIf(queryDown, reader);
        std::optional<Norm> normed = readIf(queryNorm, reader);
        Linear queries = query(reader);
        std::vector<Linear> down = keyDown(reader);
        Norm keysNormed = keyNorm(reader);
        std::vector<Linear> up = keyUp(reader);
        AttentionLayers result{std::move(queries), std::move(up[0]), std::move(up[1]), output(reader)};
        if (toQuery)
            result.queryLatent = Latent{std::move(*toQuery), std::move(*normed)};
        result.keyLatent = Latent{std::move(down[0]), std::move(keysNormed)};
        result.sharedKey = std::move(down[1]);
        return result;
    };
}

// Norm of the width of one head, or of all side by side where the checkpoint has it so.
std::optional<Weight<Norm>> declareHeadNorm(WeightTable& table, const LayerPlan& plan, const std::string& name,
                                            int heads)
{
    if (name.empty())
        return std::nullopt;
    return table.norm(name, plan.wholeHeadNorms ? heads * plan.shape.width : plan.shape.width, plan.epsilon, plan.norm);
}

LayersReader declareLayersOf(WeightTable& table, const LayerPlan& plan, const std::string& layer, bool self)
{
    if (self && plan.latent)
        return declareLatent(table, plan, layer);
    const AttentionNames& names = self ? plan.names.self : plan.names.cross;
    const auto inputs = declareInputs(table, plan, layer, names, self ? plan.width : plan.memoryWidth);
    const auto output = declareMatrix(table, plan, layer + names.output, plan.width,
                                      plan.shape.heads * plan.shape.width, plan.outputBias);
    const auto nameOf = [&](const std::string& part) { return part.empty() ? part : layer + part; };
    const auto queryNorm = declareHeadNorm(table, plan, nameOf(names.queryNorm), plan.shape.heads);
    const auto keyNorm = declareHeadNorm(table, plan, nameOf(names.keyNorm), plan.shape.keyValueHeads());
    return [=](WeightReader& reader) -> AttentionLayers {
        std::vector<Linear> parts = inputs(reader);
        AttentionLayers result{std::move(parts[0]), std::move(parts[1]), std::move(parts[2]), output(reader)};
        result.queryNorm = readIf(queryNorm, reader);
        result.keyNorm = readIf(keyNorm, reader);
        return result;
    };
}

// norm, outputNorm: names below the layer's prefix, or empty.
Weight<Residual> declareResidual(WeightTable& table, const LayerPlan& plan, const std::string& layer,
                                 const std::string& norm, const std::string& outputNorm, const std::string& scales)
{
    const auto declared = [&](const std::string& name) -> std::optional<Weight<Norm>> {
        if (name.empty())
            return std::nullopt;
        return table.norm(layer + name, plan.width, plan.epsilon, plan.norm);
    };
    const auto main = declared(norm);
    const auto second = declared(outputNorm);
    std::optional<Weight<Tensor>> featureScales;
    if (!scales.empty())
        featureScales = table.tensor(layer + scales, {plan.width});
    return [=, place = plan.place, scale = plan.residualScale, passes = plan.passesNormed](WeightReader& reader) {
        Residual result;
        auto& first = place == NormPlace::After ? result.sum
            : place == NormPlace::Output        ? result.output
                                                : result.input;
        first = readIf(main, reader);
        if (second)
            result.output = readIf(second, reader);
        result.scale = scale;
        result.passesNormed = passes;
        result.featureScales = readIf(featureScales, reader);
        return result;
    };
}

MultiHeadSettings settingsOf(const LayerPlan& plan, int layer, bool self)
{
    const auto index = static_cast<std::size_t>(layer);
    MultiHeadSettings settings;
    settings.shape = plan.shape;
    settings.scale =
        plan.scales.empty() ? 1.0F / std::sqrt(static_cast<float>(plan.shape.width)) : plan.scales.at(index);
    if (self) {
        settings.cap = plan.cap;
        settings.rotary = plan.rotary.empty() ? nullptr : plan.rotary.at(index);
        settings.unrotated = !plan.rotary.empty() && !settings.rotary;
        settings.window = plan.windows.empty() ? 0 : plan.windows.at(index);
        settings.pruned = plan.pruned.empty() ? std::vector<Index>() : plan.pruned.at(index);
    }
    return settings;
}

using SharedPositions = std::shared_ptr<const PositionScores>;

std::function<AttentionBlockLayer(WeightReader&, const SharedPositions&)>
declareAttention(WeightTable& table, const LayerPlan& plan, int layer, bool self)
{
    const AttentionNames& names = self ? plan.names.self : plan.names.cross;
    const std::string prefix = layerPrefix(plan, layer);
    const auto layers = declareLayersOf(table, plan, prefix, self);
    const bool normless = self && layer == plan.normlessLayer;
    const auto residual =
        declareResidual(table, plan, prefix, normless ? "" : names.norm, names.outputNorm, names.scales);
    std::optional<Weight<Tensor>> sinks;
    if (self && !names.sinks.empty())
        sinks = table.tensor(prefix + names.sinks, {plan.shape.heads});
    std::optional<Weight<SharedPositions>> own;
    if (self && plan.layerPositions)
        own = plan.layerPositions(table, prefix);
    return [=, settings = settingsOf(plan, layer, self)](WeightReader& reader,
                                                         const SharedPositions& shared) -> AttentionBlockLayer {
        MultiHeadSettings settled = settings;
        settled.positions = own ? (*own)(reader) : shared;
        if (const auto values = readIf(sinks, reader))
            settled.sinks.assign(values->values().begin(), values->values().end());
        MultiHeadAttention attention(std::move(settled), layers(reader));
        return {std::move(attention), residual(reader)};
    };
}

// bias, activation and inner width: of the plan, unless they are an expert's.
struct PerceptronPlan
{
    std::string first;
    std::string second;
    std::string gate;
    int inner = 0;
    bool bias = false;
};

Weight<Perceptron> declarePerceptron(WeightTable& table, const LayerPlan& plan, const PerceptronPlan& own)
{
    const int inner = own.inner;
    const Activation activation = plan.activation;
    const auto second = declareMatrix(table, plan, own.second, plan.width, inner, own.bias);
    if (own.gate == own.first) {
        const auto both =
            table.fused(own.first, 2 * std::int64_t{inner}, plan.width, own.bias, {{{0, inner}}, {{inner, inner}}});
        return [=](WeightReader& reader) -> Perceptron {
            std::vector<Linear> parts = both(reader);
            Linear outwards = second(reader);
            return {std::move(parts[1]), std::move(outwards), std::move(parts[0]), activation};
        };
    }
    const auto first = declareMatrix(table, plan, own.first, inner, plan.width, own.bias);
    std::optional<Weight<Linear>> gate;
    if (!own.gate.empty())
        gate = declareMatrix(table, plan, own.gate, inner, plan.width, own.bias);
    return [=](WeightReader& reader) -> Perceptron {
        Linear inwards = first(reader);
        Linear outwards = second(reader);
        return {std::move(inwards), std::move(outwards), readIf(gate, reader), activation};
    };
}

Weight<FeedForward> declareFeedForward(WeightTable& table, const LayerPlan& plan, int layer)
{
    const LayerNames& names = plan.names;
    const std::string prefix = layerPrefix(plan, layer);
    const auto named = [&](const std::string& name) { return name.empty() ? name : prefix + name; };
    std::optional<Weight<Experts>> experts;
    std::optional<Weight<Perceptron>> dense;
    if (plan.experts && plan.experts->isIn(layer)) {
        const ExpertsPlan& own = *plan.experts;
        experts = declareExperts(table, plan, prefix);
        if (!own.shared.empty()) {
            const std::string shared = prefix + own.shared + '.';
            dense = declarePerceptron(table, plan,
                                      {shared + own.first, shared + own.second, shared + own.gate, own.sharedWidth});
        }
    } else {
        dense = declarePerceptron(table, plan,
                                  {prefix + names.first, prefix + names.second, named(names.gate),
                                   plan.feedForwardWidth, plan.feedForwardBias});
    }
    const auto residual = declareResidual(table, plan, prefix, names.norm, names.outputNorm, names.scales);
    return [=](WeightReader& reader) -> FeedForward {
        std::optional<Perceptron> perceptron = readIf(dense, reader);
        std::optional<Experts> mixture = readIf(experts, reader);
        return {std::move(perceptron), std::move(mixture), residual(reader)};
    };
}

} // namespace

void LayerPlan::rotateAll(const RotarySettings& settings)
{
    rotary.assign(static_cast<std::size_t>(layers), std::make_shared<const RotaryPositions>(settings));
}

Weight<std::vector<TransformerLayer>> declareLayers(WeightTable& table, const LayerPlan& plan)
{
    using Layer = std::function<TransformerLayer(WeightReader&, const SharedPositions&)>;
    std::vector<Layer> layers;
    for (int layer = 0; layer < plan.layers; ++layer) {
        const auto self = declareAttention(table, plan, layer, true);
        const auto cross = plan.memoryWidth > 0 ? declareAttention(table, plan, layer, false) : nullptr;
        const auto feedForward = declareFeedForward(table, plan, layer);
        layers.emplace_back(
            [=, parallel = plan.parallel](WeightReader& reader, const SharedPositions& positions) -> TransformerLayer {
                AttentionBlockLayer own = self(reader, positions);
                std::optional<AttentionBlockLayer> other;
                if (cross)
                    other = cross(reader, nullptr);
                return {std::move(own), std::move(other), feedForward(reader), parallel};
            });
    }
    return [layers, positions = plan.positions](WeightReader& reader) {
        const SharedPositions shared = positions ? positions(reader) : nullptr;
        std::vector<TransformerLayer> result;
        for (const Layer& layer : layers)
            result.push_back(layer(reader, shared));
        return result;
    };
}

TransformerStack readStack(WeightReader& reader, TokenInput input, const Weight<std::vector<TransformerLayer>>& layers,
                           const std::optional<Weight<Norm>>& finalNorm)
{
    std::vector<TransformerLayer> read = layers(reader);
    std::optional<Norm> norm = readIf(finalNorm, reader);
    return {std::move(input), std::move(read), std::move(norm)};
}

ModelInfo describeLayers(const JsonObject& config, const LayerPlan* encoder, const LayerPlan* decoder,
                         const WeightReader& reader)
{
    const LayerPlan& plan = encoder == nullptr ? *decoder : *encoder;
    ModelInfo info;
    info.family = config.requireString("model_type");
    info.kind = encoder == nullptr ? ModelKind::DecoderOnly
        : decoder == nullptr       ? ModelKind::EncoderOnly
                                   : ModelKind::EncoderDecoder;
    info.architecture.norms = plan.place;
    info.architecture.parallel = plan.parallel;
    info.architecture.experts = plan.experts ? plan.experts->count : 0;
    info.architecture.sinks = !plan.names.self.sinks.empty();
    info.expertsOfToken = plan.experts ? plan.experts->routing.chosen : 0;
    info.architecture.gated = !plan.names.gate.empty();
    if (encoder != nullptr) {
        info.encoderLayers = encoder->layers;
        info.encoderHeads = encoder->shape.heads;
        info.bestSite = {Stage::Encoder, 0};
    }
    if (decoder != nullptr) {
        info.decoderLayers = decoder->layers;
        info.decoderHeads = decoder->shape.heads;
        info.bestSite = {Stage::Decoder, 0};
    }
    if (encoder != nullptr && decoder != nullptr) {
        info.crossLayers = decoder->layers;
        info.crossHeads = decoder->shape.heads;
        info.bestSite = {Stage::Cross, aligningLayer(decoder->layers)};
    }
    info.keyValueHeads = plan.shape.sharing > 1 ? plan.shape.keyValueHeads() : 0;
    info.headWidth = plan.shape.width;
    info.modelWidth = plan.width;
    info.feedForwardWidth = plan.feedForwardWidth;
    info.storedDType = reader.storedDType();
    info.parameters = reader.parameters();
    return info;
}

namespace {

TaskNames taskNames(const DecoderPlan& plan, TaskHead task)
{
    TaskNames names;
    names.logits = task == TaskHead::Text ? "score" : task == TaskHead::Tokens ? plan.tokenHead : "qa_outputs";
    names.bias = task != TaskHead::Text;
    return names;
}

// Layer from the last states to logits of tokens. shape: of the matrix called `output`.
Weight<OutputHead> declareOutput(WeightTable& table, const DecoderPlan& plan, const Shape& shape,
                                 const std::string& output)
{
    const DecoderNames& names = plan.names;
    const LayerPlan& layers = plan.layers;
    const bool transforms = !names.headTransform.empty();
    const std::string& between = transforms ? names.headTransform : names.projectOut;
    std::optional<Weight<Linear>> transform;
    if (!between.empty())
        transform = table.linear(between, shape.at(1), layers.width, transforms && plan.transformBias);
    std::optional<Weight<Norm>> norm;
    if (!names.headNorm.empty())
        norm = table.norm(names.headNorm, shape.at(1), layers.epsilon, layers.norm);
    const auto logits =
        table.matrix(output, shape, plan.outputBias ? names.output + ".bias" : std::string(), {shape.at(0)});
    const auto activation = transforms ? std::optional(plan.headActivation) : std::nullopt;
    return [=, scale = plan.logitScale, cap = plan.logitCap](WeightReader& reader) -> OutputHead {
        std::optional<Linear> inner = readIf(transform, reader);
        std::optional<Norm> normalized = readIf(norm, reader);
        return {std::move(inner), activation, std::move(normalized), scale, logits(reader), cap};
    };
}

} // namespace

FamilyOutput buildDecoder(const FamilyInput& input, DecoderPlan plan)
{
    LayerPlan& layerPlan = plan.layers;
    const DecoderNames& names = plan.names;
    const int vocabulary = requireSize(input.config, "vocab_size");
    const int width = plan.wordWidth > 0 ? plan.wordWidth : layerPlan.width;
    const auto checkpoint = withAllHeads(
        std::make_shared<RenamedCheckpoint>(
            input.checkpoint, names.prefix,
            std::vector<std::string>{names.output + '.', "lm_head.", "score.", "classifier.", "qa_outputs."}),
        layerPlan);
    TaskConfig task = readTask(input.config);
    const bool hasOutput = checkpoint->find(weightOf(names.output)).has_value();
    task.attentionOnly = task.attentionOnly && !hasOutput;
    const bool tied = input.config.boolOr("tie_word_embeddings", plan.tied) || !hasOutput;
    const auto [embedding, output] = tokenTables(*checkpoint, {weightOf(names.words)}, {weightOf(names.output)}, tied);
    settleExperts(*checkpoint, layerPlan);
    WeightTable table;
    const auto normOf = [&](const std::string& name) -> std::optional<Weight<Norm>> {
        if (name.empty())
            return std::nullopt;
        return table.norm(name, layerPlan.width, layerPlan.epsilon, layerPlan.norm);
    };
    const auto tokens = table.embedding(embedding, {vocabulary, width});
    std::optional<Weight<Embedding>> positionRows;
    if (plan.positions)
        positionRows =
            table.embedding(weightOf(names.positions), {*plan.positions + plan.positionOffset, layerPlan.width});
    std::optional<Weight<Linear>> projectIn;
    if (!names.projectIn.empty())
        projectIn = table.linear(names.projectIn, layerPlan.width, width, false);
    const auto embeddingNorm = normOf(names.embeddingNorm);
    const auto layers = declareLayers(table, layerPlan);
    const auto norm = normOf(names.finalNorm);
    std::optional<Weight<OutputHead>> head;
    if (task.head != TaskHead::None)
        head = declareTask(table, *checkpoint, layerPlan, taskNames(plan, task.head), task);
    else if (!task.attentionOnly)
        head = declareOutput(table, plan, {vocabulary, width}, output);

    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    TokenInput words{tokens(reader), plan.embeddingScale, {}, {}, {}, {}};
    if (plan.positions)
        words.positions = {
            AddedPositions::Learned, layerPlan.width, readIf(positionRows, reader), plan.positionOffset, {}};
    words.norm = readIf(embeddingNorm, reader);
    words.projection = readIf(projectIn, reader);
    words.positionsLast = words.projection.has_value();
    parts.decoder = readStack(reader, std::move(words), layers, norm);
    parts.head = readIf(head, reader);
    ModelInfo info = describeLayers(input.config, nullptr, &layerPlan, reader);
    info.sourceVocabulary = info.targetVocabulary = vocabulary;
    info.maximumLength = plan.positions;
    info.positions = std::move(plan.scheme);
    readTokenSettings(input.config, info);
    describeTask(task, info);
    return {std::make_shared<Transformer>(std::move(info), std::move(parts)), reader.ignored()};
}

FusedOrder fusedOrder(const Checkpoint& checkpoint)
{
    return checkpoint.config() != nullptr ? FusedOrder::Sides : FusedOrder::Heads;
}

std::vector<GgufName> ggufWhole(const DecoderNames& names)
{
    std::vector<GgufName> result{{"token_embd", names.prefix + names.words},
                                 {"output_norm", names.prefix + names.finalNorm},
                                 {"output", names.output}};
    if (!names.positions.empty())
        result.push_back({"position_embd", names.prefix + names.positions});
    if (!names.embeddingNorm.empty())
        result.push_back({"token_embd_norm", names.prefix + names.embeddingNorm});
    return result;
}

std::vector<GgufName> ggufLayer(const LayerNames& names, NormPlace place)
{
    const bool after = place == NormPlace::After;
    const bool output = place == NormPlace::Output;
    std::vector<GgufName> result{
        {"attn_output", names.self.output}, {"ffn_up", names.first}, {"ffn_down", names.second}};
    if (names.self.key.empty())
        result.push_back({"attn_qkv", names.self.query});
    else
        result.insert(result.end(),
                      {{"attn_q", names.self.query}, {"attn_k", names.self.key}, {"attn_v", names.self.value}});
    if (!names.gate.empty() && names.gate != names.first)
        result.push_back({"ffn_gate", names.gate});
    const std::pair<const char*, const std::string&> more[] = {{after        ? "attn_output_norm"
                                                                    : output ? "post_attention_norm"
                                                                             : "attn_norm",
                                                                names.self.norm},
                                                               {after        ? "layer_output_norm"
                                                                    : output ? "post_ffw_norm"
                                                                             : "ffn_norm",
                                                                names.norm},
                                                               {"attn_q_norm", names.self.queryNorm},
                                                               {"attn_k_norm", names.self.keyNorm},
                                                               {"post_attention_norm", names.self.outputNorm},
                                                               {"post_ffw_norm", names.outputNorm}};
    for (const auto& [stored, name] : more)
        if (!name.empty())
            result.push_back({stored, name});
    return result;
}

std::string firstStored(const Checkpoint& checkpoint, const std::vector<std::string>& names)
{
    const auto found =
        std::ranges::find_if(names, [&](const std::string& name) { return checkpoint.find(name).has_value(); });
    return found == names.end() ? names.front() : *found;
}

TokenTables tokenTables(const Checkpoint& checkpoint, std::vector<std::string> embedding,
                        const std::vector<std::string>& output, bool tied)
{
    if (!tied)
        return {firstStored(checkpoint, embedding), firstStored(checkpoint, output)};
    embedding.insert(embedding.end(), output.begin(), output.end());
    const std::string table = firstStored(checkpoint, embedding);
    return {table, table};
}

void requireOutput(const Checkpoint& checkpoint, const std::string& words, const std::string& output,
                   const Shape& shape)
{
    if (checkpoint.find(output) || !checkpoint.find(words))
        return;
    throw Error(ErrorKind::Format, checkpoint.name(),
                fmt::format("has no output layer: {} [{}] is missing, and {} does not tie it to {}", output,
                            fmt::join(shape, ", "), checkpoint.configName(), words),
                checkpoint.config() != nullptr
                    ? "convert the whole model, not its base"
                    : "save the whole model (AutoModelForCausalLM or AutoModelForSeq2SeqLM), not its base; if the two "
                      "are one matrix, add \"tie_word_embeddings\": true to config.json");
}

} // namespace attn

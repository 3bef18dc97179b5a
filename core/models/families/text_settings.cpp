// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/text_settings.h"

#include "models/families/config_values.h"
#include "models/weight_table.h"

#include <nlohmann/json.hpp>

#include <iterator>
#include <utility>

namespace attn {

ConfigKeys textKeys()
{
    return {.read = {"attention", "embedding_size", "encoder", "source_eos", "unk_token_id"}};
}

TextSettings readTextSettings(const JsonObject& config)
{
    TextSettings settings;
    settings.vocabulary = requireSize(config, "vocab_size");
    settings.embedding = requireSize(config, "embedding_size");
    settings.labels = readLabels(config);
    return settings;
}

TextWeights declareText(WeightTable& table, const TextSettings& settings, std::int64_t width)
{
    TextWeights weights{table.embedding("embedding.weight", {settings.vocabulary, settings.embedding}), {}};
    if (!settings.labels.empty())
        weights.classifier = table.linear("classifier", std::ssize(settings.labels), width);
    return weights;
}

Weight<LearnedQueryScore> declarePooling(WeightTable& table, const std::string& prefix, const TextSettings& settings)
{
    const int size = settings.attentionSize > 0 ? settings.attentionSize : settings.annotationWidth();
    std::optional<Weight<Linear>> key;
    if (settings.attentionSize > 0)
        key = table.linear(prefix + ".key", size, settings.annotationWidth());
    const auto v = table.matrix(prefix + ".v.weight", {1, size});
    return [=](WeightReader& reader) -> LearnedQueryScore {
        std::optional<Linear> own = readIf(key, reader);
        return {std::move(own), v(reader)};
    };
}

ModelInfo describeText(const JsonObject& config, const TextSettings& settings, const WeightReader& reader,
                       Architecture::Form form, int layers)
{
    ModelInfo info;
    info.family = config.requireString("model_type");
    info.kind = ModelKind::EncoderOnly;
    info.architecture.form = form;
    info.architecture.encoderLstm = settings.encoder.cell == Cell::Lstm;
    info.architecture.bidirectional = settings.encoder.bidirectional;
    info.encoderLayers = layers;
    info.encoderHeads = 1;
    info.modelWidth = settings.annotationWidth();
    info.sourceVocabulary = settings.vocabulary;
    info.targetVocabulary = settings.vocabulary;
    info.positions.scheme = PositionScheme::Recurrent;
    info.storedDType = reader.storedDType();
    info.parameters = reader.parameters();
    info.labels = settings.labels;
    info.task = settings.labels.empty() ? TaskHead::None : TaskHead::Text;
    info.sourceLanguage = config.stringOr("source_language", {});
    info.bestSite = {Stage::Encoder, 0};
    return info;
}

} // namespace attn

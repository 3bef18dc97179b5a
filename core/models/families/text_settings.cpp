// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/text_settings.h"

#include "models/families/config_values.h"
#include "models/weight_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
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

namespace {

JsonObject textConfig(const JsonObject& whole, const Json& defaults)
{
    Json text = whole.requireObject("text_config").json();
    const auto fill = [&](std::string_view field, const Json& value) {
        if (!text.contains(field) || text[std::string(field)].is_null())
            text[std::string(field)] = value;
    };
    for (const char* field : {"architectures", "bos_token_id", "eos_token_id", "id2label", "pad_token_id",
                              "problem_type", "tie_word_embeddings"}) {
        if (const Json* const value = whole.find(field))
            fill(field, *value);
    }
    for (const auto& [field, value] : defaults.items())
        fill(field, value);
    return {std::move(text), whole.where() + ": text_config"};
}

// "language_model.model." and "language_model.lm_head.", or "model.language_model." and "lm_head.".
std::shared_ptr<const Checkpoint> textTensors(std::shared_ptr<const Checkpoint> whole)
{
    constexpr auto newer = "model.language_model.";
    const auto names = whole->tensorNames();
    const bool isNewer = std::ranges::any_of(names, [](const std::string& name) { return name.starts_with(newer); });
    return std::make_shared<RenamedCheckpoint>(std::move(whole), isNewer ? newer : "language_model.",
                                               std::vector<std::string>{"lm_head."});
}

} // namespace

CompositeText::CompositeText(const FamilyInput& input, const Json& defaults)
    : m_whole(input)
    , m_config(textConfig(input.config, defaults))
    , m_checkpoint(textTensors(input.checkpoint))
{
}

FamilyInput CompositeText::input() const
{
    return {m_config, m_checkpoint, m_whole.engine, m_whole.progress, m_whole.stop, m_whole.chooseStorage};
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/hierarchical.h"

#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/families/text_settings.h"

#include <span>
#include <string>
#include <utility>

namespace attn {

namespace {

constexpr auto hierarchicalTitle = "hierarchical attention network";

TextSettings readSettings(const JsonObject& config)
{
    TextSettings settings = readTextSettings(config);
    settings.encoder = readStack(config, "encoder");
    settings.attentionSize = requireSize(config.requireObject("attention"), "size");
    if (!config.boolOr("source_eos", true))
        config.refuse("source_eos", "true: the end token is where a sentence ends");
    return settings;
}

Weight<HierarchicalModel::Level> declareLevel(WeightTable& table, const std::string& name, const TextSettings& settings,
                                              int inputs)
{
    const auto layers = declareLayers(table, name + ".rnn.", settings.encoder, inputs);
    const auto score = declarePooling(table, name + ".attention", settings);
    return [=](WeightReader& reader) -> HierarchicalModel::Level {
        auto read = layers(reader);
        return {std::move(read), score(reader)};
    };
}

FamilyOutput buildHierarchical(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    const TextSettings settings = readSettings(config);
    const auto endToken = config.requireInt("eos_token_id", 0, settings.vocabulary - 1);
    const int width = settings.annotationWidth();
    WeightTable table;
    const TextWeights text = declareText(table, settings, width);
    const auto words = declareLevel(table, "word", settings, settings.embedding);
    const auto sentences = declareLevel(table, "sentence", settings, width);
    WeightReader reader(input, input.checkpoint, table);
    ModelInfo info = describeText(config, settings, reader, hierarchicalTitle, 2);
    info.endToken = endToken;
    HierarchicalModel::Parts parts{text.embedding(reader), words(reader), sentences(reader),
                                   readIf(text.classifier, reader)};
    return {std::make_shared<HierarchicalModel>(std::move(info), endToken, std::move(parts)), reader.ignored()};
}

constexpr Family hierarchicalRows[] = {
    {"hierarchical_attention", hierarchicalTitle, ModelKind::EncoderOnly, buildHierarchical}};

} // namespace

std::span<const Family> hierarchicalFamilies()
{
    return hierarchicalRows;
}

} // namespace attn

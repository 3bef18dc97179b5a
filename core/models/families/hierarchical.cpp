// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/hierarchical.h"

#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/families/text_settings.h"

#include <utility>

namespace attn {

namespace {

TextSettings readSettings(const JsonObject& config)
{
    TextSettings settings = readTextSettings(config);
    settings.encoder = readStack(config, "encoder");
    settings.attentionSize = requireSize(config.requireObject("attention"), "size");
    if (!config.boolOr("source_eos", true))
        config.refuse("source_eos", "true: the end token is where a sentence ends");
    return settings;
}

HierarchicalModel::Level readLevel(WeightReader& reader, const std::string& name, const TextSettings& settings,
                                   int inputs)
{
    std::vector<RecurrentLayer> layers = readLayers(reader, name + ".rnn.", settings.encoder, inputs);
    return {std::move(layers), readPooling(reader, name + ".attention", settings)};
}

} // namespace

FamilyOutput buildHierarchical(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    const TextSettings settings = readSettings(config);
    const auto endToken = static_cast<TokenId>(config.requireInt("eos_token_id", 0, settings.vocabulary - 1));
    const int width = settings.annotationWidth();
    ExpectedTensors expected;
    expectText(expected, settings, width);
    expectLayers(expected, "word.rnn.", settings.encoder, settings.embedding);
    expectLayers(expected, "sentence.rnn.", settings.encoder, width);
    expectPooling(expected, "word.attention", settings);
    expectPooling(expected, "sentence.attention", settings);
    WeightReader reader(input.engine, input.checkpoint, std::move(expected), input.progress, input.stop);
    ModelInfo info = describeText(config, settings, reader, "hierarchical attention network", 2);
    info.endToken = endToken;
    HierarchicalModel::Level words = readLevel(reader, "word", settings, settings.embedding);
    HierarchicalModel::Level sentences = readLevel(reader, "sentence", settings, width);
    return {std::make_shared<HierarchicalModel>(std::move(info), endToken,
                                                HierarchicalModel::Parts{reader.embedding("embedding.weight"),
                                                                         std::move(words), std::move(sentences),
                                                                         readClassifier(reader, settings)}),
            reader.ignored()};
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attention/score.h"
#include "io/json.h"
#include "models/families/family.h"
#include "models/model_info.h"
#include "models/recurrent.h"
#include "models/weight_table.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

// Common fields in config.json of the models that read a text into one vector (resources/documentation/formats.md,
// section 3).
struct TextSettings
{
    int vocabulary = 0;
    int embedding = 0;
    RecurrentStack encoder;
    int attentionSize = 0; // 0: the score has no layer
    std::vector<std::string> labels; // empty: no classifier

    int annotationWidth() const { return encoder.hidden * (encoder.bidirectional ? 2 : 1); }
};

ConfigKeys textKeys();

// All but the encoder and the attention. Throws Error{Format}.
TextSettings readTextSettings(const JsonObject& config);

// The embedding and, with labels, a classifier of `width` features.
struct TextWeights
{
    Weight<Embedding> embedding;
    std::optional<Weight<Linear>> classifier;
};
TextWeights declareText(WeightTable& table, const TextSettings& settings, std::int64_t width);

// prefix.key and prefix.v: one learned query.
Weight<LearnedQueryScore> declarePooling(WeightTable& table, const std::string& prefix, const TextSettings& settings);

// Family, sizes, labels and tokens; `layers` sites of the encoder.
ModelInfo describeText(const JsonObject& config, const TextSettings& settings, const WeightReader& reader,
                       Architecture::Form form, int layers);

// The text part of a model that reads pictures, too: what text_config says, and the tensors under the names that a text
// model has.
class CompositeText
{
public:
    // defaults: what counts where text_config does not say; of the whole model's fields those about tokens and heads
    // do before. Throws Error{Format}.
    CompositeText(const FamilyInput& input, const Json& defaults);

    const JsonObject& config() const { return m_config; }
    FamilyInput input() const; // lives as long as this

private:
    const FamilyInput& m_whole;
    JsonObject m_config;
    std::shared_ptr<const Checkpoint> m_checkpoint;
};

} // namespace attn

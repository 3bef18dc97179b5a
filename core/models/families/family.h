// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/progress.h"
#include "checkpoint/checkpoint.h"
#include "io/json.h"
#include "models/sequence_model.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// What a family builds a model from.
struct FamilyInput
{
    const JsonObject& config; // config.json
    std::shared_ptr<const Checkpoint> checkpoint;
    Engine& engine;
    ProgressCallback progress;
    std::stop_token stop;
};

struct FamilyOutput
{
    std::shared_ptr<const SequenceModel> model;
    std::vector<std::string> ignoredTensors; // stored but not needed, sorted
};

// One architecture: how its config.json becomes a description and how its tensors are named. Throws Error{Format,
// Unsupported, Cancelled}.
struct Family
{
    std::string_view modelType; // in config.json
    std::string_view title; // for people
    FamilyOutput (*build)(const FamilyInput& input);
};

FamilyOutput buildAttentionPooling(const FamilyInput& input);
FamilyOutput buildBart(const FamilyInput& input);
FamilyOutput buildBert(const FamilyInput& input);
FamilyOutput buildDistilbert(const FamilyInput& input);
FamilyOutput buildElectra(const FamilyInput& input);
FamilyOutput buildGpt2(const FamilyInput& input);
FamilyOutput buildHierarchical(const FamilyInput& input);
FamilyOutput buildLlama(const FamilyInput& input); // also Mistral and Qwen2
FamilyOutput buildLstmn(const FamilyInput& input);
FamilyOutput buildM2m100(const FamilyInput& input);
FamilyOutput buildMarian(const FamilyInput& input);
FamilyOutput buildMbart(const FamilyInput& input);
FamilyOutput buildRecurrent(const FamilyInput& input);
FamilyOutput buildRoberta(const FamilyInput& input); // also XLM-RoBERTa
FamilyOutput buildStructuredSelfAttention(const FamilyInput& input);
FamilyOutput buildT5(const FamilyInput& input); // also T5 1.1 and mT5

} // namespace attn

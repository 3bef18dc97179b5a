// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "models/families/layer_reader.h"
#include "models/model_info.h"
#include "models/transformer.h"
#include "models/weight_table.h"

#include <optional>
#include <string>
#include <vector>

namespace attn {

// The layers of a task head by name, without ".weight". Empty: none.
struct TaskNames
{
    std::string logits = "classifier";
    std::string dense = {}; // before the logits
    std::optional<Activation> activation = {}; // after the dense layer
    std::string norm = {}; // likewise
    bool bias = true; // of the logits
    bool denseBias = true;
};

// The task of a model as config.json's architectures says it.
struct TaskConfig
{
    TaskHead head = TaskHead::None;
    bool attentionOnly = false; // neither tokens nor a task: a base model, or one whose head is not read
    std::vector<std::string> labels; // of id2label
    ClassReading reading = ClassReading::OneOf;
};

// spans: whether question answering is read of this family. Throws Error{Format}.
TaskConfig readTask(const JsonObject& config, bool classes = true, bool spans = true);

// The head with as many classes as are named, else as are stored. Throws Error{Format} where the two differ.
Weight<OutputHead> declareTask(WeightTable& table, const Checkpoint& checkpoint, const LayerPlan& plan,
                               const TaskNames& names, TaskConfig& task);

void describeTask(const TaskConfig& task, ModelInfo& info);

} // namespace attn

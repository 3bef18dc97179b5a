// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/task_head.h"

#include "base/error.h"
#include "models/families/config_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace attn {

namespace {

// Class of a base model; models that predict tokens may be called so, too.
bool isBaseModel(std::string_view architecture)
{
    if (!architecture.ends_with("Model"))
        return false;
    constexpr std::string_view others[] = {"LMHeadModel", "MTModel", "DoubleHeadsModel", "EncoderDecoderModel"};
    return std::ranges::none_of(others, [&](std::string_view other) { return architecture.ends_with(other); });
}

std::string architectureOf(const JsonObject& config)
{
    constexpr auto field = "architectures";
    if (!config.has(field))
        return {};
    const Json& names = config.requireList(field);
    if (names.empty())
        return {};
    if (!names.front().is_string())
        config.refuse(field, "a list of names");
    return names.front().get<std::string>();
}

} // namespace

TaskConfig readTask(const JsonObject& config, bool classes, bool spans)
{
    const std::string name = architectureOf(config);
    TaskConfig task;
    if (name.ends_with("ForSequenceClassification"))
        task.head = classes ? TaskHead::Text : TaskHead::None;
    else if (name.ends_with("ForTokenClassification"))
        task.head = classes ? TaskHead::Tokens : TaskHead::None;
    else if (name.ends_with("ForQuestionAnswering"))
        task.head = spans ? TaskHead::Span : TaskHead::None;
    else
        task.attentionOnly = isBaseModel(name);
    for (const char* unread : {"ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering",
                               "ForMultipleChoice", "ForNextSentencePrediction"})
        task.attentionOnly = task.attentionOnly || (task.head == TaskHead::None && name.ends_with(unread));
    if (task.head == TaskHead::None || task.head == TaskHead::Span)
        return task;
    task.labels = readLabels(config);
    if (task.labels.empty()) {
        const int labels = config.optionalInt("num_labels", 1, 100000).value_or(0);
        for (int label = 0; label < labels; ++label)
            task.labels.push_back(fmt::format("LABEL_{}", label));
    }
    const std::string problem = config.stringOr("problem_type", "");
    if (problem == "multi_label_classification")
        task.reading = ClassReading::AnyOf;
    else if (problem == "regression")
        task.reading = ClassReading::Value;
    return task;
}

Weight<OutputHead> declareTask(WeightTable& table, const Checkpoint& checkpoint, const LayerPlan& plan,
                               const TaskNames& names, TaskConfig& task)
{
    constexpr std::int64_t mostClasses = 100000;
    std::int64_t outputs = task.head == TaskHead::Span ? 2 : std::ssize(task.labels);
    const auto stored = checkpoint.find(weightOf(names.logits));
    const bool isMatrix = stored && stored->shape.size() == 2 && stored->shape[0] <= mostClasses;
    if (task.head != TaskHead::Span) {
        if (isMatrix && outputs != 0 && stored->shape[0] != outputs)
            throw Error(ErrorKind::Format, fmt::format("{}: {}", checkpoint.name(), weightOf(names.logits)),
                        fmt::format("has {} classes, {} names {} by id2label or num_labels", stored->shape[0],
                                    checkpoint.configName(), outputs),
                        "check that config.json and the weights belong together");
        if (outputs == 0)
            outputs = isMatrix ? stored->shape[0] : 2;
        for (auto label = std::ssize(task.labels); label < outputs; ++label)
            task.labels.push_back(fmt::format("LABEL_{}", label));
        if (outputs == 1 && task.reading == ClassReading::OneOf)
            task.reading = ClassReading::Value;
    }
    std::optional<Weight<Linear>> dense;
    if (!names.dense.empty())
        dense = table.linear(names.dense, plan.width, plan.width, names.denseBias);
    std::optional<Weight<Norm>> norm;
    if (!names.norm.empty())
        norm = table.norm(names.norm, plan.width, plan.epsilon, plan.norm);
    const auto logits = table.linear(names.logits, outputs, plan.width, names.bias);
    return [=, activation = names.activation](WeightReader& reader) -> OutputHead {
        std::optional<Linear> inner = readIf(dense, reader);
        std::optional<Norm> normalized = readIf(norm, reader);
        return {std::move(inner), activation, std::move(normalized), 1, logits(reader)};
    };
}

void describeTask(const TaskConfig& task, ModelInfo& info)
{
    info.task = task.head;
    info.labels = task.labels;
    info.reading = task.reading;
    info.predictsTokens = task.head == TaskHead::None && !task.attentionOnly;
}

} // namespace attn

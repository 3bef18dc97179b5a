// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/vision_plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr std::string_view classifier = "classifier";
constexpr std::string_view ofClass = "cls_classifier"; // DeiT with its teacher
constexpr std::string_view ofDistillation = "distillation_classifier";

std::vector<std::string> labelsOf(const JsonObject& config, std::int64_t classes)
{
    std::vector<std::string> labels = readLabels(config);
    if (!labels.empty() && std::ssize(labels) != classes)
        config.refuse("id2label", fmt::format("the {} classes that the weights have", classes));
    for (auto label = std::ssize(labels); label < classes; ++label)
        labels.push_back(std::to_string(label));
    return labels;
}

// The rows of a stored classifier, 0 where there is none.
std::int64_t classesOf(const Checkpoint& checkpoint, std::string_view name)
{
    const auto stored = checkpoint.find(weightOf(std::string(name)));
    return stored && stored->shape.size() == 2 ? stored->shape.front() : 0;
}

// The mean of two classifiers, of the class token and of the distillation token, as one of both side by side.
Weight<OutputHead> declareTeacherHead(WeightTable& table, std::int64_t classes, int width)
{
    const auto part = [&](std::string_view name) {
        return std::pair(table.tensor(weightOf(std::string(name)), {classes, width}),
                         table.tensor(std::string(name) + ".bias", {classes}));
    };
    return [first = part(ofClass), second = part(ofDistillation)](WeightReader& reader) -> OutputHead {
        Tensor weight = joined({first.first(reader).matrix(), second.first(reader).matrix()});
        Tensor bias = first.second(reader);
        const Tensor other = second.second(reader);
        std::ranges::transform(bias.values(), other.values(), bias.data(),
                               [](float a, float b) { return (a + b) / 2; });
        std::ranges::transform(weight.values(), weight.data(), [](float value) { return value / 2; });
        return {{}, {}, {}, 1, Linear(reader.engine(), weight, bias)};
    };
}

FamilyOutput buildVit(const FamilyInput& input)
{
    const std::string type = input.config.requireString("model_type");
    const auto checkpoint = std::make_shared<RenamedCheckpoint>(
        input.checkpoint, type + '.',
        std::vector<std::string>{"classifier.", "cls_classifier.", "distillation_classifier.", "decoder."});
    const VisionPlan plan = readVisionEncoder(input.config, *checkpoint).value();
    const int width = plan.layers.width;
    const bool taught = classesOf(*checkpoint, ofDistillation) > 0;
    const std::int64_t classes = classesOf(*checkpoint, taught ? ofClass : classifier);
    const bool withMean = type.starts_with("dinov2");
    WeightTable table;
    const auto stack = declareVision(table, plan);
    std::optional<Weight<OutputHead>> head;
    if (taught)
        head = declareTeacherHead(table, classes, width);
    else if (classes > 0)
        head = [linear = table.linear(std::string(classifier), classes, withMean ? 2 * width : width)](
                   WeightReader& reader) -> OutputHead {
            return {{}, {}, {}, 1, linear(reader)};
        };
    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    parts.encoder = stack(reader);
    parts.head = readIf(head, reader);
    parts.pooling = taught ? Pooling::FirstTwo : withMean ? Pooling::FirstAndMean : Pooling::First;
    ModelInfo info = describeLayers(input.config, &plan.layers, nullptr, reader);
    describePictures(plan, info);
    if (classes > 0) {
        info.task = TaskHead::Text;
        info.labels = labelsOf(input.config, classes);
    }
    return {std::make_shared<Transformer>(std::move(info), std::move(parts)), reader.ignored()};
}

constexpr Family vitRows[] = {
    {"vit", "ViT", {}, ModelKind::EncoderOnly, visionEncoderKeys, buildVit},
    {"deit", "DeiT, distilled", {}, ModelKind::EncoderOnly, visionEncoderKeys, buildVit},
    {"dinov2", "DINOv2", {}, ModelKind::EncoderOnly, visionEncoderKeys, buildVit},
    {"dinov2_with_registers", "DINOv2 with registers", {}, ModelKind::EncoderOnly, visionEncoderKeys, buildVit},
};

} // namespace

std::span<const Family> vitFamilies()
{
    return vitRows;
}

} // namespace attn

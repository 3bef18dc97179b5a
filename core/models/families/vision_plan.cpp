// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/vision_plan.h"

#include "models/families/config_values.h"
#include "models/families/family.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr int largestSide = 8192; // pixels
constexpr int colours = 3;

PixelSize readSides(const JsonObject& config, std::string_view field, int fallback)
{
    constexpr auto expected = "a number of pixels, or height and width";
    const Json* const value = config.find(field);
    if (value == nullptr || !value->is_array()) {
        const int side = config.optionalInt(field, 1, largestSide).value_or(fallback);
        return {side, side};
    }
    if (value->size() != 2)
        config.refuse(field, expected);
    const auto height = indexIn((*value)[0], largestSide);
    const auto width = indexIn((*value)[1], largestSide);
    if (height.value_or(0) < 1 || width.value_or(0) < 1)
        config.refuse(field, expected);
    return {*height, *width};
}

// Tokens of a stored tensor, one a row.
Weight<Tensor> declareTokens(WeightTable& table, const SpecialTokens& tokens, int width)
{
    return [rows = table.tensor(tokens.tensor, tokens.shape), width](WeightReader& reader) -> Tensor {
        const Tensor stored = rows(reader);
        return {{std::ssize(stored.values()) / width, width}, copyOf(std::span<const float>(stored.values()))};
    };
}

SpecialTokens tokenNamed(const std::string& tensor, int width, const std::string& name)
{
    return {tensor, {1, 1, width}, {name}};
}

// ViT and DeiT.
VisionPlan readVit(const JsonObject& config, const Checkpoint& checkpoint, bool distilled)
{
    VisionPlan plan;
    LayerPlan& layers = plan.layers;
    layers.prefix = "encoder.layer.";
    layers.names = {{"attention.attention.query", "attention.attention.key", "attention.attention.value",
                     "attention.output.dense", "layernorm_before"},
                    {},
                    "intermediate.dense",
                    "output.dense",
                    "",
                    "layernorm_after"};
    layers.width = sizeOr(config, "hidden_size", 768);
    layers.layers = config.has("num_hidden_layers") ? requireLayers(config, "num_hidden_layers") : 12;
    const int heads = sizeOr(config, "num_attention_heads", 12);
    layers.shape = {heads, headWidth(config, "num_attention_heads", heads, layers.width)};
    layers.feedForwardWidth = sizeOr(config, "intermediate_size", 3072);
    layers.activation = activationOr(config, "hidden_act", "gelu");
    layers.place = NormPlace::Before;
    layers.epsilon = epsilonOr(config, "layer_norm_eps", 1e-12);
    layers.inputBias = config.boolOr("qkv_bias", true);
    plan.projection = "embeddings.patch_embeddings.projection";
    plan.positions = "embeddings.position_embeddings";
    plan.finalNorm = "layernorm";
    plan.specials.push_back(tokenNamed("embeddings.cls_token", layers.width, "[CLS]"));
    if (distilled)
        plan.specials.push_back(tokenNamed("embeddings.distillation_token", layers.width, "[DIST]"));
    readPictureSizes(config, checkpoint, 224, 16, plan);
    return plan;
}

VisionPlan readDinov2(const JsonObject& config, const Checkpoint& checkpoint, bool hasRegisters)
{
    VisionPlan plan = readVit(config, checkpoint, false);
    LayerPlan& layers = plan.layers;
    const bool gated = config.boolOr("use_swiglu_ffn", false);
    layers.names.self.norm = "norm1";
    layers.names.self.scales = "layer_scale1.lambda1";
    layers.names.norm = "norm2";
    layers.names.scales = "layer_scale2.lambda1";
    layers.names.first = gated ? "mlp.weights_in" : "mlp.fc1";
    layers.names.second = gated ? "mlp.weights_out" : "mlp.fc2";
    layers.names.gate = gated ? layers.names.first : "";
    const double ratio = positiveOr(config, "mlp_ratio", 4);
    constexpr double largest = 1 << 24;
    if (ratio * layers.width > largest)
        config.refuse("mlp_ratio", "a ratio of a feed-forward width");
    const int inner = static_cast<int>(layers.width * ratio);
    layers.feedForwardWidth = gated ? (inner * 2 / 3 + 7) / 8 * 8 : inner;
    if (gated)
        layers.activation = Activation::Swish;
    layers.epsilon = epsilonOr(config, "layer_norm_eps", 1e-6);
    if (hasRegisters) {
        plan.registers = SpecialTokens{"embeddings.register_tokens", {}, {}};
        const int registers = config.optionalInt("num_register_tokens", 0, 1024).value_or(4);
        plan.registers->shape = {1, registers, layers.width};
        for (int i = 0; i < registers; ++i)
            plan.registers->names.push_back(fmt::format("[REG{}]", i));
        if (registers == 0)
            plan.registers.reset();
        plan.interpolation = GridInterpolation::Antialiased;
    }
    readPictureSizes(config, checkpoint, 224, hasRegisters ? 16 : 14, plan);
    return plan;
}

struct EncoderRow
{
    std::string_view modelType;
    VisionPlan (*read)(const JsonObject& config, const Checkpoint& checkpoint, bool variant);
    bool variant;
};

constexpr EncoderRow encoders[] = {
    {"vit", readVit, false},
    {"deit", readVit, true},
    {"dinov2", readDinov2, false},
    {"dinov2_with_registers", readDinov2, true},
};

} // namespace

PatchLayout VisionPlan::layout() const
{
    PatchLayout result;
    for (const SpecialTokens& tokens : specials)
        result.specials.insert(result.specials.end(), tokens.names.begin(), tokens.names.end());
    if (registers)
        result.specials.insert(result.specials.end(), registers->names.begin(), registers->names.end());
    result.patch = patch;
    return result;
}

void VisionPlan::addPrefix(const std::string& prefix)
{
    layers.prefix.insert(0, prefix);
    for (SpecialTokens& tokens : specials)
        tokens.tensor.insert(0, prefix);
    if (registers)
        registers->tensor.insert(0, prefix);
    for (std::string* const name : {&projection, &positions, &inputNorm, &finalNorm}) {
        if (!name->empty())
            name->insert(0, prefix);
    }
}

void readPictureSizes(const JsonObject& config, const Checkpoint& checkpoint, int image, int patch, VisionPlan& plan)
{
    if (const int channels = config.optionalInt("num_channels", 1, 1024).value_or(colours); channels != colours)
        refuseSetting(config, "num_channels", fmt::format("{} is not supported", channels), "pictures have three");
    plan.image = readSides(config, "image_size", image);
    plan.patch = readSides(config, "patch_size", patch);
    const auto kernel = checkpoint.find(weightOf(plan.projection));
    if (kernel && kernel->shape.size() == 4 && std::max(kernel->shape[2], kernel->shape[3]) <= largestSide
        && std::min(kernel->shape[2], kernel->shape[3]) > 0)
        plan.patch = {static_cast<Index>(kernel->shape[2]), static_cast<Index>(kernel->shape[3])};
    if (plan.patch.height > plan.image.height || plan.patch.width > plan.image.width)
        config.refuse("image_size", "a picture that holds a patch at least");
    if (plan.image.height != plan.image.width)
        plan.interpolation = GridInterpolation::None;
}

Weight<TransformerStack> declareVision(WeightTable& table, const VisionPlan& plan)
{
    const int width = plan.layers.width;
    const PixelSize grid{plan.image.height / plan.patch.height, plan.image.width / plan.patch.width};
    std::vector<Weight<Tensor>> specials;
    std::int64_t positions = std::int64_t{grid.height} * grid.width;
    for (const SpecialTokens& tokens : plan.specials) {
        specials.push_back(declareTokens(table, tokens, width));
        positions += std::ssize(tokens.names);
    }
    std::optional<Weight<Tensor>> registers;
    if (plan.registers)
        registers = declareTokens(table, *plan.registers, width);
    const std::int64_t inputs = std::int64_t{colours} * plan.patch.height * plan.patch.width;
    const auto kernel = table.tensor(weightOf(plan.projection), {width, colours, plan.patch.height, plan.patch.width});
    std::optional<Weight<Tensor>> bias;
    if (plan.projectionBias)
        bias = table.tensor(plan.projection + ".bias", {width});
    const auto rows =
        table.tensor(plan.positions, plan.positionsInBatch ? Shape{1, positions, width} : Shape{positions, width});
    const auto normOf = [&](const std::string& name) -> std::optional<Weight<Norm>> {
        if (name.empty())
            return std::nullopt;
        return table.norm(name, width, plan.layers.epsilon, plan.layers.norm);
    };
    const auto inputNorm = normOf(plan.inputNorm);
    const auto layers = declareLayers(table, plan.layers);
    const auto finalNorm = normOf(plan.finalNorm);
    return [=, layout = plan.layout(), interpolation = plan.interpolation](WeightReader& reader) -> TransformerStack {
        const Tensor stored = kernel(reader);
        const Tensor flat({width, inputs}, copyOf(std::span<const float>(stored.values())));
        Linear projection(reader.engine(), flat, readIf(bias, reader).value_or(Tensor()));
        NumberVector<float> tokens;
        for (const auto& part : specials) {
            const Tensor values = part(reader);
            tokens.insert(tokens.end(), values.values().begin(), values.values().end());
        }
        const std::int64_t count = std::ssize(tokens) / width;
        Tensor before = count > 0 ? Tensor({count, width}, std::move(tokens)) : Tensor();
        Tensor between = readIf(registers, reader).value_or(Tensor());
        GridPositions grids{
            {{positions, width}, copyOf(std::span<const float>(rows(reader).values()))}, grid, interpolation};
        std::optional<Norm> norm = readIf(inputNorm, reader);
        TransformerStack stack = readStack(reader, TokenInput{}, layers, finalNorm);
        stack.media =
            std::make_shared<const PatchInput>(layout,
                                               PatchWeights{std::move(projection), std::move(before),
                                                            std::move(between), std::move(grids), std::move(norm)});
        return stack;
    };
}

void describePictures(const VisionPlan& plan, ModelInfo& info)
{
    info.input = InputKind::Picture;
    info.patches = plan.layout();
    info.pictureSize = plan.image;
    info.positions.scheme = PositionScheme::Learned;
}

std::optional<VisionPlan> readVisionEncoder(const JsonObject& config, const Checkpoint& checkpoint)
{
    const std::string type = config.requireString("model_type");
    const auto found = std::ranges::find(encoders, type, &EncoderRow::modelType);
    return found == std::end(encoders) ? std::nullopt : std::optional(found->read(config, checkpoint, found->variant));
}

std::vector<std::string_view> visionEncoderTypes()
{
    std::vector<std::string_view> types;
    for (const EncoderRow& row : encoders)
        types.push_back(row.modelType);
    return types;
}

ConfigKeys visionEncoderKeys()
{
    return {.read = {"hidden_act", "hidden_size", "image_size", "intermediate_size", "layer_norm_eps", "mlp_ratio",
                     "num_attention_heads", "num_channels", "num_hidden_layers", "num_register_tokens", "patch_size",
                     "qkv_bias", "use_swiglu_ffn"},
            .silent = {"apply_layernorm", "drop_path_rate", "encoder_stride", "interpolate_antialias",
                       "interpolate_offset", "layerscale_value", "out_features", "out_indices", "pooler_act",
                       "pooler_output_size", "reshape_hidden_states", "stage_names", "use_mask_token"}};
}

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

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/families/family.h"
#include "models/families/token_settings.h"
#include "models/recurrent.h"
#include "models/weight_reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

constexpr std::int64_t largestSize = 1 << 24;
constexpr std::int64_t mostLayers = 1024;

// One of the values that a text field may have. Those after `supported` are in the format but cannot be run.
template<typename Value, std::size_t Count>
Value choose(const JsonObject& object, std::string_view path, std::string_view field,
             const std::array<std::pair<std::string_view, Value>, Count>& supported,
             std::initializer_list<std::string_view> known)
{
    const std::string text = object.requireString(field);
    std::string names;
    for (const auto& [name, value] : supported) {
        if (name == text)
            return value;
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
    }
    const bool inFormat = std::ranges::find(known, text) != known.end();
    throw Error(inFormat ? ErrorKind::Unsupported : ErrorKind::Format,
                fmt::format("{}: {}.{}", object.where(), path, field),
                inFormat ? fmt::format("'{}' cannot be run by this version", text)
                         : fmt::format("'{}' is not a value of this field", text),
                fmt::format("this version runs {}", names));
}

int size(const JsonObject& object, std::string_view field, std::int64_t most = largestSize)
{
    return static_cast<int>(object.requireInt(field, 1, most));
}

RecurrentStack readStack(const JsonObject& config, const std::string& side)
{
    const JsonObject object = config.requireObject(side);
    constexpr std::array<std::pair<std::string_view, Cell>, 2> cells{{{"gru", Cell::Gru}, {"lstm", Cell::Lstm}}};
    return {choose(object, side, "cell", cells, {}), size(object, "layers", mostLayers), size(object, "hidden_size"),
            side == "encoder" && object.boolOr("bidirectional", false)};
}

void readDecoder(const JsonObject& config, RecurrentConfig& result)
{
    const JsonObject decoder = config.requireObject("decoder");
    enum class Style : std::uint8_t { Bahdanau };
    constexpr std::array<std::pair<std::string_view, Style>, 1> styles{{{"bahdanau", Style::Bahdanau}}};
    choose(decoder, "decoder", "style", styles, {"luong"});
    constexpr std::array<std::pair<std::string_view, InitialState>, 3> states{
        {{"first_backward", InitialState::FirstBackward}, {"mean", InitialState::Mean}, {"last", InitialState::Last}}};
    result.initialState = choose(decoder, "decoder", "initial_state", states, {"copy"});
    constexpr std::array<std::pair<std::string_view, OutputKind>, 3> outputs{
        {{"tanh", OutputKind::Tanh}, {"maxout", OutputKind::Maxout}, {"attentional", OutputKind::Attentional}}};
    result.output = choose(decoder, "decoder", "output", outputs, {});
    result.outputSize = size(decoder, "output_size");
    if (decoder.boolOr("input_feeding", false))
        throw Error(ErrorKind::Format, fmt::format("{}: decoder.input_feeding", config.where()),
                    "belongs to the style 'luong', the style is 'bahdanau'");
    if (result.initialState == InitialState::FirstBackward && !result.encoder.bidirectional)
        throw Error(ErrorKind::Format, fmt::format("{}: decoder.initial_state", config.where()),
                    "'first_backward' needs a bidirectional encoder", "use 'last' or 'mean'");
}

void readAttention(const JsonObject& config, RecurrentConfig& result)
{
    const JsonObject attention = config.requireObject("attention");
    constexpr std::array<std::pair<std::string_view, RecurrentScore>, 2> scores{
        {{"additive", RecurrentScore::Additive}, {"none", RecurrentScore::None}}};
    result.score =
        choose(attention, "attention", "score", scores, {"dot", "scaled_dot", "general", "concat", "low_rank"});
    if (result.score == RecurrentScore::None)
        return;
    result.attentionSize = size(attention, "size");
    enum class Scope : std::uint8_t { Global };
    constexpr std::array<std::pair<std::string_view, Scope>, 1> scopes{{{"global", Scope::Global}}};
    if (attention.has("scope"))
        choose(attention, "attention", "scope", scopes, {"local_m", "local_p"});
    constexpr std::array<std::pair<std::string_view, AttentionMode>, 2> modes{
        {{"soft", AttentionMode::Soft}, {"hard", AttentionMode::Hard}}};
    if (attention.has("mode"))
        result.mode = choose(attention, "attention", "mode", modes, {});
}

RecurrentConfig readConfig(const JsonObject& config)
{
    RecurrentConfig result;
    result.sourceVocabulary = size(config, "source_vocab_size");
    result.targetVocabulary = size(config, "target_vocab_size");
    result.embedding = size(config, "embedding_size");
    result.encoder = readStack(config, "encoder");
    result.decoder = readStack(config, "decoder");
    readDecoder(config, result);
    readAttention(config, result);
    result.tieOutput = config.boolOr("tie_output", false);
    if (result.tieOutput && result.outputSize != result.embedding)
        throw Error(ErrorKind::Format, fmt::format("{}: tie_output", config.where()),
                    fmt::format("needs decoder.output_size {} to equal embedding_size {}", result.outputSize,
                                result.embedding));
    return result;
}

std::string directionSuffix(int direction)
{
    return direction == 0 ? "" : "_reverse";
}

int encoderInputs(const RecurrentConfig& config, int layer)
{
    return layer == 0 ? config.embedding : config.annotationWidth();
}

// Without attention the context is z.
int contextWidth(const RecurrentConfig& config)
{
    return config.score == RecurrentScore::None ? config.initialWidth() : config.annotationWidth();
}

int decoderInputs(const RecurrentConfig& config, int layer)
{
    return layer == 0 ? config.embedding + contextWidth(config) : config.decoder.hidden;
}

void expectCell(ExpectedTensors& expected, const std::string& prefix, const std::string& suffix,
                const RecurrentStack& stack, std::int64_t inputs)
{
    const std::int64_t gates = std::int64_t{gateCount(stack.cell)} * stack.hidden;
    expected[fmt::format("{}weight_ih_l{}", prefix, suffix)] = {gates, inputs};
    expected[fmt::format("{}weight_hh_l{}", prefix, suffix)] = {gates, stack.hidden};
    expected[fmt::format("{}bias_ih_l{}", prefix, suffix)] = {gates};
    expected[fmt::format("{}bias_hh_l{}", prefix, suffix)] = {gates};
}

void expectLinear(ExpectedTensors& expected, const std::string& name, std::int64_t outputs, std::int64_t inputs)
{
    expected[name + ".weight"] = {outputs, inputs};
    expected[name + ".bias"] = {outputs};
}

void expectOutput(ExpectedTensors& expected, const RecurrentConfig& config)
{
    const std::int64_t joint = std::int64_t{config.decoder.hidden} + contextWidth(config)
        + (config.output == OutputKind::Attentional ? 0 : config.embedding);
    const std::int64_t pieces = config.output == OutputKind::Maxout ? 2 : 1;
    expectLinear(expected, "decoder.output_hidden", pieces * config.outputSize, joint);
    expected["decoder.output.bias"] = {config.targetVocabulary};
    if (!config.tieOutput)
        expected["decoder.output.weight"] = {config.targetVocabulary, config.outputSize};
}

ExpectedTensors expectTensors(const RecurrentConfig& config)
{
    ExpectedTensors expected;
    expected["encoder.embedding.weight"] = {config.sourceVocabulary, config.embedding};
    expected["decoder.embedding.weight"] = {config.targetVocabulary, config.embedding};
    for (int layer = 0; layer < config.encoder.layers; ++layer) {
        for (int direction = 0; direction < (config.encoder.bidirectional ? 2 : 1); ++direction)
            expectCell(expected, "encoder.rnn.", std::to_string(layer) + directionSuffix(direction), config.encoder,
                       encoderInputs(config, layer));
    }
    for (int layer = 0; layer < config.decoder.layers; ++layer)
        expectCell(expected, "decoder.rnn.", std::to_string(layer), config.decoder, decoderInputs(config, layer));
    const std::int64_t states = std::int64_t{config.decoder.layers} * config.decoder.hidden;
    expectLinear(expected, "decoder.initial", states, config.initialWidth());
    if (config.decoder.cell == Cell::Lstm)
        expectLinear(expected, "decoder.initial_cell", states, config.initialWidth());
    if (config.score == RecurrentScore::Additive) {
        expectLinear(expected, "attention.key", config.attentionSize, config.annotationWidth());
        expected["attention.query.weight"] = {config.attentionSize, config.decoder.hidden};
        expected["attention.v.weight"] = {1, config.attentionSize};
    }
    expectOutput(expected, config);
    return expected;
}

RecurrentWeights readCell(WeightReader& reader, const std::string& prefix, const std::string& suffix)
{
    return {reader.tensor(fmt::format("{}weight_ih_l{}", prefix, suffix)),
            reader.tensor(fmt::format("{}weight_hh_l{}", prefix, suffix)),
            reader.tensor(fmt::format("{}bias_ih_l{}", prefix, suffix)),
            reader.tensor(fmt::format("{}bias_hh_l{}", prefix, suffix))};
}

std::vector<RecurrentLayer> readEncoder(WeightReader& reader, const RecurrentConfig& config)
{
    std::vector<RecurrentLayer> layers;
    for (int layer = 0; layer < config.encoder.layers; ++layer) {
        const std::string number = std::to_string(layer);
        const RecurrentWeights forward = readCell(reader, "encoder.rnn.", number);
        std::optional<RecurrentWeights> backward;
        if (config.encoder.bidirectional)
            backward = readCell(reader, "encoder.rnn.", number + directionSuffix(1));
        layers.emplace_back(config.encoder.cell, encoderInputs(config, layer), config.encoder.hidden, forward,
                            backward);
    }
    return layers;
}

std::vector<RecurrentLayer> readDecoderLayers(WeightReader& reader, const RecurrentConfig& config)
{
    std::vector<RecurrentLayer> layers;
    for (int layer = 0; layer < config.decoder.layers; ++layer)
        layers.emplace_back(config.decoder.cell, decoderInputs(config, layer), config.decoder.hidden,
                            readCell(reader, "decoder.rnn.", std::to_string(layer)));
    return layers;
}

RecurrentModelWeights readWeights(WeightReader& reader, const RecurrentConfig& config)
{
    const auto linear = [&](const std::string& name) { return reader.linear(name + ".weight", name + ".bias"); };
    std::optional<Linear> initialCell;
    if (config.decoder.cell == Cell::Lstm)
        initialCell = linear("decoder.initial_cell");
    std::optional<AdditiveScore> attention;
    if (config.score == RecurrentScore::Additive)
        attention.emplace(reader.linear("attention.query.weight", {}), linear("attention.key"),
                          reader.linear("attention.v.weight", {}));
    return {
        reader.embedding("encoder.embedding.weight"),
        reader.embedding("decoder.embedding.weight"),
        readEncoder(reader, config),
        readDecoderLayers(reader, config),
        linear("decoder.initial"),
        std::move(initialCell),
        std::move(attention),
        linear("decoder.output_hidden"),
        reader.linear(config.tieOutput ? "decoder.embedding.weight" : "decoder.output.weight", "decoder.output.bias")};
}

std::string describeArchitecture(const RecurrentConfig& config)
{
    const auto cellName = [](Cell cell) { return cell == Cell::Gru ? "GRU" : "LSTM"; };
    std::string text = cellName(config.encoder.cell);
    if (config.decoder.cell != config.encoder.cell)
        text += fmt::format(" and {}", cellName(config.decoder.cell));
    if (config.score == RecurrentScore::None)
        return text + " without attention (one fixed context)";
    return text + (config.mode == AttentionMode::Hard ? " with hard additive attention" : " with additive attention");
}

ModelInfo describe(const JsonObject& json, const RecurrentConfig& config, const WeightReader& reader)
{
    ModelInfo info;
    info.family = "rnn_encoder_decoder";
    info.kind = ModelKind::EncoderDecoder;
    info.description = describeArchitecture(config);
    info.encoderLayers = config.encoder.layers;
    info.decoderLayers = config.decoder.layers;
    info.crossHeads = config.score == RecurrentScore::None ? 0 : 1;
    info.crossLayers = info.crossHeads;
    info.modelWidth = config.annotationWidth();
    info.sourceVocabulary = config.sourceVocabulary;
    info.targetVocabulary = config.targetVocabulary;
    info.positions = "none (recurrent)";
    info.storedDType = reader.storedDType();
    info.parameters = reader.parameters();
    readTokenSettings(json, info);
    return info;
}

} // namespace

FamilyOutput buildRecurrent(const FamilyInput& input)
{
    const RecurrentConfig config = readConfig(input.config);
    WeightReader reader(input.engine, input.checkpoint, expectTensors(config), input.progress, input.stop);
    ModelInfo info = describe(input.config, config, reader);
    RecurrentModelWeights weights = readWeights(reader, config);
    return {std::make_shared<RecurrentModel>(config, std::move(info), std::move(weights)), reader.ignored()};
}

} // namespace attn

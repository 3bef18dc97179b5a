// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/families/token_settings.h"
#include "models/recurrent.h"
#include "models/weight_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <utility>

namespace attn {

namespace {

constexpr std::int64_t largestRecurrentSize = 1 << 24;

// One of the values that a text field may have.
template<typename Value, std::size_t Count>
Value choose(const JsonObject& object, std::string_view path, std::string_view field,
             const std::array<std::pair<std::string_view, Value>, Count>& known)
{
    const std::string text = object.requireString(field);
    std::string names;
    for (const auto& [name, value] : known) {
        if (name == text)
            return value;
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
    }
    throw Error(ErrorKind::Format, fmt::format("{}: {}.{}", object.where(), path, field),
                fmt::format("'{}' is not a value of this field", text), fmt::format("use {}", names));
}

[[noreturn]] void refuse(const JsonObject& config, std::string_view field, std::string problem, std::string advice = {})
{
    throw Error(ErrorKind::Format, fmt::format("{}: {}", config.where(), field), std::move(problem), std::move(advice));
}

int size(const JsonObject& object, std::string_view field, std::int64_t most = largestRecurrentSize)
{
    return static_cast<int>(object.requireInt(field, 1, most));
}

constexpr std::array<std::pair<std::string_view, RecurrentScore>, 7> scoreNames{
    {{"none", RecurrentScore::None},
     {"additive", RecurrentScore::Additive},
     {"dot", RecurrentScore::Dot},
     {"scaled_dot", RecurrentScore::ScaledDot},
     {"general", RecurrentScore::General},
     {"concat", RecurrentScore::Concat},
     {"low_rank", RecurrentScore::LowRank}}};

std::string nameOf(RecurrentScore score)
{
    const auto found = std::ranges::find(scoreNames, score, [](const auto& entry) { return entry.second; });
    return std::string(found->first);
}

void readDecoder(const JsonObject& config, RecurrentConfig& result)
{
    const JsonObject decoder = config.requireObject("decoder");
    constexpr std::array<std::pair<std::string_view, DecoderStyle>, 2> styles{
        {{"bahdanau", DecoderStyle::Bahdanau}, {"luong", DecoderStyle::Luong}}};
    result.style = choose(decoder, "decoder", "style", styles);
    constexpr std::array<std::pair<std::string_view, InitialState>, 4> states{
        {{"first_backward", InitialState::FirstBackward},
         {"mean", InitialState::Mean},
         {"last", InitialState::Last},
         {"copy", InitialState::Copy}}};
    result.initialState = choose(decoder, "decoder", "initial_state", states);
    constexpr std::array<std::pair<std::string_view, OutputKind>, 3> outputs{
        {{"tanh", OutputKind::Tanh}, {"maxout", OutputKind::Maxout}, {"attentional", OutputKind::Attentional}}};
    result.output = choose(decoder, "decoder", "output", outputs);
    result.outputSize = size(decoder, "output_size");
    result.inputFeeding = decoder.boolOr("input_feeding", false);
    result.intraAttention = decoder.boolOr("intra_attention", false);
    if (result.inputFeeding && result.style != DecoderStyle::Luong)
        refuse(config, "decoder.input_feeding", "belongs to the style 'luong', the style is 'bahdanau'");
    if (result.initialState == InitialState::FirstBackward && !result.encoder.bidirectional)
        refuse(config, "decoder.initial_state", "'first_backward' needs a bidirectional encoder",
               "use 'last' or 'mean'");
}

void checkCopy(const JsonObject& config, const RecurrentConfig& read)
{
    if (read.initialState != InitialState::Copy)
        return;
    if (read.encoder.layers != read.decoder.layers)
        refuse(config, "decoder.initial_state",
               fmt::format("'copy' needs as many decoder layers as encoder layers, {} and {} are given",
                           read.decoder.layers, read.encoder.layers));
    if (read.decoder.hidden != read.annotationWidth())
        refuse(config, "decoder.initial_state",
               fmt::format("'copy' needs decoder.hidden_size {} to equal the encoder's {} features",
                           read.decoder.hidden, read.annotationWidth()));
    if (read.encoder.cell != read.decoder.cell)
        refuse(config, "decoder.initial_state", "'copy' needs the same cell on both sides");
}

void readScope(const JsonObject& attention, RecurrentConfig& result)
{
    constexpr std::array<std::pair<std::string_view, AttentionScope>, 3> scopes{
        {{"global", AttentionScope::Global},
         {"local_m", AttentionScope::LocalMonotonic},
         {"local_p", AttentionScope::LocalPredictive}}};
    if (attention.has("scope"))
        result.scope = choose(attention, "attention", "scope", scopes);
    if (result.scope != AttentionScope::Global)
        result.window = size(attention, "window");
    constexpr std::array<std::pair<std::string_view, AttentionMode>, 2> modes{
        {{"soft", AttentionMode::Soft}, {"hard", AttentionMode::Hard}}};
    if (attention.has("mode"))
        result.mode = choose(attention, "attention", "mode", modes);
}

void readRecurrentAttention(const JsonObject& config, RecurrentConfig& result)
{
    const JsonObject attention = config.requireObject("attention");
    result.score = choose(attention, "attention", "score", scoreNames);
    result.temporal = attention.boolOr("temporal", false);
    if (result.temporal && result.score == RecurrentScore::None)
        refuse(config, "attention.temporal", "needs a score, the score is 'none'");
    if (result.score == RecurrentScore::None)
        return;
    readScope(attention, result);
    if (result.temporal && result.scope != AttentionScope::Global)
        refuse(config, "attention.temporal", "needs the scope 'global': a window hides what was attended to before");
    if (result.isAdditive() || result.scope == AttentionScope::LocalPredictive)
        result.attentionSize = size(attention, "size");
    if (result.score == RecurrentScore::LowRank)
        result.rank = size(attention, "rank");
    const bool plain = result.score == RecurrentScore::Dot || result.score == RecurrentScore::ScaledDot;
    if (plain && result.decoder.hidden != result.annotationWidth())
        refuse(config, "attention.score",
               fmt::format("a dot product needs decoder.hidden_size {} to equal the encoder's {} features",
                           result.decoder.hidden, result.annotationWidth()),
               "use 'general'");
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
    readRecurrentAttention(config, result);
    checkCopy(config, result);
    result.tieOutput = config.boolOr("tie_output", false);
    if (result.tieOutput && result.outputSize != result.embedding)
        throw Error(ErrorKind::Format, fmt::format("{}: tie_output", config.where()),
                    fmt::format("needs decoder.output_size {} to equal embedding_size {}", result.outputSize,
                                result.embedding));
    return result;
}

// Without attention the context is z.
int contextWidth(const RecurrentConfig& config)
{
    return config.score == RecurrentScore::None ? config.initialWidth() : config.annotationWidth();
}

int decoderInputs(const RecurrentConfig& config)
{
    if (config.style == DecoderStyle::Luong)
        return config.embedding + (config.inputFeeding ? config.outputSize : 0);
    return config.embedding + contextWidth(config);
}

void expectOutput(ExpectedTensors& expected, const RecurrentConfig& config)
{
    const std::int64_t joint = std::int64_t{config.decoder.hidden} + contextWidth(config)
        + (config.output == OutputKind::Attentional ? 0 : config.embedding)
        + (config.intraAttention ? config.decoder.hidden : 0);
    const std::int64_t pieces = config.output == OutputKind::Maxout ? 2 : 1;
    expectLinear(expected, "decoder.output_hidden", pieces * config.outputSize, joint);
    expected["decoder.output.bias"] = {config.targetVocabulary};
    if (!config.tieOutput)
        expected["decoder.output.weight"] = {config.targetVocabulary, config.outputSize};
}

void expectRecurrentAttention(ExpectedTensors& expected, const RecurrentConfig& config)
{
    const int queries = config.decoder.hidden;
    const int keys = config.annotationWidth();
    if (config.isAdditive()) {
        expectLinear(expected, "attention.key", config.attentionSize, keys);
        expected["attention.query.weight"] = {config.attentionSize, queries};
        expected["attention.v.weight"] = {1, config.attentionSize};
    } else if (config.score == RecurrentScore::General) {
        expected["attention.general.weight"] = {queries, keys};
    } else if (config.score == RecurrentScore::LowRank) {
        expected["attention.u.weight"] = {config.rank, queries};
        expected["attention.w.weight"] = {config.rank, keys};
    }
    if (config.scope == AttentionScope::LocalPredictive) {
        expected["attention.position.weight"] = {config.attentionSize, queries};
        expected["attention.position_v.weight"] = {1, config.attentionSize};
    }
}

ExpectedTensors expectTensors(const RecurrentConfig& config)
{
    ExpectedTensors expected;
    expected["encoder.embedding.weight"] = {config.sourceVocabulary, config.embedding};
    expected["decoder.embedding.weight"] = {config.targetVocabulary, config.embedding};
    expectLayers(expected, "encoder.rnn.", config.encoder, config.embedding);
    expectLayers(expected, "decoder.rnn.", config.decoder, decoderInputs(config));
    if (config.initialState != InitialState::Copy) {
        const std::int64_t states = std::int64_t{config.decoder.layers} * config.decoder.hidden;
        expectLinear(expected, "decoder.initial", states, config.initialWidth());
        if (config.decoder.cell == Cell::Lstm)
            expectLinear(expected, "decoder.initial_cell", states, config.initialWidth());
    }
    expectRecurrentAttention(expected, config);
    if (config.intraAttention)
        expected["decoder.intra.weight"] = {config.decoder.hidden, config.decoder.hidden};
    expectOutput(expected, config);
    return expected;
}

std::unique_ptr<const CompatibilityScore> readRecurrentScore(WeightReader& reader, const RecurrentConfig& config)
{
    const auto matrix = [&](const char* name) {
        return reader.linear(fmt::format("attention.{}.weight", name), std::string());
    };
    const std::string name = nameOf(config.score);
    switch (config.score) {
    case RecurrentScore::None:
        return nullptr;
    case RecurrentScore::Additive:
    case RecurrentScore::Concat: {
        Linear query = matrix("query");
        Linear key = reader.linear("attention.key.weight", "attention.key.bias");
        return std::make_unique<AdditiveScore>(name, std::move(query), std::move(key), matrix("v"));
    }
    case RecurrentScore::Dot:
        return std::make_unique<ProductScore>(name, std::nullopt, std::nullopt);
    case RecurrentScore::ScaledDot:
        return std::make_unique<ProductScore>(name, std::nullopt, std::nullopt,
                                              1.0F / std::sqrt(static_cast<float>(config.decoder.hidden)));
    case RecurrentScore::General:
        return std::make_unique<ProductScore>(name, std::nullopt, matrix("general"));
    case RecurrentScore::LowRank: {
        Linear query = matrix("u");
        return std::make_unique<ProductScore>(name, std::move(query), matrix("w"));
    }
    }
    return nullptr;
}

RecurrentModelWeights readWeights(WeightReader& reader, const RecurrentConfig& config)
{
    const auto linear = [&](const std::string& name) { return reader.linear(name + ".weight", name + ".bias"); };
    std::optional<Linear> initial;
    std::optional<Linear> initialCell;
    if (config.initialState != InitialState::Copy) {
        initial = linear("decoder.initial");
        if (config.decoder.cell == Cell::Lstm)
            initialCell = linear("decoder.initial_cell");
    }
    std::unique_ptr<const CompatibilityScore> intra;
    if (config.intraAttention)
        intra = std::make_unique<ProductScore>("general", std::nullopt,
                                               reader.linear("decoder.intra.weight", std::string()));
    std::optional<Linear> position;
    std::optional<Linear> positionV;
    if (config.scope == AttentionScope::LocalPredictive) {
        position = reader.linear("attention.position.weight", {});
        positionV = reader.linear("attention.position_v.weight", {});
    }
    return {
        reader.embedding("encoder.embedding.weight"),
        reader.embedding("decoder.embedding.weight"),
        readLayers(reader, "encoder.rnn.", config.encoder, config.embedding),
        readLayers(reader, "decoder.rnn.", config.decoder, decoderInputs(config)),
        std::move(initial),
        std::move(initialCell),
        readRecurrentScore(reader, config),
        std::move(position),
        std::move(positionV),
        std::move(intra),
        linear("decoder.output_hidden"),
        reader.linear(config.tieOutput ? "decoder.embedding.weight" : "decoder.output.weight", "decoder.output.bias")};
}

std::string describeArchitecture(const RecurrentConfig& config)
{
    const auto cellName = [](Cell cell) { return cell == Cell::Gru ? "GRU" : "LSTM"; };
    std::string text = cellName(config.encoder.cell);
    const char* const intra = config.intraAttention ? ", intra-decoder attention" : "";
    if (config.decoder.cell != config.encoder.cell)
        text += fmt::format(" and {}", cellName(config.decoder.cell));
    if (config.score == RecurrentScore::None)
        return fmt::format("{} without attention (one fixed context){}", text, intra);
    constexpr std::pair<AttentionScope, const char*> scopes[] = {
        {AttentionScope::Global, ""},
        {AttentionScope::LocalMonotonic, "local monotonic "},
        {AttentionScope::LocalPredictive, "local predictive "}};
    const auto scope = std::ranges::find(scopes, config.scope, [](const auto& entry) { return entry.first; });
    return fmt::format("{}{} with {}{}{}{} attention{}", text,
                       config.style == DecoderStyle::Luong ? ", Luong's decoder" : "",
                       config.mode == AttentionMode::Hard ? "hard " : "", scope->second,
                       config.temporal ? "intra-temporal " : "", nameOf(config.score), intra);
}

ModelInfo describeRecurrent(const JsonObject& json, const RecurrentConfig& config, const WeightReader& reader)
{
    ModelInfo info;
    info.family = "rnn_encoder_decoder";
    info.kind = ModelKind::EncoderDecoder;
    info.description = describeArchitecture(config);
    info.encoderLayers = config.encoder.layers;
    info.decoderLayers = config.decoder.layers;
    info.crossHeads = config.score == RecurrentScore::None ? 0 : 1;
    info.crossLayers = info.crossHeads;
    if (config.intraAttention) {
        info.decoderHeads = 1;
        info.decoderAttentionLayers = 1;
    }
    info.modelWidth = config.annotationWidth();
    info.sourceVocabulary = config.sourceVocabulary;
    info.targetVocabulary = config.targetVocabulary;
    info.positions = "none (recurrent)";
    info.hardAttention = info.crossHeads > 0 && config.mode == AttentionMode::Hard;
    info.storedDType = reader.storedDType();
    info.parameters = reader.parameters();
    for (const char* field : {"bos_token_id", "eos_token_id"}) // no left-overs here: the format has them in use
        (void)json.optionalInt(field, 0, info.targetVocabulary - 1);
    readTokenSettings(json, info);
    return info;
}

} // namespace

FamilyOutput buildRecurrent(const FamilyInput& input)
{
    const RecurrentConfig config = readConfig(input.config);
    WeightReader reader(input.engine, input.checkpoint, expectTensors(config), input.progress, input.stop);
    ModelInfo info = describeRecurrent(input.config, config, reader);
    RecurrentModelWeights weights = readWeights(reader, config);
    return {std::make_shared<RecurrentModel>(config, std::move(info), std::move(weights)), reader.ignored()};
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/recurrent.h"
#include "models/weight_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace attn {

namespace {

constexpr auto recurrentType = "rnn_encoder_decoder";

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
    result.outputSize = requireSize(decoder, "output_size");
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
        result.window = requireSize(attention, "window");
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
        result.attentionSize = requireSize(attention, "size");
    if (result.score == RecurrentScore::LowRank)
        result.rank = requireSize(attention, "rank");
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
    result.sourceVocabulary = requireSize(config, "source_vocab_size");
    result.targetVocabulary = requireSize(config, "target_vocab_size");
    result.embedding = requireSize(config, "embedding_size");
    result.encoder = readStack(config, "encoder");
    result.decoder = readStack(config, "decoder");
    readDecoder(config, result);
    readRecurrentAttention(config, result);
    checkCopy(config, result);
    result.tieOutput = config.boolOr("tie_output", false);
    if (result.tieOutput && result.outputSize != result.embedding)
        refuse(config, "tie_output",
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

using ScoreWeight = Weight<std::unique_ptr<const CompatibilityScore>>;

ScoreWeight declareRecurrentScore(WeightTable& table, const RecurrentConfig& config)
{
    const int queries = config.decoder.hidden;
    const int keys = config.annotationWidth();
    const auto product = [&](const std::optional<Weight<Linear>>& query, const std::optional<Weight<Linear>>& key,
                             float scale = 1) -> ScoreWeight {
        return [=](WeightReader& reader) {
            std::optional<Linear> ownQuery = readIf(query, reader);
            return std::make_unique<ProductScore>(std::move(ownQuery), readIf(key, reader), scale);
        };
    };
    switch (config.score) {
    case RecurrentScore::None:
        break;
    case RecurrentScore::Additive:
    case RecurrentScore::Concat: {
        const auto key = table.linear("attention.key", config.attentionSize, keys);
        const auto query = table.matrix("attention.query.weight", {config.attentionSize, queries});
        const auto v = table.matrix("attention.v.weight", {1, config.attentionSize});
        return [=](WeightReader& reader) {
            Linear ownQuery = query(reader);
            Linear ownKey = key(reader);
            return std::make_unique<AdditiveScore>(std::move(ownQuery), std::move(ownKey), v(reader));
        };
    }
    case RecurrentScore::Dot:
        return product(std::nullopt, std::nullopt);
    case RecurrentScore::ScaledDot:
        return product(std::nullopt, std::nullopt, 1.0F / std::sqrt(static_cast<float>(queries)));
    case RecurrentScore::General:
        return product(std::nullopt, table.matrix("attention.general.weight", {queries, keys}));
    case RecurrentScore::LowRank: {
        const auto query = table.matrix("attention.u.weight", {config.rank, queries});
        return product(query, table.matrix("attention.w.weight", {config.rank, keys}));
    }
    }
    return [](WeightReader& /*reader*/) { return nullptr; };
}

Weight<RecurrentModelWeights> declareWeights(WeightTable& table, const RecurrentConfig& config)
{
    constexpr auto targetTable = "decoder.embedding.weight";
    const int hidden = config.decoder.hidden;
    const auto source = table.embedding("encoder.embedding.weight", {config.sourceVocabulary, config.embedding});
    const auto target = table.embedding(targetTable, {config.targetVocabulary, config.embedding});
    const auto encoder = declareLayers(table, "encoder.rnn.", config.encoder, config.embedding);
    const auto decoder = declareLayers(table, "decoder.rnn.", config.decoder, decoderInputs(config));
    using Part = std::optional<Weight<Linear>>;
    Part initial;
    Part initialCell;
    if (config.initialState != InitialState::Copy) {
        const std::int64_t states = std::int64_t{config.decoder.layers} * hidden;
        initial = table.linear("decoder.initial", states, config.initialWidth());
        if (config.decoder.cell == Cell::Lstm)
            initialCell = table.linear("decoder.initial_cell", states, config.initialWidth());
    }
    const auto score = declareRecurrentScore(table, config);
    Part position;
    Part positionV;
    if (config.scope == AttentionScope::LocalPredictive) {
        position = table.matrix("attention.position.weight", {config.attentionSize, hidden});
        positionV = table.matrix("attention.position_v.weight", {1, config.attentionSize});
    }
    Part intra;
    if (config.intraAttention)
        intra = table.matrix("decoder.intra.weight", {hidden, hidden});
    const std::int64_t joint = std::int64_t{hidden} + contextWidth(config)
        + (config.output == OutputKind::Attentional ? 0 : config.embedding) + (config.intraAttention ? hidden : 0);
    const std::int64_t pieces = config.output == OutputKind::Maxout ? 2 : 1;
    const auto outputHidden = table.linear("decoder.output_hidden", pieces * config.outputSize, joint);
    const auto output =
        table.matrix(config.tieOutput ? targetTable : "decoder.output.weight",
                     {config.targetVocabulary, config.outputSize}, "decoder.output.bias", {config.targetVocabulary});
    return [=](WeightReader& reader) -> RecurrentModelWeights {
        std::unique_ptr<const CompatibilityScore> own;
        if (intra)
            own = std::make_unique<ProductScore>(std::nullopt, (*intra)(reader));
        return {source(reader),  target(reader),           encoder(reader),
                decoder(reader), readIf(initial, reader),  readIf(initialCell, reader),
                score(reader),   readIf(position, reader), readIf(positionV, reader),
                std::move(own),  outputHidden(reader),     output(reader)};
    };
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
    info.family = recurrentType;
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
    info.positions.scheme = PositionScheme::Recurrent;
    info.hardAttention = info.crossHeads > 0 && config.mode == AttentionMode::Hard;
    info.storedDType = reader.storedDType();
    info.parameters = reader.parameters();
    for (const char* field : {"bos_token_id", "eos_token_id"}) // no left-overs here: the format has them in use
        (void)json.optionalInt(field, 0, info.targetVocabulary - 1);
    readTokenSettings(json, info);
    return info;
}

FamilyOutput buildRecurrent(const FamilyInput& input)
{
    const RecurrentConfig config = readConfig(input.config);
    WeightTable table;
    const auto declared = declareWeights(table, config);
    WeightReader reader(input, input.checkpoint, table);
    ModelInfo info = describeRecurrent(input.config, config, reader);
    RecurrentModelWeights weights = declared(reader);
    return {std::make_shared<RecurrentModel>(config, std::move(info), std::move(weights)), reader.ignored()};
}

constexpr Family recurrentRows[] = {{.modelType = recurrentType,
                                     .title = "recurrent encoder-decoder",
                                     .kind = ModelKind::EncoderDecoder,
                                     .build = buildRecurrent,
                                     .attendsToItself = false}};

} // namespace

std::span<const Family> recurrentFamilies()
{
    return recurrentRows;
}

} // namespace attn

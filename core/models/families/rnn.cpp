// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/recurrent.h"
#include "models/weight_table.h"

#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace attn {

namespace {

constexpr auto recurrentType = "rnn_encoder_decoder";

template<typename Value>
struct NamedValue
{
    std::string_view name;
    Value value;
};

// One of the rows by the name that a text field has.
template<typename Row, std::size_t Count>
const Row& choose(const JsonObject& object, std::string_view path, std::string_view field, const Row (&known)[Count])
{
    const std::string text = object.requireString(field);
    std::string names;
    for (const Row& row : known) {
        if (row.name == text)
            return row;
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ", row.name);
    }
    throw Error(ErrorKind::Format, fmt::format("{}: {}.{}", object.where(), path, field),
                fmt::format("'{}' is not a value of this field", text), fmt::format("use {}", names));
}

[[noreturn]] void refuse(const JsonObject& config, std::string_view field, const std::string& problem,
                         const std::string& advice = {})
{
    throw Error(ErrorKind::Format, fmt::format("{}: {}", config.where(), field), problem, advice);
}

using ScoreWeight = Weight<std::unique_ptr<const CompatibilityScore>>;

ScoreWeight productScore(const std::optional<Weight<Linear>>& query, const std::optional<Weight<Linear>>& key,
                         float scale = 1)
{
    return [=](WeightReader& reader) {
        std::optional<Linear> ownQuery = readIf(query, reader);
        return std::make_unique<ProductScore>(std::move(ownQuery), readIf(key, reader), scale);
    };
}

ScoreWeight declareAdditive(WeightTable& table, const RecurrentConfig& config)
{
    const auto key = table.linear("attention.key", config.attentionSize, config.annotationWidth());
    const auto query = table.matrix("attention.query.weight", {config.attentionSize, config.decoder.hidden});
    const auto v = table.matrix("attention.v.weight", {1, config.attentionSize});
    return [=](WeightReader& reader) {
        Linear ownQuery = query(reader);
        Linear ownKey = key(reader);
        return std::make_unique<AdditiveScore>(std::move(ownQuery), std::move(ownKey), v(reader));
    };
}

ScoreWeight declareDot(WeightTable& /*table*/, const RecurrentConfig& /*config*/)
{
    return productScore({}, {});
}

ScoreWeight declareScaledDot(WeightTable& /*table*/, const RecurrentConfig& config)
{
    return productScore({}, {}, 1.0F / std::sqrt(static_cast<float>(config.decoder.hidden)));
}

ScoreWeight declareGeneral(WeightTable& table, const RecurrentConfig& config)
{
    return productScore({},
                        table.matrix("attention.general.weight", {config.decoder.hidden, config.annotationWidth()}));
}

ScoreWeight declareLowRank(WeightTable& table, const RecurrentConfig& config)
{
    const auto query = table.matrix("attention.u.weight", {config.rank, config.decoder.hidden});
    return productScore(query, table.matrix("attention.w.weight", {config.rank, config.annotationWidth()}));
}

} // namespace

struct RecurrentScore
{
    std::string_view name; // attention.score in config.json
    ScoreWeight (*declare)(WeightTable& table, const RecurrentConfig& config) = nullptr; // null: no attention
    const char* sizeField = nullptr; // of attention, where it needs one
    int RecurrentConfig::*size = nullptr;
    bool needsEqualWidths = false; // of queries and keys
};

namespace {

constexpr RecurrentScore scores[] = {
    {"none"},
    {"additive", declareAdditive, "size", &RecurrentConfig::attentionSize},
    {"dot", declareDot, nullptr, nullptr, true},
    {"scaled_dot", declareScaledDot, nullptr, nullptr, true},
    {"general", declareGeneral},
    {"concat", declareAdditive, "size", &RecurrentConfig::attentionSize}, // Luong's name for the same formula
    {"low_rank", declareLowRank, "rank", &RecurrentConfig::rank},
};

ConfigKeys recurrentKeys()
{
    return {.read = {"attention", "decoder", "embedding_size", "encoder", "source_eos", "source_vocab_size",
                     "target_vocab_size", "tie_output", "unk_token_id"}};
}

void readDecoder(const JsonObject& config, RecurrentConfig& result)
{
    const JsonObject decoder = config.requireObject("decoder");
    constexpr NamedValue<DecoderStyle> styles[] = {{"bahdanau", DecoderStyle::Bahdanau},
                                                   {"luong", DecoderStyle::Luong}};
    result.style = choose(decoder, "decoder", "style", styles).value;
    constexpr NamedValue<InitialState> states[] = {{"first_backward", InitialState::FirstBackward},
                                                   {"mean", InitialState::Mean},
                                                   {"last", InitialState::Last},
                                                   {"copy", InitialState::Copy}};
    result.initialState = choose(decoder, "decoder", "initial_state", states).value;
    constexpr NamedValue<OutputKind> outputs[] = {
        {"tanh", OutputKind::Tanh}, {"maxout", OutputKind::Maxout}, {"attentional", OutputKind::Attentional}};
    result.output = choose(decoder, "decoder", "output", outputs).value;
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
    constexpr NamedValue<AttentionScope> scopes[] = {{"global", AttentionScope::Global},
                                                     {"local_m", AttentionScope::LocalMonotonic},
                                                     {"local_p", AttentionScope::LocalPredictive}};
    if (attention.has("scope"))
        result.scope = choose(attention, "attention", "scope", scopes).value;
    if (result.scope != AttentionScope::Global)
        result.window = requireSize(attention, "window");
    constexpr NamedValue<AttentionMode> modes[] = {{"soft", AttentionMode::Soft}, {"hard", AttentionMode::Hard}};
    if (attention.has("mode"))
        result.mode = choose(attention, "attention", "mode", modes).value;
}

void readRecurrentAttention(const JsonObject& config, RecurrentConfig& result)
{
    const JsonObject attention = config.requireObject("attention");
    const RecurrentScore& score = choose(attention, "attention", "score", scores);
    result.temporal = attention.boolOr("temporal", false);
    if (result.temporal && score.declare == nullptr)
        refuse(config, "attention.temporal", "needs a score, the score is 'none'");
    if (score.declare == nullptr)
        return;
    result.score = &score;
    readScope(attention, result);
    if (result.temporal && result.scope != AttentionScope::Global)
        refuse(config, "attention.temporal", "needs the scope 'global': a window hides what was attended to before");
    if (result.scope == AttentionScope::LocalPredictive)
        result.attentionSize = requireSize(attention, "size");
    if (score.size != nullptr)
        result.*score.size = requireSize(attention, score.sizeField);
    if (score.needsEqualWidths && result.decoder.hidden != result.annotationWidth())
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

// Width of the context, which is z without attention.
int contextWidth(const RecurrentConfig& config)
{
    return config.score == nullptr ? config.initialWidth() : config.annotationWidth();
}

int decoderInputs(const RecurrentConfig& config)
{
    if (config.style == DecoderStyle::Luong)
        return config.embedding + (config.inputFeeding ? config.outputSize : 0);
    return config.embedding + contextWidth(config);
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
    std::optional<ScoreWeight> score;
    if (config.score != nullptr)
        score = config.score->declare(table, config);
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
        return {source(reader),
                target(reader),
                encoder(reader),
                decoder(reader),
                readIf(initial, reader),
                readIf(initialCell, reader),
                score ? (*score)(reader) : nullptr,
                readIf(position, reader),
                readIf(positionV, reader),
                std::move(own),
                outputHidden(reader),
                output(reader)};
    };
}

Architecture architectureOf(const RecurrentConfig& config)
{
    return {.form = Architecture::Form::Recurrent,
            .encoderLstm = config.encoder.cell == Cell::Lstm,
            .decoderLstm = config.decoder.cell == Cell::Lstm,
            .bidirectional = config.encoder.bidirectional,
            .luong = config.style == DecoderStyle::Luong,
            .score = std::string(config.score == nullptr ? "" : config.score->name),
            .scope = config.scope,
            .temporal = config.temporal,
            .intraDecoder = config.intraAttention};
}

ModelInfo describeRecurrent(const JsonObject& json, const RecurrentConfig& config, const WeightReader& reader)
{
    ModelInfo info;
    info.family = recurrentType;
    info.kind = ModelKind::EncoderDecoder;
    info.architecture = architectureOf(config);
    info.encoderLayers = config.encoder.layers;
    info.decoderLayers = config.decoder.layers;
    info.crossHeads = config.score == nullptr ? 0 : 1;
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
                                     .published = "of this program",
                                     .text = {TextFiles::Kind::EncoderDecoder},
                                     .kind = ModelKind::EncoderDecoder,
                                     .keys = recurrentKeys,
                                     .build = buildRecurrent,
                                     .attendsToItself = false}};

} // namespace

std::span<const Family> recurrentFamilies()
{
    return recurrentRows;
}

} // namespace attn

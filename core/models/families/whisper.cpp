// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "media/sound_processor.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/layer_reader.h"
#include "models/media_input.h"
#include "models/speech.h"
#include "models/transformer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace attn {

namespace {

constexpr int kernelWidth = 3; // of both convolutions over time
constexpr auto wordTable = "decoder.embed_tokens.weight";
constexpr auto outputTable = "proj_out.weight";

// The sizes that are not those of the layers.
struct WhisperSizes
{
    Index bands = 80;
    Index columns = 1500; // of the source
    int positions = 448; // of the output
    int vocabulary = 0;
};

WhisperSizes readSizes(const JsonObject& config)
{
    return {sizeOr(config, "num_mel_bins", 80), sizeOr(config, "max_source_positions", 1500),
            sizeOr(config, "max_target_positions", 448), requireSize(config, "vocab_size")};
}

// The code inside "<|fr|>"; the whole name where it is written otherwise.
std::string languageCode(const std::string& name)
{
    return name.starts_with("<|") && name.ends_with("|>") && name.size() > 4 ? name.substr(2, name.size() - 4) : name;
}

std::map<std::string, TokenId> readNamedTokens(const JsonObject& config, std::string_view field, int vocabulary)
{
    std::map<std::string, TokenId> tokens;
    if (!config.has(field))
        return tokens;
    const JsonObject named = config.requireObject(field);
    for (const std::string& name : named.fields())
        tokens.emplace(languageCode(name), named.requireInt(name, 0, vocabulary - 1));
    return tokens;
}

// Adds tokens that no file of settings names, by their names in the tokenizer.
void addFromTokenizer(const TokenDescriber& tokenizer, int vocabulary, std::optional<TokenId>& withoutTimes,
                      Speech& speech)
{
    constexpr int most = 512; // tokens between text and times
    const bool namesLanguages = speech.languages.empty();
    const bool namesTasks = speech.tasks.empty();
    for (TokenId id = speech.textEnd + 1; id < std::min(vocabulary, speech.textEnd + most); ++id) {
        const std::string name = languageCode(tokenizer.describe({&id, 1}).tokens.at(0));
        const bool isCode = name.size() >= 2 && name.size() <= 3
            && std::ranges::all_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
        if (name == "transcribe" || name == "translate") {
            if (namesTasks)
                speech.tasks.emplace(name, id);
        } else if (name == "notimestamps") {
            withoutTimes = withoutTimes.value_or(id);
        } else if (isCode && namesLanguages) {
            speech.languages.emplace(name, id);
        }
    }
}

// All heads of the upper half of the layers where none are named.
std::vector<std::pair<Site, int>> readAlignmentHeads(const JsonObject& config, int layers, int heads)
{
    constexpr auto field = "alignment_heads";
    constexpr auto expected = "pairs of a layer and a head";
    std::vector<std::pair<Site, int>> result;
    if (config.has(field)) {
        for (const Json& pair : config.requireList(field, expected)) {
            const bool isPair = pair.is_array() && pair.size() == 2;
            const auto layer = isPair ? indexIn(pair[0], layers - 1) : std::nullopt;
            const auto head = isPair ? indexIn(pair[1], heads - 1) : std::nullopt;
            if (!layer || !head)
                config.refuse(field, expected);
            result.emplace_back(Site{Stage::Cross, *layer}, *head);
        }
        return result;
    }
    for (int layer = layers / 2; layer < layers; ++layer) {
        for (int head = 0; head < heads; ++head)
            result.emplace_back(Site{Stage::Cross, layer}, head);
    }
    return result;
}

Speech readSpeech(const FamilyInput& input, const ModelInfo& info)
{
    const JsonObject& config = input.config;
    const int vocabulary = info.targetVocabulary;
    constexpr int multilingualSize = 51865; // the smallest vocabulary with languages
    constexpr auto timesField = "no_timestamps_token_id";
    if (!info.endToken)
        throw Error(ErrorKind::Format, config.where(), "names no token that ends the output", "add eos_token_id");
    Speech speech;
    speech.textEnd = *info.endToken;
    speech.multilingual = config.boolOr("is_multilingual", vocabulary >= multilingualSize);
    if (speech.multilingual) {
        speech.languages = readNamedTokens(config, "lang_to_id", vocabulary);
        speech.tasks = readNamedTokens(config, "task_to_id", vocabulary);
    }
    std::optional<TokenId> withoutTimes = config.optionalInt(timesField, 0, vocabulary - 1);
    const bool complete =
        withoutTimes && (!speech.multilingual || (!speech.languages.empty() && !speech.tasks.empty()));
    if (const auto tokenizer = complete || !input.tokenizer ? nullptr : input.tokenizer())
        addFromTokenizer(*tokenizer, vocabulary, withoutTimes, speech);
    if (!speech.multilingual)
        speech.languages.clear();
    if (!withoutTimes)
        throw Error(ErrorKind::Format, fmt::format("{}: {}", config.where(), timesField),
                    "is missing, and no tokenizer has <|notimestamps|>", "add generation_config.json");
    speech.withoutTimes = *withoutTimes;
    speech.latestFirst = config.optionalInt("max_initial_timestamp_index", 0, vocabulary);
    speech.notFirst = tokensOr(config, "begin_suppress_tokens", vocabulary);
    speech.alignmentHeads = readAlignmentHeads(config, info.crossLayers, info.crossHeads);
    speech.medianWidth = config.optionalInt("median_filter_width", 1, 1 << 16).value_or(speech.medianWidth);
    if (speech.medianWidth % 2 == 0)
        config.refuse("median_filter_width", "an odd number");
    return speech;
}

Weight<Convolution> declareStem(WeightTable& table, const std::string& name, Index outputs, Index inputs, Index stride)
{
    const ConvolutionShape shape{inputs, outputs, kernelWidth, stride, 1, 1, true};
    return [=, weight = table.tensor(weightOf(name), {outputs, inputs, kernelWidth}),
            bias = table.tensor(name + ".bias", {outputs})](WeightReader& reader) -> Convolution {
        Tensor kernel = weight(reader);
        return {shape, std::move(kernel), bias(reader)};
    };
}

Weight<TransformerStack> declareHearing(WeightTable& table, const LayerPlan& plan, const WhisperSizes& sizes)
{
    const auto first = declareStem(table, "encoder.conv1", plan.width, sizes.bands, 1);
    const auto second = declareStem(table, "encoder.conv2", plan.width, plan.width, 2);
    const auto positions = table.tensor("encoder.embed_positions.weight", {sizes.columns, plan.width});
    const auto layers = declareLayers(table, plan);
    const auto finalNorm = table.norm("encoder.layer_norm", plan.width, plan.epsilon);
    return [=](WeightReader& reader) -> TransformerStack {
        Convolution one = first(reader);
        Convolution two = second(reader);
        auto media = std::make_shared<const SoundInput>(std::move(one), std::move(two), positions(reader));
        TransformerStack stack = readStack(reader, TokenInput{}, layers, finalNorm);
        stack.media = std::move(media);
        return stack;
    };
}

Weight<TransformerStack> declareSpeaking(WeightTable& table, const LayerPlan& plan, const WhisperSizes& sizes,
                                         const std::string& words, float scale)
{
    const auto tokens = table.embedding(words, {sizes.vocabulary, plan.width});
    const auto positions = table.embedding("decoder.embed_positions.weight", {sizes.positions, plan.width});
    const auto layers = declareLayers(table, plan);
    const auto finalNorm = table.norm("decoder.layer_norm", plan.width, plan.epsilon);
    return [=, width = plan.width](WeightReader& reader) -> TransformerStack {
        TokenInput input{tokens(reader), scale, {}, {}, {}, {}};
        input.positions = {AddedPositions::Learned, width, positions(reader), 0, {}};
        return readStack(reader, std::move(input), layers, finalNorm);
    };
}

LayerPlan readWhisperPlan(const JsonObject& config, const std::string& side)
{
    LayerPlan plan = readBartLayers(config, side, "gelu");
    plan.place = NormPlace::Before;
    plan.keyBias = false;
    return plan;
}

// A model hears so long at once as it has positions for.
void checkProcessor(const FamilyInput& input, const WhisperSizes& sizes)
{
    const auto file = input.preprocessor ? input.preprocessor() : std::nullopt;
    const SoundProcessor processor = readSoundProcessor(file ? &*file : nullptr, sizes.bands);
    if (processor.samples() % processor.hop != 0 || processor.frames() != 2 * sizes.columns)
        throw Error(ErrorKind::Format, file ? file->where() + ": chunk_length" : input.config.where(),
                    fmt::format("{} seconds are {} frames, the model reads {} (twice max_source_positions)",
                                processor.seconds, processor.frames(), 2 * std::int64_t{sizes.columns}),
                    "get preprocessor_config.json of this model");
}

FamilyOutput buildWhisper(const FamilyInput& input)
{
    const JsonObject& config = input.config;
    const WhisperSizes sizes = readSizes(config);
    checkProcessor(input, sizes);
    const LayerPlan encoder = readWhisperPlan(config, "encoder");
    const LayerPlan decoder = readWhisperPlan(config, "decoder");
    const auto checkpoint =
        std::make_shared<RenamedCheckpoint>(input.checkpoint, "model.", std::vector<std::string>{"proj_out."});
    const auto [embedding, output] =
        tokenTables(*checkpoint, {wordTable}, {outputTable}, config.boolOr("tie_word_embeddings", true));
    const bool scaled = config.boolOr("scale_embedding", false);
    WeightTable table;
    const auto hearing = declareHearing(table, encoder, sizes);
    const auto speaking =
        declareSpeaking(table, decoder, sizes, embedding, scaled ? std::sqrt(static_cast<float>(decoder.width)) : 1.0F);
    const auto logits = table.matrix(output, {sizes.vocabulary, decoder.width});
    WeightReader reader(input, checkpoint, table);
    TransformerParts parts;
    parts.encoder = hearing(reader);
    parts.decoder = speaking(reader);
    parts.head = OutputHead{{}, {}, {}, 1, logits(reader)};
    ModelInfo info = describeLayers(config, &encoder, &decoder, reader);
    info.input = InputKind::Sound;
    info.targetVocabulary = sizes.vocabulary;
    info.maximumLength = sizes.positions;
    info.soundBands = sizes.bands;
    info.positions.scheme = PositionScheme::Learned;
    readTokenSettings(config, info);
    info.firstToken.reset(); // the prompt says with what an output begins
    info.badTokens = tokensOr(config, "suppress_tokens", sizes.vocabulary);
    info.speech = std::make_shared<const Speech>(readSpeech(input, info));
    return {std::make_shared<Transformer>(std::move(info), std::move(parts)), reader.ignored()};
}

ConfigKeys whisperKeys()
{
    return {.read = {"activation_function",
                     "alignment_heads",
                     "begin_suppress_tokens",
                     "d_model",
                     "decoder_attention_heads",
                     "decoder_ffn_dim",
                     "decoder_layers",
                     "encoder_attention_heads",
                     "encoder_ffn_dim",
                     "encoder_layers",
                     "is_multilingual",
                     "lang_to_id",
                     "max_initial_timestamp_index",
                     "max_source_positions",
                     "max_target_positions",
                     "median_filter_width",
                     "no_timestamps_token_id",
                     "num_mel_bins",
                     "scale_embedding",
                     "suppress_tokens",
                     "task_to_id"},
            .silent = {"apply_spec_augment", "classifier_proj_size", "forced_decoder_ids", "language",
                       "mask_feature_length", "mask_feature_min_masks", "mask_feature_prob", "mask_time_length",
                       "mask_time_min_masks", "mask_time_prob", "num_hidden_layers", "prev_sot_token_id",
                       "return_timestamps", "task", "use_weighted_layer_sum"},
            .aliases = {{"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}}};
}

constexpr Family whisperRows[] = {
    {"whisper",
     "Whisper, Distil-Whisper",
     {.tokenizerClass = "Whisper"},
     ModelKind::EncoderDecoder,
     whisperKeys,
     buildWhisper},
};

} // namespace

std::span<const Family> whisperFamilies()
{
    return whisperRows;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "media/picture_processor.h"
#include "models/families/config_values.h"
#include "models/families/family.h"
#include "models/families/recurrent_cells.h"
#include "models/picture_encoder.h"
#include "models/recurrent.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace attn {

namespace {

constexpr auto captionerType = "rnn_captioner";
constexpr int mostChannels = 1 << 16;
constexpr int largestKernel = 1024;
constexpr std::size_t mostPictureLayers = 1024;
constexpr int deepestResidual = 8; // inside one another

// Size of a layer's input or output, [channels, height, width].
struct MapSize
{
    Index channels = 0;
    Index height = 0;
    Index width = 0;

    std::uint64_t numbers() const { return std::uint64_t(channels) * std::uint64_t(height) * std::uint64_t(width); }
    std::string text() const { return fmt::format("{} x {} x {}", channels, height, width); }
    friend bool operator==(const MapSize&, const MapSize&) = default;
};

using LayersWeight = Weight<std::vector<PictureLayer>>;

// Declares the layers of an encoder from data; every layer is held against what the one before makes.
class EncoderLayers
{
public:
    EncoderLayers(const JsonObject& config, WeightTable& table)
        : m_where(config.where())
        , m_table(table)
    {
    }

    LayersWeight declare(const JsonObject& owner, std::string_view field, const std::string& name, MapSize& size,
                         int depth = 0)
    {
        std::vector<Weight<PictureLayer>> layers;
        if (owner.has(field)) {
            int number = 0;
            for (const JsonObject& layer : owner.requireObjects(field, mostPictureLayers))
                layers.push_back(declareLayer(layer, fmt::format("{}.{}", name, number++), size, depth));
        }
        return [layers](WeightReader& reader) {
            std::vector<PictureLayer> result;
            for (const auto& layer : layers)
                result.push_back(layer(reader));
            return result;
        };
    }

    std::uint64_t largest() const { return m_largest; }

private:
    [[noreturn]] void refuse(const std::string& name, const std::string& problem) const
    {
        throw Error(ErrorKind::Format, fmt::format("{}: {}", m_where, name), problem);
    }

    Weight<PictureLayer> declareLayer(const JsonObject& layer, const std::string& name, MapSize& size, int depth)
    {
        const std::string type = layer.requireString("type");
        const auto made = [&] {
            m_largest = std::max(m_largest, size.numbers());
            return declareOf(type, layer, name, size, depth);
        }();
        m_largest = std::max(m_largest, size.numbers());
        return made;
    }

    Weight<PictureLayer> declareOf(const std::string& type, const JsonObject& layer, const std::string& name,
                                   MapSize& size, int depth)
    {
        if (type == "conv")
            return declareConvolution(layer, name, size);
        if (type == "batch_norm")
            return declareBatchNorm(layer, name, size);
        if (type == "group_norm")
            return declareGroupNorm(layer, name, size);
        if (type == "activation") {
            const Activation activation = activationOr(layer, "name", "relu");
            return [activation](WeightReader&) -> PictureLayer { return activation; };
        }
        if (type == "max_pool" || type == "mean_pool")
            return declarePool(layer, name, type == "max_pool", size);
        if (type == "residual")
            return declareResidual(layer, name, size, depth);
        refuse(name + ".type",
               fmt::format("'{}' is none of conv, batch_norm, group_norm, activation, max_pool, "
                           "mean_pool and residual",
                           type));
    }

    // Rows and columns behind windows.
    void shrink(const std::string& name, MapSize& size, Index kernel, Index stride, Index padding) const
    {
        const Index height = windowsIn(size.height, kernel, stride, padding);
        const Index width = windowsIn(size.width, kernel, stride, padding);
        if (height < 1 || width < 1)
            refuse(name, fmt::format("has a kernel of {}, which does not fit into {}", kernel, size.text()));
        size.height = height;
        size.width = width;
    }

    Weight<PictureLayer> declareConvolution(const JsonObject& layer, const std::string& name, MapSize& size)
    {
        ConvolutionShape shape;
        shape.inputs = size.channels;
        shape.outputs = layer.requireInt("channels", 1, mostChannels);
        shape.kernel = layer.requireInt("kernel", 1, largestKernel);
        shape.stride = layer.optionalInt("stride", 1, largestKernel).value_or(1);
        shape.padding = layer.optionalInt("padding", 0, largestKernel).value_or(0);
        shape.groups = layer.optionalInt("groups", 1, mostChannels).value_or(1);
        if (shape.inputs % shape.groups != 0 || shape.outputs % shape.groups != 0)
            refuse(name,
                   fmt::format("has {} groups, which do not divide {} and {} channels", shape.groups, shape.inputs,
                               shape.outputs));
        shrink(name, size, shape.kernel, shape.stride, shape.padding);
        size.channels = shape.outputs;
        const auto weight =
            m_table.tensor(name + ".weight", {shape.outputs, shape.inputs / shape.groups, shape.kernel, shape.kernel});
        std::optional<Weight<Tensor>> bias;
        if (layer.boolOr("bias", true))
            bias = m_table.tensor(name + ".bias", {shape.outputs});
        return [=](WeightReader& reader) -> PictureLayer {
            Tensor kernel = weight(reader);
            return Convolution(shape, std::move(kernel), readIf(bias, reader).value_or(Tensor()));
        };
    }

    Weight<PictureLayer> declareBatchNorm(const JsonObject& layer, const std::string& name, const MapSize& size)
    {
        const float epsilon = epsilonOr(layer, "eps", 1e-5);
        const auto of = [&](const char* part) { return m_table.tensor(name + part, {size.channels}); };
        return [weight = of(".weight"), bias = of(".bias"), mean = of(".running_mean"), variance = of(".running_var"),
                epsilon](WeightReader& reader) -> PictureLayer {
            Tensor scale = weight(reader);
            Tensor shift = bias(reader);
            const Tensor means = mean(reader);
            const Tensor variances = variance(reader);
            for (std::size_t i = 0; i < scale.size(); ++i) {
                scale.data()[i] /= std::sqrt(variances.data()[i] + epsilon);
                shift.data()[i] -= means.data()[i] * scale.data()[i];
            }
            return ChannelScale{std::move(scale), std::move(shift)};
        };
    }

    Weight<PictureLayer> declareGroupNorm(const JsonObject& layer, const std::string& name, const MapSize& size)
    {
        const Index groups = layer.requireInt("groups", 1, mostChannels);
        if (size.channels % groups != 0)
            refuse(name, fmt::format("has {} groups, which do not divide {} channels", groups, size.channels));
        const float epsilon = epsilonOr(layer, "eps", 1e-5);
        return [weight = m_table.tensor(name + ".weight", {size.channels}),
                bias = m_table.tensor(name + ".bias", {size.channels}), groups,
                epsilon](WeightReader& reader) -> PictureLayer {
            Tensor scale = weight(reader);
            return GroupNorm{groups, epsilon, std::move(scale), bias(reader)};
        };
    }

    Weight<PictureLayer> declarePool(const JsonObject& layer, const std::string& name, bool largest, MapSize& size)
    {
        WindowPool pool{largest};
        pool.kernel = layer.requireInt("kernel", 1, largestKernel);
        pool.stride = layer.optionalInt("stride", 1, largestKernel).value_or(pool.kernel);
        pool.padding = layer.optionalInt("padding", 0, largestKernel).value_or(0);
        if (2 * pool.padding > pool.kernel)
            refuse(name, "has a padding of more than half its kernel");
        shrink(name, size, pool.kernel, pool.stride, pool.padding);
        return [pool](WeightReader&) -> PictureLayer { return pool; };
    }

    Weight<PictureLayer> declareResidual(const JsonObject& layer, const std::string& name, MapSize& size, int depth)
    {
        if (depth >= deepestResidual)
            refuse(name, fmt::format("lies more than {} residuals deep", deepestResidual));
        MapSize beside = size;
        const auto body = declare(layer, "body", name + ".body", size, depth + 1);
        const auto shortcut = declare(layer, "shortcut", name + ".shortcut", beside, depth + 1);
        if (beside != size)
            refuse(name, fmt::format("adds {} and {}", size.text(), beside.text()));
        return [body, shortcut](WeightReader& reader) -> PictureLayer {
            auto layers = std::make_unique<ResidualLayers>();
            layers->body = body(reader);
            layers->shortcut = shortcut(reader);
            return std::unique_ptr<const ResidualLayers>(std::move(layers));
        };
    }

    std::string m_where;
    WeightTable& m_table;
    std::uint64_t m_largest = 0;
};

[[noreturn]] void refuseCaptioner(const JsonObject& config, const char* field, const std::string& problem)
{
    throw Error(ErrorKind::Format, fmt::format("{}: {}", config.where(), field), problem);
}

// A captioner's config.json; RecurrentConfig has what other recurrent models have, too.
struct CaptionerConfig
{
    RecurrentConfig decoder;
    PixelSize grid;
    bool positions = false;
    bool gate = false;
};

CaptionerConfig readCaptioner(const JsonObject& config)
{
    CaptionerConfig result;
    RecurrentConfig& recurrent = result.decoder;
    recurrent.targetVocabulary = requireSize(config, "target_vocab_size");
    recurrent.embedding = requireSize(config, "embedding_size");
    const JsonObject encoder = config.requireObject("encoder");
    recurrent.encoder.hidden = encoder.requireInt("channels", 1, mostChannels);
    constexpr auto expected = "rows and columns";
    const Json& grid = encoder.requireList("grid", expected);
    const auto sideOf = [&](std::size_t i) { return grid.size() == 2 ? indexIn(grid[i], 4096).value_or(0) : 0; };
    result.grid = {sideOf(0), sideOf(1)};
    if (result.grid.height < 1 || result.grid.width < 1)
        encoder.refuse("grid", expected);
    const std::string positions = encoder.stringOr("positions", "none");
    if (positions != "none" && positions != "learned")
        encoder.refuse("positions", "\"none\" or \"learned\"");
    result.positions = positions == "learned";
    const JsonObject decoder = config.requireObject("decoder");
    const std::string cell = decoder.requireString("cell");
    if (cell != "lstm" && cell != "gru")
        decoder.refuse("cell", "\"lstm\" or \"gru\"");
    recurrent.decoder = {cell == "lstm" ? Cell::Lstm : Cell::Gru, 1, requireSize(decoder, "hidden_size")};
    recurrent.initialState = InitialState::Mean;
    recurrent.output = OutputKind::Deep;
    const std::string output = decoder.stringOr("output", "linear");
    if (output != "linear" && output != "tanh")
        decoder.refuse("output", "\"linear\" or \"tanh\"");
    recurrent.outputTanh = output == "tanh";
    recurrent.outputSize = requireSize(decoder, "output_size");
    recurrent.outputEmbedding = decoder.boolOr("output_embedding", true);
    recurrent.tieOutput = config.boolOr("tie_output", false);
    if ((recurrent.outputEmbedding || recurrent.tieOutput) && recurrent.outputSize != recurrent.embedding)
        refuseCaptioner(config, recurrent.tieOutput ? "tie_output" : "decoder.output_embedding",
                        fmt::format("needs decoder.output_size {} to equal embedding_size {}", recurrent.outputSize,
                                    recurrent.embedding));
    const JsonObject attention = config.requireObject("attention");
    recurrent.attentionSize = requireSize(attention, "size");
    const std::string mode = attention.stringOr("mode", "soft");
    if (mode != "soft" && mode != "hard")
        attention.refuse("mode", "\"soft\" or \"hard\"");
    recurrent.mode = mode == "hard" ? AttentionMode::Hard : AttentionMode::Soft;
    result.gate = attention.boolOr("gate", true);
    return result;
}

// The encoder, for pictures of the size that the preprocessor makes.
Weight<std::unique_ptr<const PictureEncoder>> declarePictureEncoder(WeightTable& table, const JsonObject& config,
                                                                    const CaptionerConfig& read, PixelSize input)
{
    EncoderLayers layers(config, table);
    MapSize size{3, input.height, input.width};
    const JsonObject encoder = config.requireObject("encoder");
    (void)encoder.requireList("layers");
    const auto all = layers.declare(encoder, "layers", "encoder.layers", size);
    const MapSize wanted{read.decoder.encoder.hidden, read.grid.height, read.grid.width};
    if (size != wanted)
        throw Error(ErrorKind::Format, fmt::format("{}: encoder.layers", config.where()),
                    fmt::format("the last one makes {} of {} x {} pixels, channels and grid say {}", size.text(),
                                input.height, input.width, wanted.text()),
                    "check the size in preprocessor_config.json, too");
    std::optional<Weight<Tensor>> positions;
    const std::int64_t cells = std::int64_t{read.grid.height} * read.grid.width;
    if (read.positions)
        positions = table.tensor("encoder.positions.weight", {cells, read.decoder.encoder.hidden});
    return [all, positions, largest = layers.largest()](WeightReader& reader) {
        auto made = std::make_unique<PictureEncoder>();
        made->layers = all(reader);
        made->positions = readIf(positions, reader).value_or(Tensor());
        made->largestLayer = largest;
        return std::unique_ptr<const PictureEncoder>(std::move(made));
    };
}

Weight<RecurrentModelWeights> declareCaptioner(WeightTable& table, const JsonObject& config,
                                               const CaptionerConfig& read, PixelSize input)
{
    constexpr auto targetTable = "decoder.embedding.weight";
    const RecurrentConfig& own = read.decoder;
    const int hidden = own.decoder.hidden;
    const int channels = own.encoder.hidden;
    const auto pictures = declarePictureEncoder(table, config, read, input);
    const auto target = table.embedding(targetTable, {own.targetVocabulary, own.embedding});
    const auto decoder = declareLayers(table, "decoder.rnn.", own.decoder, own.embedding + channels);
    const auto initial = table.linear("decoder.initial", hidden, channels);
    std::optional<Weight<Linear>> initialCell;
    if (own.decoder.cell == Cell::Lstm)
        initialCell = table.linear("decoder.initial_cell", hidden, channels);
    const auto query = table.matrix("attention.query.weight", {own.attentionSize, hidden});
    const auto key = table.linear("attention.key", own.attentionSize, channels);
    const auto v = table.matrix("attention.v.weight", {1, own.attentionSize});
    std::optional<Weight<Linear>> gate;
    if (read.gate)
        gate = table.linear("attention.gate", 1, hidden);
    const auto ofState = table.tensor("decoder.output_hidden.weight", {own.outputSize, hidden});
    const auto bias = table.tensor("decoder.output_hidden.bias", {own.outputSize});
    const auto ofContext = table.tensor("decoder.output_context.weight", {own.outputSize, channels});
    const auto output =
        table.matrix(own.tieOutput ? targetTable : "decoder.output.weight", {own.targetVocabulary, own.outputSize},
                     "decoder.output.bias", {own.targetVocabulary});
    return [=](WeightReader& reader) -> RecurrentModelWeights {
        Linear toQuery = query(reader);
        Linear toKey = key(reader);
        auto score = std::make_unique<AdditiveScore>(std::move(toQuery), std::move(toKey), v(reader));
        const Tensor both = joined({ofState(reader).matrix(), ofContext(reader).matrix()});
        Linear outputHidden(reader.engine(), both, bias(reader));
        return {std::nullopt,
                target(reader),
                {},
                decoder(reader),
                initial(reader),
                readIf(initialCell, reader),
                std::move(score),
                std::nullopt,
                std::nullopt,
                nullptr,
                std::move(outputHidden),
                output(reader),
                readIf(gate, reader),
                pictures(reader)};
    };
}

ModelInfo describeCaptioner(const JsonObject& json, const CaptionerConfig& read, const WeightReader& reader)
{
    const RecurrentConfig& own = read.decoder;
    ModelInfo info;
    info.family = captionerType;
    info.kind = ModelKind::EncoderDecoder;
    info.input = InputKind::Picture;
    info.patches.cells = read.grid;
    info.architecture = {.form = Architecture::Form::Recurrent,
                         .encoderLstm = own.decoder.cell == Cell::Lstm,
                         .decoderLstm = own.decoder.cell == Cell::Lstm,
                         .score = "additive"};
    info.encoderLayers = 1;
    info.decoderLayers = 1;
    info.crossHeads = 1;
    info.crossLayers = 1;
    info.modelWidth = own.annotationWidth();
    info.targetVocabulary = own.targetVocabulary;
    info.positions.scheme = PositionScheme::Recurrent;
    info.hardAttention = own.mode == AttentionMode::Hard;
    info.storedDType = reader.storedDType();
    info.parameters = reader.parameters();
    for (const char* field : {"bos_token_id", "eos_token_id"}) // no left-overs here: the format has them in use
        (void)json.optionalInt(field, 0, info.targetVocabulary - 1);
    readTokenSettings(json, info);
    return info;
}

FamilyOutput buildCaptioner(const FamilyInput& input)
{
    const CaptionerConfig config = readCaptioner(input.config);
    const std::optional<JsonObject> file = input.preprocessor ? input.preprocessor() : std::nullopt;
    const auto pixels = readPictureProcessor(file ? &*file : nullptr, std::nullopt).output();
    if (!pixels)
        throw Error(ErrorKind::Format, file->where() + ": size",
                    "leaves pictures of several sizes, and the encoder reads one",
                    "add crop_size, or height and width");
    WeightTable table;
    const auto declared = declareCaptioner(table, input.config, config, *pixels);
    WeightReader reader(input, input.checkpoint, table);
    ModelInfo info = describeCaptioner(input.config, config, reader);
    info.pictureSize = *pixels;
    RecurrentModelWeights weights = declared(reader);
    return {std::make_shared<RecurrentModel>(config.decoder, std::move(info), std::move(weights)), reader.ignored()};
}

ConfigKeys captionerKeys()
{
    return {.read = {"attention", "decoder", "embedding_size", "encoder", "target_vocab_size", "tie_output",
                     "unk_token_id"}};
}

constexpr Family captionerRows[] = {{.modelType = captionerType,
                                     .published = "of this program",
                                     .text = {TextFiles::Kind::Caption},
                                     .kind = ModelKind::EncoderDecoder,
                                     .keys = captionerKeys,
                                     .build = buildCaptioner,
                                     .attendsToItself = false}};

} // namespace

std::span<const Family> captionerFamilies()
{
    return captionerRows;
}

} // namespace attn

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/bench_shapes.h"

#include "base/error.h"
#include "base/index.h"
#include "commands/bench_run.h"
#include "io/atomic_file.h"
#include "trace/archive.h"
#include "trace/trace_builder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <system_error>

namespace attn::app {

namespace {

namespace fs = std::filesystem;

struct ShapeSizes
{
    int layers = 0;
    int width = 0;
    int heads = 0;
    int inner = 0; // of the feed-forward layers
    int vocabulary = 0;
    int positions = 0;
};

// A dimension: a number, or some times a size.
struct ShapeDimension
{
    constexpr ShapeDimension(int number = 0)
        : factor(number)
    {
    }
    constexpr ShapeDimension(int ShapeSizes::*of, int times = 1)
        : size(of)
        , factor(times)
    {
    }

    std::int64_t of(const ShapeSizes& sizes) const { return factor * (size == nullptr ? 1 : sizes.*size); }

    int ShapeSizes::*size = nullptr;
    int factor = 0;
};

enum class ShapePart : std::uint8_t {
    Matrix, // exactly this name
    Vector,
    Linear, // NAME.weight [outputs, inputs] and NAME.bias
    Bare, // NAME.weight [outputs, inputs]
    Convolution, // NAME.weight [inputs, outputs] and NAME.bias
    Norm, // NAME.weight and NAME.bias
    RmsNorm // NAME.weight
};

// "{}" in the name is a layer's number: a row is one for each layer.
struct ShapeRow
{
    const char* name;
    ShapePart part;
    ShapeDimension outputs;
    ShapeDimension inputs = {};
};

using enum ShapePart;

constexpr ShapeDimension width{&ShapeSizes::width};
constexpr ShapeDimension twice{&ShapeSizes::width, 2};
constexpr ShapeDimension threefold{&ShapeSizes::width, 3};
constexpr ShapeDimension inner{&ShapeSizes::inner};
constexpr ShapeDimension vocabulary{&ShapeSizes::vocabulary};
constexpr ShapeDimension positions{&ShapeSizes::positions};

// Tensors of a BERT without a head, which gives hidden states and attention.
constexpr ShapeRow bertTensors[] = {
    {"bert.embeddings.word_embeddings", Bare, vocabulary, width},
    {"bert.embeddings.position_embeddings", Bare, positions, width},
    {"bert.embeddings.token_type_embeddings", Bare, 2, width},
    {"bert.embeddings.LayerNorm", Norm, width},
    {"bert.encoder.layer.{}.attention.self.query", Linear, width, width},
    {"bert.encoder.layer.{}.attention.self.key", Linear, width, width},
    {"bert.encoder.layer.{}.attention.self.value", Linear, width, width},
    {"bert.encoder.layer.{}.attention.output.dense", Linear, width, width},
    {"bert.encoder.layer.{}.attention.output.LayerNorm", Norm, width},
    {"bert.encoder.layer.{}.intermediate.dense", Linear, inner, width},
    {"bert.encoder.layer.{}.output.dense", Linear, width, inner},
    {"bert.encoder.layer.{}.output.LayerNorm", Norm, width},
};

constexpr auto bertConfig = R"({{"model_type": "bert", "num_hidden_layers": {layers}, "hidden_size": {width},
"num_attention_heads": {heads}, "intermediate_size": {inner}, "vocab_size": {vocabulary},
"max_position_embeddings": {positions}, "type_vocab_size": 2, "hidden_act": "gelu"}})";

constexpr ShapeRow gpt2Tensors[] = {
    {"transformer.wte", Bare, vocabulary, width},
    {"transformer.wpe", Bare, positions, width},
    {"transformer.h.{}.ln_1", Norm, width},
    {"transformer.h.{}.attn.c_attn", Convolution, threefold, width},
    {"transformer.h.{}.attn.c_proj", Convolution, width, width},
    {"transformer.h.{}.ln_2", Norm, width},
    {"transformer.h.{}.mlp.c_fc", Convolution, inner, width},
    {"transformer.h.{}.mlp.c_proj", Convolution, width, inner},
    {"transformer.ln_f", Norm, width},
};

constexpr auto gpt2Config = R"({{"model_type": "gpt2", "n_layer": {layers}, "n_embd": {width}, "n_head": {heads},
"n_inner": {inner}, "vocab_size": {vocabulary}, "n_positions": {positions}, "activation_function": "gelu_new"}})";

// Source and target share their words and the output.
constexpr ShapeRow marianTensors[] = {
    {"model.shared", Bare, vocabulary, width},
    {"final_logits_bias", Matrix, 1, vocabulary},
    {"model.encoder.layers.{}.self_attn.q_proj", Linear, width, width},
    {"model.encoder.layers.{}.self_attn.k_proj", Linear, width, width},
    {"model.encoder.layers.{}.self_attn.v_proj", Linear, width, width},
    {"model.encoder.layers.{}.self_attn.out_proj", Linear, width, width},
    {"model.encoder.layers.{}.self_attn_layer_norm", Norm, width},
    {"model.encoder.layers.{}.fc1", Linear, inner, width},
    {"model.encoder.layers.{}.fc2", Linear, width, inner},
    {"model.encoder.layers.{}.final_layer_norm", Norm, width},
    {"model.decoder.layers.{}.self_attn.q_proj", Linear, width, width},
    {"model.decoder.layers.{}.self_attn.k_proj", Linear, width, width},
    {"model.decoder.layers.{}.self_attn.v_proj", Linear, width, width},
    {"model.decoder.layers.{}.self_attn.out_proj", Linear, width, width},
    {"model.decoder.layers.{}.self_attn_layer_norm", Norm, width},
    {"model.decoder.layers.{}.encoder_attn.q_proj", Linear, width, width},
    {"model.decoder.layers.{}.encoder_attn.k_proj", Linear, width, width},
    {"model.decoder.layers.{}.encoder_attn.v_proj", Linear, width, width},
    {"model.decoder.layers.{}.encoder_attn.out_proj", Linear, width, width},
    {"model.decoder.layers.{}.encoder_attn_layer_norm", Norm, width},
    {"model.decoder.layers.{}.fc1", Linear, inner, width},
    {"model.decoder.layers.{}.fc2", Linear, width, inner},
    {"model.decoder.layers.{}.final_layer_norm", Norm, width},
};

constexpr auto marianConfig = R"({{"model_type": "marian", "encoder_layers": {layers}, "decoder_layers": {layers},
"d_model": {width}, "encoder_attention_heads": {heads}, "decoder_attention_heads": {heads},
"encoder_ffn_dim": {inner}, "decoder_ffn_dim": {inner}, "vocab_size": {vocabulary},
"max_position_embeddings": {positions}, "activation_function": "relu", "scale_embedding": true,
"decoder_start_token_id": 0, "eos_token_id": 1}})";

constexpr ShapeRow llamaTensors[] = {
    {"model.embed_tokens", Bare, vocabulary, width},
    {"model.layers.{}.input_layernorm", RmsNorm, width},
    {"model.layers.{}.self_attn.q_proj", Bare, width, width},
    {"model.layers.{}.self_attn.k_proj", Bare, width, width},
    {"model.layers.{}.self_attn.v_proj", Bare, width, width},
    {"model.layers.{}.self_attn.o_proj", Bare, width, width},
    {"model.layers.{}.post_attention_layernorm", RmsNorm, width},
    {"model.layers.{}.mlp.gate_proj", Bare, inner, width},
    {"model.layers.{}.mlp.up_proj", Bare, inner, width},
    {"model.layers.{}.mlp.down_proj", Bare, width, inner},
    {"model.norm", RmsNorm, width},
    {"lm_head", Bare, vocabulary, width},
};

constexpr auto llamaConfig = R"({{"model_type": "llama", "num_hidden_layers": {layers}, "hidden_size": {width},
"num_attention_heads": {heads}, "intermediate_size": {inner}, "vocab_size": {vocabulary},
"max_position_embeddings": {positions}, "hidden_act": "silu", "tie_word_embeddings": false}})";

// Bahdanau, Cho and Bengio (2015), A.2.3: 620 features a word, a maxout layer of 500.
constexpr ShapeRow rnnsearchTensors[] = {
    {"encoder.embedding", Bare, vocabulary, 620},
    {"decoder.embedding", Bare, vocabulary, 620},
    {"encoder.rnn.weight_ih_l0", Matrix, threefold, 620},
    {"encoder.rnn.weight_hh_l0", Matrix, threefold, width},
    {"encoder.rnn.bias_ih_l0", Vector, threefold},
    {"encoder.rnn.bias_hh_l0", Vector, threefold},
    {"encoder.rnn.weight_ih_l0_reverse", Matrix, threefold, 620},
    {"encoder.rnn.weight_hh_l0_reverse", Matrix, threefold, width},
    {"encoder.rnn.bias_ih_l0_reverse", Vector, threefold},
    {"encoder.rnn.bias_hh_l0_reverse", Vector, threefold},
    {"decoder.rnn.weight_ih_l0", Matrix, threefold, 620 + 2000}, // a word and the context
    {"decoder.rnn.weight_hh_l0", Matrix, threefold, width},
    {"decoder.rnn.bias_ih_l0", Vector, threefold},
    {"decoder.rnn.bias_hh_l0", Vector, threefold},
    {"decoder.initial", Linear, width, width},
    {"attention.key", Linear, width, twice},
    {"attention.query", Bare, width, width},
    {"attention.v", Bare, 1, width},
    {"decoder.output_hidden", Linear, 2 * 500, 1000 + 2000 + 620}, // state, context and word
    {"decoder.output", Linear, vocabulary, 500},
};

constexpr auto rnnsearchConfig = R"({{"model_type": "rnn_encoder_decoder", "source_vocab_size": {vocabulary},
"target_vocab_size": {vocabulary}, "embedding_size": 620,
"encoder": {{"cell": "gru", "layers": {layers}, "hidden_size": {width}, "bidirectional": true}},
"decoder": {{"cell": "gru", "layers": {layers}, "hidden_size": {width}, "initial_state": "first_backward",
"style": "bahdanau", "output": "maxout", "output_size": 500}},
"attention": {{"score": "additive", "size": {width}}}, "bos_token_id": 0, "eos_token_id": 1}})";

// The shapes of an architecture share its configuration and tensors.
struct ModelShape
{
    const char* name;
    const char* config; // a format of fmt
    std::span<const ShapeRow> tensors;
    ShapeSizes sizes;
};

constexpr ModelShape modelShapes[] = {
    {"bert-tiny", bertConfig, bertTensors, {2, 128, 2, 512, 30522, 512}}, // Turc et al. (2019)
    {"bert-base", bertConfig, bertTensors, {12, 768, 12, 3072, 30522, 512}},
    {"bert-large", bertConfig, bertTensors, {24, 1024, 16, 4096, 30522, 512}},
    {"gpt2", gpt2Config, gpt2Tensors, {12, 768, 12, 3072, 50257, 1024}},
    {"gpt2-medium", gpt2Config, gpt2Tensors, {24, 1024, 16, 4096, 50257, 1024}},
    {"transformer-base", marianConfig, marianTensors, {6, 512, 8, 2048, 37000, 4096}},
    {"llama-160m", llamaConfig, llamaTensors, {12, 768, 12, 3072, 32000, 2048}},
    {"rnnsearch-1000", rnnsearchConfig, rnnsearchTensors, {.layers = 1, .width = 1000, .vocabulary = 30000}},
};

const ModelShape& shapeNamed(std::string_view name)
{
    return *std::ranges::find(modelShapes, name, &ModelShape::name);
}

std::string configOf(const ModelShape& shape)
{
    const ShapeSizes& sizes = shape.sizes;
    return fmt::format(fmt::runtime(shape.config), fmt::arg("layers", sizes.layers), fmt::arg("width", sizes.width),
                       fmt::arg("heads", sizes.heads), fmt::arg("inner", sizes.inner),
                       fmt::arg("vocabulary", sizes.vocabulary), fmt::arg("positions", sizes.positions));
}

struct ShapeTensor
{
    std::string name;
    std::vector<std::int64_t> dimensions;
    bool isScale = false; // of a normalisation: ones

    std::int64_t values() const { return dimensions.front() * (dimensions.size() > 1 ? dimensions.back() : 1); }
};

void addTensors(std::vector<ShapeTensor>& tensors, const std::string& name, const ShapeRow& row,
                const ShapeSizes& sizes)
{
    const std::int64_t outputs = row.outputs.of(sizes);
    const std::int64_t inputs = row.inputs.of(sizes);
    const bool isNorm = row.part == Norm || row.part == RmsNorm;
    if (row.part == Matrix)
        tensors.push_back({name, {outputs, inputs}});
    else if (row.part == Vector)
        tensors.push_back({name, {outputs}});
    else if (isNorm)
        tensors.push_back({name + ".weight", {outputs}, true});
    else if (row.part == Convolution)
        tensors.push_back({name + ".weight", {inputs, outputs}});
    else
        tensors.push_back({name + ".weight", {outputs, inputs}});
    if (row.part == Linear || row.part == Convolution || row.part == Norm)
        tensors.push_back({name + ".bias", {outputs}});
}

std::vector<ShapeTensor> tensorsOf(const ModelShape& shape)
{
    std::vector<ShapeTensor> tensors;
    for (const ShapeRow& row : shape.tensors) {
        const int copies = std::strstr(row.name, "{}") != nullptr ? shape.sizes.layers : 1;
        for (int layer = 0; layer < copies; ++layer)
            addTensors(tensors, fmt::format(fmt::runtime(row.name), layer), row, shape.sizes);
    }
    return tensors;
}

std::string headerOf(std::span<const ShapeTensor> tensors)
{
    auto header = nlohmann::json::object();
    std::int64_t end = 0;
    for (const ShapeTensor& tensor : tensors) {
        const std::int64_t begin = end;
        end += tensor.values() * static_cast<std::int64_t>(sizeof(float));
        header[tensor.name] = {{"dtype", "F32"}, {"shape", tensor.dimensions}, {"data_offsets", {begin, end}}};
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return text;
}

// Even between -0.035 and 0.035, a deviation of 0.02: what such models begin their training with.
class WeightSource
{
public:
    float next()
    {
        m_state = m_state * 6364136223846793005U + 1442695040888963407U; // Knuth's
        const auto bits = static_cast<std::int32_t>(m_state >> 32U);
        return static_cast<float>(bits) * (0.035F * 0x1p-31F);
    }

private:
    std::uint64_t m_state = 1;
};

void writeWeights(AtomicFile& file, std::span<const ShapeTensor> tensors, const std::stop_token& stop)
{
    const std::string header = headerOf(tensors);
    static_assert(std::endian::native == std::endian::little, "as safetensors stores numbers");
    const std::uint64_t length = header.size();
    file.write(std::as_bytes(std::span(&length, 1)));
    file.write(header);
    WeightSource source;
    std::vector<float> part(std::size_t{1} << 18U);
    for (const ShapeTensor& tensor : tensors) {
        for (std::int64_t left = tensor.values(); left > 0;) {
            throwIfStopped(stop);
            const std::int64_t count = std::min(left, std::ssize(part));
            std::generate_n(part.begin(), count, [&] { return tensor.isScale ? 1.0F : source.next(); });
            file.write(std::as_bytes(std::span(part).first(count)));
            left -= count;
        }
    }
}

} // namespace

std::vector<std::string> shapeNames()
{
    std::vector<std::string> names;
    for (const ModelShape& shape : modelShapes)
        names.emplace_back(shape.name);
    return names;
}

bool isShape(std::string_view name)
{
    return std::ranges::find(modelShapes, name, &ModelShape::name) != std::end(modelShapes);
}

std::string shapeConfig(std::string_view shape)
{
    return configOf(shapeNamed(shape));
}

ShapeCheckpoint::ShapeCheckpoint(std::string_view shape, const std::stop_token& stop)
{
    const ModelShape& chosen = shapeNamed(shape);
    AtomicFile config(m_folder.path() / benchConfig);
    config.write(configOf(chosen) + '\n');
    config.commit();
    AtomicFile weights(m_folder.path() / benchWeights);
    writeWeights(weights, tensorsOf(chosen), stop);
    weights.commit();
}

namespace {

// Heads that look at a diagonal of their own width and place, and at the first token: no two look alike, and none is
// empty.
float madeUpWeight(int head, int row, int column)
{
    const float distance = static_cast<float>(column - row - head % 5 + 2) / (1.0F + 0.7F * static_cast<float>(head));
    const float ripple = 0.002F * static_cast<float>((row * 7 + column * 13 + head * 5) % 11);
    return 1 / (1 + distance * distance) + ripple + (column == 0 ? static_cast<float>(head % 3) : 0.0F);
}

Numbers madeUpMap(const MapSizes& sizes, int layer)
{
    Numbers weights = Numbers::unset(sizes.heads, sizes.tokens, sizes.tokens);
    const MutableView view = weights.view();
    for (int head = 0; head < sizes.heads; ++head) {
        for (int row = 0; row < sizes.tokens; ++row) {
            const std::span<float> line = view.row(head, row);
            float sum = 0;
            for (int column = 0; column < sizes.tokens; ++column)
                sum += line[static_cast<std::size_t>(column)] = madeUpWeight(head + layer, row, column);
            for (float& weight : line)
                weight /= sum;
        }
    }
    return weights;
}

Encoding madeUpTokens(int count)
{
    Encoding encoding;
    for (const TokenId id : someTokens(count, 30000)) {
        encoding.ids.push_back(id);
        encoding.tokens.push_back(fmt::format("w{}", id));
        encoding.words.push_back(indexSize(encoding.words));
        encoding.special.push_back(false);
    }
    return encoding;
}

} // namespace

void writeMaps(const std::filesystem::path& path, const MapSizes& sizes)
{
    Provenance provenance;
    provenance.model = "maps";
    provenance.kind = ModelKind::EncoderOnly;
    const Encoding tokens = madeUpTokens(sizes.tokens);
    TraceBuilder builder(tokens, nullptr, provenance);
    builder.begun(tokens.ids, {});
    for (int layer = 0; layer < sizes.layers; ++layer)
        builder.stored({{Stage::Encoder, layer}, 0, madeUpMap(sizes, layer), {}});
    builder.finished({});
    writeArchive(path, builder.snapshot());
}

BenchFolder::BenchFolder()
{
    std::error_code none;
    const fs::path parent = fs::temp_directory_path(none);
    if (none)
        throw Error(ErrorKind::File, "TMPDIR", "names no folder: " + none.message(), "let it name one with room");
    std::string name = (parent / "attnscope-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw Error(ErrorKind::File, name, fmt::format("cannot be written: {}", std::strerror(errno)),
                    "let TMPDIR name a folder with room");
    m_path = name;
}

BenchFolder::~BenchFolder()
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

} // namespace attn::app

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/tiny_models.h"

#include "models/families/family.h"
#include "support/random_tensor.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace attn::test {

namespace {

void put(MemoryCheckpoint& checkpoint, const std::string& name, const Shape& shape, float deviation = 0.5F)
{
    const auto seed = static_cast<std::uint32_t>(checkpoint.tensors.size() + 1);
    checkpoint.tensors[name] = randomTensor(shape, seed, deviation);
}

void putLinear(MemoryCheckpoint& checkpoint, const std::string& name, int outputs, int inputs)
{
    put(checkpoint, name + ".weight", {outputs, inputs});
    put(checkpoint, name + ".bias", {outputs});
}

void putNorm(MemoryCheckpoint& checkpoint, const std::string& name, int width)
{
    put(checkpoint, name + ".weight", {width});
    put(checkpoint, name + ".bias", {width});
}

void putAttention(MemoryCheckpoint& checkpoint, const std::string& name, int width)
{
    for (const char* projection : {"q_proj", "k_proj", "v_proj", "out_proj"})
        putLinear(checkpoint, name + '.' + projection, width, width);
    putNorm(checkpoint, name + "_layer_norm", width);
}

void putCell(MemoryCheckpoint& checkpoint, const std::string& prefix, const std::string& suffix, int gates, int inputs,
             int hidden)
{
    put(checkpoint, prefix + "weight_ih_" + suffix, {gates * hidden, inputs});
    put(checkpoint, prefix + "weight_hh_" + suffix, {gates * hidden, hidden});
    put(checkpoint, prefix + "bias_ih_" + suffix, {gates * hidden});
    put(checkpoint, prefix + "bias_hh_" + suffix, {gates * hidden});
}

FamilyOutput buildTiny(const TinyModel& tiny, Engine& engine, const ProgressCallback& progress,
                       const std::stop_token& stop)
{
    const JsonObject config = JsonObject::parse(tiny.config, "config.json");
    return familyOf(config).build({config, tiny.checkpoint, engine, progress, stop});
}

} // namespace

std::vector<std::string> MemoryCheckpoint::tensorNames() const
{
    std::vector<std::string> names;
    for (const auto& [name, tensor] : tensors)
        names.push_back(name);
    return names;
}

std::optional<TensorView> MemoryCheckpoint::find(std::string_view tensor) const
{
    const auto found = tensors.find(tensor);
    if (found == tensors.end())
        return std::nullopt;
    return TensorView{DType::F32, found->second.shape(), std::as_bytes(found->second.values())};
}

std::shared_ptr<const SequenceModel> TinyModel::build(Engine& engine, const ProgressCallback& progress,
                                                      const std::stop_token& stop) const
{
    return buildTiny(*this, engine, progress, stop).model;
}

std::vector<std::string> TinyModel::ignoredTensors(Engine& engine) const
{
    return buildTiny(*this, engine, {}, {}).ignoredTensors;
}

void TinyModel::replace(const std::string& from, const std::string& to)
{
    const auto at = config.find(from);
    if (at == std::string::npos)
        throw std::logic_error("the configuration has no " + from);
    config.replace(at, from.size(), to);
}

TinyModel tinyCase(const std::string& name)
{
    const std::filesystem::path directory = std::filesystem::path(ATTN_TEST_DATA) / "cases" / name;
    std::ifstream file(directory / "config.json");
    TinyModel tiny;
    tiny.config.assign(std::istreambuf_iterator<char>(file), {});
    const auto checkpoint = openCheckpoint(directory);
    for (const std::string& tensor : checkpoint->tensorNames()) {
        if (checkpoint->problemOf(tensor).empty()) // not of mask buffers, nor of four-bit blocks
            tiny.checkpoint->tensors[tensor] = toFloat32(checkpoint->find(tensor).value());
    }
    return tiny;
}

TinyModel tinyTransformer(const TinySizes& sizes)
{
    TinyModel tiny;
    tiny.config =
        fmt::format(R"({{"model_type": "marian", "vocab_size": {4}, "d_model": {2},
        "encoder_layers": {0}, "decoder_layers": {0}, "encoder_attention_heads": {1}, "decoder_attention_heads": {1},
        "encoder_ffn_dim": {3}, "decoder_ffn_dim": {3}, "activation_function": "relu",
        "max_position_embeddings": {5}, "scale_embedding": true, "normalize_before": false,
        "pad_token_id": 1, "eos_token_id": 0, "decoder_start_token_id": 1, "bad_words_ids": [[1]]}})",
                    sizes.layers, sizes.heads, sizes.width, 2 * sizes.width, sizes.vocabulary, sizes.positions);
    MemoryCheckpoint& checkpoint = *tiny.checkpoint;
    put(checkpoint, "model.shared.weight", {sizes.vocabulary, sizes.width}, 0.3F);
    put(checkpoint, "final_logits_bias", {1, sizes.vocabulary});
    for (const char* side : {"encoder", "decoder"}) {
        for (int layer = 0; layer < sizes.layers; ++layer) {
            const std::string prefix = fmt::format("model.{}.layers.{}.", side, layer);
            putAttention(checkpoint, prefix + "self_attn", sizes.width);
            if (side == std::string_view("decoder"))
                putAttention(checkpoint, prefix + "encoder_attn", sizes.width);
            putLinear(checkpoint, prefix + "fc1", 2 * sizes.width, sizes.width);
            putLinear(checkpoint, prefix + "fc2", sizes.width, 2 * sizes.width);
            putNorm(checkpoint, prefix + "final_layer_norm", sizes.width);
        }
    }
    return tiny;
}

TinyModel tinyRecurrent(const std::string& cell)
{
    TinyModel tiny;
    tiny.config = fmt::format(R"({{"model_type": "rnn_encoder_decoder", "source_vocab_size": 30,
        "target_vocab_size": 30, "embedding_size": 8,
        "encoder": {{"cell": "{0}", "layers": 1, "hidden_size": 8, "bidirectional": true}},
        "decoder": {{"cell": "{0}", "layers": 1, "hidden_size": 12, "initial_state": "mean", "style": "bahdanau",
                     "input_feeding": false, "output": "tanh", "output_size": 10}},
        "attention": {{"score": "additive", "size": 9, "scope": "global", "mode": "soft"}},
        "tie_output": false, "bos_token_id": 2, "eos_token_id": 3}})",
                              cell);
    const int gates = cell == "gru" ? 3 : 4;
    MemoryCheckpoint& checkpoint = *tiny.checkpoint;
    put(checkpoint, "encoder.embedding.weight", {30, 8});
    put(checkpoint, "decoder.embedding.weight", {30, 8});
    putCell(checkpoint, "encoder.rnn.", "l0", gates, 8, 8);
    putCell(checkpoint, "encoder.rnn.", "l0_reverse", gates, 8, 8);
    putCell(checkpoint, "decoder.rnn.", "l0", gates, 24, 12);
    putLinear(checkpoint, "decoder.initial", 12, 16);
    if (cell == "lstm")
        putLinear(checkpoint, "decoder.initial_cell", 12, 16);
    putLinear(checkpoint, "attention.key", 9, 16);
    put(checkpoint, "attention.query.weight", {9, 12});
    put(checkpoint, "attention.v.weight", {1, 9});
    putLinear(checkpoint, "decoder.output_hidden", 10, 36);
    putLinear(checkpoint, "decoder.output", 30, 10);
    return tiny;
}

} // namespace attn::test

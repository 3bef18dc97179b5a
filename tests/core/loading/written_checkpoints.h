// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/checkpoint.h"
#include "support/gguf_writer.h"

#include <QByteArray>
#include <QFile>
#include <QString>
#include <QStringList>
#include <QTest>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

// Checkpoints as others write them.
namespace attn::test {

inline std::filesystem::path caseDirectory()
{
    return std::filesystem::path(ATTN_TEST_DATA) / "cases" / "marian-relu";
}

inline void writeFile(const std::filesystem::path& path, const QByteArray& text)
{
    QFile file(QString::fromStdString(path.string()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
}

// A safetensors file.
inline void writeTensors(const std::filesystem::path& path,
                         const std::vector<std::pair<std::string, TensorView>>& tensors)
{
    QByteArray header;
    QByteArray values;
    for (const auto& [name, view] : tensors) {
        QStringList shape;
        for (const std::int64_t dimension : view.shape)
            shape << QString::number(dimension);
        const QByteArray type =
            QByteArray(attn::name(view.dtype).data(), qsizetype(attn::name(view.dtype).size())).toUpper();
        header += (header.isEmpty() ? "" : ",") + QByteArray("\"") + name.c_str() + R"(":{"dtype":")" + type
            + R"(","shape":[)" + shape.join(",").toUtf8() + R"(],"data_offsets":[)" + QByteArray::number(values.size())
            + "," + QByteArray::number(values.size() + qsizetype(view.bytes.size())) + "]}";
        values += QByteArray(reinterpret_cast<const char*>(view.bytes.data()), qsizetype(view.bytes.size()));
    }
    header = "{" + header + "}";
    const auto length = static_cast<std::uint64_t>(header.size());
    writeFile(path, QByteArray(reinterpret_cast<const char*>(&length), 8) + header + values);
}

// The golden case in two shards, the second with its first tensor.
inline void writeShards(const std::filesystem::path& path)
{
    const auto whole = openCheckpoint(caseDirectory());
    const std::vector<std::string> names = whole->tensorNames();
    QByteArray map;
    for (const bool second : {false, true}) {
        const std::string shard = second ? "model-00002-of-00002.safetensors" : "model-00001-of-00002.safetensors";
        std::vector<std::pair<std::string, TensorView>> tensors;
        for (const std::string& name : names) {
            if ((name == names.front()) != second)
                continue;
            tensors.emplace_back(name, whole->find(name).value());
            map += (map.isEmpty() ? "" : ",") + QByteArray("\"") + name.c_str() + "\":\"" + shard.c_str() + "\"";
        }
        writeTensors(path / shard, tensors);
    }
    writeFile(path / "model.safetensors.index.json", "{\"weight_map\":{" + map + "}}");
}

// GPT-2 with matrices of zeros, about 50 MB.
inline void writeLargeGpt2(const std::filesystem::path& path)
{
    constexpr int width = 512;
    constexpr int layers = 4;
    std::string header;
    std::size_t end = 0;
    const auto add = [&](const std::string& name, std::initializer_list<int> shape) {
        std::string sizes;
        std::size_t bytes = sizeof(float);
        for (const int size : shape) {
            sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
            bytes *= static_cast<std::size_t>(size);
        }
        header += header.empty() ? '{' : ',';
        header += "\"" + name + "\":{\"dtype\":\"F32\",\"shape\":[" + sizes + "],\"data_offsets\":["
            + std::to_string(end) + ',' + std::to_string(end + bytes) + "]}";
        end += bytes;
    };
    const auto addPair = [&](const std::string& name, int rows, int columns) {
        add(name + ".weight", {rows, columns});
        add(name + ".bias", {columns});
    };
    const auto addNorm = [&](const std::string& name) {
        add(name + ".weight", {width});
        add(name + ".bias", {width});
    };
    add("wte.weight", {64, width});
    add("wpe.weight", {16, width});
    addNorm("ln_f");
    for (int layer = 0; layer < layers; ++layer) {
        const std::string prefix = "h." + std::to_string(layer) + '.';
        addNorm(prefix + "ln_1");
        addNorm(prefix + "ln_2");
        addPair(prefix + "attn.c_attn", width, 3 * width);
        addPair(prefix + "attn.c_proj", width, width);
        addPair(prefix + "mlp.c_fc", width, 4 * width);
        addPair(prefix + "mlp.c_proj", 4 * width, width);
    }
    header += '}';
    header.append((8 - header.size() % 8) % 8, ' ');
    const auto length = static_cast<std::uint64_t>(header.size());
    writeFile(path / "model.safetensors",
              QByteArray(reinterpret_cast<const char*>(&length), 8) + QByteArray::fromStdString(header));
    std::filesystem::resize_file(path / "model.safetensors", 8 + header.size() + end);
    writeFile(path / "config.json",
              R"({"model_type":"gpt2","n_embd":512,"n_head":8,"n_layer":4,"n_positions":16,"vocab_size":64})");
}

// One layer, width 32, 4 heads over 2, vocabulary 64, matrices in q8_0, the output tied.
inline void writeTinyLlama(const std::filesystem::path& path)
{
    GgufWriter writer;
    writer.value("general.architecture", "llama");
    for (const auto& [key, size] : {std::pair("embedding_length", 32U),
                                    {"block_count", 1U},
                                    {"context_length", 64U},
                                    {"feed_forward_length", 48U},
                                    {"attention.head_count", 4U},
                                    {"attention.head_count_kv", 2U}})
        writer.value(std::string("llama.") + key, size);
    const auto blocks = [](std::uint64_t rows) {
        Bytes bytes;
        for (std::uint64_t row = 0; row < rows; ++row)
            bytes = std::move(bytes) + littleEndian(std::uint16_t{0x2000}) + Bytes(32, std::byte{3});
        return bytes;
    };
    for (const auto& [name, rows] : {std::pair("token_embd", 64U),
                                     {"blk.0.attn_q", 32U},
                                     {"blk.0.attn_k", 16U},
                                     {"blk.0.attn_v", 16U},
                                     {"blk.0.attn_output", 32U},
                                     {"blk.0.ffn_gate", 48U},
                                     {"blk.0.ffn_up", 48U}})
        writer.tensor(std::string(name) + ".weight", {rows, 32}, GgufWriter::tensorQ8, blocks(rows));
    writer.tensor("blk.0.ffn_down.weight", {32, 48}, GgufWriter::tensorF32, Bytes(32 * 48 * 4));
    for (const char* name : {"blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"})
        writer.tensor(std::string(name) + ".weight", {32}, GgufWriter::tensorF32, Bytes(32 * 4));
    const Bytes bytes = writer.finish();
    writeFile(path, QByteArray(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size())));
}

} // namespace attn::test

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/half.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/gguf_model.h"
#include "io/npz.h"
#include "models/families/family.h"
#include "stored_files.h"
#include "support/broken_files.h"
#include "support/gguf_writer.h"
#include "support/random_tensor.h"
#include "support/test_program.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>

using namespace attn;
using namespace attn::test;

namespace fs = std::filesystem;

namespace {

// Of a value that a half can be.
std::uint16_t halfOf(float value)
{
    std::uint16_t half = 0;
    while (halfToFloat(half) != value)
        ++half;
    return half;
}

using W = GgufWriter;

constexpr int width = 32;
constexpr int heads = 4;
constexpr int keyHeads = 2;
constexpr int features = 8;

Bytes floats(const std::vector<float>& values)
{
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

// Value (row, column) of every matrix here: 100 row + column.
float valueAt(int row, int column)
{
    return static_cast<float>(100 * row + column);
}

std::vector<float> matrix(int rows, int columns)
{
    std::vector<float> values;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            values.push_back(valueAt(row, column));
    return values;
}

// The same rows in llama.cpp's order: feature i of the first half, then feature i of the second.
std::vector<float> interleaved(int headCount, int columns)
{
    std::vector<float> values;
    for (int head = 0; head < headCount; ++head)
        for (int pair = 0; pair < features / 2; ++pair)
            for (const int half : {0, 1})
                for (int column = 0; column < columns; ++column)
                    values.push_back(valueAt(head * features + half * features / 2 + pair, column));
    return values;
}

W metadata(const std::string& architecture)
{
    W writer;
    writer.value("general.architecture", architecture)
        .value(architecture + ".embedding_length", std::uint32_t{width})
        .value(architecture + ".block_count", std::uint32_t{1})
        .value(architecture + ".context_length", std::uint32_t{64})
        .value(architecture + ".feed_forward_length", std::uint32_t{48})
        .value(architecture + ".attention.head_count", std::uint32_t{heads});
    return writer;
}

W llama(const std::string& architecture)
{
    W writer = metadata(architecture);
    writer.value(architecture + ".attention.head_count_kv", std::uint32_t{keyHeads})
        .value(architecture + ".attention.layer_norm_rms_epsilon", 1e-6F)
        .value("tokenizer.ggml.bos_token_id", 1U)
        .value("tokenizer.ggml.eos_token_id", 2U)
        .value("tokenizer.ggml.eot_token_id", 4U)
        .tensor("token_embd.weight", {5, width}, W::tensorF32, floats(matrix(5, width)))
        .tensor("output_norm.weight", {width}, W::tensorF32, floats(matrix(1, width)));
    return writer;
}

struct OnePart
{
    JsonObject config;
    StoredTensors tensors;
    std::function<std::string(std::string_view)> storedName;
};

OnePart read(const Bytes& bytes)
{
    const GgufPart part{bytes, "model.gguf"};
    GgufModel model = readGgufModel({&part, 1}, ggufLayouts());
    return {std::move(model.config), std::move(model.tensors.front()), std::move(model.storedName)};
}

} // namespace

namespace {

// A model in two files, the second of which says so of its place.
void writeParts(const fs::path& directory, std::uint32_t secondNumber)
{
    W first = llama("llama");
    first.value("split.count", 2U).value("split.no", 0U).value("split.tensors.count", 3U);
    write(directory / "m-00001-of-00002.gguf", first.finish());
    W second;
    second.value("split.count", 2U).value("split.no", secondNumber);
    second.tensor("blk.0.attn_q.weight", {width, width}, W::tensorF32, floats(interleaved(heads, width)));
    write(directory / "m-00002-of-00002.gguf", second.finish());
}

} // namespace

class TestGgufModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void llamaRowsTurnBackToHalves()
    {
        W writer = llama("llama");
        writer.tensor("blk.0.attn_q.weight", {width, width}, W::tensorF32, floats(interleaved(heads, width)))
            .tensor("blk.0.attn_k.weight", {16, width}, W::tensorF32, floats(interleaved(keyHeads, width)))
            .tensor("blk.0.attn_q.bias", {width}, W::tensorF32, floats(interleaved(heads, 1)))
            .tensor("blk.0.attn_v.weight", {16, width}, W::tensorF32, floats(matrix(16, width)))
            .tensor("blk.0.ffn_gate.weight", {48, width}, W::tensorF32, floats(matrix(48, width)))
            .tensor("something.else", {1}, W::tensorF32, floats({3}));
        const Bytes bytes = writer.finish();
        const OnePart model = read(bytes);
        const std::string attention = "model.layers.0.self_attn.";
        QCOMPARE(valuesOf(model.tensors, attention + "q_proj.weight"), matrix(width, width));
        QCOMPARE(valuesOf(model.tensors, attention + "k_proj.weight"), matrix(16, width));
        QCOMPARE(valuesOf(model.tensors, attention + "q_proj.bias"), matrix(width, 1));
        QCOMPARE(valuesOf(model.tensors, attention + "v_proj.weight"), matrix(16, width));
        QCOMPARE(valuesOf(model.tensors, "model.layers.0.mlp.gate_proj.weight"), matrix(48, width));
        QCOMPARE(valuesOf(model.tensors, "model.embed_tokens.weight"), matrix(5, width));
        QVERIFY(model.tensors.contains("model.norm.weight") && model.tensors.contains("something.else"));

        const JsonObject& config = model.config;
        QCOMPARE(config.requireString("model_type"), std::string("llama"));
        QCOMPARE(config.requireInt("hidden_size", 1, 99), width);
        QCOMPARE(config.requireInt("num_hidden_layers", 1, 99), 1);
        QCOMPARE(config.requireInt("num_attention_heads", 1, 99), heads);
        QCOMPARE(config.requireInt("num_key_value_heads", 1, 99), keyHeads);
        QCOMPARE(config.requireInt("head_dim", 1, 99), features);
        QCOMPARE(config.requireInt("intermediate_size", 1, 99), 48);
        QCOMPARE(config.requireInt("max_position_embeddings", 1, 99), 64);
        QCOMPARE(config.requireInt("vocab_size", 1, 99), 5);
        QCOMPARE(config.requireInt("bos_token_id", 1, 99), 1);
        QCOMPARE(static_cast<float>(config.numberOr("rms_norm_eps", 0)), 1e-6F);
        QVERIFY(config.boolOr("tie_word_embeddings", false) && config.boolOr("attention_bias", false));
        QVERIFY(!config.has("rope_scaling"));
    }

    void qwen2RowsStay()
    {
        W writer = llama("qwen2");
        writer.tensor("blk.0.attn_q.weight", {width, width}, W::tensorF32, floats(matrix(width, width)))
            .tensor("output.weight", {5, width}, W::tensorF32, floats(matrix(5, width)));
        const Bytes bytes = writer.finish();
        const OnePart model = read(bytes);
        QCOMPARE(valuesOf(model.tensors, "model.layers.0.self_attn.q_proj.weight"), matrix(width, width));
        QVERIFY(model.tensors.contains("lm_head.weight"));
        QCOMPARE(model.config.requireString("model_type"), std::string("qwen2"));
        QVERIFY(!model.config.boolOr("tie_word_embeddings", true));
    }

    void gpt2MatricesStayAsTheyAre()
    {
        W writer = metadata("gpt2");
        writer.value("gpt2.attention.layer_norm_epsilon", 1e-5F)
            .tensor("token_embd.weight", {5, width}, W::tensorF32, floats(matrix(5, width)))
            .tensor("position_embd.weight", {7, width}, W::tensorF32, floats(matrix(7, width)))
            .tensor("blk.0.attn_qkv.weight", {3 * width, width}, W::tensorF32, floats(matrix(3 * width, width)))
            .tensor("blk.0.attn_qkv.bias", {3 * width}, W::tensorF32, floats(matrix(3 * width, 1)))
            .tensor("output_norm.bias", {width}, W::tensorF32, floats(matrix(1, width)));
        const Bytes bytes = writer.finish();
        const OnePart model = read(bytes);
        const StoredTensor& weight = model.tensors.at("transformer.h.0.attn.c_attn.weight");
        QCOMPARE(weight.view.shape, (Shape{3 * width, width})); // not Hugging Face's [inputs, outputs]
        QVERIFY(weight.axes.empty());
        QCOMPARE(valuesOf(model.tensors, "transformer.h.0.attn.c_attn.weight"), matrix(3 * width, width));
        QCOMPARE(valuesOf(model.tensors, "transformer.h.0.attn.c_attn.bias"), matrix(3 * width, 1));
        QCOMPARE(valuesOf(model.tensors, "transformer.wpe.weight"), matrix(7, width));
        QVERIFY(model.tensors.contains("transformer.wte.weight") && model.tensors.contains("transformer.ln_f.bias"));
        QCOMPARE(model.config.requireInt("n_positions", 1, 99), 7);
        QCOMPARE(model.config.requireInt("n_embd", 1, 99), width);
        QCOMPARE(model.config.requireInt("n_inner", 1, 99), 48);
        QVERIFY(model.config.boolOr("tie_word_embeddings", false));
    }

    void bertNames()
    {
        W writer = metadata("bert");
        writer.value("bert.attention.layer_norm_epsilon", 1e-12F);
        for (const char* name : {"token_embd.weight", "position_embd.weight", "token_types.weight"})
            writer.tensor(name, {2, width}, W::tensorF32, floats(matrix(2, width)));
        for (const char* name : {"token_embd_norm.weight", "blk.0.attn_q.bias", "blk.0.attn_output.bias",
                                 "blk.0.attn_output_norm.weight", "blk.0.ffn_up.bias", "blk.0.layer_output_norm.bias"})
            writer.tensor(name, {width}, W::tensorF32, floats(matrix(1, width)));
        const Bytes bytes = writer.finish();
        const OnePart model = read(bytes);
        std::vector<std::string> names;
        for (const auto& [name, tensor] : model.tensors)
            names.push_back(name);
        QCOMPARE(names,
                 (std::vector<std::string>{
                     "embeddings.LayerNorm.weight", "embeddings.position_embeddings.weight",
                     "embeddings.token_type_embeddings.weight", "embeddings.word_embeddings.weight",
                     "encoder.layer.0.attention.output.LayerNorm.weight", "encoder.layer.0.attention.output.dense.bias",
                     "encoder.layer.0.attention.self.query.bias", "encoder.layer.0.intermediate.dense.bias",
                     "encoder.layer.0.output.LayerNorm.bias"}));
        QCOMPARE(valuesOf(model.tensors, "encoder.layer.0.attention.self.query.bias"), matrix(1, width));
        QCOMPARE(model.config.requireInt("type_vocab_size", 1, 99), 2);
        QCOMPARE(model.config.requireString("hidden_act"), std::string("gelu"));
    }

    void storedTypes()
    {
        const auto model = [](std::uint32_t type, const Bytes& row, std::vector<float>& values) {
            W writer = llama("llama");
            Bytes data;
            for (int i = 0; i < width; ++i)
                data = std::move(data) + row;
            writer.tensor("blk.0.attn_q.weight", {width, width}, type, data);
            const Bytes bytes = writer.finish();
            values = valuesOf(read(bytes).tensors, "model.layers.0.self_attn.q_proj.weight");
        };
        Bytes half;
        Bytes brain;
        Bytes block = littleEndian(halfOf(0.5F));
        for (int i = 0; i < width; ++i) {
            half = std::move(half) + littleEndian(halfOf(static_cast<float>(i) / 2));
            brain = std::move(brain) + littleEndian(floatToBfloat16(static_cast<float>(i) / 2));
            block.push_back(static_cast<std::byte>(i));
        }
        for (const auto& [type, row] : {std::pair(W::tensorF16, half), {W::tensorBf16, brain}, {W::tensorQ8, block}}) {
            std::vector<float> values;
            model(type, row, values);
            for (std::size_t i = 0; i < values.size(); ++i)
                QCOMPARE(values[i], static_cast<float>(i % width) / 2);
        }
    }

    // tests/data/gguf-blocks.npz: blocks and their values by ggml's own code.
    void blocksAreTheReferenceBitForBit()
    {
        const NpzReader archive(fs::path(ATTN_TEST_DATA) / "gguf-blocks.npz");
        int types = 0;
        for (int number = 0; number < static_cast<int>(DType::Other); ++number) {
            const auto type = static_cast<DType>(number);
            if (valuesPerBlock(type) == 1)
                continue;
            std::string key(name(type));
            std::ranges::transform(key, key.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
            const auto bytes = archive.find(key + "_bytes");
            const auto expected = archive.find(key + "_values");
            QVERIFY2(bytes && expected, key.c_str());
            std::vector<float> found(expected->size());
            toFloat32(type, bytes->bytes(), found);
            QVERIFY2(std::ranges::equal(std::as_bytes(std::span(found)), expected->bytes()), key.c_str());
            ++types;
        }
        QCOMPARE(types, 13);
    }

    void partsAreOneModel()
    {
        const QTemporaryDir directory;
        const fs::path path = directory.path().toStdString();
        writeParts(path, 1);
        for (const fs::path& given : {path, path / "m-00001-of-00002.gguf", path / "m-00002-of-00002.gguf"}) {
            const auto checkpoint = openCheckpoint(given, ggufLayouts());
            QCOMPARE(checkpoint->files().size(), std::size_t{2});
            QCOMPARE(checkpoint->load("model.layers.0.self_attn.q_proj.weight", {width, width}).values()[width],
                     valueAt(1, 0));
        }
    }

    void partsThatDoNotFitAreRefused()
    {
        const QTemporaryDir directory;
        const fs::path path = directory.path().toStdString();
        const auto problem = [&] { return errorOf([&] { (void)openCheckpoint(path, ggufLayouts()); }); };
        writeParts(path, 7);
        QVERIFY2(problem().find("m-00002-of-00002.gguf: split.no") != std::string::npos, problem().c_str());
        fs::remove(path / "m-00002-of-00002.gguf");
        QVERIFY2(problem().find("m-00002-of-00002.gguf: is missing") != std::string::npos, problem().c_str());
    }

    void rotaryScaling()
    {
        const auto scaling = [](const std::function<void(W&)>& add) {
            W writer = llama("llama");
            add(writer);
            const Bytes bytes = writer.finish();
            return read(bytes).config.requireObject("rope_scaling");
        };
        const JsonObject linear = scaling(
            [](W& w) { w.value("llama.rope.scaling.type", "linear").value("llama.rope.scaling.factor", 4.0F); });
        QCOMPARE(linear.requireString("rope_type"), std::string("linear"));
        QCOMPARE(linear.numberOr("factor", 0), 4.0);
        const JsonObject yarn = scaling([](W& w) {
            w.value("llama.rope.scaling.type", "yarn")
                .value("llama.rope.scaling.factor", 4.0F)
                .value("llama.rope.scaling.original_context_length", 32U);
        });
        QCOMPARE(yarn.requireInt("original_max_position_embeddings", 1, 99), 32);

        // Divisors are data, whatever they are.
        const std::vector<float> divisors = {1, 3, 2.5F, 40};
        const JsonObject factors =
            scaling([&](W& w) { w.tensor("rope_freqs.weight", {features / 2}, W::tensorF32, floats(divisors)); });
        QCOMPARE(factors.requireString("rope_type"), std::string("longrope"));
        QCOMPARE(factors.requireList("short_factor", "numbers").get<std::vector<float>>(), divisors);
        QCOMPARE(factors.requireList("long_factor", "numbers").get<std::vector<float>>(), divisors);
        QCOMPARE(factors.numberOr("attention_factor", 0), 1.0);
    }

    // Phi-4 says so that it has no windows, and others that they have no experts.
    void zeroIsNone()
    {
        W writer = llama("llama");
        writer.value("llama.attention.sliding_window", 0U).value("llama.expert_count", 0U);
        const Bytes bytes = writer.finish();
        const JsonObject config = read(bytes).config;
        QVERIFY(!config.has("sliding_window"));
        QVERIFY(!config.has("num_local_experts"));
    }

    void tensorsAreNamedAsTheFileNamesThem()
    {
        W writer = llama("qwen3moe");
        const Bytes bytes = writer.finish();
        const auto storedName = read(bytes).storedName;
        QCOMPARE(storedName("model.layers.3.self_attn.q_proj.weight"), std::string("blk.3.attn_q.weight"));
        QCOMPARE(storedName("model.layers.0.mlp.experts.down_proj.weight"), std::string("blk.0.ffn_down_exps.weight"));
        QCOMPARE(storedName("model.embed_tokens.weight"), std::string("token_embd.weight"));
        QCOMPARE(storedName("model.layers.0.unheard.of"), std::string("model.layers.0.unheard.of"));
    }

    void opensAsACheckpoint()
    {
        const QTemporaryDir directory;
        const fs::path path = fs::path(directory.path().toStdString()) / "tiny.gguf";
        W writer = llama("llama");
        writer.tensor("blk.0.attn_q.weight", {width, width}, W::tensorF32, floats(interleaved(heads, width)));
        const Bytes bytes = writer.finish();
        write(path, bytes);
        for (const fs::path& given : {path, path.parent_path()}) {
            const auto checkpoint = openCheckpoint(given, ggufLayouts());
            QCOMPARE(checkpoint->name(), path.string());
            const std::string message = errorOf([&] { (void)checkpoint->load("none", {1}); });
            QVERIFY2(message.starts_with(path.string() + ": none: "), message.c_str());
            QCOMPARE(checkpoint->config()->requireString("model_type"), std::string("llama"));
            const std::string name = "model.layers.0.self_attn.q_proj.weight";
            QVERIFY(checkpoint->find(name)->bytes.empty()); // not in this order in the file
            QCOMPARE(checkpoint->load(name, {width, width}).values()[width], valueAt(1, 0));
            QCOMPARE(checkpoint->files().front().tensors, std::size_t{3});
        }
    }

    void whatIsNotReadIsRefused_data()
    {
        QTest::addColumn<BrokenFile>("file");
        const auto row = [](const char* name, const std::function<void(W&)>& change, const char* expected) {
            W writer = llama("llama");
            change(writer);
            QTest::newRow(name) << BrokenFile{name, writer.finish(), expected};
        };
        const auto plain = [](const char* name, const W& writer, const char* expected) {
            QTest::newRow(name) << BrokenFile{name, writer.finish(), expected};
        };
        plain("nothing", W(), "names no architecture");
        plain("other architecture", metadata("rwkv6"), "architecture rwkv6, which is not read");
        plain("architecture with other layers", metadata("jamba"), "jamba, which is not read: it has Mamba layers");
        plain("no sizes", W().value("general.architecture", "llama"), "llama.attention.head_count: is missing");
        plain("no embedding", metadata("llama"), "holds no matrix token_embd.weight");
        row(
            "quantised",
            [](W& w) {
                w.tensor("blk.0.attn_v.weight", {32, 32}, 9, Bytes(1152));
            },
            "blk.0.attn_v.weight: is quantised as Q8_1, which is not read");
        row(
            "unknown type", [](W& w) { w.tensor("t", {1}, 999, Bytes(4)); }, "t: is quantised as type 999");
        row(
            "part of a row",
            [](W& w) {
                w.tensor("t", {2, 40}, W::tensorQ8, Bytes(85));
            },
            "not a multiple of 32");
        row(
            "too short",
            [](W& w) {
                w.tensor("t", {1000, 1000}, 0, Bytes(32));
            },
            "t: needs 1000000 blocks of 4 bytes");
        row(
            "overlap", [](W& w) { w.entry("t", {16}, 0, 0); }, "overlaps t");
        row(
            "odd rows",
            [](W& w) {
                w.tensor("blk.0.attn_q.weight", {12, 1}, 0, Bytes(48));
            },
            "has 12 rows, which the 4 heads");
        row(
            "name twice",
            [](W& w) { w.tensor("lm_head.weight", {1}, 0, Bytes(4)).tensor("output.weight", {1}, 0, Bytes(4)); },
            "output.weight: means lm_head.weight");
        row(
            "experts", [](W& w) { w.value("llama.expert_count", 8U); }, "llama.expert_used_count: is missing");
        plain("heads by layer",
              W().value("general.architecture", "llama")
                  .value("llama.embedding_length", 32U)
                  .list("llama.attention.head_count", W::u32, 2, littleEndian(4U) + littleEndian(8U)),
              "llama.attention.head_count: differs between layers");
        plain("heads of other layers",
              W().value("general.architecture", "llama")
                  .value("llama.block_count", 3U)
                  .list("llama.attention.head_count", W::u32, 2, littleEndian(4U) + littleEndian(4U)),
              "llama.attention.head_count: has 2 numbers for 3 layers");
        plain("list of sizes",
              W().value("general.architecture", "llama")
                  .value("llama.attention.head_count", 4U)
                  .list("llama.embedding_length", W::u32, 1, littleEndian(32U)),
              "llama.embedding_length: expected an integer");
        row(
            "split", [](W& w) { w.value("split.count", 3U); }, "split.count: is 3, but 1 files have its name");
        row(
            "other values", [](W& w) { w.value("llama.attention.value_length", 4U); }, "keys and values of different");
        row(
            "strange scaling",
            [](W& w) { w.value("llama.rope.scaling.type", "longrope").value("llama.rope.scaling.factor", 2.0F); },
            "the rotary scaling longrope is not read");
        row(
            "strange factors", [](W& w) { w.tensor("rope_freqs.weight", {3}, 0, Bytes(12)); }, "not a list of 4 f32");
    }

    void whatIsNotReadIsRefused()
    {
        QFETCH(BrokenFile, file);
        const std::string message = errorOf([&] { read(file.bytes); });
        QVERIFY2(message.starts_with("model.gguf: "), message.c_str());
        QVERIFY2(message.find(file.expected) != std::string::npos, message.c_str());
    }

    void damageIsAValueOrAnError()
    {
        W writer = metadata("llama");
        writer.tensor("token_embd.weight", {1, 32}, W::tensorQ8, Bytes(34))
            .tensor("blk.0.attn_q.bias", {8}, W::tensorF32, Bytes(32));
        const std::string problem = surviveDamage(writer.finish(), 1, [](const Bytes& bytes) {
            for (const auto& [name, tensor] : read(bytes).tensors)
                errorOf([&] { toFloat32(tensor); });
        });
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void storiesEqualTheirSafetensors()
    {
        const fs::path directory = fs::path(ATTN_SOURCE_DIR) / ".." / "shared" / "checkpoints" / "stories260K";
        if (!fs::exists(directory))
            QSKIP("stories260K is not beside the repository");
        const auto expected = openCheckpoint(directory);
        const auto found = openCheckpoint(directory / "stories260K.f32.gguf", ggufLayouts());
        for (const std::string& name : expected->tensorNames()) {
            const Shape shape = expected->find(name)->shape;
            const Tensor a = expected->load(name, shape);
            const Tensor b = found->load(name, shape);
            QVERIFY2(std::ranges::equal(a.values(), b.values()), name.c_str());
        }
        const JsonObject config(directory / "config.json");
        for (const char* field : {"hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
                                  "head_dim", "intermediate_size", "max_position_embeddings", "vocab_size"})
            QCOMPARE(found->config()->requireInt(field, 1, 9999), config.requireInt(field, 1, 9999));
    }
};

ATTN_TEST(TestGgufModel)
#include "tst_gguf_model.moc"

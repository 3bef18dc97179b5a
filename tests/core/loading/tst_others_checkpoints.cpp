// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "support/test_program.h"
#include "written_checkpoints.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace attn;
using test::writeFile;

namespace fs = std::filesystem;

// Checkpoints as training programs and other libraries leave them: tensors that a wrapper has named, that belong to
// more layers than are asked for, or that are no weights of a model that is read.
class TestOthersCheckpoints : public QObject
{
    Q_OBJECT

private:
    static fs::path pathOf(const QTemporaryDir& directory) { return directory.path().toStdString(); }
    static fs::path caseFolder(const std::string& name) { return fs::path(ATTN_TEST_DATA) / "cases" / name; }

    // The weights of a case under other names, beside its configuration.
    static void writeCase(const fs::path& directory, const std::string& name,
                          const std::function<std::string(const std::string&)>& renamed,
                          const std::vector<std::string>& more = {})
    {
        const auto checkpoint = openCheckpoint(caseFolder(name));
        const std::vector<float> one{0};
        std::vector<std::pair<std::string, TensorView>> tensors;
        for (const std::string& tensor : checkpoint->tensorNames())
            tensors.emplace_back(renamed(tensor), checkpoint->find(tensor).value());
        for (const std::string& tensor : more)
            tensors.emplace_back(tensor, TensorView{DType::F32, {1}, std::as_bytes(std::span(one))});
        test::writeTensors(directory / "model.safetensors", tensors);
        fs::copy_file(caseFolder(name) / "config.json", directory / "config.json",
                      fs::copy_options::overwrite_existing);
    }

    static std::string problemOf(const fs::path& path)
    {
        Engine engine(1);
        try {
            (void)loadModel(path.string(), engine);
        } catch (const Error& error) {
            return error.whole();
        }
        return {};
    }

private Q_SLOTS:
    void theNamesOfAWrapperAreTakenOff_data()
    {
        test::addColumns<std::string, std::string>("name", "prefix");
        for (const char* name : {"bert-mlm", "bert-noprefix", "gpt2-plain", "llama-gqa", "marian-relu", "bart-plain",
                                 "t5-relu", "rnn-bahdanau-gru", "text-pooling-lstm"})
            for (const char* prefix :
                 {"_orig_mod.", "module.", "network.", "model._orig_mod.", "module.module.", "a.b.c.d."})
                QTest::addRow("%s %s", name, prefix) << std::string(name) << std::string(prefix);
        for (const char* name : {"bert-mlm", "gpt2-plain", "llama-gqa", "bart-plain", "t5-relu", "rnn-bahdanau-gru"})
            QTest::addRow("%s model.", name) << std::string(name) << std::string("model.");
    }
    void theNamesOfAWrapperAreTakenOff()
    {
        QFETCH(std::string, name);
        QFETCH(std::string, prefix);
        const QTemporaryDir directory;
        writeCase(pathOf(directory), name, [&](const std::string& tensor) { return prefix + tensor; },
                  {"loss.weight", prefix + "stray"});
        Engine engine(1);
        const LoadedModel plain = loadModel(caseFolder(name).string(), engine);
        const LoadedModel loaded = loadModel(directory.path().toStdString(), engine);
        QCOMPARE(loaded.namePrefix, prefix);
        QCOMPARE(loaded.model->info().parameters, plain.model->info().parameters);
        QVERIFY(std::ranges::find(loaded.ignoredTensors, "loss.weight") != loaded.ignoredTensors.end());
        QVERIFY(std::ranges::find(loaded.ignoredTensors, prefix + "stray") != loaded.ignoredTensors.end());
        QCOMPARE(loaded.ignoredTensors.size(), plain.ignoredTensors.size() + 2);
    }

    void theModelsOwnPrefixIsNone()
    {
        Engine engine(1);
        for (const fs::directory_entry& directory : fs::directory_iterator(caseFolder("")))
            QCOMPARE(loadModel(directory.path().string(), engine).namePrefix, std::string());
    }

    void ofTwoNetworksNoneIsChosen()
    {
        const QTemporaryDir directory;
        std::vector<std::string> others;
        for (const std::string& tensor : openCheckpoint(caseFolder("bert-mlm"))->tensorNames())
            others.push_back("teacher." + tensor);
        writeCase(
            pathOf(directory), "bert-mlm", [](const std::string& tensor) { return "student." + tensor; }, others);
        QVERIFY(problemOf(pathOf(directory)).find("student.bert.") != std::string::npos);
    }

    void layersBeyondThoseAskedForAreIgnored_data()
    {
        test::addColumns<std::string, QByteArray, std::string>("name", "field", "ignored");
        const auto add = [](const char* name, const char* field, const char* ignored) {
            QTest::newRow(name) << std::string(name) << QByteArray(field) << std::string(ignored);
        };
        add("bert-mlm", "num_hidden_layers", "bert.encoder.layer.1.output.dense.bias");
        add("distilbert-mlm", "n_layers", "distilbert.transformer.layer.1.ffn.lin1.weight");
        add("gpt2-plain", "n_layer", "transformer.h.1.attn.c_attn.weight");
        add("llama-gqa", "num_hidden_layers", "model.layers.1.self_attn.q_proj.weight");
        add("bart-plain", "decoder_layers", "model.decoder.layers.1.fc1.bias");
        add("t5-relu", "num_decoder_layers", "decoder.block.1.layer.0.SelfAttention.q.weight");
    }
    void layersBeyondThoseAskedForAreIgnored()
    {
        QFETCH(std::string, name);
        QFETCH(QByteArray, field);
        QFETCH(std::string, ignored);
        const QTemporaryDir directory;
        writeCase(pathOf(directory), name, [](const std::string& tensor) { return tensor; });
        Json config = readJson(caseFolder(name) / "config.json");
        config[field.toStdString()] = 1;
        writeFile(pathOf(directory) / "config.json", QByteArray::fromStdString(config.dump()));
        Engine engine(1);
        const LoadedModel loaded = loadModel(directory.path().toStdString(), engine);
        const ModelInfo& info = loaded.model->info();
        QVERIFY(info.encoderLayers == 1 || info.decoderLayers == 1);
        QVERIFY(std::ranges::find(loaded.ignoredTensors, ignored) != loaded.ignoredTensors.end());
    }

    void whatAFolderHoldsInsteadIsSaid_data()
    {
        test::addColumns<QByteArray, QByteArray, std::string>("file", "content", "words");
        const auto add = [](const char* file, const char* content, const char* words) {
            QTest::newRow(file) << QByteArray(file) << QByteArray(content) << std::string(words);
        };
        add("adapter_config.json", R"({"peft_type": "LORA", "base_model_name_or_path": "someone/base-7b"})",
            "LoRA adapter of someone/base-7b");
        add("tf_model.h5", "\x89HDF", "TensorFlow");
        add("model.ckpt.index", "x", "TensorFlow");
        add("flax_model.msgpack", "x", "Flax");
        add("model.onnx", "x", "ONNX");
        add("consolidated.00.pth", "x", "Meta");
        add("epoch=3.ckpt", "x", "epoch=3.ckpt");
    }
    void whatAFolderHoldsInsteadIsSaid()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, content);
        QFETCH(std::string, words);
        const QTemporaryDir directory;
        writeFile(pathOf(directory) / file.toStdString(), content);
        writeFile(pathOf(directory) / "config.json", R"({"model_type": "bert"})");
        const std::string problem = problemOf(pathOf(directory));
        QVERIFY2(problem.find(words) != std::string::npos, problem.c_str());
    }

    void anAdapterItselfIsNamed()
    {
        const QTemporaryDir directory;
        writeFile(pathOf(directory) / "adapter_config.json", R"({"base_model_name_or_path": "someone/base-7b"})");
        writeFile(pathOf(directory) / "adapter_model.safetensors", "x");
        const std::string problem = problemOf(pathOf(directory) / "adapter_model.safetensors");
        QVERIFY2(problem.find("LoRA adapter of someone/base-7b") != std::string::npos, problem.c_str());
    }

    void quantizedWeightsAreNamed_data()
    {
        QTest::addColumn<std::string>("ending"); // of a tensor's name
        QTest::addColumn<std::string>("method"); // that config.json names; empty: none
        QTest::addColumn<std::string>("word");
        const auto add = [](const std::string& ending, const std::string& method, const std::string& word) {
            QTest::newRow((ending + ' ' + method).c_str()) << ending << method << word;
        };
        add(".qweight", "", "GPTQ");
        add(".qweight", "awq", "awq");
        add(".SCB", "", "bitsandbytes");
        add(".absmax", "", "bitsandbytes");
        add(".weight_packed", "", "compressed-tensors");
        add(".W_q", "", "HQQ");
        add("_blocks", "", "mxfp4");
        add(".data", "torchao", "torchao");
        add("._weight_qdata", "", "torchao");
        add(".weight_scale_inv", "", "FP8");
    }
    void quantizedWeightsAreNamed()
    {
        QFETCH(std::string, ending);
        QFETCH(std::string, method);
        QFETCH(std::string, word);
        const QTemporaryDir directory;
        writeCase(pathOf(directory), "llama-gqa", [&](const std::string& tensor) {
            constexpr std::string_view matrix = "q_proj.weight";
            return tensor.ends_with(matrix) ? tensor.substr(0, tensor.size() - 7) + ending : tensor;
        });
        if (!method.empty()) {
            Json config = readJson(pathOf(directory) / "config.json");
            config["quantization_config"]["quant_method"] = method;
            writeFile(pathOf(directory) / "config.json", QByteArray::fromStdString(config.dump()));
        }
        const std::string problem = problemOf(pathOf(directory));
        QVERIFY2(problem.find(word) != std::string::npos && problem.find("GGUF") != std::string::npos, problem.c_str());
    }

    // Numbers of eight bits in the shape of the matrix, with what they are multiplied with, and packed ones of four.
    void wholeNumbersAreNamed_data()
    {
        test::addColumns<int, std::string, std::string>("fraction", "beside", "expected");
        QTest::newRow("eight bits") << 1 << std::string("SCB") << std::string("bitsandbytes (8 bits) has quantized");
        QTest::newRow("four bits") << 2 << std::string("other")
                                   << std::string("torchao or another program has quantized "
                                                  "(model.layers.0.self_attn.q_proj.weight, i8)");
    }
    void wholeNumbersAreNamed()
    {
        QFETCH(int, fraction);
        QFETCH(std::string, beside);
        QFETCH(std::string, expected);
        const QTemporaryDir directory;
        const std::string matrix = "model.layers.0.self_attn.q_proj.weight";
        writeCase(pathOf(directory), "llama-gqa", [&](const std::string& tensor) {
            return tensor == matrix ? "model.layers.0.self_attn.q_proj." + beside : tensor;
        });
        const auto checkpoint = openCheckpoint(pathOf(directory));
        std::vector<std::pair<std::string, TensorView>> tensors;
        for (const std::string& tensor : checkpoint->tensorNames())
            tensors.emplace_back(tensor, checkpoint->find(tensor).value());
        const Shape shape = openCheckpoint(caseFolder("llama-gqa"))->find(matrix).value().shape;
        const std::vector<std::byte> values(static_cast<std::size_t>(shape[0] * shape[1] / fraction));
        tensors.emplace_back(matrix, TensorView{DType::I8, {shape[0], shape[1] / fraction}, values});
        const QTemporaryDir other;
        fs::copy_file(pathOf(directory) / "config.json", pathOf(other) / "config.json");
        test::writeTensors(pathOf(other) / "model.safetensors", tensors);
        const std::string problem = problemOf(pathOf(other));
        QVERIFY2(problem.find(expected) != std::string::npos && problem.find("GGUF") != std::string::npos,
                 problem.c_str());
    }

    // As transformers, which looks for packed numbers then.
    void plainWeightsThatAreSaidToBeQuantizedAreRefused()
    {
        const QTemporaryDir directory;
        writeCase(pathOf(directory), "llama-gqa", [](const std::string& tensor) { return tensor; });
        const auto problemWith = [&](const char* method) {
            Json config = readJson(caseFolder("llama-gqa") / "config.json");
            config["quantization_config"]["quant_method"] = method;
            writeFile(pathOf(directory) / "config.json", QByteArray::fromStdString(config.dump()));
            return problemOf(pathOf(directory));
        };
        for (const char* method : {"gptq", "awq", "bitsandbytes", "fp8"}) {
            const std::string problem = problemWith(method);
            QVERIFY2(problem.find("config.json: quantization_config: says that " + std::string(method))
                             != std::string::npos
                         && problem.find("remove it") != std::string::npos,
                     problem.c_str());
        }
        QCOMPARE(problemWith("compressed-tensors"), std::string()); // has a form for plain ones
    }

    // gpt-oss without the scales of its blocks, and with those of other matrices.
    void fourBitExpertsNeedTheirScales()
    {
        const QTemporaryDir directory;
        writeCase(pathOf(directory), "n-gpt-oss-mxfp4",
                  [](const std::string& tensor) { return tensor.ends_with("_scales") ? tensor + "_old" : tensor; });
        QVERIFY2(problemOf(pathOf(directory)).find("missing: model.layers.0.mlp.experts.down_proj_scales")
                     != std::string::npos,
                 problemOf(pathOf(directory)).c_str());
        writeCase(pathOf(directory), "n-gpt-oss-mxfp4", [](const std::string& tensor) {
            if (!tensor.ends_with("_scales"))
                return tensor;
            const bool isGate = tensor.find("gate_up") != std::string::npos;
            return tensor.substr(0, tensor.find("experts.") + 8) + (isGate ? "down" : "gate_up") + "_proj_scales";
        });
        const std::string problem = problemOf(pathOf(directory));
        QVERIFY2(problem.find("of another shape:") != std::string::npos && problem.find("_scales") != std::string::npos,
                 problem.c_str());
    }
};

ATTN_TEST(TestOthersCheckpoints)

#include "tst_others_checkpoints.moc"

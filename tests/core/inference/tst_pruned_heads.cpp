// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "inference/answer.h"
#include "io/npz.h"
#include "support/golden_case.h"
#include "support/test_program.h"
#include "support/tiny_models.h"
#include "support/verify_error.h"
#include "trace/archive.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

using namespace attn;
using test::GoldenCase;
using test::TinyModel;

// A model whose heads were pruned is the whole model with these heads' weights at 0.
class TestPrunedHeads : public QObject
{
    Q_OBJECT

private:
    static constexpr int heads = 4;
    static constexpr int pruned[] = {0, 2};

    // Without the features of the pruned heads along an axis, `parts` times all heads' side by side.
    static Tensor without(const Tensor& whole, std::size_t axis, int parts)
    {
        const std::int64_t width = whole.dim(axis) / parts / heads;
        const std::int64_t inner = axis + 1 < whole.shape().size() ? whole.dim(axis + 1) : 1;
        NumberVector<float> values;
        for (std::int64_t i = 0; i < std::ssize(whole.values()); ++i) {
            const auto head = static_cast<int>(i / inner % whole.dim(axis) / width % heads);
            if (std::ranges::find(pruned, head) == std::end(pruned))
                values.push_back(whole.values()[static_cast<std::size_t>(i)]);
        }
        Shape shape = whole.shape();
        shape[axis] = shape[axis] / heads * (heads - std::ssize(pruned));
        return {std::move(shape), std::move(values)};
    }

    // The archive of a run.
    NpzReader run(const TinyModel& tiny, const GoldenCase& golden, Engine& engine,
                  const std::vector<std::string>& edits) const
    {
        LoadedModel model;
        model.model = tiny.build(engine);
        model.name = golden.name();
        Question question;
        question.sourceIds = golden.sourceIds();
        question.sourceSegments = golden.segments();
        question.edits = edits;
        question.capture.logits = true;
        const std::string path = m_folder.filePath(QStringLiteral("run.npz")).toStdString();
        writeArchive(path, answer(question, model, engine), {.logits = true});
        return NpzReader(std::filesystem::path(path));
    }

    static void verifyClose(std::span<const float> found, std::span<const float> expected)
    {
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY(std::abs(found[i] - expected[i]) <= 1e-5F);
    }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void prunedHeadsAreZeroHeads_data()
    {
        test::addColumns<std::string, std::string, std::vector<std::string>, std::string>("name", "prefix", "inputs",
                                                                                          "output");
        const std::vector<std::string> bert{"attention.self.query", "attention.self.key", "attention.self.value"};
        QTest::newRow("bert") << std::string("bert-mlm") << std::string("bert.encoder.layer.1.") << bert
                              << std::string("attention.output.dense");
        QTest::newRow("roberta") << std::string("roberta-mlm") << std::string("roberta.encoder.layer.1.") << bert
                                 << std::string("attention.output.dense");
        QTest::newRow("distilbert") << std::string("distilbert-mlm") << std::string("distilbert.transformer.layer.1.")
                                    << std::vector<std::string>{"attention.q_lin", "attention.k_lin", "attention.v_lin"}
                                    << std::string("attention.out_lin");
        QTest::newRow("gpt2") << std::string("gpt2-plain") << std::string("transformer.h.1.")
                              << std::vector<std::string>{"attn.c_attn"} << std::string("attn.c_proj");
    }
    void prunedHeadsAreZeroHeads()
    {
        QFETCH(std::string, name);
        QFETCH(std::string, prefix);
        QFETCH(std::vector<std::string>, inputs);
        QFETCH(std::string, output);
        const GoldenCase golden(std::filesystem::path(ATTN_TEST_DATA) / "cases" / name);
        const bool isDecoder = name.starts_with("gpt2");
        Engine engine(1);
        TinyModel tiny = test::tinyCase(name);
        const std::string site = isDecoder ? "decoder" : "encoder";
        const std::string maps = site + "_attentions";
        const NpzReader whole = run(tiny, golden, engine, {site + ":1:0=zero", site + ":1:2=zero"});
        const auto expectedMaps = whole.find(maps).value().floats();
        const auto expectedLogits = whole.find("logits").value().floats();

        auto& tensors = tiny.checkpoint->tensors;
        const int parts = isDecoder ? 3 : 1;
        for (const std::string& input : inputs) {
            Tensor& matrix = tensors.at(prefix + input + ".weight");
            matrix = without(matrix, isDecoder ? 1 : 0, parts);
            Tensor& bias = tensors.at(prefix + input + ".bias");
            bias = without(bias, 0, parts);
        }
        Tensor& matrix = tensors.at(prefix + output + ".weight");
        matrix = without(matrix, isDecoder ? 0 : 1, 1);
        Json config = Json::parse(tiny.config);
        config["pruned_heads"] = {{"1", pruned}};
        tiny.config = config.dump();
        const NpzReader left = run(tiny, golden, engine, {});
        QCOMPARE(left.find(maps).value().shape(), whole.find(maps).value().shape());
        verifyClose(left.find(maps).value().floats(), expectedMaps);
        verifyClose(left.find("logits").value().floats(), expectedLogits);
    }

    void headsThatDoNotExistAreRefused_data()
    {
        QTest::addColumn<std::string>("pruned");
        QTest::newRow("head") << std::string(R"({"1": [4]})");
        QTest::newRow("layer") << std::string(R"({"2": [0]})");
        QTest::newRow("no number") << std::string(R"({"first": [0]})");
        QTest::newRow("no list") << std::string(R"({"1": 0})");
        QTest::newRow("no object") << std::string("[1]");
    }
    void headsThatDoNotExistAreRefused()
    {
        QFETCH(std::string, pruned);
        Engine engine(1);
        TinyModel tiny = test::tinyCase("bert-mlm");
        Json config = Json::parse(tiny.config);
        config["pruned_heads"] = Json::parse(pruned);
        tiny.config = config.dump();
        test::verifyError({"pruned_heads"}, [&] { (void)tiny.build(engine); });
    }
};

ATTN_TEST(TestPrunedHeads)

#include "tst_pruned_heads.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_checks.h"
#include "models/transformer.h"
#include "nn/engine.h"
#include "support/broken_files.h"
#include "support/compare.h"
#include "support/golden_case.h"
#include "support/recording_sink.h"
#include "support/test_program.h"
#include "support/tiny_models.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <filesystem>
#include <limits>

using namespace attn;
using test::RecordingSink;
using test::TinyModel;

namespace fs = std::filesystem;

// Effects of each switch of the one Transformer.
class TestModelSwitches : public QObject
{
    Q_OBJECT

private:
    static TinyModel changed(const std::string& name, const Json& changes)
    {
        TinyModel tiny = test::tinyCase(name);
        Json config = Json::parse(tiny.config);
        config.update(changes);
        tiny.config = config.dump();
        return tiny;
    }

    static std::vector<TokenId> sourceOf(const std::string& name)
    {
        return test::GoldenCase(fs::path(ATTN_TEST_DATA) / "cases" / name).sourceIds();
    }

    // Logits, or states of an encoder, and all that was reported.
    static NumberVector<float> run(const TinyModel& tiny, const std::vector<TokenId>& ids, RecordingSink& sink)
    {
        Engine engine(1);
        const auto model = tiny.build(engine);
        RunContext context{engine, sink, {true, true, true, true}, {}};
        if (model->info().kind == ModelKind::EncoderOnly) {
            const auto encoded = model->encode(ids, context);
            return copyOf(taskLogits(*model, ids, encoded, context).matrix());
        }
        const auto state = model->start(nullptr, context);
        state->extend(ids, context);
        return copyOf(state->logits());
    }

private Q_SLOTS:
    void aWindowWiderThanTheTextChangesNothing_data()
    {
        test::addColumns<QString, QString, QString>("name", "wide", "none");
        QTest::newRow("causal") << QStringLiteral("n-mixtral-plain") << QStringLiteral(R"({"sliding_window": 64})")
                                << QStringLiteral(R"({"sliding_window": null})");
        QTest::newRow("by layer") << QStringLiteral("n-gpt-oss-bf16") << QStringLiteral(R"({"sliding_window": 64})")
                                  << QStringLiteral(R"({"layer_types": ["full_attention", "full_attention"]})");
        QTest::newRow("to both sides") << QStringLiteral("n-head-modernbert-sequence-cls")
                                       << QStringLiteral(R"({"local_attention": 128, "local_rope_theta": 160000})")
                                       << QStringLiteral(R"({"layer_types": ["full_attention", "full_attention"]})");
    }
    void aWindowWiderThanTheTextChangesNothing()
    {
        QFETCH(QString, name);
        QFETCH(QString, wide);
        QFETCH(QString, none);
        const auto ids = sourceOf(name.toStdString());
        RecordingSink sink;
        const auto expected = run(changed(name.toStdString(), Json::parse(none.toStdString())), ids, sink);
        QCOMPARE(run(changed(name.toStdString(), Json::parse(wide.toStdString())), ids, sink), expected);
        const auto narrow =
            run(changed(name.toStdString(), {{"sliding_window", 2}, {"local_attention", 2}}), ids, sink);
        QVERIFY(narrow != expected);
    }

    void aSinkOfMinusInfinityIsNoSink()
    {
        const std::string name = "n-gpt-oss-bf16";
        TinyModel tiny = test::tinyCase(name);
        for (auto& [tensor, values] : tiny.checkpoint->tensors) {
            if (tensor.ends_with("sinks"))
                std::ranges::fill(values.values(), -std::numeric_limits<float>::infinity());
        }
        RecordingSink sink;
        run(tiny, sourceOf(name), sink);
        QVERIFY(!sink.attentions.empty());
        for (const auto& [map, hypothesis] : sink.attentions) {
            for (const float share : map.sinks.values)
                QCOMPARE(share, 0.0F);
            for (Index row = 0; row < map.weights.rows; ++row) {
                double sum = 0;
                for (const float weight : map.weights.view().row(0, row))
                    sum += weight;
                QVERIFY(std::abs(sum - 1) < 1e-6);
            }
        }
    }

    void fusedAndSeparateExpertsAgree_data()
    {
        test::addColumns<std::string, int, std::string, QStringList>("name", "experts", "block", "parts");
        QTest::newRow("qwen3_moe") << std::string("n-qwen3-moe-plain") << 4 << std::string("mlp.")
                                   << QStringList{"gate_proj", "up_proj", "down_proj"};
        QTest::newRow("mixtral") << std::string("n-mixtral-plain") << 3 << std::string("block_sparse_moe.")
                                 << QStringList{"w1", "w3", "w2"};
    }
    void fusedAndSeparateExpertsAgree()
    {
        QFETCH(std::string, name);
        QFETCH(int, experts);
        QFETCH(std::string, block);
        QFETCH(QStringList, parts);
        const auto ids = sourceOf(name);
        RecordingSink sink;
        const TinyModel apart = test::tinyCase(name);
        const auto expected = run(apart, ids, sink);

        TinyModel fused = test::tinyCase(name);
        auto& tensors = fused.checkpoint->tensors;
        for (int layer = 0; layer < 2; ++layer) {
            const std::string prefix = "model.layers." + std::to_string(layer) + '.';
            NumberVector<float> both;
            NumberVector<float> down;
            Shape shape;
            for (int expert = 0; expert < experts; ++expert) {
                for (const QString& part : parts) {
                    const auto node = tensors.extract(prefix + block + "experts." + std::to_string(expert) + '.'
                                                      + part.toStdString() + ".weight");
                    const Tensor& values = node.mapped();
                    auto& target = part == parts.back() ? down : both;
                    target.insert(target.end(), values.values().begin(), values.values().end());
                    shape = values.shape(); // of the last at last: [width, inner]
                }
            }
            tensors.insert_or_assign(prefix + "mlp.experts.gate_up_proj",
                                     Tensor({experts, 2 * shape[1], shape[0]}, std::move(both)));
            tensors.insert_or_assign(prefix + "mlp.experts.down_proj",
                                     Tensor({experts, shape[0], shape[1]}, std::move(down)));
            auto router = tensors.extract(prefix + block + "gate.weight");
            router.key() = prefix + "mlp.gate.weight";
            tensors.insert(std::move(router));
        }
        QCOMPARE(run(fused, ids, sink), expected);

        const TinyModel original = test::tinyCase(name);
        for (const auto& [tensor, values] : original.checkpoint->tensors)
            tensors.insert_or_assign(tensor, values);
        const std::string message = test::errorOf([&] { run(fused, ids, sink); });
        QVERIFY2(message.find("fused and apart") != std::string::npos, message.c_str());
    }

    void aMissingPartIsNamed_data()
    {
        QTest::addColumn<QString>("gone");
        QTest::newRow("one") << QStringLiteral("model.layers.1.mlp.experts.3.up_proj.weight");
        QTest::newRow("the router") << QStringLiteral("model.layers.0.mlp.gate.weight");
    }
    void aMissingPartIsNamed()
    {
        QFETCH(QString, gone);
        TinyModel tiny = test::tinyCase("n-qwen3-moe-plain");
        QCOMPARE(tiny.checkpoint->tensors.erase(gone.toStdString()), std::size_t(1));
        Engine engine(1);
        const std::string message = test::errorOf([&] { tiny.build(engine); });
        QVERIFY2(message.find("missing: " + gone.toStdString()) != std::string::npos, message.c_str());
    }

    // Heads that classify are a matrix on the states of the model without a head.
    void aHeadsLogitsAreTheBaseModelsStatesTimesItsMatrix_data()
    {
        test::addColumns<QString, QString>("name", "matrix");
        QTest::newRow("tokens") << QStringLiteral("n-head-roberta-token-two") << QStringLiteral("classifier.weight");
        QTest::newRow("last token") << QStringLiteral("n-head-llama-sequence-three") << QStringLiteral("score.weight");
        QTest::newRow("last but padding") << QStringLiteral("n-head-gemma2-sequence") << QStringLiteral("score.weight");
    }
    void aHeadsLogitsAreTheBaseModelsStatesTimesItsMatrix()
    {
        QFETCH(QString, name);
        QFETCH(QString, matrix);
        const auto ids = sourceOf(name.toStdString());
        const TinyModel tiny = test::tinyCase(name.toStdString());
        Engine engine(1);
        const auto model = tiny.build(engine);
        RecordingSink ofHead;
        RunContext context{engine, ofHead, {true, false, true, false}, {}};
        const bool decodes = model->info().kind == ModelKind::DecoderOnly;
        const Tensor found = taskLogits(*model, ids, decodes ? nullptr : model->encode(ids, context), context);

        const Tensor weights = tiny.checkpoint->tensors.find(matrix.toStdString())->second;
        const auto bias = tiny.checkpoint->tensors.find(matrix.toStdString().replace(matrix.size() - 6, 6, "bias"));
        const auto& last = ofHead.hiddens.back().values;
        const auto width = static_cast<Index>(weights.dim(1));
        const NumberView states(last.data(), indexSize(last) / width, width);
        const NumberView read = taskRows(model->info(), ids, states);
        NumberVector<float> expected;
        for (Index row = 0; row < read.rows; ++row) {
            for (Index label = 0; label < weights.dim(0); ++label) {
                double sum = bias == tiny.checkpoint->tensors.end() ? 0 : double{bias->second.values()[label]};
                for (Index i = 0; i < width; ++i)
                    sum += double{read.at(row, i)} * double{weights.matrix().at(label, i)};
                expected.push_back(static_cast<float>(sum));
            }
        }
        const auto difference = test::compare(copyOf(found.matrix()), expected);
        QVERIFY2(difference.largest < 1e-4, difference.text().c_str());
    }

    void whatIsCalledABaseModelOnlyAttends()
    {
        TinyModel tiny = changed("n-head-llama-sequence-three", {{"architectures", {"LlamaModel"}}});
        tiny.checkpoint->tensors.erase("score.weight");
        Engine engine(1);
        const auto model = tiny.build(engine);
        QVERIFY(!model->info().writes());
        QCOMPARE(model->info().task, TaskHead::None);
        RecordingSink sink;
        RunContext context{engine, sink, {}, {}};
        const auto state = model->start(nullptr, context);
        state->extend(std::vector<TokenId>{1, 5, 9}, context);
        QCOMPARE(state->logits().columns, 0);
        QCOMPARE(sink.attentions.size(), std::size_t(2));
    }

    void problemTypesSayHowLogitsAreRead()
    {
        Engine engine(1);
        const auto readingOf = [&](const Json& changes) {
            return changed("n-head-bert-sequence-two", changes).build(engine)->info().reading;
        };
        QCOMPARE(readingOf(Json::object()), ClassReading::OneOf);
        QCOMPARE(readingOf({{"problem_type", "multi_label_classification"}}), ClassReading::AnyOf);
        QCOMPARE(readingOf({{"problem_type", "regression"}}), ClassReading::Value);
    }
};

ATTN_TEST(TestModelSwitches)

#include "tst_model_switches.moc"

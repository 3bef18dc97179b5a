// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/position_schemes.h"
#include "base/error.h"
#include "support/test_program.h"
#include "support/tiny_models.h"

#include <QTest>

#include <cmath>

using namespace attn;

// How position alone enters the scores of loaded models, against the published formulas.
class TestPositionScores : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void t5AddsTheBiasOfTheBucket_data()
    {
        QTest::addColumn<QString>("side");
        QTest::addRow("encoder") << "encoder";
        QTest::addRow("decoder") << "decoder";
    }

    void t5AddsTheBiasOfTheBucket()
    {
        QFETCH(QString, side);
        Engine engine;
        const test::TinyModel tiny = test::tinyCase("t5-relu");
        const auto model = tiny.build(engine);
        const std::string name = side.toStdString() + ".block.0.layer.0.SelfAttention.relative_attention_bias.weight";
        const Tensor& table = tiny.checkpoint->tensors.at(name);
        const Stage stage = side == QStringLiteral("encoder") ? Stage::Encoder : Stage::Decoder;
        const int buckets = static_cast<int>(table.dim(0));
        const int heads = static_cast<int>(table.dim(1));
        QCOMPARE(model->info().heads({stage, 0}), heads);
        for (int head = 0; head < heads; ++head) {
            const Tensor scores = model->positionScores(stage, head, 40);
            QCOMPARE(scores.shape(), (Shape{40, 40}));
            for (int query = 0; query < 40; ++query) {
                for (int key = 0; key < 40; ++key) {
                    const int bucket = relativeBucket(key - query, stage == Stage::Encoder, buckets, farthest(tiny));
                    QCOMPARE(scores.matrix().row(query)[static_cast<std::size_t>(key)],
                             table.matrix().row(bucket)[static_cast<std::size_t>(head)]);
                }
            }
        }
    }

    void rotaryIsTheMeanCosineOfItsAngles()
    {
        Engine engine;
        const auto model = test::tinyCase("llama-gqa").build(engine);
        const int width = model->info().headWidth;
        const Tensor scores = model->positionScores(Stage::Decoder, 0, 20);
        QCOMPARE(scores.shape(), (Shape{20, 20}));
        const std::vector<float> even(static_cast<std::size_t>(width), 1 / std::sqrt(static_cast<float>(width)));
        const Numbers expected = rotaryProducts(even, even, 20, 10000);
        for (std::size_t i = 0; i < scores.size(); ++i)
            QVERIFY(std::abs(scores.values()[i] - expected.values[i]) < 1e-5F);
    }

    // Divided positions: two steps turn as far as one.
    void scaledRotaryFollowsItsScaling()
    {
        Engine engine;
        test::TinyModel tiny = test::tinyCase("llama-rope-linear");
        const auto model = tiny.build(engine);
        const Tensor scores = model->positionScores(Stage::Decoder, 0, 30);
        QVERIFY(scores.matrix().row(0)[0] == 1.0F);
        QVERIFY(std::abs(scores.matrix().row(0)[4] - scores.matrix().row(9)[13]) < 1e-6F);
        const auto plain = test::tinyCase("llama-gqa").build(engine)->positionScores(Stage::Decoder, 0, 30);
        QVERIFY(scores.matrix().row(0)[1] > plain.matrix().row(0)[1]); // slower
    }

    void addedPositionsEnterNoScores()
    {
        Engine engine;
        for (const char* name : {"marian-relu", "bert-mlm", "gpt2-plain", "rnn-bahdanau-gru"}) {
            const auto model = test::tinyCase(name).build(engine);
            for (const Stage stage : {Stage::Encoder, Stage::Decoder, Stage::Cross}) {
                if (model->info().heads({stage, 0}) > 0)
                    QVERIFY2(model->positionScores(stage, 0, 8).empty(), name);
            }
        }
    }

    void aHeadThatDoesNotExistIsAnError()
    {
        Engine engine;
        const auto model = test::tinyCase("t5-relu").build(engine);
        QVERIFY_EXCEPTION_THROWN(model->positionScores(Stage::Encoder, 99, 8), Error);
        QVERIFY_EXCEPTION_THROWN(model->positionScores(Stage::Decoder, -1, 8), Error);
    }

private:
    static int farthest(const test::TinyModel& tiny)
    {
        const auto at = tiny.config.find("\"relative_attention_max_distance\":");
        return at == std::string::npos ? 128 : std::stoi(tiny.config.substr(at + 34));
    }
};

ATTN_TEST(TestPositionScores)

#include "tst_position_scores.moc"

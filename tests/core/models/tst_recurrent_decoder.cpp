// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/kv_cache.h"
#include "attention/score.h"
#include "base/error.h"
#include "support/compare.h"
#include "support/random_tensor.h"
#include "support/recording_sink.h"
#include "support/test_program.h"
#include "support/tiny_models.h"
#include "support/verify_error.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace attn;
using test::compare;
using test::RecordingSink;
using test::TinyModel;

namespace {

const std::vector<TokenId> sourceIds{14, 27, 5, 41, 33, 3};

struct Decoding
{
    explicit Decoding(const TinyModel& tiny)
        : model(tiny.build(engine))
        , state(model->start(model->encode(sourceIds, context), context))
    {
    }

    void step(const std::vector<TokenId>& inputs)
    {
        sink.attentions.clear();
        state->step(inputs, context);
    }
    NumberVector<float> logits(int row) const
    {
        const auto values = state->logits().row(row);
        return {values.begin(), values.end()};
    }
    // Of the last step; empty when the site reported none.
    NumberVector<float> weights(Stage stage, int hypothesis) const
    {
        for (const auto& [map, of] : sink.attentions) {
            if (map.site.stage == stage && of == hypothesis)
                return map.weights.values;
        }
        return {};
    }

    Engine engine{1};
    RecordingSink sink;
    RunContext context{engine, sink, {true, true, false, false}, {}};
    std::shared_ptr<const SequenceModel> model;
    std::unique_ptr<DecoderState> state;
};

double sumOf(const NumberVector<float>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

// Recurrent decoders with all that they may remember, and what every score has in common.
class TestRecurrentDecoder : public QObject
{
    Q_OBJECT

private:
    static void addModels()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"rnn-paulus-lstm", "rnn-temporal-bahdanau", "rnn-intra-bahdanau", "rnn-luong-copy", "rnn-luong-local-p",
              "rnn-luong-local-m", "rnn-luong-general-feeding", "rnn-luong-low-rank-tied"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }

private Q_SLOTS:
    void hypothesesTogetherAreAsEachAlone_data() { addModels(); }
    void hypothesesTogetherAreAsEachAlone()
    {
        QFETCH(const QString, name);
        const TinyModel tiny = test::tinyCase(name.toStdString());
        // Three hypotheses from one; then the first is dropped and the last doubled.
        Decoding together(tiny);
        together.step({2});
        together.state->reorder(std::vector<int>{0, 0, 0});
        together.step({5, 9, 12});
        together.state->reorder(std::vector<int>{2, 1, 2});
        together.step({7, 8, 10});
        const std::vector<std::vector<TokenId>> paths{{2, 12, 7}, {2, 9, 8}, {2, 12, 10}};
        for (int row = 0; row < 3; ++row) {
            Decoding alone(tiny);
            for (const TokenId token : paths[static_cast<std::size_t>(row)])
                alone.step({token});
            QVERIFY(compare(together.logits(row), alone.logits(0)).largest < 1e-5);
            for (const Stage stage : {Stage::Cross, Stage::Decoder})
                QVERIFY(compare(together.weights(stage, row), alone.weights(stage, 0)).largest < 1e-5);
        }
    }

    void anIntraRowLooksAtWhatWasBefore()
    {
        Decoding decoding(test::tinyCase("rnn-paulus-lstm"));
        for (const int position : {0, 1, 2, 3}) {
            decoding.step({5});
            const auto row = decoding.weights(Stage::Decoder, 0);
            QCOMPARE(row.size(), static_cast<std::size_t>(position + 1));
            QCOMPARE(row.back(), 0.0F);
            QVERIFY(std::abs(sumOf(row) - (position == 0 ? 0 : 1)) < 1e-6);
            QVERIFY(std::abs(sumOf(decoding.weights(Stage::Cross, 0)) - 1) < 1e-6);
        }
        const ModelInfo& info = decoding.model->info();
        QCOMPARE(info.decoderLayers, 2);
        QCOMPARE(info.sites(), (std::vector<Site>{{Stage::Decoder, 0}, {Stage::Cross, 0}}));
    }

    void whatWasScoredHighCountsLess()
    {
        ScoreHistory history;
        NumberVector<float> first{2, 0, -1, 1, 1, 1};
        history.discount(first); // two hypotheses, three keys
        QCOMPARE(first, (NumberVector<float>{2, 0, -1, 1, 1, 1}));
        NumberVector<float> second{1, 1, 1, 0, 1, 2};
        history.discount(second);
        QCOMPARE(second, (NumberVector<float>{-1, 1, 2, -1, 0, 1}));
        history.reorder(std::vector<int>{1}, 3);
        NumberVector<float> third{0, 0, 0};
        history.discount(third);
        for (const std::size_t key : {0U, 1U, 2U}) {
            const double sum = std::exp(1.0) + std::exp(static_cast<double>(key));
            QVERIFY(std::abs(static_cast<double>(third[key]) + std::log(sum)) < 1e-6);
        }
    }

    void hugeScoresDoNotOverflow()
    {
        ScoreHistory history;
        for (int step = 0; step < 3; ++step) {
            NumberVector<float> scores{3000, -3000};
            history.discount(scores);
            QVERIFY(std::isfinite(scores[0]) && std::isfinite(scores[1]));
        }
    }

    void permutedKeysPermuteTheScores()
    {
        Engine engine(1);
        const Tensor keys = test::randomTensor({5, 6}, 1);
        const Tensor query = test::randomTensor({1, 6}, 2);
        const std::vector<int> order{3, 0, 4, 1, 2};
        Tensor permuted({5, 6});
        for (std::size_t row = 0; row < order.size(); ++row)
            std::ranges::copy(keys.matrix().row(order[row]), permuted.data() + 6 * row);
        const auto linear = [&](int outputs, std::uint32_t seed) {
            return Linear(engine, test::randomTensor({outputs, 6}, seed));
        };
        std::vector<std::unique_ptr<CompatibilityScore>> scores;
        scores.push_back(std::make_unique<ProductScore>(std::nullopt, std::nullopt));
        scores.push_back(std::make_unique<ProductScore>(std::nullopt, std::nullopt, 0.4F));
        scores.push_back(std::make_unique<ProductScore>(std::nullopt, linear(6, 3)));
        scores.push_back(std::make_unique<ProductScore>(linear(2, 4), linear(2, 5)));
        scores.push_back(std::make_unique<AdditiveScore>(linear(6, 6), linear(6, 7), linear(1, 8)));
        for (const auto& score : scores) {
            NumberVector<float> plain(5);
            NumberVector<float> moved(5);
            score->compute(engine, query.matrix(), score->prepareKeys(engine, keys.matrix()).matrix(),
                           std::span(plain));
            score->compute(engine, query.matrix(), score->prepareKeys(engine, permuted.matrix()).matrix(),
                           std::span(moved));
            for (std::size_t row = 0; row < order.size(); ++row)
                QVERIFY(std::abs(moved[row] - plain[static_cast<std::size_t>(order[row])]) < 1e-5F);
        }
        const LearnedQueryScore learned(linear(6, 9), linear(3, 10));
        NumberVector<float> plain(15);
        NumberVector<float> moved(15);
        learned.compute(engine, keys.matrix(), {plain.data(), 3, 5});
        learned.compute(engine, permuted.matrix(), {moved.data(), 3, 5});
        for (std::size_t cell = 0; cell < moved.size(); ++cell)
            QVERIFY(std::abs(moved[cell] - plain[cell / 5 * 5 + static_cast<std::size_t>(order[cell % 5])]) < 1e-5F);
    }

    void aDrawnPositionFollowsTheSeed()
    {
        const TinyModel tiny = test::tinyCase("rnn-bahdanau-hard");
        const auto positions = [&](std::optional<std::uint64_t> seed) {
            Decoding decoding(tiny);
            decoding.context.hardSeed = seed;
            decoding.state =
                decoding.model->start(decoding.model->encode(sourceIds, decoding.context), decoding.context);
            std::vector<std::ptrdiff_t> found;
            for (int i = 0; i < 20; ++i) {
                decoding.step({5});
                const auto row = decoding.weights(Stage::Cross, 0);
                found.push_back(std::ranges::max_element(row) - row.begin());
                if (sumOf(row) != 1.0)
                    qWarning("a row of hard attention sums to %f", sumOf(row));
            }
            return found;
        };
        QCOMPARE(positions(7), positions(7));
        QVERIFY(positions(7) != positions(8));
        QVERIFY(positions(7) != positions(std::nullopt));
    }

    void whatCannotBeIsRefused_data()
    {
        test::addColumns<QByteArray, QByteArray, QByteArray>("from", "to", "word");
        const auto refused = [](const char* row, const char* from, const char* to, const char* word) {
            QTest::newRow(row) << QByteArray(from) << QByteArray(to) << QByteArray(word);
        };
        refused("temporal and local", "\"global\"", "\"local_m\", \"window\": 2", "attention.temporal");
        refused("temporal without score", "\"general\"", "\"none\"", "attention.temporal");
        refused("no matrix of its own", "\"intra_attention\": true", "\"intra_attention\": false",
                "decoder.output_hidden.weight");
        refused("start outside", "\"bos_token_id\": 2", "\"bos_token_id\": 9999", "bos_token_id");
        refused("end outside", "\"eos_token_id\": 3", "\"eos_token_id\": -4", "eos_token_id");
        refused("temporal is no word", "\"temporal\": true", "\"temporal\": \"yes\"", "attention.temporal");
    }
    void whatCannotBeIsRefused()
    {
        QFETCH(const QByteArray, from);
        QFETCH(const QByteArray, to);
        QFETCH(const QByteArray, word);
        TinyModel tiny = test::tinyCase("rnn-paulus-lstm");
        tiny.replace(from.toStdString(), to.toStdString());
        Engine engine(1);
        test::verifyError(ErrorKind::Format, {word.toStdString()}, [&] { (void)tiny.build(engine); });
    }
};

ATTN_TEST(TestRecurrentDecoder)

#include "tst_recurrent_decoder.moc"

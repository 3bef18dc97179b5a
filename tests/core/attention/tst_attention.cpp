// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/attention.h"
#include "attention/kv_cache.h"
#include "attention/score.h"
#include "support/compare.h"
#include "support/random_tensor.h"
#include "support/recording_sink.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

using namespace attn;
using test::compare;
using test::randomTensor;
using test::RecordingSink;

namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();

struct Bench
{
    Engine engine{1};
    RecordingSink sink;
    Capture capture{true, true, false, false};
    AttentionRun run{engine, sink, capture};

    // One head; the values are the rows 1, 10, 100, ... so that the context shows the weights.
    std::vector<float> attend(AttentionCall call, const std::vector<float>& scores, int columns)
    {
        std::vector<float> values(static_cast<std::size_t>(columns), 1.0F);
        for (std::size_t i = 1; i < values.size(); ++i)
            values[i] = values[i - 1] * 10;
        std::vector<float> context(static_cast<std::size_t>(call.rows));
        attn::attend(
            run, call,
            [&](MutableView output, Index, const StageReport&) { std::ranges::copy(scores, output.values().begin()); },
            {values.data(), columns, 1}, {context.data(), call.rows, 1});
        return context;
    }
};

} // namespace

class TestAttention : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void weightsAreTheSoftmaxAndTheContextTheirSum()
    {
        Bench bench;
        const float half = std::log(2.0F);
        const auto context = bench.attend({{Stage::Cross, 3}, AttentionRows::Positions, 1, 4, 1}, {0, half, 0}, 3);
        QVERIFY(compare(context, std::vector<float>{0.25F + 5.0F + 25.0F}).largest < 1e-4);
        QCOMPARE(bench.sink.attentions.size(), std::size_t{1});
        const auto& [map, hypothesis] = bench.sink.attentions.front();
        QVERIFY((map.site == Site{Stage::Cross, 3}));
        QCOMPARE(hypothesis, 1);
        QCOMPARE(map.firstRow, 4);
        QVERIFY(compare(map.weights.values, std::vector<float>{0.25F, 0.5F, 0.25F}).largest < 1e-6);
        QVERIFY(compare(map.scores.values, std::vector<float>{0, half, 0}).largest == 0);
    }

    void aWindowHidesWhatLiesFarBack()
    {
        std::vector<float> scores(2 * 6, 1.0F);
        applyMask(Mask::Causal, {scores.data(), 2, 6}, 3, 2);
        const float hidden = minusInfinity;
        QCOMPARE(scores,
                 (std::vector<float>{hidden, hidden, 1, 1, hidden, hidden, //
                                     hidden, hidden, hidden, 1, 1, hidden}));
        std::vector<float> wide(4, 1.0F);
        applyMask(Mask::Causal, {wide.data(), 2, 2}, 0, 9);
        QCOMPARE(wide, (std::vector<float>{1, hidden, 1, 1}));
    }

    void aWindowWithoutAMaskLeavesBothSides()
    {
        std::vector<float> scores(2 * 5, 1.0F);
        applyMask(Mask::None, {scores.data(), 2, 5}, 1, 1);
        const float hidden = minusInfinity;
        QCOMPARE(scores, (std::vector<float>{1, 1, 1, hidden, hidden, hidden, 1, 1, 1, hidden}));
    }

    void sharedKeysAreThoseOfRepeatedOnes()
    {
        Bench bench;
        constexpr int width = 3;
        const Tensor queries = randomTensor({2, 4 * width}, 1);
        const Tensor keys = randomTensor({5, 2 * width}, 2);
        Tensor repeated({5, 4 * width});
        for (int row = 0; row < 5; ++row) {
            for (int head = 0; head < 4; ++head)
                std::copy_n(keys.data() + row * 2 * width + head / 2 * width, width,
                            repeated.data() + row * 4 * width + head * width);
        }
        std::vector<float> shared(4 * 2 * 5);
        std::vector<float> plain(4 * 2 * 5);
        const NumberView q = queries.matrix().split(4);
        const NumberView k = keys.matrix().split(2);
        const NumberView all = repeated.matrix().split(4);
        const MutableView sharedMaps(shared.data(), 4, 2, 5);
        const MutableView plainMaps(plain.data(), 4, 2, 5);
        queryKeyProduct(bench.engine, q, k, 0.5F, sharedMaps);
        queryKeyProduct(bench.engine, q, all, 0.5F, plainMaps);
        QVERIFY(compare(shared, plain).largest < 1e-6);
        std::vector<float> sharedSum(2 * 4 * width);
        std::vector<float> plainSum(2 * 4 * width);
        weightedSum(bench.engine, sharedMaps, k, MutableView(sharedSum.data(), 2, 4 * width).split(4));
        weightedSum(bench.engine, plainMaps, all, MutableView(plainSum.data(), 2, 4 * width).split(4));
        QVERIFY(compare(sharedSum, plainSum).largest < 1e-5);
    }

    void theCausalMaskHidesWhatComesLater()
    {
        std::vector<float> scores(2 * 2 * 4, 1.0F); // two heads, positions 1 and 2 of 4
        applyMask(Mask::Causal, {scores.data(), 2, 2, 4}, 1);
        const std::vector<float> oneHead{1, 1, minusInfinity, minusInfinity, 1, 1, 1, minusInfinity};
        QVERIFY(compare(std::span(scores).first(8), oneHead).largest == 0);
        QVERIFY(compare(std::span(scores).last(8), oneHead).largest == 0);
    }

    void noMaskLeavesScores()
    {
        std::vector<float> scores(4, 1.0F);
        applyMask(Mask::None, {scores.data(), 2, 2}, 0);
        QVERIFY(compare(scores, std::vector<float>(4, 1.0F)).largest == 0);
    }

    void reportedScoresCarryTheMask()
    {
        Bench bench;
        bench.attend({{Stage::Decoder, 0}, AttentionRows::Positions, 0, 0, 2, Mask::Causal}, {0, 7, 0, 0}, 2);
        const AttentionMap& map = bench.sink.attentions.front().map;
        QVERIFY(compare(map.scores.values, std::vector<float>{0, minusInfinity, 0, 0}).largest == 0);
        QVERIFY(compare(map.weights.values, std::vector<float>{1, 0, 0.5F, 0.5F}).largest < 1e-6);
    }

    void aRowWithNothingToAttendToIsZero()
    {
        Bench bench;
        const auto context =
            bench.attend({{Stage::Cross, 0}, AttentionRows::Positions, 0, 0, 1}, {minusInfinity, minusInfinity}, 2);
        QVERIFY(compare(bench.sink.attentions.front().map.weights.values, std::vector<float>{0, 0}).largest == 0);
        QCOMPARE(context.front(), 0.0F);
    }

    void hardAttentionTakesTheFirstOfTheLargest()
    {
        Bench bench;
        const AttentionCall call{{Stage::Cross, 0}, AttentionRows::Positions, 0, 0, 2, Mask::None, AttentionMode::Hard};
        const auto context = bench.attend(call, {1, 3, 3, minusInfinity, minusInfinity, minusInfinity}, 3);
        QVERIFY(compare(bench.sink.attentions.front().map.weights.values, std::vector<float>{0, 1, 0, 0, 0, 0}).largest
                == 0);
        QVERIFY(compare(bench.sink.attentions.front().map.scores.values,
                        std::vector<float>{1, 3, 3, minusInfinity, minusInfinity, minusInfinity})
                    .largest
                == 0);
        QVERIFY(compare(context, std::vector<float>{10, 0}).largest == 0);
    }

    void aRowWithAScoreThatIsNoNumberHasNoWeights()
    {
        for (const float odd : {std::numeric_limits<float>::quiet_NaN(), -minusInfinity}) {
            Bench bench;
            const auto context = bench.attend({{Stage::Cross, 0}, AttentionRows::Positions, 0, 0, 2},
                                              {1, odd, 3, minusInfinity, 2, minusInfinity}, 3);
            const auto& weights = bench.sink.attentions.front().map.weights.values;
            QVERIFY(std::all_of(weights.begin(), weights.begin() + 3, [](float weight) { return std::isnan(weight); }));
            QVERIFY(compare(std::span(weights).last(3), std::vector<float>{0, 1, 0}).largest == 0);
            QVERIFY(std::isnan(context.front()) && !std::isnan(context.back()));
        }
    }

    void hardAttentionChoosesNothingWhereAScoreIsNoNumber()
    {
        constexpr float noNumber = std::numeric_limits<float>::quiet_NaN();
        std::mt19937_64 generator;
        for (std::mt19937_64* const draws : {static_cast<std::mt19937_64*>(nullptr), &generator}) {
            Bench bench;
            AttentionCall call{{Stage::Cross, 0}, AttentionRows::Positions, 0, 0, 2, Mask::None, AttentionMode::Hard};
            call.generator = draws;
            const auto context = bench.attend(call, {1, noNumber, 3, minusInfinity, 2, minusInfinity}, 3);
            const auto& weights = bench.sink.attentions.front().map.weights.values;
            QVERIFY(std::all_of(weights.begin(), weights.begin() + 3, [](float weight) { return std::isnan(weight); }));
            QVERIFY(compare(std::span(weights).last(3), std::vector<float>{0, 1, 0}).largest == 0);
            QVERIFY(std::isnan(context.front()));
        }
    }

    void eachHypothesisGetsItsOwnBlock()
    {
        Bench bench;
        const AttentionCall call{{Stage::Cross, 1}, AttentionRows::Hypotheses, 0, 6, 2};
        const std::vector<float> scores{9, 0, 0, 9, 5, 0, 0, 5}; // two heads, two hypotheses, two keys
        std::vector<float> context(4);
        const std::vector<float> values(4, 1.0F);
        attend(
            bench.run, call,
            [&](MutableView output, Index, const StageReport&) { std::ranges::copy(scores, output.values().begin()); },
            NumberView(values.data(), 2, 2).split(2), MutableView(context.data(), 2, 2).split(2));
        QCOMPARE(bench.sink.attentions.size(), std::size_t{2});
        for (const int hypothesis : {0, 1}) {
            const auto& block = bench.sink.attentions.at(static_cast<std::size_t>(hypothesis));
            QCOMPARE(block.hypothesis, hypothesis);
            QCOMPARE(block.map.firstRow, 6);
            QCOMPARE(block.map.weights.rows, 1);
            QCOMPARE(block.map.weights.heads, 2);
            const float own = hypothesis == 0 ? 9 : 0;
            const float ownSecond = hypothesis == 0 ? 5 : 0;
            QVERIFY(compare(block.map.scores.values, std::vector<float>{own, 9 - own, ownSecond, 5 - ownSecond}).largest
                    == 0);
        }
    }

    void withoutCaptureNothingIsReported()
    {
        Bench bench;
        bench.capture.attention = false;
        bench.attend({{Stage::Cross, 0}, AttentionRows::Positions, 0, 0, 1}, {0, 0}, 2);
        QVERIFY(bench.sink.attentions.empty());
    }

    void additiveScoresMatchTheFormula()
    {
        Engine engine(1);
        const Tensor w = randomTensor({5, 4}, 1);
        const Tensor u = randomTensor({5, 3}, 2);
        const Tensor bias = randomTensor({5}, 3);
        const Tensor v = randomTensor({1, 5}, 4);
        const Tensor queries = randomTensor({2, 4}, 5);
        const Tensor keys = randomTensor({6, 3}, 6);
        const AdditiveScore score(Linear(engine, w), Linear(engine, u, bias), Linear(engine, v));
        std::vector<float> found(12);
        score.compute(engine, queries.matrix(), score.prepareKeys(engine, keys.matrix()).matrix(),
                      {found.data(), 2, 6});
        for (int query = 0; query < 2; ++query) {
            for (int key = 0; key < 6; ++key) {
                double expected = 0;
                for (int unit = 0; unit < 5; ++unit) {
                    double sum = bias.data()[unit];
                    for (int i = 0; i < 4; ++i)
                        sum += w.data()[unit * 4 + i] * queries.data()[query * 4 + i];
                    for (int i = 0; i < 3; ++i)
                        sum += u.data()[unit * 3 + i] * keys.data()[key * 3 + i];
                    expected += v.data()[unit] * std::tanh(sum);
                }
                QVERIFY(std::abs(found[static_cast<std::size_t>(query * 6 + key)] - expected) < 1e-5);
            }
        }
    }

    void productScoresMatchTheirFormulas()
    {
        Engine engine(1);
        const Tensor queries = randomTensor({2, 4}, 1);
        const Tensor keys = randomTensor({3, 5}, 2);
        const Tensor u = randomTensor({2, 4}, 3);
        const Tensor w = randomTensor({2, 5}, 4);
        const Tensor general = randomTensor({4, 5}, 5);
        // sum over i, j of q_i m_ij k_j
        const auto bilinear = [&](int query, int key, const auto& m) {
            double sum = 0;
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 5; ++j)
                    sum += static_cast<double>(queries.data()[query * 4 + i]) * m(i, j) * keys.data()[key * 5 + j];
            }
            return sum;
        };
        const auto verify = [&](const ProductScore& score, const auto& m) {
            std::vector<float> found(6);
            const Tensor prepared = score.prepareKeys(engine, keys.matrix());
            RecordingSink sink;
            score.compute(engine, queries.matrix(), prepared.matrix(), {found.data(), 2, 3},
                          StageReport(sink, 1, 0, 1));
            const auto products = sink.stages.values(StageKind::Products);
            const float scale = sink.stages.values(StageKind::Scale).front();
            QCOMPARE(products.size(), std::size_t{3});
            for (int query = 0; query < 2; ++query) {
                for (int key = 0; key < 3; ++key)
                    QVERIFY(std::abs(found[static_cast<std::size_t>(query * 3 + key)] - bilinear(query, key, m))
                            < 1e-4);
            }
            for (int key = 0; key < 3; ++key)
                QVERIFY(
                    std::abs(products[static_cast<std::size_t>(key)] * scale - found[static_cast<std::size_t>(3 + key)])
                    < 1e-4F);
        };
        verify(ProductScore(std::nullopt, Linear(engine, general)),
               [&](int i, int j) { return static_cast<double>(general.data()[i * 5 + j]); });
        verify(ProductScore(Linear(engine, u), Linear(engine, w), 0.5F), [&](int i, int j) {
            double sum = 0;
            for (int r = 0; r < 2; ++r)
                sum += static_cast<double>(u.data()[r * 4 + i]) * w.data()[r * 5 + j];
            return sum / 2;
        });
    }

    void localAttentionIsCutWeighedAndNotRenormalised()
    {
        Bench bench;
        LocalScope local{{2.4F}, 2, true};
        AttentionCall call{{Stage::Cross, 0}, AttentionRows::Positions, 0, 0, 1};
        call.local = &local;
        bench.attend(call, {0, 0, 0, 0, 0, 0}, 6);
        const auto& map = bench.sink.attentions.back().map;
        for (int column = 0; column < 6; ++column) {
            const auto at = static_cast<std::size_t>(column);
            const double distance = column - static_cast<double>(2.4F);
            const double expected = column > 4 ? 0 : std::exp(-distance * distance / 2) / 5; // window/2 is 1
            QVERIFY(std::abs(map.weights.values[at] - expected) < 1e-6);
            QCOMPARE(map.scores.values[at], column > 4 ? minusInfinity : 0.0F);
        }
        local = {{0}, 1, false};
        bench.attend(call, {1, 1, 1}, 3);
        QVERIFY(compare(bench.sink.attentions.back().map.weights.values, std::vector<float>{0.5F, 0.5F, 0}).largest
                < 1e-6);
    }

    void hardAttentionCanBeDrawn()
    {
        Bench bench;
        std::mt19937_64 generator(3);
        AttentionCall call{{Stage::Cross, 0}, AttentionRows::Positions, 0, 0, 1, Mask::None, AttentionMode::Hard};
        call.generator = &generator;
        std::vector<int> counts(3, 0);
        for (int i = 0; i < 4000; ++i) {
            bench.attend(call, {std::log(0.2F), std::log(0.7F), std::log(0.1F)}, 3);
            const auto& weights = bench.sink.attentions.back().map.weights.values;
            const auto chosen = std::ranges::find(weights, 1.0F) - weights.begin();
            ++counts.at(static_cast<std::size_t>(chosen));
        }
        QVERIFY(std::abs(counts[0] - 800) < 120);
        QVERIFY(std::abs(counts[1] - 2800) < 120);
    }

    void reorderedHypothesesShareRowsUntilTheyAppend()
    {
        KeyValueCache cache(2);
        const Tensor first({1, 2}, {1, 2});
        const Tensor second({1, 2}, {3, 4});
        cache.append(0, first.matrix(), second.matrix());
        cache.reorder(std::vector<int>{0, 0});
        QCOMPARE(std::as_const(cache).keys(0).data, std::as_const(cache).keys(1).data);
        cache.append(1, second.matrix(), first.matrix());
        QCOMPARE(cache.keys(0).rows, 1);
        QCOMPARE(cache.keys(1).rows, 2);
        QVERIFY(compare(cache.keys(1).values(), std::vector<float>{1, 2, 3, 4}).largest == 0);
        QVERIFY(compare(cache.values(1).values(), std::vector<float>{3, 4, 1, 2}).largest == 0);
        QVERIFY(compare(cache.keys(0).values(), std::vector<float>{1, 2}).largest == 0);
    }

    // Rows that were expected are added without those before being copied; others are added, too.
    void expectedRowsStayWhereTheyAre()
    {
        constexpr int width = 3;
        constexpr int expected = 1000;
        KeyValueCache cache(width, expected);
        const float* keys = nullptr;
        const float* values = nullptr;
        for (int row = 0; row < 3 * expected; ++row) {
            const auto number = static_cast<float>(row);
            const Tensor key({1, width}, {number, number + 1, number + 2});
            const Tensor value({1, width}, {-number, 0, number});
            cache.append(0, key.matrix(), value.matrix());
            if (row == 0) {
                keys = cache.keys(0).data;
                values = cache.values(0).data;
            }
            if (row < expected)
                QVERIFY(cache.keys(0).data == keys && cache.values(0).data == values);
        }
        QCOMPARE(cache.keys(0).rows, 3 * expected);
        for (const int row : {0, 1, expected - 1, expected, 3 * expected - 1}) {
            QCOMPARE(cache.keys(0).at(row, 1), static_cast<float>(row + 1));
            QCOMPARE(cache.values(0).at(row, 0), static_cast<float>(-row));
        }
        // An output that may be endless takes no endless memory.
        KeyValueCache large(1 << 20, std::size_t{1} << 40U);
        const Tensor one({1, 1 << 20});
        large.append(0, one.matrix(), one.matrix());
        QCOMPARE(large.keys(0).rows, 1);
    }
};

ATTN_TEST(TestAttention)

#include "tst_attention.moc"

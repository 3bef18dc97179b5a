// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attention/positions.h"
#include "support/compare.h"
#include "support/random_tensor.h"
#include "support/test_program.h"

#include <QTest>

#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

using namespace attn;
using test::compare;
using test::randomTensor;

namespace {

RotarySettings settings(RotaryScaling scaling, int width = 8)
{
    RotarySettings result;
    result.width = width;
    result.scaling = scaling;
    return result;
}

// q at position `query` times k at position `key`, both of one head.
double product(const RotaryPositions& rotary, int query, int key, int length = 0)
{
    const auto width = rotary.settings().width;
    Tensor q = randomTensor({1, width}, 1);
    Tensor k = randomTensor({1, width}, 2);
    rotary.rotate(q.matrix(), query, 1, length);
    rotary.rotate(k.matrix(), key, 1, length);
    return std::inner_product(q.values().begin(), q.values().end(), k.values().begin(), 0.0);
}

} // namespace

class TestPositions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void neighboursTurnTogether()
    {
        RotarySettings halves = settings(RotaryScaling::None, 4);
        RotarySettings neighbours = halves;
        neighbours.pairs = RotaryPairs::Neighbours;
        neighbours.first = 1;
        std::vector<float> plain{1, 2, 3, 4}; // features 0 and 2, 1 and 3
        std::vector<float> paired{9, 1, 3, 2, 4}; // the same pairs side by side, behind one that is left alone
        RotaryPositions(halves).rotate({plain.data(), 1, 4}, 5, 1, 0);
        RotaryPositions(neighbours).rotate({paired.data(), 1, 5}, 5, 1, 0);
        QCOMPARE(paired, (std::vector<float>{9, plain[0], plain[2], plain[1], plain[3]}));
    }

    void longFactorsCountBeyondTheOriginalContext()
    {
        RotarySettings chosen = settings(RotaryScaling::LongRope, 4);
        chosen.originalPositions = 12;
        chosen.factors = {1, 2};
        chosen.longFactors = {3, 4};
        const RotaryPositions rotary(chosen);
        const auto plain = RotaryPositions(settings(RotaryScaling::None, 4)).frequencies(0);
        QCOMPARE(rotary.frequencies(12), (std::vector<double>{plain[0], plain[1] / 2}));
        QCOMPARE(rotary.frequencies(13), (std::vector<double>{plain[0] / 3, plain[1] / 4}));
        QVERIFY(rotary.changes(12, 13) && !rotary.changes(11, 12) && !rotary.changes(13, 14));
    }

    // Press et al. 2022: powers of two, and where the heads are none, those between from the next one.
    void slopesOfLinearBiases()
    {
        const AlibiPositions four(4, 1, false);
        QCOMPARE(*four.bias(7, 1, 0), 1.0F / 4);
        QCOMPARE(*four.bias(7, 2, 3), 2.0F / 256);
        const AlibiPositions three(3, 0.5F, false);
        QCOMPARE(*three.bias(0, 1, 1), 0.5F / 256);
        QCOMPARE(*three.bias(0, 1, 2), 0.5F / 4);
    }

    void rotaryProductsDependOnTheDistanceOnly()
    {
        for (const auto scaling : {RotaryScaling::None, RotaryScaling::Linear, RotaryScaling::Llama3}) {
            RotarySettings chosen = settings(scaling);
            chosen.factor = 4;
            chosen.originalPositions = 64;
            const RotaryPositions rotary(chosen);
            QVERIFY(std::abs(product(rotary, 9, 4) - product(rotary, 105, 100)) < 1e-4);
            QVERIFY(std::abs(product(rotary, 9, 4) - product(rotary, 9, 5)) > 1e-3);
        }
    }

    void positionZeroIsLeftAsItIs()
    {
        const RotaryPositions rotary(settings(RotaryScaling::None));
        const Tensor before = randomTensor({3, 16}, 3);
        Tensor after = before;
        rotary.rotate(after.matrix().split(2), 0, 0, 0); // three hypotheses at the same position
        QVERIFY(compare(after.values(), before.values()).largest == 0);
        rotary.rotate(after.matrix().split(2), 0, 1, 0);
        QVERIFY(compare(after.values().first(16), before.values().first(16)).largest == 0);
        QVERIFY(compare(after.values(), before.values()).largest > 0.01);
    }

    void onlyTheRotatedFeaturesChange()
    {
        const RotaryPositions rotary(settings(RotaryScaling::None, 4));
        const Tensor before = randomTensor({1, 10}, 4);
        Tensor after = before;
        rotary.rotate(after.matrix(), 7, 1, 0);
        QVERIFY(compare(after.values().subspan(4), before.values().subspan(4)).largest == 0);
        QVERIFY(compare(after.values().first(4), before.values().first(4)).largest > 0.01);
    }

    void linearScalingDividesPositions()
    {
        RotarySettings chosen = settings(RotaryScaling::Linear);
        chosen.factor = 2;
        const auto plain = RotaryPositions(settings(RotaryScaling::None)).frequencies(0);
        const auto scaled = RotaryPositions(chosen).frequencies(0);
        for (std::size_t i = 0; i < plain.size(); ++i)
            QCOMPARE(scaled[i] * 2, plain[i]);
    }

    void dynamicScalingFollowsTheLength()
    {
        RotarySettings chosen = settings(RotaryScaling::Dynamic);
        chosen.factor = 2;
        chosen.maximumPositions = 16;
        const RotaryPositions rotary(chosen);
        const auto plain = RotaryPositions(settings(RotaryScaling::None)).frequencies(0);
        QCOMPARE(rotary.frequencies(16), plain);
        // Base 10000 * (2 * 32 / 16 - 1)^(8 / 6) for a text of 32 tokens.
        const double base = 10000 * std::pow(3.0, 8.0 / 6.0);
        QVERIFY(std::abs(rotary.frequencies(32)[1] - std::pow(base, -2.0 / 8)) < 1e-12);
        QCOMPARE(rotary.frequencies(32)[0], 1.0);
    }

    void llama3KeepsFastPairsAndDividesSlowOnes()
    {
        RotarySettings chosen = settings(RotaryScaling::Llama3, 64);
        chosen.base = 500000;
        chosen.factor = 8;
        chosen.originalPositions = 8192;
        const auto plain = RotaryPositions([&] {
                               RotarySettings none = chosen;
                               none.scaling = RotaryScaling::None;
                               return none;
                           }())
                               .frequencies(0);
        const auto scaled = RotaryPositions(chosen).frequencies(0);
        int ramp = 0;
        for (std::size_t i = 0; i < plain.size(); ++i) {
            const double wavelength = 2 * std::numbers::pi / plain[i];
            if (wavelength < 2048)
                QCOMPARE(scaled[i], plain[i]);
            else if (wavelength > 8192)
                QCOMPARE(scaled[i], plain[i] / 8);
            else
                ramp += scaled[i] < plain[i] && scaled[i] > plain[i] / 8 ? 1 : 0;
        }
        QVERIFY(ramp > 0);
    }

    void yarnRampsBetweenKeptAndDividedPairs()
    {
        RotarySettings chosen = settings(RotaryScaling::Yarn, 64);
        chosen.factor = 4;
        chosen.originalPositions = 2048;
        chosen.magnitude = 1.5;
        const RotaryPositions rotary(chosen);
        const auto plain = RotaryPositions(settings(RotaryScaling::None, 64)).frequencies(0);
        const auto scaled = rotary.frequencies(0);
        QCOMPARE(scaled.front(), plain.front());
        QCOMPARE(scaled.back(), plain.back() / 4);
        for (std::size_t i = 1; i < plain.size(); ++i)
            QVERIFY(scaled[i] / plain[i] <= scaled[i - 1] / plain[i - 1] + 1e-12);
        std::vector<float> unit(64, 0.0F);
        unit[0] = 1;
        rotary.rotate(std::span(unit), 0, 1, 0);
        QCOMPARE(unit[0], 1.5F);
    }

    void nearDistancesHaveBucketsOfTheirOwn()
    {
        const RelativePositions causal(randomTensor({32, 2}, 5), false, 128);
        for (int away = 0; away < 16; ++away)
            QCOMPARE(causal.bucket(-away), away);
        QCOMPARE(causal.bucket(-16), 16);
        QCOMPARE(causal.bucket(-127), 31);
        QCOMPARE(causal.bucket(-5000), 31);
        QCOMPARE(causal.bucket(3), 0); // later keys share the bucket of distance 0
        const RelativePositions both(randomTensor({32, 2}, 5), true, 128);
        QCOMPARE(both.bucket(0), 0);
        QCOMPARE(both.bucket(-7), 7);
        QCOMPARE(both.bucket(7), 23);
        QCOMPARE(both.bucket(5000), 31);
        QCOMPARE(both.bucket(-5000), 15);
        std::set<int> used;
        for (int distance = -300; distance <= 300; ++distance)
            used.insert(both.bucket(distance));
        QCOMPARE(used.size(), std::size_t{31}); // 16 would be distance 0 to the right
    }

    void theBiasIsAddedWhereItBelongs()
    {
        const Tensor table = randomTensor({8, 3}, 6);
        const RelativePositions relative(table, true, 20);
        std::vector<float> scores(3 * 2 * 5, 1.0F);
        relative.add({scores.data(), 3, 2, 5}, 0, 2);
        for (int head = 0; head < 3; ++head) {
            for (int row = 0; row < 2; ++row) {
                for (int column = 0; column < 5; ++column)
                    QCOMPARE(scores[static_cast<std::size_t>((head * 2 + row) * 5 + column)],
                             1.0F + relative.bias(column - (row + 2), head));
            }
        }
    }
};

ATTN_TEST(TestPositions)

#include "tst_positions.moc"

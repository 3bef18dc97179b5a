// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// moc 6.4 cannot read <compare> before another standard header.
// clang-format off
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "support/test_program.h"
#include "analysis/scores.h"
// clang-format on

using namespace attn;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

Numbers sample(Compatibility kind, int width, std::uint64_t seed = 1)
{
    return sampleScores(kind, {width, 40, 120, seed});
}

} // namespace

class TestScoreSamples : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSpreadOfDotProductsGrowsWithTheWidth()
    {
        for (const int width : {4, 16, 64, 256}) {
            const double expected = std::sqrt(width);
            const double plain = momentsOf(sample(Compatibility::Dot, width).values).deviation;
            QVERIFY2(std::abs(plain / expected - 1) < 0.12, qPrintable(QString::number(plain)));
            const double scaled = momentsOf(sample(Compatibility::ScaledDot, width).values).deviation;
            QVERIFY2(std::abs(scaled - plain / expected) < 1e-5, qPrintable(QString::number(scaled)));
        }
    }

    void additiveScoresDoNotSpread()
    {
        const double narrow = momentsOf(sample(Compatibility::Additive, 16).values).deviation;
        const double wide = momentsOf(sample(Compatibility::Additive, 256).values).deviation;
        QVERIFY(narrow < 1.3 && wide < 1.3);
        QVERIFY(narrow > 0.3 && wide > 0.3);
    }

    void unscaledSoftmaxSaturates()
    {
        const auto sharpness = [](Compatibility kind, int width) { // 1: every row attends to one column
            const Numbers weights = softmaxRows(sample(kind, width));
            double sum = 0;
            for (std::size_t begin = 0; begin < weights.values.size();
                 begin += static_cast<std::size_t>(weights.columns))
                sum += std::ranges::max(
                    std::span(weights.values).subspan(begin, static_cast<std::size_t>(weights.columns)));
            return sum / weights.rows;
        };
        QVERIFY(sharpness(Compatibility::Dot, 512) > 0.8);
        QVERIFY(sharpness(Compatibility::ScaledDot, 512) < 0.3);
        QVERIFY(sharpness(Compatibility::Dot, 512) > sharpness(Compatibility::Dot, 4));
        const double left = meanSensitivity(softmaxRows(sample(Compatibility::Dot, 512)));
        const double kept = meanSensitivity(softmaxRows(sample(Compatibility::ScaledDot, 512)));
        QVERIFY(left < 0.3 && kept > 0.8);
    }

    void aSeedIsASample()
    {
        QVERIFY(sample(Compatibility::Dot, 8).values == sample(Compatibility::Dot, 8).values);
        QVERIFY(sample(Compatibility::Dot, 8).values != sample(Compatibility::Dot, 8, 2).values);
    }

    void softmaxOfMaskedScores()
    {
        const std::vector<float> weights = softmax(std::vector<float>{0, -infinity, std::log(3.0F)});
        QCOMPARE(weights[0], 0.25F);
        QCOMPARE(weights[1], 0.0F);
        QCOMPARE(weights[2], 0.75F);
        QCOMPARE(softmax(std::vector<float>{-infinity, -infinity}), (std::vector<float>{0, 0}));
        QVERIFY(softmax({}).empty());
        QCOMPARE(softmax(std::vector<float>{1000, 1000})[0], 0.5F); // does not overflow
    }

    void softmaxOfWhatIsNoNumber()
    {
        for (const float score : {std::numeric_limits<float>::quiet_NaN(), infinity}) {
            for (const std::vector<float>& scores : {std::vector<float>{score, 1, -infinity}, {1, score, 2}}) {
                const std::vector<float> weights = softmax(scores);
                QVERIFY(std::ranges::all_of(weights, [](float weight) { return std::isnan(weight); }));
            }
        }
    }

    void momentsLeaveOutMaskedScores()
    {
        const Moments moments = momentsOf(std::vector<float>{1, 3, -infinity, 5});
        QCOMPARE(moments.count, 3);
        QCOMPARE(moments.mean, 3.0);
        QCOMPARE(moments.deviation, std::sqrt(8.0 / 3));
        QCOMPARE(momentsOf({}).deviation, 0.0);
    }

    void sensitivityOfHardAndUniformRows()
    {
        QCOMPARE(meanSensitivity({1, 4, {0, 1, 0, 0}}), 0.0);
        QCOMPARE(meanSensitivity({2, 4, {0.25F, 0.25F, 0.25F, 0.25F, 1, 0, 0, 0}}), 0.375);
        QCOMPARE(meanSensitivity({}), 0.0);
    }

    void everyFiniteValueIsInTheHistogram()
    {
        const Histogram found = histogram(std::vector<float>{-9, -1, -0.5F, 0, 0.99F, 1, 42, -infinity}, -1, 1, 4);
        QCOMPARE(found.counts, (std::vector<int>{2, 1, 1, 3}));
        QCOMPARE(found.binWidth(), 0.5);
        QCOMPARE(found.start(3), 0.5);
        const Histogram one = histogram(std::vector<float>{1e12F, 1e12F}, 1e12, 1e12, 4); // there is no width
        QCOMPARE(one.counts, (std::vector<int>{2, 0, 0, 0}));
    }

    void aSoftLookupAnswersWhereAnExactOneFails()
    {
        const std::vector<LookupEntry> table{{{1, 0}, 10}, {{0, 1}, 20}, {{-1, 0}, 30}};
        QVERIFY(!exactLookup(std::vector<float>{0.9F, 0.1F}, table));
        QCOMPARE(exactLookup(std::vector<float>{0, 1}, table), std::optional<std::size_t>(1));
        const SoftLookup soft = softLookup(std::vector<float>{2, 2}, table, 0.5F);
        QCOMPARE(soft.scores, (std::vector<float>{1, 1, -1}));
        const float e = std::exp(-2.0F);
        QVERIFY(std::abs(soft.weights[0] - 1 / (2 + e)) < 1e-6F);
        QVERIFY(std::abs(soft.result - (10 + 20 + 30 * e) / (2 + e)) < 1e-4F);
        QVERIFY(softLookup(std::vector<float>{1}, {}, 1).weights.empty());
        QCOMPARE(softLookup(std::vector<float>{1}, {}, 1).result, 0.0F);
    }

    void aSharpLookupIsAnExactOne()
    {
        const std::vector<LookupEntry> table{{{1, 0}, 10}, {{0, 1}, 20}};
        QVERIFY(std::abs(softLookup(std::vector<float>{0, 1}, table, 100).result - 20) < 1e-4F);
        QVERIFY(std::abs(softLookup(std::vector<float>{0, 1}, table, 0).result - 15) < 1e-4F);
    }
};

ATTN_TEST(TestScoreSamples)

#include "tst_score_samples.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/position_schemes.h"
#include "analysis/word_order.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace attn;

namespace {

float largestDifference(NumberView table, NumberView map, int offset)
{
    float largest = 0;
    for (int position = 0; position + offset < table.rows; ++position) {
        for (int row = 0; row < map.rows; ++row) {
            const auto coefficients = map.row(row);
            const float moved =
                std::inner_product(coefficients.begin(), coefficients.end(), table.row(position).begin(), 0.0F);
            largest = std::max(largest, std::abs(moved - table.row(position + offset)[static_cast<std::size_t>(row)]));
        }
    }
    return largest;
}

const std::vector<std::string> words{"the", "cat", "sat", "on", "the", "mat"};

Tensor shuffledOutputs(const SmallSelfAttention& model, const std::vector<int>& order)
{
    std::vector<std::string> shuffled;
    for (const int word : order)
        shuffled.push_back(words[static_cast<std::size_t>(word)]);
    return model.apply(shuffled);
}

} // namespace

class TestPositionSchemes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theTwoLayoutsHoldTheSameNumbers()
    {
        const Tensor interleaved = sinusoids(20, 8, SinusoidLayout::Interleaved);
        const Tensor halves = sinusoids(20, 8, SinusoidLayout::Halves);
        for (int position = 0; position < 20; ++position) {
            for (std::size_t pair = 0; pair < 4; ++pair) {
                QCOMPARE(interleaved.matrix().row(position)[2 * pair], halves.matrix().row(position)[pair]);
                QCOMPARE(interleaved.matrix().row(position)[2 * pair + 1], halves.matrix().row(position)[4 + pair]);
            }
        }
        // sin and cos of 3 / 10000^(2/8)
        QCOMPARE(interleaved.matrix().row(3)[2], static_cast<float>(std::sin(0.3)));
        QCOMPARE(halves.matrix().row(3)[5], static_cast<float>(std::cos(0.3)));
    }

    void anOffsetIsARotationOfEveryPosition()
    {
        for (const auto layout : {SinusoidLayout::Interleaved, SinusoidLayout::Halves}) {
            const Tensor table = sinusoids(60, 16, layout);
            for (const int offset : {0, 1, 7}) {
                const Tensor rotation = offsetRotation(offset, 16, layout);
                QVERIFY(largestDifference(table.matrix(), rotation.matrix(), offset) < 2e-6F);
                const Numbers gram = rowProducts(rotation.matrix(), ProductKind::Dot);
                for (int row = 0; row < 16; ++row) {
                    for (int column = 0; column < 16; ++column)
                        QVERIFY(std::abs(gram.at(row, column) - (row == column ? 1.0F : 0.0F)) < 1e-6F);
                }
            }
        }
    }

    void theFitFindsTheRotation()
    {
        const Tensor table = sinusoids(64, 8, SinusoidLayout::Interleaved);
        const OffsetMap fit = fitOffset(table.matrix(), 5);
        QVERIFY(fit.determined);
        QVERIFY(fit.residual < 1e-5);
        const Tensor rotation = offsetRotation(5, 8, SinusoidLayout::Interleaved);
        for (std::size_t i = 0; i < rotation.size(); ++i)
            QVERIFY(std::abs(rotation.values()[i] - fit.matrix.values()[i]) < 1e-2F);
    }

    void theErrorOfAMapIsItsLargest()
    {
        const Tensor table = sinusoids(40, 8, SinusoidLayout::Halves);
        const Tensor rotation = offsetRotation(3, 8, SinusoidLayout::Halves);
        QVERIFY(offsetError(table.matrix(), rotation.matrix(), 3) < 1e-6);
        QVERIFY(offsetError(table.matrix(), rotation.matrix(), 4) > 0.5);
        QVERIFY(std::abs(offsetError(table.matrix(), rotation.matrix(), 2)
                         - static_cast<double>(largestDifference(table.matrix(), rotation.matrix(), 2)))
                < 1e-6);
        QCOMPARE(offsetError(table.matrix(), rotation.matrix(), 40), 0.0);
    }

    // More numbers in a row than there are rows: the rows are remembered, not turned.
    void whatAMapRemembersDoesNotExplainOtherPositions()
    {
        QVERIFY(fitOffset(sinusoids(64, 8, SinusoidLayout::Halves).matrix(), 2).unseen < 1e-5);
        Tensor table({30, 40});
        std::uint32_t state = 7;
        for (float& value : table.values()) {
            state = state * 1664525 + 1013904223;
            value = static_cast<float>(state >> 8) / static_cast<float>(1 << 24) - 0.5F;
        }
        const OffsetMap fit = fitOffset(table.matrix(), 1);
        QVERIFY(!fit.determined && fit.residual < 1e-5);
        QVERIFY2(fit.unseen > 0.8, qPrintable(QString::number(fit.unseen)));
    }

    void aCurveHasWhatIsAtEachDistance()
    {
        const Numbers matrix{3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 10}};
        const DistanceCurve both = byDistance(matrix, false);
        QCOMPARE(both.distances, (std::vector<int>{-2, -1, 0, 1, 2}));
        QCOMPARE(both.means, (std::vector<double>{7, 6, 16.0 / 3, 4, 3}));
        QCOMPARE(both.least, (std::vector<double>{7, 4, 1, 2, 3}));
        QCOMPARE(both.most, (std::vector<double>{7, 8, 10, 6, 3}));
        QCOMPARE(byDistance(matrix, true).distances, (std::vector<int>{-2, -1, 0}));

        constexpr float none = std::numeric_limits<float>::quiet_NaN();
        const DistanceCurve few = byDistance({3, 3, {1, 2, none, 4, none, 6, 7, 8, 10}}, false);
        QCOMPARE(few.distances, (std::vector<int>{-2, -1, 0, 1}));
        QCOMPARE(few.means, (std::vector<double>{7, 6, 5.5, 4}));
        QCOMPARE(few.most, (std::vector<double>{7, 8, 10, 6}));
    }

    void aTableWithoutOrderHasNoOffsetMap()
    {
        Tensor table({200, 4});
        std::uint32_t state = 1;
        for (float& value : table.values()) {
            state = state * 1664525 + 1013904223;
            value = static_cast<float>(state >> 8) / static_cast<float>(1 << 24) - 0.5F;
        }
        const OffsetMap fit = fitOffset(table.matrix(), 1);
        QVERIFY(fit.determined && fit.residual > 0.9);
        QVERIFY(!fitOffset(sinusoids(6, 8, SinusoidLayout::Halves).matrix(), 2).determined);
    }

    void productsOfPositionsDependOnTheirDistance()
    {
        const Tensor table = sinusoids(30, 16, SinusoidLayout::Halves);
        const Numbers products = rowProducts(table.matrix(), ProductKind::Dot);
        QVERIFY(std::abs(products.at(4, 4) - 8) < 1e-5F);
        QVERIFY(std::abs(products.at(2, 9) - products.at(15, 22)) < 1e-5F);
        QVERIFY(std::abs(products.at(2, 9) - products.at(9, 2)) < 1e-6F);
        QVERIFY(std::abs(rowProducts(table.matrix(), ProductKind::Cosine).at(2, 9) - products.at(2, 9) / 8) < 1e-5F);
    }

    void rotaryProductsDependOnTheDistanceOnly()
    {
        const NumberVector<float> query{0.5F, -1, 2, 0.25F};
        const NumberVector<float> key{1, 0.75F, -0.5F, 1.5F};
        const Numbers products = rotaryProducts(query, key, 12, 10000);
        QVERIFY(std::abs(products.at(3, 3) - (0.5F - 0.75F - 1 + 0.375F)) < 1e-6F);
        QVERIFY(std::abs(products.at(2, 5) - products.at(8, 11)) < 1e-6F);
        QVERIFY(std::abs(products.at(2, 5) - products.at(5, 2)) > 0.1F); // before and after are told apart
        // Row 2, column 0: pairs (0, 2) turned by 2 and (1, 3) by 0.02 radians against each other.
        const double expected = (0.5 * 1 + 2 * -0.5) * std::cos(2.0) + (0.5 * -0.5 - 2 * 1) * std::sin(2.0)
            + (-1 * 0.75 + 0.25 * 1.5) * std::cos(0.02) + (-1 * 1.5 - 0.25 * 0.75) * std::sin(0.02);
        QVERIFY(std::abs(static_cast<double>(products.at(2, 0)) - expected) < 1e-5);
    }

    void relativeBucketsAreThoseOfT5()
    {
        const std::vector<int> distances{-200, -128, -100, -64, -32, -20, -16, -11, -8, -7,  -1,  0,  1,
                                         7,    8,    12,   16,  23,  32,  46,  64,  91, 127, 128, 500};
        const std::vector<int> expected{15, 15, 15, 14, 12, 10, 10, 8,  8,  7,  1,  0, 17,
                                        23, 24, 25, 26, 27, 28, 29, 30, 31, 31, 31, 31};
        for (std::size_t i = 0; i < distances.size(); ++i)
            QCOMPARE(relativeBucket(distances[i], true, 32, 128), expected[i]);
        QCOMPARE(relativeBucket(-200, false, 32, 128), 31);
        QCOMPARE(relativeBucket(-64, false, 32, 128), 26);
        QCOMPARE(relativeBucket(-15, false, 32, 128), 15);
        QCOMPARE(relativeBucket(5, false, 32, 128), 0);
    }

    void alibiSlopesAreGeometric()
    {
        const std::vector<double> eight = alibiSlopes(8);
        QCOMPARE(eight.front(), 0.5);
        QCOMPARE(eight.back(), 1 / 256.0);
        const std::vector<double> twelve = alibiSlopes(12);
        QCOMPARE(twelve.size(), std::size_t{12});
        QCOMPARE(twelve[8], std::exp2(-0.5));
        QCOMPARE(twelve[9], std::exp2(-1.5));
    }

    void withoutPositionsShufflingMerelyPermutes()
    {
        const std::vector<int> order = shuffledOrder(6, 4);
        const auto gapsOf = [&order](bool positions) {
            const SmallSelfAttention model{24, 3, positions};
            const Tensor original = model.apply(words);
            const Tensor shuffled = shuffledOutputs(model, order);
            return permutationGaps(original.matrix(), shuffled.matrix(), order);
        };
        for (const double gap : gapsOf(false))
            QVERIFY(gap < 1e-5);
        double largest = 0;
        for (const double gap : gapsOf(true))
            largest = std::max(largest, gap);
        QVERIFY(largest > 0.1);
    }

    void theWeightsAreThoseOfTheOutput()
    {
        const SmallSelfAttention model{24, 3, false};
        const Numbers weights = model.weights(words);
        for (int row = 0; row < 6; ++row) {
            float sum = 0;
            for (int column = 0; column < 6; ++column)
                sum += weights.at(row, column);
            QVERIFY(std::abs(sum - 1) < 1e-5F);
        }
        // Both "the" ask the same and are looked at alike; a word that stands alone looks only at itself.
        QVERIFY(std::abs(weights.at(2, 0) - weights.at(2, 4)) < 1e-6F);
        QVERIFY(std::abs(weights.at(0, 3) - weights.at(4, 3)) < 1e-6F);
        QCOMPARE(model.weights(std::vector<std::string>{"cat"}).values, NumberVector<float>{1});
        // The output is the weighted sum of what each word gives on its own.
        const Tensor output = model.apply(words);
        for (std::size_t k = 0; k < 24; ++k) {
            float sum = 0;
            for (int column = 0; column < 6; ++column) {
                const Tensor alone = model.apply(std::vector<std::string>{words[static_cast<std::size_t>(column)]});
                sum += weights.at(1, column) * alone.values()[k];
            }
            QVERIFY(std::abs(sum - output.matrix().row(1)[k]) < 1e-4F);
        }
    }

    void equalWordsAreToldApartByTheirPositions()
    {
        const auto distance = [](bool positions) {
            const Tensor output = SmallSelfAttention{24, 3, positions}.apply(words);
            double sum = 0; // between the two "the"
            for (std::size_t i = 0; i < 24; ++i)
                sum += std::abs(static_cast<double>(output.matrix().row(0)[i] - output.matrix().row(4)[i]));
            return sum;
        };
        QVERIFY(distance(false) < 1e-4);
        QVERIFY(distance(true) > 0.1);
    }

    void wordsTakeTheirTokensAlong()
    {
        const std::vector<ByteSpan> found = blankSeparated("  the cat\v\tsat ");
        QCOMPARE(found.size(), std::size_t{3});
        QCOMPARE(found[1], (ByteSpan{6, 9}));
        QVERIFY(blankSeparated(" ").empty());
        Encoding encoding;
        encoding.text = "I saw kittens.";
        encoding.ids = {1, 10, 11, 12, 13, 14, 2};
        encoding.spans = {{0, 0}, {0, 1}, {1, 5}, {5, 9}, {9, 13}, {13, 14}, {0, 0}};
        // "kittens." first: its three tokens, then "saw" and "I"; start and end stay.
        QCOMPARE(tokenOrder(encoding, std::vector<int>{2, 1, 0}), (std::vector<int>{0, 3, 4, 5, 2, 1, 6}));
        QCOMPARE(tokenOrder(encoding, std::vector<int>{0, 1, 2}), (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
        encoding.spans.clear();
        QCOMPARE(tokenOrder(encoding, std::vector<int>{6, 5, 4, 3, 2, 1, 0}), (std::vector<int>{6, 5, 4, 3, 2, 1, 0}));
    }

    void whatWasShuffledGoesBack()
    {
        const std::vector<int> order{2, 0, 1};
        const Numbers shuffled{3, 3, {22, 20, 21, 2, 0, 1, 12, 10, 11}}; // 10 row + column of the original
        QCOMPARE(putBack(shuffled, order, true).values, (NumberVector<float>{0, 1, 2, 10, 11, 12, 20, 21, 22}));
        QCOMPARE(putBack({3, 2, {20, 21, 0, 1, 10, 11}}, order, false).values,
                 (NumberVector<float>{0, 1, 10, 11, 20, 21}));
    }

    void anOrderIsAPermutationThatMoves()
    {
        for (int seed = 0; seed < 50; ++seed) {
            std::vector<int> order = shuffledOrder(3, static_cast<std::uint64_t>(seed));
            QVERIFY(!std::ranges::is_sorted(order));
            std::ranges::sort(order);
            QCOMPARE(order, (std::vector<int>{0, 1, 2}));
        }
        QCOMPARE(shuffledOrder(1, 1), std::vector<int>{0});
        QVERIFY(shuffledOrder(0, 1).empty());
        QCOMPARE(shuffledOrder(9, 5), shuffledOrder(9, 5));
    }
};

ATTN_TEST(TestPositionSchemes)

#include "tst_position_schemes.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/half.h"
#include "support/test_program.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <vector>

using namespace attn;

class TestHalf : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knownHalves_data()
    {
        test::addColumns<int, float>("bits", "value");
        QTest::newRow("zero") << 0x0000 << 0.0F;
        QTest::newRow("one") << 0x3C00 << 1.0F;
        QTest::newRow("minus two") << 0xC000 << -2.0F;
        QTest::newRow("third") << 0x3555 << 0.333251953125F;
        QTest::newRow("largest") << 0x7BFF << 65504.0F;
        QTest::newRow("smallest normal") << 0x0400 << std::ldexp(1.0F, -14);
        QTest::newRow("largest subnormal") << 0x03FF << std::ldexp(1023.0F, -24);
        QTest::newRow("smallest subnormal") << 0x0001 << std::ldexp(1.0F, -24);
        QTest::newRow("infinity") << 0x7C00 << std::numeric_limits<float>::infinity();
    }

    void knownHalves()
    {
        QFETCH(int, bits);
        QFETCH(float, value);
        QVERIFY(halfToFloat(static_cast<std::uint16_t>(bits)) == value);
    }

    void everyHalfIsItsFractionTimesAPowerOfTwo()
    {
        for (unsigned bits = 0; bits <= 0xFFFF; ++bits) {
            const float value = halfToFloat(static_cast<std::uint16_t>(bits));
            const int exponent = static_cast<int>(bits >> 10 & 0x1FU);
            const auto fraction = static_cast<float>(bits & 0x3FFU);
            QCOMPARE(std::signbit(value), (bits & 0x8000U) != 0);
            if (exponent == 0x1F)
                QVERIFY(fraction == 0 ? std::isinf(value) : std::isnan(value));
            else
                QVERIFY(std::abs(value)
                        == (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25)));
        }
    }

    void everyBfloat16SurvivesTheRoundTrip()
    {
        for (unsigned bits = 0; bits <= 0xFFFF; ++bits) {
            const auto stored = static_cast<std::uint16_t>(bits);
            const float value = bfloat16ToFloat(stored);
            if (std::isnan(value))
                QVERIFY(std::isnan(bfloat16ToFloat(floatToBfloat16(value))));
            else
                QCOMPARE(floatToBfloat16(value), stored);
        }
        QVERIFY(std::isinf(bfloat16ToFloat(floatToBfloat16(std::numeric_limits<float>::max()))));
    }

    void roundsToNearestEven()
    {
        QCOMPARE(floatToBfloat16(1.00390625F), std::uint16_t{0x3F80}); // 1 + 2^-8, a tie
        QCOMPARE(floatToBfloat16(1.01171875F), std::uint16_t{0x3F82}); // 1 + 3 * 2^-8, a tie
    }

    void arraysAgreeWithSingleValues()
    {
        std::vector<std::uint16_t> stored(0x10000);
        for (std::size_t i = 0; i < stored.size(); ++i)
            stored[i] = static_cast<std::uint16_t>(i);
        std::vector<std::byte> shifted(1 + 2 * stored.size()); // not aligned
        std::memcpy(shifted.data() + 1, stored.data(), 2 * stored.size());
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{13}, stored.size()}) {
            std::vector<float> halves(count);
            std::vector<float> brains(count);
            halfToFloat(std::span(shifted).subspan(1, 2 * count), halves);
            bfloat16ToFloat(std::span(shifted).subspan(1, 2 * count), brains);
            for (std::size_t i = 0; i < count; ++i) {
                const float half = halfToFloat(stored[i]);
                QVERIFY(halves[i] == half || (std::isnan(half) && std::isnan(halves[i])));
                const float brain = bfloat16ToFloat(stored[i]);
                QVERIFY(brains[i] == brain || (std::isnan(brain) && std::isnan(brains[i])));
            }
        }
    }

    void widensTenMillion()
    {
        constexpr std::size_t count = 10'000'000;
        const std::vector<std::byte> stored(2 * count, std::byte{0x11});
        std::vector<float> values(count);
        halfToFloat(stored, values);
        QCOMPARE(values.back(), halfToFloat(0x1111));
        bfloat16ToFloat(stored, values);
        QCOMPARE(values.back(), bfloat16ToFloat(0x1111));
    }
};

ATTN_TEST(TestHalf)
#include "tst_half.moc"

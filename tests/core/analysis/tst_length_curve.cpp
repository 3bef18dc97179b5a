// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/scores.h"
#include "support/test_program.h"

#include <QTest>

using namespace attn;

class TestLengthCurve : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wordsAreCounted()
    {
        QCOMPARE(wordCount("  two   words "), 2);
        QCOMPARE(wordCount(""), 0);
        QCOMPARE(wordCount("one"), 1);
        QCOMPARE(wordCount(" \t "), 0);
    }

    void binsHoldAboutEquallyMany()
    {
        std::vector<int> lengths;
        for (int length = 1; length <= 20; ++length)
            lengths.insert(lengths.end(), 10, length);
        const auto bins = lengthBins(lengths, 4);
        QCOMPARE(bins.size(), std::size_t{4});
        int next = 1;
        std::size_t placed = 0;
        for (const LengthBin& bin : bins) {
            QCOMPARE(bin.from, next);
            QCOMPARE(bin.sentences.size(), std::size_t{50});
            next = bin.to + 1;
            placed += bin.sentences.size();
        }
        QCOMPARE(placed, lengths.size());
    }

    void equalLengthsStayTogether()
    {
        const std::vector<int> lengths{5, 5, 5, 5, 9, 5, 2};
        const auto bins = lengthBins(lengths, 5);
        QCOMPARE(bins.size(), std::size_t{3});
        QCOMPARE(bins[0].sentences, std::vector<std::size_t>{6});
        QCOMPARE(bins[1].sentences.size(), std::size_t{5});
        QCOMPARE(bins[2].from, 9);
        QVERIFY(lengthBins({}, 3).empty());
        QCOMPARE(lengthBins(lengths, 1).size(), std::size_t{1});
    }
};

ATTN_TEST(TestLengthCurve)

#include "tst_length_curve.moc"

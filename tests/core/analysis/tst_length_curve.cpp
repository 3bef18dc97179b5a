// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/length_curve.h"
#include "base/error.h"
#include "support/texts.h"

#include <QSet>
#include <QTest>

#include <random>

using namespace attn;

namespace {

QString problemOf(std::string_view text, std::size_t most = 100)
{
    try {
        parseSentencePairs(text, most);
        return QStringLiteral("nothing");
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
}

} // namespace

class TestLengthCurve : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void linesBecomePairs()
    {
        const auto pairs = parseSentencePairs("\xEF\xBB\xBF"
                                              "A dog.\tUn chien.\r\n\n a b \t c \tmore\nlast\tone",
                                              10);
        QCOMPARE(pairs.size(), std::size_t{3});
        QCOMPARE(pairs[0].source, std::string("A dog."));
        QCOMPARE(pairs[0].reference, std::string("Un chien."));
        QCOMPARE(pairs[1].source, std::string("a b"));
        QCOMPARE(pairs[1].reference, std::string("c"));
        QCOMPARE(pairs[2].reference, std::string("one"));
        QVERIFY(parseSentencePairs("", 10).empty());
    }

    void brokenLinesAreNamed()
    {
        QSet<QString> problems; // each is told in its own way, behind the line
        const auto named = [&problems](const std::string& text, const char* line) {
            const QString problem = problemOf(text);
            QCOMPARE(test::numbersIn(problem).value(0), QLatin1String(line));
            problems << problem.section(QLatin1String(line), 1);
        };
        named("a\tb\nno tab here\n", "2");
        named("\tb\n", "1");
        named("a\t \n", "1");
        named("a\tb\na\xFF\tb\n", "2");
        QCOMPARE(problems.size(), 4);
        QVERIFY(test::numbersIn(problemOf("a\tb\na\tb\na\tb", 2)).contains(QStringLiteral("2")));
        QCOMPARE(problemOf("\xEF\xBF\xBD\tb"), QStringLiteral("nothing")); // a replacement character is one
    }

    void anyBytesArePairsOrAnError()
    {
        std::mt19937 bits(7);
        for (int round = 0; round < 2000; ++round) {
            std::string text(bits() % 40, ' ');
            for (char& byte : text)
                byte = "ab \t\n\r\xC3\xA9\xEF"[bits() % 9];
            QVERIFY(!problemOf(text).isEmpty());
        }
    }

    void wordsAreCounted()
    {
        QCOMPARE(wordCount("  two   words "), 2);
        QCOMPARE(wordCount(""), 0);
        QCOMPARE(wordCount("one"), 1);
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

QTEST_GUILESS_MAIN(TestLengthCurve)

#include "tst_length_curve.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "experiments/sentences.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "workplace.h"

#include <QSet>
#include <QTest>

#include <string>
#include <string_view>
#include <vector>

using namespace attn;

namespace {

template<class Read>
QString problemOf(const Read& read)
{
    try {
        (void)read();
        return QStringLiteral("nothing");
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
}

QString problemOfPairs(std::string_view text)
{
    return problemOf([&] { return parseSentencePairs(text); });
}

bool namesLimit(const QString& problem, const char* file, const char* key)
{
    return problem.contains(QLatin1String(file)) && problem.contains(QStringLiteral("ATTNSCOPE_LIMITS=") + key);
}

} // namespace

class TestSentences : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("ATTNSCOPE_LIMITS", "sentences=3 text=100"); }

    void linesBecomeSentences()
    {
        QCOMPARE(parseSentences("\xEF\xBB\xBFs4 s5\r\n\n  \n s6\t"), (std::vector<std::string>{"s4 s5", "s6"}));
        QVERIFY(problemOf([] { return parseSentences("\n \n"); }).contains(QStringLiteral("no sentences")));
        QVERIFY(problemOf([] { return parseSentences("s4\n\xC3\n"); }).contains(QStringLiteral("line 2")));
    }

    void linesBecomePairs()
    {
        const auto pairs = parseSentencePairs("\xEF\xBB\xBF"
                                              "A dog.\tUn chien.\r\n\n a b \t c \tmore\nlast\tone");
        QCOMPARE(pairs.size(), std::size_t{3});
        QCOMPARE(pairs[0].source, std::string("A dog."));
        QCOMPARE(pairs[0].reference, std::string("Un chien."));
        QCOMPARE(pairs[1].source, std::string("a b"));
        QCOMPARE(pairs[1].reference, std::string("c"));
        QCOMPARE(pairs[2].reference, std::string("one"));
        QVERIFY(problemOfPairs("").contains(QStringLiteral("no sentences")));
    }

    void brokenLinesAreNamed()
    {
        QSet<QString> problems; // each is told in its own way, behind the line
        const auto named = [&problems](const std::string& text, const char* line) {
            const QString problem = problemOfPairs(text);
            QCOMPARE(test::numbersIn(problem).value(0), QLatin1String(line));
            problems << problem.section(QLatin1String(line), 1);
        };
        named("a\tb\nno tab here\n", "2");
        named("\tb\n", "1");
        named("a\t \n", "1");
        named("a\tb\na\xFF\tb\n", "2");
        QCOMPARE(problems.size(), 4);
        QCOMPARE(problemOfPairs("\xEF\xBF\xBD\tb"), QStringLiteral("nothing")); // a replacement character is one
    }

    // Of both kinds of files, and anybody can set others.
    void thereAreLimits()
    {
        test::Workplace place;
        const auto many = place.write("many.txt", "a\tb\n\na\tb\na\tb\na\tb\n");
        const auto large = place.write("large.txt", QByteArray(101, 'a'));
        const auto enough = place.write("enough.txt", "a\tb\n\na\tb\na\tb\n");
        QCOMPARE(readSentences(enough).size(), std::size_t{3});
        QCOMPARE(readSentencePairs(enough).size(), std::size_t{3});
        for (const bool pairs : {false, true}) {
            const auto problem = [pairs](const auto& path) {
                return pairs ? problemOf([&] { return readSentencePairs(path); })
                             : problemOf([&] { return readSentences(path); });
            };
            QVERIFY2(namesLimit(problem(many), "many.txt", "sentences="), qPrintable(problem(many)));
            QVERIFY2(test::numbersIn(problem(many)).contains(QStringLiteral("3")), qPrintable(problem(many)));
            QVERIFY2(namesLimit(problem(large), "large.txt", "text="), qPrintable(problem(large)));
            QVERIFY(problem("/nowhere/at all").contains(QStringLiteral("at all")));
            QVERIFY(problem(place.write("none.txt", " \n")).startsWith(QStringLiteral("none.txt: ")));
            QVERIFY(problem(place.write("bad.txt", "\xFF")).startsWith(QStringLiteral("bad.txt: line 1: ")));
        }
    }
};

ATTN_TEST(TestSentences)
#include "tst_sentences.moc"

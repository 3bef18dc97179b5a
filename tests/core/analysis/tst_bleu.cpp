// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/scores.h"
#include "support/test_program.h"

#include <QTest>

#include <vector>

using namespace attn;

namespace {

QString joined(const std::vector<std::string>& tokens)
{
    QStringList list;
    for (const std::string& token : tokens)
        list << QString::fromStdString(token);
    return list.join(QLatin1Char('|'));
}

BleuCounts countsOf(const std::vector<std::pair<const char*, const char*>>& lines)
{
    BleuCounts counts;
    for (const auto& [hypothesis, reference] : lines)
        counts += bleuCounts(hypothesis, reference);
    return counts;
}

const std::vector<std::pair<const char*, const char*>> french{
    {"Le chat est assis sur le tapis.", "Le chat est assis sur un tapis."},
    {"Je ne sais pas, c'est 3,5 % de plus\u202f!", "Je ne sais pas : c'est 3,5 % de plus\u202f!"},
    {"Où est-il ?", "Où est-elle ?"},
    {"Il a 1-2 \"amis\" & des chiens.", "Il a 1-2 \"amis\" et des chiens..."}};

} // namespace

// Expected tokens and scores come from resources/training/bleu.py.
class TestBleu : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokensAreThoseOf13a_data()
    {
        test::addColumns<QString, QString>("line", "tokens");
        QTest::newRow("points and commas") << QStringLiteral("a.,b ,c. 1.5 2,a a,2 -3 4-5 x-y")
                                           << QStringLiteral("a|.|,|b|,|c|.|1.5|2|,|a|a|,|2|-3|4|-|5|x-y");
        QTest::newRow("entities") << QStringLiteral("&quot;x&quot; &amp; <b>") << QStringLiteral("\"|x|\"|&|<|b|>");
        QTest::newRow("marks") << QStringLiteral("{~}[`]!#$%&(+):@/ '")
                               << QStringLiteral("{|~|}|[|`|]|!|#|$|%|&|(|+|)|:|@|/|'");
        QTest::newRow("letters beyond ASCII") << QStringLiteral("é.à,ü 9. .9") << QStringLiteral("é|.|à|,|ü|9|.|.|9");
        QTest::newRow("spaces of Unicode") << QStringLiteral("a\u00a0b\u3000c\u202fd") << QStringLiteral("a|b|c|d");
        QTest::newRow("skipped") << QStringLiteral("x<skipped>y") << QStringLiteral("xy");
        QTest::newRow("repeated") << QStringLiteral("1--2 1,,2 a..b") << QStringLiteral("1|-|-2|1|,|,|2|a|.|.|b");
        QTest::newRow("nothing") << QString() << QString();
    }

    void tokensAreThoseOf13a()
    {
        QFETCH(QString, line);
        QFETCH(QString, tokens);
        QCOMPARE(joined(tokens13a(line.toStdString())), tokens);
    }

    void knownCorpora()
    {
        QCOMPARE(bleu(countsOf(french)), 62.98227827995219);
        QCOMPARE(bleu(countsOf({french[0]})), 59.4603557501361);
        QCOMPARE(bleu(countsOf({french[1]})), 70.16879391277372);
        QCOMPARE(bleu(countsOf({french[3]})), 62.20700406786387);
        QCOMPARE(bleu(countsOf({{"a b x c d", "a b y c d"}})), 30.213753973567677); // smoothed
        QCOMPARE(bleu(countsOf({{"the the the the the the the", "the cat is on the mat"}})), 7.809849842300637);
    }

    void shortOutputsAreMadeToPay()
    {
        QCOMPARE(bleu(countsOf({{"a b c d", "a b c d e f g h"}})), 36.78794411714425); // exp(1 - 8/4)
        QCOMPARE(bleu(countsOf({{"a b c d", "a b c d"}})), 100.0);
    }

    void nothingInCommonIsZero()
    {
        QCOMPARE(bleu(countsOf({{"a b c d e", "v w x y z"}})), 0.0);
        QCOMPARE(bleu(countsOf({french[2]})), 0.0); // too short for 4-grams
        QCOMPARE(bleu(countsOf({{"", "a b c d"}})), 0.0);
        QCOMPARE(bleu({}), 0.0);
    }

    void theCorpusIsNotTheMeanOfItsLines()
    {
        const double mean = (59.4603557501361 + 70.16879391277372 + 0 + 62.20700406786387) / 4;
        QVERIFY(std::abs(bleu(countsOf(french)) - mean) > 5);
    }
};

ATTN_TEST(TestBleu)

#include "tst_bleu.moc"

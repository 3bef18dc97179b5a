// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decoding/sampling.h"
#include "support/test_program.h"

#include <QTest>

#include <cmath>
#include <utility>
#include <vector>

using namespace attn;

namespace {

// Text is 0 to 3, 4 ends, 5 is a language, 6 stands for no times, 7 to 11 are times.
Speech tinySpeech()
{
    Speech speech;
    speech.textEnd = 4;
    speech.withoutTimes = 6;
    speech.latestFirst = 2;
    speech.notFirst = {1, 4};
    return speech;
}

// The tokens that may follow, where all but those of `unlikely` are equally probable.
QList<int> allowed(const std::vector<TokenId>& said, bool withTimes, const std::vector<TokenId>& unlikely = {})
{
    std::vector<float> logs(12, -2.0F);
    for (const TokenId token : unlikely)
        logs[static_cast<std::size_t>(token)] = -40.0F;
    applySpeechRules(logs, tinySpeech(), said, withTimes);
    QList<int> tokens;
    for (int token = 0; token < 12; ++token) {
        if (std::isfinite(logs[static_cast<std::size_t>(token)]))
            tokens << token;
    }
    return tokens;
}

const std::vector<TokenId> noTimes{7, 8, 9, 10, 11}; // unlikely, so that text may be chosen

} // namespace

class TestSpeechRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutTimesOnlyTheBeginningIsSpecial()
    {
        QCOMPARE(allowed({}, false), (QList<int>{0, 2, 3, 5, 6, 7, 8, 9, 10, 11}));
        QCOMPARE(allowed({0}, false).size(), 12);
    }

    void anOutputBeginsWithAnEarlyTime() { QCOMPARE(allowed({}, true), (QList<int>{7, 8, 9})); }

    void textFollowsABeginning()
    {
        QCOMPARE(allowed({8}, true), (QList<int>{0, 1, 2, 3, 4, 5}));
        QCOMPARE(allowed({7, 0, 9, 9}, true), (QList<int>{0, 1, 2, 3, 4, 5}));
    }

    void anEndOfSpeechIsFollowedByItsOwnTimeOrALaterOne()
    {
        QCOMPARE(allowed({8, 0, 9}, true, noTimes), (QList<int>{4, 5, 9, 10, 11}));
    }

    void timesDoNotGoBackNorStandStill()
    {
        QCOMPARE(allowed({8, 0}, true, noTimes), (QList<int>{0, 1, 2, 3, 4, 5, 9, 10, 11}));
        QCOMPARE(allowed({8, 0, 9, 9, 1}, true, noTimes), (QList<int>{0, 1, 2, 3, 4, 5, 10, 11}));
    }

    void timesThatAreMoreProbableTogetherAreChosen()
    {
        QCOMPARE(allowed({8, 0}, true), (QList<int>{9, 10, 11})); // three against one
        QCOMPARE(allowed({10, 0}, true, {}).first(), 0); // one against one
    }

    void thePromptEndsWhereTextOrATimeStands()
    {
        const Speech speech = tinySpeech();
        QCOMPARE(speech.promptLength(std::vector<TokenId>{5, 6, 0, 5}), 2);
        QCOMPARE(speech.promptLength(std::vector<TokenId>{5, 9}), 1);
        QCOMPARE(speech.promptLength(std::vector<TokenId>{4}), 0);
        QCOMPARE(speech.promptLength({}), 0);
    }
};

ATTN_TEST(TestSpeechRules)
#include "tst_speech_rules.moc"

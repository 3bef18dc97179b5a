// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "question/question.h"
#include "support/test_program.h"

#include <QTest>

using namespace attn;

class TestQuestionDifference : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSameQuestionDiffersInNothing() { QVERIFY(difference(usualQuestion(), usualQuestion()).empty()); }

    void everyRowThatDiffersIsThereWithBothValues()
    {
        const Question before = usualQuestion();
        Question after = before;
        after.text = "another";
        after.targetText = "la";
        after.decoding.search = Search::Beam;
        after.decoding.beamSize = 8;
        const QuestionDifference found = difference(before, after);
        const QuestionDifference expected{{"text", before.text, "another"},
                                          {"target", std::nullopt, "la"},
                                          {"decode", "greedy", "beam"},
                                          {"beam", "4", "8"}};
        QVERIFY(found == expected);
    }

    void whatIsCapturedMakesNoDifference()
    {
        Question after = usualQuestion();
        after.capture.hidden = true;
        QVERIFY(difference(usualQuestion(), after).empty());
    }
};

ATTN_TEST(TestQuestionDifference)
#include "tst_question_difference.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/candidates_panel.h"
#include "sample_traces.h"

#include <QTest>

using namespace attn;
using namespace attn::ui;

class TestCandidatesPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingHasItsTextAtOnce()
    {
        Study study;
        Selection selection;
        Appearance appearance;
        study.replaceTrace(test::sampleTrace(test::shortRun()), false);
        selection.setStep(2);
        const CandidatesPanel panel(study, selection, appearance);
        QVERIFY(!panel.findChild<QLabel*>(QStringLiteral("candidatesTitle"))->text().isEmpty());
        QVERIFY(!panel.findChild<QToolButton*>(QStringLiteral("allCandidates"))->text().isEmpty());
        QCOMPARE(panel.candidates().size(), std::size_t{8});
    }

    void withoutAStepThereAreNone()
    {
        Study study;
        Selection selection;
        Appearance appearance;
        study.replaceTrace(test::sampleTrace(test::shortRun()), false);
        const CandidatesPanel panel(study, selection, appearance);
        QVERIFY(panel.candidates().empty());
        selection.setStep(2);
        QTRY_VERIFY(!panel.candidates().empty());
        selection.setStep({});
        QTRY_VERIFY(panel.candidates().empty());
    }
};

QTEST_MAIN(TestCandidatesPanel)
#include "tst_candidates_panel.moc"

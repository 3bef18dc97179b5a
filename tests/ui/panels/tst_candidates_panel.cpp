// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/candidates_panel.h"
#include "sample_traces.h"
#include "support/test_program.h"

#include <QSignalSpy>
#include <QTest>

#include <optional>

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

    void anArchiveIsNotGoneOnFrom()
    {
        Study study;
        Selection selection;
        Appearance appearance;
        study.setArchive(QStringLiteral("a.npz"));
        study.replaceTrace(test::sampleTrace(test::shortRun()), false);
        selection.setStep(2);
        CandidatesPanel panel(study, selection, appearance);
        const QSignalSpy taken(&panel, &CandidatesPanel::taken);
        panel.resize(300, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QVERIFY(!panel.findChild<QLineEdit*>(QStringLiteral("anotherWord"))->isVisible());
        auto* bars = panel.findChild<FigureCanvas*>(QStringLiteral("candidatesChart"));
        for (int line = 0; line < 4; ++line)
            QTest::mouseClick(bars, Qt::LeftButton, Qt::NoModifier,
                              bars->figure()->cellRect(line, 0).center().toPoint());
        QCOMPARE(taken.count(), 0);
    }

    void whatIsDrawnIsShownOverWhatIsPredicted()
    {
        Study study;
        Selection selection;
        Appearance appearance;
        study.replaceTrace(test::sampleTrace(test::shortRun()), false);
        selection.setStep(2);
        CandidatesPanel panel(study, selection, appearance);
        panel.resize(300, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* note = panel.findChild<QLabel*>(QStringLiteral("drawnNote"));
        QVERIFY(!note->isVisible());
        const auto before = panel.candidates();
        panel.setDrawn({{before[0].id, 0.9}, {before[1].id, 0}});
        QVERIFY(note->isVisible());
        QCOMPARE(panel.candidates()[0].value, before[0].value);
        QCOMPARE(panel.candidates()[0].drawn, std::optional(0.9));
        QCOMPARE(panel.candidates()[1].drawn, std::optional(0.0));
        QVERIFY(!panel.candidates()[2].drawn);
        panel.setDrawn({});
        QVERIFY(!note->isVisible() && !panel.candidates()[0].drawn);
    }
};

ATTN_GUI_TEST(TestCandidatesPanel)
#include "tst_candidates_panel.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/decimal.h"
#include "panels/step_panel.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"

#include <QTest>

using namespace attn;
using namespace attn::ui;

namespace {

// Two hypotheses of one token each.
Trace smallBeam()
{
    Encoding source;
    source.ids = {1, 2};
    TraceBuilder builder(source, nullptr, {});
    builder.begun(source.ids, 0);
    DecodingStep step;
    step.token = 8;
    step.score = step.logProbability = -1.5F;
    builder.stepped(step);
    step.index = StepId{1};
    step.token = 7;
    step.score = step.logProbability = -0.5F;
    builder.stepped(step);
    builder.finished({{{StepId{1}, -0.5, -0.5, true}, {StepId{0}, -1.5, -1.5, false}}, 0.1});
    return builder.snapshot();
}

} // namespace

class TestStepPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hypothesesAreOfferedBestFirst()
    {
        Study study;
        Selection selection;
        StepPanel panel(study, selection);
        panel.show();
        const auto* picker = panel.findChild<QComboBox*>(QStringLiteral("hypothesisPicker"));
        QVERIFY(!picker->isVisible());
        study.replaceTrace(smallBeam(), false);
        QVERIFY(picker->isVisible());
        QCOMPARE(picker->count(), 2);
        QCOMPARE(picker->currentData().toInt(), 1); // the best one's last step, as none is chosen
        QVERIFY(picker->itemText(0).startsWith(QStringLiteral("score \u22120.500")));
        QCOMPARE(picker->itemData(1).toInt(), 0);
        const auto tip = [picker](int index) { return picker->itemData(index, Qt::ToolTipRole).toString(); };
        QVERIFY(tip(1).contains(decimal(-1.5, 3)) && !tip(0).contains(decimal(-1.5, 3)));
        selection.setLeaf(StepId{0});
        QCOMPARE(picker->currentData().toInt(), 0);
        study.replaceTrace({}, false);
        QCOMPARE(picker->count(), 0);
    }

    void withoutStepsNoneIsChosen()
    {
        Study study;
        Selection selection;
        StepPanel panel(study, selection);
        for (const auto walk : {&StepPanel::first, &StepPanel::back, &StepPanel::forward, &StepPanel::last}) {
            (panel.*walk)();
            QVERIFY(!selection.step());
        }
        study.replaceTrace(smallBeam(), false);
        QCOMPARE(selection.step(), 0);
        for (const auto walk : {&StepPanel::last, &StepPanel::forward, &StepPanel::back, &StepPanel::first}) {
            (panel.*walk)();
            QCOMPARE(selection.step(), 0); // there is one
        }
    }

    void aRunSaysWhyItRestsWhereItDoes()
    {
        Study study;
        Selection selection;
        StepPanel panel(study, selection);
        panel.show();
        Encoding source;
        source.ids = {1, 2};
        TraceBuilder builder(source, nullptr, {});
        builder.begun(source.ids, 0);
        for (int i = 0; i < 3; ++i) {
            DecodingStep step;
            step.index = StepId{i};
            if (i > 0)
                step.parent = StepId{i - 1};
            step.token = 7;
            step.candidates = {{7, i == 1 ? -0.7F : -0.01F}, {8, i == 1 ? -0.7F : -9.0F}};
            builder.stepped(step);
        }
        builder.finished({{{StepId{2}, -0.5, -0.5, true}}, 0.1});
        study.replaceTrace(builder.snapshot(), false);
        const auto* note = panel.findChild<QLabel*>(QStringLiteral("restNote"));
        QCOMPARE(selection.step(), 1);
        QVERIFY(note->isVisible());
        panel.first();
        QVERIFY(!note->isVisible());
        selection.setStep(1);
        QVERIFY(!note->isVisible());
        study.replaceTrace(smallBeam(), false); // of one step
        QVERIFY(!note->isVisible());
    }

    // A new output is played while it comes; who looks elsewhere ends that.
    void aNewOutputIsWrittenWordByWord()
    {
        Study study;
        Selection selection;
        StepPanel panel(study, selection);
        const auto run = [&study](int steps, const char* text) {
            Encoding source;
            source.ids = {1, 2};
            TraceBuilder builder(source, nullptr, {});
            builder.begun(source.ids, 0);
            for (int i = 0; i < steps; ++i) {
                DecodingStep step;
                step.index = StepId{i};
                if (i > 0)
                    step.parent = StepId{i - 1};
                step.token = 7;
                builder.stepped(step);
            }
            Question question;
            question.text = text;
            study.begin(question);
            study.replaceTrace(builder.snapshot(), true);
        };
        run(3, "one");
        QVERIFY(!panel.playing()); // nobody looks on
        QCOMPARE(selection.step(), 2);
        panel.setWatched();
        run(3, "two");
        QVERIFY(panel.playing());
        QCOMPARE(selection.step(), 0);
        QCOMPARE(selection.moment(), 0.0);
        QTRY_VERIFY(selection.moment() > 0.0);
        QTRY_COMPARE(selection.step(), 2);
        QTRY_VERIFY(!selection.moment());
        QVERIFY(panel.playing()); // more may come
        selection.setStep(1);
        QVERIFY(!panel.playing() && !selection.plays() && !selection.moment());
        QCOMPARE(selection.step(), 1);
        panel.setWritesOut(false);
        run(3, "three");
        QVERIFY(!panel.playing());
    }
};

ATTN_GUI_TEST(TestStepPanel)
#include "tst_step_panel.moc"

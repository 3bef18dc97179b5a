// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/decimal.h"
#include "panels/step_panel.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"

#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>

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
        QVERIFY(picker->itemText(0).startsWith(QStringLiteral("\u22120.500")));
        QCOMPARE(picker->itemData(1).toInt(), 0);
        const auto tip = [picker](int index) { return picker->itemData(index, Qt::ToolTipRole).toString(); };
        QVERIFY(tip(1).contains(decimal(-1.5, 3)) && !tip(0).contains(decimal(-1.5, 3)));
        selection.setLeaf(StepId{0});
        QCOMPARE(picker->currentData().toInt(), 0);
        study.replaceTrace({}, false);
        QCOMPARE(picker->count(), 0);
    }

    // Of a long text the part around the step stands there, and what is left out leads on.
    void aLongTextIsShownInPart()
    {
        constexpr int many = 1000;
        Encoding source;
        for (int i = 0; i < many; ++i) {
            source.ids.push_back(i);
            source.tokens.push_back("w" + std::to_string(i) + "w");
        }
        Provenance provenance;
        provenance.kind = ModelKind::EncoderOnly;
        TraceBuilder builder(source, nullptr, provenance);
        builder.begun(source.ids, {});
        builder.finished({});
        Study study;
        Selection selection;
        StepPanel panel(study, selection);
        study.replaceTrace(builder.snapshot(), false);
        auto* output = panel.findChild<QTextBrowser*>(QStringLiteral("outputSoFar"));
        const auto has = [output](int token) {
            return output->toPlainText().contains(QStringLiteral("w%1w").arg(token));
        };
        for (const int step : {0, 500, many - 1}) {
            selection.setStep(step);
            QVERIFY(has(step));
            QCOMPARE(has(0), step == 0);
            QCOMPARE(has(many - 1), step == many - 1);
            QVERIFY(output->document()->characterCount() < 3000);
        }
        QVERIFY(output->toPlainText().trimmed().startsWith(QChar(0x2026)));
        for (const int width : {500, 900, 2400}) { // what there is room for
            panel.resize(width, 80);
            panel.show();
            QTRY_VERIFY(output->document()->firstBlock().layout()->lineCount() >= 2);
            QVERIFY(has(many - 1));
            QVERIFY(output->document()->characterCount() < 2 * width);
        }
        panel.resize(900, 80);
        output->verticalScrollBar()->setValue(0);
        QTextCursor cursor(output->document());
        cursor.setPosition(2);
        QTest::mouseClick(output->viewport(), Qt::LeftButton, Qt::NoModifier, output->cursorRect(cursor).center());
        QVERIFY(selection.step().has_value());
        QVERIFY(*selection.step() < many - 20);
        QVERIFY(has(*selection.step()));
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
};

ATTN_GUI_TEST(TestStepPanel)
#include "tst_step_panel.moc"

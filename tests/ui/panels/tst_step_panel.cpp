// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/look/decimal.h"
#include "panels/step_panel.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <optional>
#include <string>
#include <utility>
#include <vector>

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

// A path of so many steps, whose words are those of `tokens`.
struct Output
{
    ModelKind kind = ModelKind::EncoderDecoder;
    int read = 2; // tokens
    std::vector<TokenId> tokens = {};
    std::string decoding = "greedy";
    bool ended = true;
};

Trace traceOf(const Output& output)
{
    Encoding source;
    for (int i = 0; i < output.read; ++i)
        source.ids.push_back(i + 1);
    Provenance provenance;
    provenance.kind = output.kind;
    provenance.decoding = output.decoding;
    TraceBuilder builder(source, nullptr, provenance);
    const bool goesOn = output.kind == ModelKind::DecoderOnly;
    builder.begun(source.ids, goesOn ? source.ids.front() : 0);
    std::vector<TokenId> path(source.ids.begin() + (goesOn ? 1 : output.read), source.ids.end());
    path.insert(path.end(), output.tokens.begin(), output.tokens.end());
    std::optional<StepId> last;
    for (int i = 0; i < indexSize(path); ++i) {
        DecodingStep step;
        step.index = StepId{i};
        step.parent = last;
        step.position = i;
        step.token = path[static_cast<std::size_t>(i)];
        builder.stepped(step);
        last = step.index;
    }
    if (output.ended)
        builder.finished({{{last, -0.5, -0.5, true}}, 0.1});
    return builder.snapshot();
}

// A window's panel that somebody looks at, and runs that it is told of.
struct Played
{
    Study study;
    Selection selection;
    StepPanel panel{study, selection};
    std::vector<int> born = {}; // steps

    Played()
    {
        panel.setWatched();
        QObject::connect(&selection, &Selection::changed, &panel, [this](Selection::Fields fields) {
            if ((fields & Selection::StepField) && selection.moment())
                born.push_back(*selection.step());
        });
    }
    void run(const Output& output, const char* text = "one", std::vector<std::string> edits = {})
    {
        Question question;
        question.text = text;
        question.edits = std::move(edits);
        question.decoding.generate = output.kind == ModelKind::DecoderOnly ? indexSize(output.tokens) : 0;
        study.begin(question);
        study.replaceTrace(traceOf(output), !output.ended);
        study.end();
    }
};

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

    // The prompt is there already, and what was written before stands.
    void aContinuationIsWrittenWordByWord()
    {
        Played played;
        played.run({.kind = ModelKind::DecoderOnly, .read = 4});
        QVERIFY(!played.panel.playing()); // nothing was written
        played.run({.kind = ModelKind::DecoderOnly, .read = 4, .tokens = {7, 8}});
        QVERIFY(played.panel.playing());
        QTRY_VERIFY(!played.panel.playing());
        QCOMPARE(std::exchange(played.born, {}), (std::vector{3, 4}));
        played.run({.kind = ModelKind::DecoderOnly, .read = 4, .tokens = {7, 8, 9}});
        QVERIFY(played.panel.playing());
        QTRY_VERIFY(!played.panel.playing());
        QCOMPARE(std::exchange(played.born, {}), std::vector{5});
        QCOMPARE(played.selection.step(), 5);
        played.panel.playFromTheStart();
        QCOMPARE(played.selection.step(), 3);
    }

    // Once it has ended: until then its words change.
    void aBeamIsWrittenAfterItsEnd()
    {
        Played played;
        played.run({.tokens = {7, 8}, .decoding = "beam:4", .ended = false});
        QVERIFY(!played.panel.playing());
        played.run({.tokens = {7, 8}, .decoding = "beam:4"}, "two");
        QVERIFY(played.panel.playing());
        QTRY_VERIFY(!played.panel.playing());
        QCOMPARE(played.born, (std::vector{0, 1}));
    }

    // Words that stand are not written again, and the step that was shown is shown again.
    void wordsThatAnEditChangesAreWrittenOnceMore()
    {
        for (const ModelKind kind : {ModelKind::EncoderDecoder, ModelKind::DecoderOnly}) {
            Played played;
            const int given = kind == ModelKind::DecoderOnly ? 1 : 0; // steps
            played.run({.kind = kind, .tokens = {7, 8, 9, 10}});
            played.panel.last();
            QVERIFY(!played.panel.playing());
            played.born.clear();
            played.run({.kind = kind, .tokens = {7, 11, 9, 12}}, "one", {"hide:0"});
            QVERIFY(played.panel.playing());
            QVERIFY(!played.selection.plays()); // all others stand
            QTRY_VERIFY(!played.panel.playing());
            QCOMPARE(std::exchange(played.born, {}), (std::vector{given + 1, given + 3}));
            QCOMPARE(played.selection.step(), given + 3);
            QVERIFY(!played.selection.moment());
            // A dragged value answers at once, and its word is written when it is let go.
            played.study.beginTrying();
            played.run({.kind = kind, .tokens = {7, 8, 9, 12}}, "one", {"set:0"});
            played.run({.kind = kind, .tokens = {13, 8, 9, 12}}, "one", {"set:1"});
            QVERIFY(!played.panel.playing());
            played.study.endTrying();
            QVERIFY(played.panel.playing());
            QTRY_VERIFY(!played.panel.playing());
            QCOMPARE(played.born, (std::vector{given, given + 1}));
        }
    }
};

ATTN_GUI_TEST(TestStepPanel)
#include "tst_step_panel.moc"

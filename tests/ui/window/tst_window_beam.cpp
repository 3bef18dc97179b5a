// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/beam_figure.h"
#include "figures/kinds/shown_step.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"

#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
#include <QWheelEvent>

#include <algorithm>

using namespace attn;
using namespace attn::ui;
using attn::test::WindowFixture;

namespace {

const QString reader = test::trainedModels + QStringLiteral("bert-small-en");

FigureView& beamOf(const WindowFixture& fixture)
{
    fixture.showTab("beam");
    auto* view = fixture.find<FigureView>("beamView");
    view->grab();
    return *view;
}

const BeamFigure& shown(FigureView& view)
{
    view.grab();
    return dynamic_cast<const BeamFigure&>(*view.figure());
}

// A point of the ranking where this hypothesis is chosen; null: none.
QPoint entryOf(FigureView& view, StepId leaf)
{
    const BeamFigure& figure = shown(view);
    for (int y = 0; y < view.height(); y += 4) {
        const QPoint point(view.width() - 30, y);
        if (figure.hitTest(point).node == leaf && !figure.nodeRect(numberOf(leaf)).contains(point))
            return point;
    }
    return {};
}

std::optional<int> nodeOf(const WindowFixture& fixture)
{
    return beamNodeAt(fixture.trace(), fixture.window->selection().leaf(), fixture.window->selection().step());
}

} // namespace

// The beam tree in the window: other views and panels follow it.
class TestWindowBeam : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aTokenOfADroppedHypothesisIsShownEverywhere()
    {
        WindowFixture fixture("recurrent");
        fixture.choose("decode", "beam");
        fixture.click("runButton");
        fixture.settle();
        FigureView& view = beamOf(fixture);
        const BeamTree tree = beamTree(fixture.trace());
        int dropped = -1;
        for (int node = 0; node < fixture.trace().stepCount() && dropped < 0; ++node) {
            const QPoint middle = shown(view).nodeRect(node).center().toPoint();
            if (tree.droppedAt(node) && shown(view).hitTest(middle).node == StepId{node})
                dropped = node;
        }
        QVERIFY(dropped >= 0);
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, shown(view).nodeRect(dropped).center().toPoint());
        QCOMPARE(nodeOf(fixture), std::optional(dropped));
        QCOMPARE(fixture.window->heatmap().spec().leaf, std::optional(StepId{dropped}));
        const int step = fixture.trace().step(StepId{dropped}).step.position;
        QCOMPARE(fixture.window->heatmap().spec().currentStep, std::optional(step));
        const auto candidates = candidatesAt(fixture.trace(), StepId{dropped}, step);
        const auto taken = std::ranges::find_if(candidates, &BarListContent::Entry::taken);
        QVERIFY(taken != candidates.end());
        QTRY_VERIFY(fixture.find<QLabel>("candidatesTitle")->text().contains(taken->label));

        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Home); // the best one
        QCOMPARE(nodeOf(fixture), std::optional(numberOf(fixture.trace().bestLeaf().value())));
        QVERIFY(!fixture.window->selection().leaf());
        QTest::keyClick(&view, Qt::Key_Left);
        QVERIFY(nodeOf(fixture) != numberOf(fixture.trace().bestLeaf().value()));
    }

    void aHypothesisIsLookedAtInItsLastWord()
    {
        WindowFixture fixture;
        fixture.show(test::trainedModels + QStringLiteral("transformer-en-fr"), QStringLiteral("I am tired."));
        fixture.settle(); // until then the button stops it
        fixture.choose("decode", "beam");
        fixture.click("runButton");
        fixture.settle();
        FigureView& view = beamOf(fixture);
        const auto& selection = fixture.window->selection();
        for (const Hypothesis& found : fixture.trace().summary()->hypotheses) {
            const QPoint entry = entryOf(view, *found.step);
            QVERIFY(!entry.isNull());
            QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, entry);
            QCOMPARE(selection.leaf().value_or(*fixture.trace().bestLeaf()), *found.step);
            const Encoding target = fixture.trace().target(found.step);
            QVERIFY(isSpecial(target, fixture.trace().steps(found.step) - 1));
            QCOMPARE(selection.step(), std::optional(fixture.trace().steps(found.step) - 2));
        }
        fixture.action("specialsAction")->setChecked(true);
        const StepId best = *fixture.trace().bestLeaf();
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, entryOf(view, best));
        QCOMPARE(nodeOf(fixture), std::optional(numberOf(best))); // whose row is shown then
    }

    void aSearchIsWatched()
    {
        WindowFixture fixture("endless");
        fixture.choose("decode", "beam");
        fixture.find<QSpinBox>("max-length")->setValue(100'000);
        fixture.click("runButton");
        QTRY_VERIFY(fixture.window->study().running() && fixture.trace().stepCount() > 20);
        FigureView& view = beamOf(fixture);
        const QPointF middle = QRectF(view.rect()).center();
        QWheelEvent wheel(middle, view.mapToGlobal(middle), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &wheel);
        const QRectF seen = shown(view).seen();
        const int before = fixture.trace().stepCount();
        QTRY_VERIFY(fixture.trace().stepCount() > before + 40);
        QCOMPARE(shown(view).seen().left(), seen.left());
        QCOMPARE(shown(view).seen().width(), seen.width());
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Home);
        QVERIFY(nodeOf(fixture));
        fixture.click("runButton"); // which stops it now
        fixture.settle();
        QVERIFY(shown(view).rows() > 0);
    }

    void aModelThatOnlyReadsHasNone()
    {
        WindowFixture fixture;
        fixture.show(reader, QStringLiteral("A cat."));
        fixture.settle();
        const auto row = std::ranges::find(viewRows(), std::string_view("beam"), &ViewRow::id);
        QVERIFY(!fixture.find<ViewTabs>("viewTabs")->offers(*row));
    }

    void theTreeIsExported()
    {
        WindowFixture fixture("recurrent");
        fixture.choose("decode", "beam");
        fixture.click("runButton");
        fixture.settle();
        beamOf(fixture);
        fixture.answers->choice = ExportChoice{fixture.path(QStringLiteral("tree.csv")), {}};
        const QSignalSpy written(&fixture.exporter(), &Exporter::written);
        fixture.action("exportAction")->trigger();
        QTRY_COMPARE(written.count(), 1);
        QFile file(fixture.path(QStringLiteral("tree.csv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), fixture.trace().stepCount() + 1);
    }
};

ATTN_GUI_TEST(TestWindowBeam)

#include "tst_window_beam.moc"

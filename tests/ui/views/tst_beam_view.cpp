// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/beam_figure.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "views/view_rows.h"

#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <memory>

using namespace attn;
using namespace attn::ui;

namespace attn::ui {
QWidget* makeBeamView(const ViewContext& context); // has no header
}

namespace {

constexpr int width = 5;
constexpr int steps = 24;

// A view of a finished search, or of one that goes on.
class BeamFixture
{
public:
    explicit BeamFixture(const Trace& trace, bool running = false)
    {
        study.replaceTrace(trace, running);
        view.reset(qobject_cast<FigureView*>(makeBeamView({study, selection, appearance})));
        view->resize(900, 560);
        view->show();
        view->setFocus();
    }

    // As it is on the screen now.
    const BeamFigure& figure() const
    {
        view->grab();
        return dynamic_cast<const BeamFigure&>(*view->figure());
    }
    std::optional<int> node() const { return beamNodeAt(study.trace(), selection.leaf(), selection.step()); }
    void press(Qt::Key key) const { QTest::keyClick(view.get(), key); }
    // Until tokens can be read.
    void zoomIn() const
    {
        while (figure().seen().width() > 8)
            wheel({40, figure().nodeRect(0).center().y()}, 120);
    }
    void click(int node) const
    {
        QTest::mouseClick(view.get(), Qt::LeftButton, Qt::NoModifier, figure().nodeRect(node).center().toPoint());
    }
    void wheel(QPointF position, int delta) const
    {
        QWheelEvent event(position, view->mapToGlobal(position), {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view.get(), &event);
    }
    void drag(QPoint by) const
    {
        const QPoint start = view->rect().center();
        QTest::mousePress(view.get(), Qt::LeftButton, Qt::NoModifier, start);
        for (int part = 1; part <= 4; ++part) {
            const QPoint now = start + by * part / 4;
            QMouseEvent move(QEvent::MouseMove, now, view->mapToGlobal(now), Qt::NoButton, Qt::LeftButton,
                             Qt::NoModifier);
            QCoreApplication::sendEvent(view.get(), &move);
        }
        QTest::mouseRelease(view.get(), Qt::LeftButton, Qt::NoModifier, start + by);
    }

    Study study;
    Selection selection;
    Appearance appearance;
    std::unique_ptr<FigureView> view;
};

const BeamNode& nodeOf(const BeamLayout& layout, int node)
{
    return layout.tree.nodes.at(static_cast<std::size_t>(node));
}

// A visible token that fits, unfolded by itself.
template<class Fits>
int visibleNode(const BeamFixture& fixture, const BeamLayout& layout, const Fits& fits)
{
    const BeamFigure& figure = fixture.figure();
    for (int node = 0; node < static_cast<int>(layout.tree.nodes.size()); ++node) {
        if (figure.nodeRect(node).width() > 20 && figure.nodeRect(node).height() > 20 && fits(node))
            return node;
    }
    qFatal("there is no such token");
}

} // namespace

class TestBeamView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keysGoThroughALowView()
    {
        const BeamFixture fixture(test::sampleBeam({width, steps}));
        fixture.view->resize(600, 40);
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_End, Qt::Key_Up, Qt::Key_Home, Qt::Key_Left}) {
            fixture.press(key);
            QVERIFY(!fixture.view->grab().isNull());
        }
    }

    void aClickLooksAtAToken()
    {
        const Trace trace = test::sampleBeam({width, steps});
        const BeamLayout layout = beamLayout(trace);
        const BeamFixture fixture(trace);
        fixture.zoomIn();
        const int dropped = visibleNode(fixture, layout, [&](int node) {
            return nodeOf(layout, node).fate == BeamFate::FellOut && nodeOf(layout, node).position > 0;
        });
        fixture.click(dropped);
        QCOMPARE(fixture.node(), std::optional(dropped));
        QCOMPARE(fixture.selection.leaf(), std::optional(StepId{dropped}));
        QCOMPARE(fixture.selection.step(), std::optional(nodeOf(layout, dropped).position));
        const int best = visibleNode(fixture, layout, [&](int node) { return nodeOf(layout, node).best; });
        fixture.click(best);
        QCOMPARE(fixture.node(), std::optional(best));
        const int kept = visibleNode(fixture, layout, [&](int node) {
            return !nodeOf(layout, node).best && nodeOf(layout, layout.leafOf[static_cast<std::size_t>(node)]).rank;
        });
        fixture.click(kept);
        QCOMPARE(fixture.node(), std::optional(kept)); // in the best of the final ones that it leads to
        QVERIFY(nodeOf(layout, numberOf(fixture.selection.leaf().value())).rank);
    }

    void aTokenOfTheSameHypothesisKeepsIt()
    {
        const Trace trace = test::sampleBeam({width, steps});
        BeamFixture fixture(trace);
        const auto leaf = trace.summary()->hypotheses.at(2).step;
        fixture.selection.setLeaf(leaf);
        fixture.click(0);
        const bool on = beamNodeAt(trace, leaf, 0) == 0;
        QCOMPARE(fixture.selection.leaf() == leaf, on);
    }

    void hoverTellsTheNumbers()
    {
        const Trace trace = test::sampleBeam({width, steps});
        const BeamFixture fixture(trace);
        QSignalSpy hovered(fixture.view.get(), &FigureView::hovered);
        QTest::mouseMove(fixture.view.get(), fixture.figure().nodeRect(0).center().toPoint());
        QCOMPARE(hovered.count(), 1);
        QCOMPARE(hovered.last().at(0).value<FigureHit>(), fixture.figure().nodeHit(0));
        QVERIFY(!fixture.selection.row()); // no cell of another view
    }

    void keysWalkTheTree()
    {
        const Trace trace = test::sampleBeam({width, steps});
        const BeamLayout layout = beamLayout(trace);
        const BeamFixture fixture(trace);
        fixture.press(Qt::Key_Home);
        QCOMPARE(fixture.node(), std::optional(numberOf(trace.bestLeaf().value())));
        QVERIFY(!fixture.figure().nodeRect(*fixture.node()).isEmpty()); // it came into sight
        int expected = 0; // boxes of the best path before its last
        for (auto item = layout.itemAt(*fixture.node()).parent; item;
             item = layout.items[static_cast<std::size_t>(*item)].parent)
            ++expected;
        QVERIFY(expected > 0);
        int back = 0;
        while (nodeOf(layout, *fixture.node()).parent) {
            const int before = *fixture.node();
            fixture.press(Qt::Key_Left);
            QCOMPARE(fixture.node(), nodeOf(layout, layout.firstNode(layout.itemAt(before))).parent.value_or(before));
            QVERIFY(!fixture.figure().nodeRect(*fixture.node()).isEmpty());
            if (fixture.node() == before)
                break;
            ++back;
        }
        QCOMPARE(back, expected);
        const int first = *fixture.node();
        fixture.press(Qt::Key_Right);
        QCOMPARE(nodeOf(layout, *fixture.node()).parent, std::optional(layout.lastNode(layout.itemAt(first))));
        QVERIFY(nodeOf(layout, *fixture.node()).best);
    }

    void keysWalkBesideEachOther()
    {
        const Trace trace = test::sampleBeam({width, steps});
        const BeamLayout layout = beamLayout(trace);
        const BeamFixture fixture(trace);
        fixture.click(0);
        while (fixture.node() != layout.node(layout.items[static_cast<std::size_t>(layout.columns[0].front())], 0)) {
            const auto before = fixture.node();
            fixture.press(Qt::Key_Up);
            QVERIFY(fixture.node() != before);
        }
        std::vector<int> seen{*fixture.node()};
        for (std::size_t i = 1; i < layout.columns[0].size(); ++i) {
            fixture.press(Qt::Key_Down);
            seen.push_back(*fixture.node());
            QCOMPARE(nodeOf(layout, seen.back()).position, 0);
        }
        fixture.press(Qt::Key_Down); // there is no further one
        QCOMPARE(*fixture.node(), seen.back());
        std::sort(seen.begin(), seen.end());
        QVERIFY(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
    }

    void foldingByKeyClickAndDoubleClick()
    {
        const Trace trace = test::sampleBeam({width, steps});
        const BeamLayout layout = beamLayout(trace);
        const BeamFixture fixture(trace);
        fixture.zoomIn();
        const int node = visibleNode(fixture, layout, [&](int at) {
            return layout.itemAt(at).isFolded() && layout.firstNode(layout.itemAt(at)) == at
                && !fixture.figure().foldRect(at).isNull();
        });
        const StepId begin{node};
        const QPointF before = fixture.figure().nodeRect(node).topLeft();
        QTest::mouseClick(fixture.view.get(), Qt::LeftButton, Qt::NoModifier,
                          fixture.figure().foldRect(node).center().toPoint());
        QVERIFY(fixture.view->spec().refolded.contains(begin));
        QVERIFY((fixture.figure().nodeRect(node).topLeft() - before).manhattanLength() < 2); // it stays where it is
        fixture.click(node);
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Space}) {
            const bool was = fixture.view->spec().refolded.contains(begin);
            fixture.press(key);
            QCOMPARE(fixture.view->spec().refolded.contains(begin), !was);
        }
        const QPoint middle = fixture.figure().nodeRect(node).center().toPoint();
        QTest::mouseDClick(fixture.view.get(), Qt::LeftButton, Qt::NoModifier, middle);
        QVERIFY(!fixture.view->spec().refolded.contains(begin));
    }

    void zoomAndPan()
    {
        const BeamFixture fixture(test::sampleBeam({width, 60}));
        QVERIFY(fixture.view->spec().visible.isNull());
        QVERIFY(fixture.figure().seen().width() >= 60); // the whole tree
        for (int i = 0; i < 5; ++i)
            fixture.press(Qt::Key_Plus);
        const QRectF start = fixture.figure().seen();
        QVERIFY(start.width() < 60);
        fixture.drag({-200, 0});
        QVERIFY(fixture.figure().seen().left() > start.left() + 1);
        fixture.press(Qt::Key_0);
        QVERIFY(fixture.figure().seen().width() >= 60);
        const QPointF pointer(400, 300);
        const auto under = fixture.figure().cellsAt(pointer);
        fixture.wheel(pointer, 240);
        QVERIFY(fixture.figure().seen().width() < 60);
        const auto now = fixture.figure().cellsAt(pointer);
        QVERIFY(under && now && std::abs(under->x() - now->x()) < 0.01);
        for (int i = 0; i < 20; ++i)
            fixture.press(Qt::Key_Plus);
        const double largest = fixture.figure().seen().width();
        fixture.press(Qt::Key_Plus); // what is large enough gets no larger
        QCOMPARE(fixture.figure().seen().width(), largest);
        fixture.press(Qt::Key_Minus);
        QVERIFY(fixture.figure().seen().width() > largest);
    }

    void aGrowingTreeDoesNotMoveWhatIsLookedAt()
    {
        BeamFixture fixture(test::sampleBeam({.width = 12, .steps = 40, .done = 14}), true);
        fixture.wheel({400, 300}, 120);
        fixture.drag({-150, 60});
        const auto middle = fixture.figure().cellsAt(QPointF(fixture.view->rect().center()));
        QVERIFY(middle);
        for (int done = 15; done <= 40; ++done) {
            const FigureHit before = fixture.figure().hitTest({430, 300});
            const QRectF seen = fixture.figure().seen();
            fixture.study.growTrace(test::sampleBeam({.width = 12, .steps = 40, .done = done}), true);
            QCOMPARE(fixture.figure().seen().left(), seen.left());
            QCOMPARE(fixture.figure().seen().width(), seen.width());
            if (before.node && done > 16) // all around it is known by then
                QVERIFY(!fixture.figure().nodeRect(numberOf(*before.node)).isEmpty());
        }
    }

    void anotherRunBeginsAnew()
    {
        BeamFixture fixture(test::sampleBeam({width, steps}));
        fixture.press(Qt::Key_0);
        fixture.press(Qt::Key_Home);
        fixture.press(Qt::Key_Return);
        fixture.study.replaceTrace(test::sampleBeam({.width = 3, .steps = 8}), false);
        QVERIFY(fixture.view->spec().visible.isNull());
        QVERIFY(fixture.view->spec().refolded.empty());
        QCOMPARE(fixture.figure().seen().left(), 0.0);
    }

    void aTextThatWasReadHasNoTree()
    {
        const BeamFixture fixture(test::sampleReading(test::pairRun()));
        QCOMPARE(fixture.figure().rows(), 0);
        for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Left, Qt::Key_Return, Qt::Key_Plus})
            fixture.press(key);
        fixture.wheel({300, 200}, 120);
        fixture.drag({30, 30});
        QVERIFY(!fixture.selection.leaf());
    }
};

ATTN_GUI_TEST(TestBeamView)

#include "tst_beam_view.moc"

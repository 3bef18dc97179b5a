// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_matrix.h"
#include "run/latest_request.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"
#include "views/view_rows.h"

#include <QChart>
#include <QChartView>
#include <QLabel>
#include <QPainter>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QThreadPool>
#include <QWheelEvent>

#include <memory>

using namespace attn;
using namespace attn::ui;

namespace attn::ui {
// They have no header.
QWidget* makeHeatmapView(const ViewContext& context);
QWidget* makeHeadGridView(const ViewContext& context);
QWidget* makePositionView(const ViewContext& context);
} // namespace attn::ui

namespace {

constexpr int rows = 12;
constexpr int columns = 10;
constexpr int heads = 2;
constexpr int layers = 3;

// Row r of head h looks at column r mod columns with weight 0.5 + h / 10, the rest is spread.
Trace trace()
{
    Encoding source;
    for (int i = 0; i < columns; ++i) {
        source.ids.push_back(i);
        source.tokens.push_back("in" + std::to_string(i));
    }
    TraceBuilder builder(source, nullptr, {});
    builder.begun(source.ids, 0);
    for (int row = 0; row < rows; ++row) {
        for (int layer = 0; layer < layers; ++layer) {
            std::vector<float> weights;
            for (int head = 0; head < heads; ++head) {
                const float peak = 0.5F + 0.1F * static_cast<float>(head);
                for (int column = 0; column < columns; ++column)
                    weights.push_back(column == row % columns ? peak : (1 - peak) / (columns - 1));
            }
            builder.attention({{Stage::Cross, layer}, 0, row, {weights.data(), heads, 1, columns}, {}});
        }
        DecodingStep step;
        step.index = StepId{row};
        if (row > 0)
            step.parent = StepId{row - 1};
        step.position = row;
        step.token = row;
        builder.stepped(step);
    }
    builder.finished({{{StepId{rows - 1}, -1, -0.1, true}}, 0.1});
    return builder.snapshot();
}

} // namespace

class TestFigureView : public QObject
{
    Q_OBJECT

    struct Fixture
    {
        Study study;
        Selection selection;
        Appearance appearance;
        ViewContext context() { return {study, selection, appearance}; }
    };

    static std::unique_ptr<FigureView> heatmap(Fixture& fixture)
    {
        return std::unique_ptr<FigureView>(qobject_cast<FigureView*>(makeHeatmapView(fixture.context())));
    }

    static void show(QWidget& view)
    {
        view.resize(900, 640);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }

    // The heatmap of trace(), on the screen.
    struct ShownHeatmap : Fixture
    {
        ShownHeatmap()
        {
            study.replaceTrace(trace(), false);
            view = heatmap(*this);
            show(*view);
        }
        std::unique_ptr<FigureView> view;
    };

    static QPoint cell(const FigureView& view, int row, int column)
    {
        return view.figure()->cellRect(row, column).center().toPoint();
    }

    static void wheel(QWidget& view, QPoint position, int delta)
    {
        QWheelEvent event(position, view.mapToGlobal(position), {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &event);
    }

    // One encoder head over so many tokens.
    static Trace reading(int tokens)
    {
        Encoding source;
        for (int i = 0; i < tokens; ++i) {
            source.ids.push_back(i);
            source.tokens.push_back("in" + std::to_string(i));
        }
        Provenance provenance;
        provenance.kind = ModelKind::EncoderOnly;
        TraceBuilder builder(source, nullptr, provenance);
        builder.begun(source.ids, {});
        Numbers weights = Numbers::zeros(1, tokens, tokens);
        for (int i = 0; i < tokens; ++i)
            weights.at(i, i) = 1;
        builder.stored({{Stage::Encoder, 0}, 0, std::move(weights), {}});
        builder.finished({});
        return builder.snapshot();
    }

    // Of 700 tokens, on the screen; it is laid out elsewhere.
    static std::unique_ptr<FigureView> largeHeatmap(Fixture& fixture)
    {
        fixture.selection.setSite({Stage::Encoder, 0});
        fixture.study.replaceTrace(reading(700), false);
        auto view = heatmap(fixture);
        show(*view);
        return view;
    }

private Q_SLOTS:
    // Whenever it changes: before it was painted, or while it could not be.
    void theLastChangeOfALargeMapIsShown()
    {
        Fixture fixture;
        const auto made = largeHeatmap(fixture);
        FigureView& view = *made;
        QTRY_COMPARE(view.figure()->rows(), 700);
        const auto chooseRows = [&fixture](int last) {
            fixture.appearance.choose([last](FigureChoices& choices) { choices.rows = ShownSpan{0, last}; });
        };
        const auto arrive = [] { // without a picture in between
            QThreadPool::globalInstance()->waitForDone();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::MetaCall);
        };
        chooseRows(599);
        view.repaint();
        chooseRows(589);
        arrive();
        QTRY_COMPARE(view.figure()->rows(), 590);
        chooseRows(579);
        view.repaint();
        view.hide();
        arrive();
        chooseRows(569);
        view.show();
        QTRY_COMPARE(view.figure()->rows(), 570);
        // In another size, too; beside the picture that was there is ground.
        view.resize(1000, 500);
        view.repaint();
        QTRY_COMPARE(view.figure()->size(), QSizeF(view.size()));
    }

    void whatTakesLongToDrawSaysSo()
    {
        Fixture fixture;
        const auto made = largeHeatmap(fixture);
        FigureView& view = *made;
        QTRY_COMPARE(view.figure()->rows(), 700);
        const auto* const note = view.findChild<QLabel*>(QStringLiteral("drawingNote"));
        QVERIFY(!note->isVisible());
        const auto busy = std::make_shared<QSemaphore>(); // the pool has other work
        const int threads = QThreadPool::globalInstance()->maxThreadCount();
        const auto end = qScopeGuard([&] { busy->release(threads); });
        for (int i = 0; i < threads; ++i)
            QThreadPool::globalInstance()->start(HandedOver([busy] { busy->acquire(); }));
        fixture.appearance.choose([](FigureChoices& choices) { choices.rows = ShownSpan{0, 599}; });
        QTRY_VERIFY(note->isVisible());
        QVERIFY(view.rect().contains(note->geometry()));
        QCOMPARE(view.figure()->rows(), 700);
        busy->release(threads);
        QTRY_COMPARE(view.figure()->rows(), 600);
        QVERIFY(!note->isVisible());
    }

    void aLargeMapIsLaidOutElsewhere()
    {
        Fixture fixture;
        const auto made = largeHeatmap(fixture);
        FigureView& view = *made;
        QTRY_COMPARE(view.figure()->rows(), 700);
        // Another one: nothing of the one before can be pointed at.
        fixture.study.replaceTrace(reading(800), false);
        view.repaint();
        QCOMPARE(view.figure()->rows(), 0);
        // And another before that is drawn: it is the last one that is shown.
        fixture.study.replaceTrace(reading(900), false);
        QTRY_COMPARE(view.figure()->rows(), 900);
        // What changes while it is drawn is in the next picture; until then the last one stays.
        fixture.appearance.choose([](FigureChoices& choices) { choices.rows = ShownSpan{0, 599}; });
        view.repaint();
        QCOMPARE(view.figure()->rows(), 900);
        fixture.appearance.choose([](FigureChoices& choices) { choices.rows = ShownSpan{0, 649}; });
        QTRY_COMPARE(view.figure()->rows(), 650);
        // Moving in it is no new layout.
        wheel(view, view.rect().center(), 240);
        view.repaint();
        QCOMPARE(view.figure()->rows(), 650);
        QVERIFY(!view.spec().visible.isNull() && view.spec().visible.width() < 900);
        QVERIFY(view.figure()->cellRect(0, 0).isNull());
        // A small one is there at once.
        fixture.appearance.choose([](FigureChoices& choices) { choices.rows.reset(); });
        fixture.study.replaceTrace(reading(20), false);
        view.repaint();
        QCOMPARE(view.figure()->rows(), 20);
    }

    // However few weights there are.
    void manyTokensAreLaidOutElsewhere()
    {
        Fixture fixture;
        fixture.selection.setSite({Stage::Cross, 0});
        fixture.study.replaceTrace(test::sampleTrace(test::longRun(3, 20'000)), false);
        const auto view = heatmap(fixture);
        QList<int> counts; // of rows, of each picture
        connect(view.get(), &FigureView::painted, this, [&] { counts << view->figure()->rows(); });
        show(*view);
        QTRY_COMPARE(view->figure()->rows(), 3);
        QCOMPARE(counts.first(), 0);
    }

    void aFigureIsAskedForWhatIsExposed()
    {
        class Asked final : public Figure
        {
        public:
            Asked(QSizeF size, QRectF& exposed)
                : m_size(size)
                , m_exposed(exposed)
            {
            }
            QSizeF size() const override { return m_size; }
            QString description() const override { return {}; }
            void paint(QPainter& painter, const Highlight&) const override { m_exposed = painter.clipBoundingRect(); }

        private:
            QSizeF m_size;
            QRectF& m_exposed;
        };
        QRectF exposed;
        FigureCanvas canvas;
        canvas.setFigure([&exposed](QSizeF size) { return std::make_unique<Asked>(size, exposed); });
        show(canvas);
        canvas.repaint();
        QVERIFY(exposed.contains(QRectF(canvas.rect())));
        const QRectF part(50, 60, 20, 10);
        canvas.repaint(part.toRect());
        QVERIFY(exposed.contains(part));
        QVERIFY(exposed.width() < 2 * part.width() && exposed.height() < 2 * part.height());
    }

    void whatIsCancelledBeforeItsFirstOutputIsCalledStopped()
    {
        Fixture fixture;
        fixture.study.setModel({});
        fixture.study.begin(Question());
        Encoding source;
        source.ids = {4, 5};
        source.tokens = {"in0", "in1"};
        TraceBuilder builder(source, nullptr, {});
        builder.begun(source.ids, 0);
        fixture.study.replaceTrace(builder.snapshot(), true);
        const auto view = heatmap(fixture);
        show(*view);
        const auto missing = [&] { return missingAttention(view->spec(), fixture.study.trace()); };
        QCOMPARE(missing(), Missing::NotYet);
        fixture.study.end();
        QCOMPARE(missing(), Missing::Stopped);
        builder.finished({});
        fixture.study.replaceTrace(builder.snapshot(), false);
        QCOMPARE(missing(), Missing::AnyAttention);
    }

    void hoverTellsValueAndTokens()
    {
        ShownHeatmap fixture;
        FigureView& view = *fixture.view;
        QSignalSpy hovered(&view, &FigureView::hovered);
        QTest::mouseMove(&view, cell(view, 3, 3));
        QCOMPARE(hovered.count(), 1);
        const auto hit = hovered.at(0).at(0).value<FigureHit>();
        QCOMPARE(hit.row, 3);
        QCOMPARE(hit.column, 3);
        QVERIFY(std::abs(hit.value - 0.5F) < 1e-6F);
        QVERIFY2(hit.text.contains(QStringLiteral("in3")) && hit.text.contains(QStringLiteral("0.5")),
                 qPrintable(hit.text));
        QCOMPARE(fixture.selection.row(), 3);
        QCOMPARE(fixture.selection.column(), 3);
        QTest::mouseMove(&view, cell(view, 3, 3) + QPoint(1, 1));
        QCOMPARE(hovered.count(), 1); // still the same cell
    }

    void crosshairIsPainted()
    {
        ShownHeatmap fixture;
        FigureView& view = *fixture.view;
        const QImage before = view.grab().toImage();
        QTest::mouseMove(&view, cell(view, 5, 2));
        QVERIFY(view.grab().toImage() != before);
    }

    void wheelZoomsAroundThePointer()
    {
        ShownHeatmap fixture;
        FigureView& view = *fixture.view;
        QVERIFY(view.spec().visible.isNull());
        const QPoint pointer = cell(view, 6, 4);
        wheel(view, pointer, 240);
        QVERIFY(!view.spec().visible.isNull());
        QVERIFY(view.spec().visible.width() < columns);
        view.grab();
        const FigureHit hit = view.figure()->hitTest(pointer);
        QCOMPARE(hit.row, 6);
        QCOMPARE(hit.column, 4);
        wheel(view, pointer, -240);
        wheel(view, pointer, -240);
        QVERIFY(view.spec().visible.isNull());
    }

    void dragPansAndDoubleClickResets()
    {
        ShownHeatmap fixture;
        FigureView& view = *fixture.view;
        wheel(view, cell(view, 6, 4), 480);
        view.grab();
        const QRectF zoomed = view.spec().visible;
        const QPoint start = view.rect().center();
        QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, start);
        for (int i = 1; i <= 6; ++i) {
            QMouseEvent move(QEvent::MouseMove, start - QPoint(20 * i, 0), view.mapToGlobal(start - QPoint(20 * i, 0)),
                             Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(&view, &move);
        }
        QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, start - QPoint(120, 0));
        QVERIFY(view.spec().visible.x() > zoomed.x());
        QVERIFY(qFuzzyCompare(view.spec().visible.width(), zoomed.width()));
        QVERIFY(!fixture.selection.step()); // a drag is not a click
        QTest::mouseDClick(&view, Qt::LeftButton, Qt::NoModifier, start);
        QVERIFY(view.spec().visible.isNull());
    }

    void keysMoveTheCell()
    {
        ShownHeatmap fixture;
        FigureView& view = *fixture.view;
        QSignalSpy hovered(&view, &FigureView::hovered);
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(fixture.selection.row(), 0);
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(fixture.selection.row(), 1);
        QCOMPARE(fixture.selection.column(), 1);
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(fixture.selection.column(), columns - 1);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(fixture.selection.column(), columns - 1);
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(fixture.selection.column(), 0);
        QTest::keyClick(&view, Qt::Key_PageDown);
        QCOMPARE(fixture.selection.row(), rows - 1);
        QVERIFY(hovered.last().at(0).value<FigureHit>().text.contains(QStringLiteral("in0")));
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(fixture.selection.step(), rows - 1);
    }

    void keysZoom()
    {
        ShownHeatmap fixture;
        FigureView& view = *fixture.view;
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Plus);
        QTest::keyClick(&view, Qt::Key_Plus);
        const QRectF zoomed = view.spec().visible;
        QVERIFY(!zoomed.isNull());
        QTest::keyClick(&view, Qt::Key_Minus);
        QVERIFY(view.spec().visible.width() > zoomed.width());
        QTest::keyClick(&view, Qt::Key_0);
        QVERIFY(view.spec().visible.isNull());
        QTest::keyClick(&view, Qt::Key_Plus);
        QTest::keyClick(&view, Qt::Key_Plus);
        QTest::keyClick(&view, Qt::Key_End); // a cell out of sight comes into sight
        view.grab();
        QVERIFY(!view.figure()->cellRect(0, columns - 1).isNull());
    }

    void aClickGoesToTheStep()
    {
        ShownHeatmap fixture;
        FigureView& view = *fixture.view;
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, cell(view, 4, 7));
        QCOMPARE(fixture.selection.step(), 4);
        QCOMPARE(view.spec().currentStep, 4);
    }

    void aNewResultForgetsTheZoom()
    {
        ShownHeatmap fixture;
        FigureView& view = *fixture.view;
        wheel(view, cell(view, 6, 4), 480);
        fixture.study.growTrace(trace(), true);
        QVERIFY(!view.spec().visible.isNull());
        fixture.study.replaceTrace(trace(), false);
        QVERIFY(view.spec().visible.isNull());
    }

    void clickAndKeysSelectAHeadInTheGrid()
    {
        Fixture fixture;
        fixture.study.replaceTrace(trace(), false);
        const std::unique_ptr<QWidget> made(makeHeadGridView(fixture.context()));
        auto& view = *made->findChild<FigureView*>();
        show(*made);
        QPoint tile;
        for (int y = 0; y < view.height() && tile.isNull(); y += 8)
            for (int x = 0; x < view.width() && tile.isNull(); x += 8)
                if (const FigureHit hit = view.figure()->hitTest(QPointF(x, y));
                    hit.part == FigureHit::Part::Head && hit.head == 1 && hit.site == Site{Stage::Cross, 2})
                    tile = {x, y};
        QVERIFY(!tile.isNull());
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, tile);
        QCOMPARE(fixture.selection.site(), (Site{Stage::Cross, 2}));
        QCOMPARE(fixture.selection.head().head().value(), 1);
        QTest::keyClick(&view, Qt::Key_Up);
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(fixture.selection.site(), (Site{Stage::Cross, 1}));
        QCOMPARE(fixture.selection.head().head().value(), 0);
        QTest::keyClick(&view, Qt::Key_Up);
        QTest::keyClick(&view, Qt::Key_Up); // there is no layer above
        QCOMPARE(fixture.selection.site(), (Site{Stage::Cross, 0}));
    }

    void positionsOfARecurrentModelAreExplained()
    {
        Fixture fixture;
        ModelSummary model;
        model.name = QStringLiteral("rnn");
        fixture.study.setModel(model);
        const std::unique_ptr<QWidget> made(makePositionView(fixture.context()));
        QWidget& view = *made;
        show(view);
        auto* none = view.findChild<QLabel*>(QStringLiteral("noPositions"));
        QVERIFY(none->isVisible());
        QVERIFY(none->text().contains(model.name));
        model.positions = Tensor(Shape{8, 6});
        fixture.study.setModel(model);
        QVERIFY(!none->isVisible());
        QVERIFY(view.findChild<FigureView*>(QStringLiteral("positionFigure"))->isVisible());
        auto* chart = view.findChild<QChartView*>(QStringLiteral("positionCurves"));
        QCOMPARE(chart->chart()->series().size(), 5);
        view.findChild<QSpinBox*>(QStringLiteral("firstDimension"))->setValue(4);
        QCOMPARE(chart->chart()->series().size(), 2); // dimensions 4 and 5
    }
};

ATTN_GUI_TEST(TestFigureView)
#include "tst_figure_view.moc"

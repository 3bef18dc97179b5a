// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over a view: the control of the colour scale, the minimap, and what a search marks.
#include "sample_traces.h"
#include "support/test_program.h"
#include "views/minimap.h"
#include "views/scale_control.h"
#include "views/view_rows.h"

#include <QAction>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <memory>
#include <string>

using namespace attn;
using namespace attn::ui;

namespace {

Trace longTrace(int side)
{
    test::SampleRun run;
    run.source = test::syllables(side, 1);
    run.target = test::syllables(side, 2);
    run.heads = 2;
    return test::sampleTrace(run);
}

struct Desk
{
    Study study;
    Selection selection;
    Appearance appearance;
    std::unique_ptr<QWidget> page; // that the view is, or is in
    FigureView* view = nullptr;

    explicit Desk(const std::string& id, const Trace& trace = test::sampleTrace(test::shortRun()))
    {
        study.replaceTrace(trace, false);
        selection.setStep(3);
        for (const ViewRow& row : viewRows()) {
            if (row.id == id)
                page.reset(row.make({study, selection, appearance}));
        }
        view = qobject_cast<FigureView*>(page.get());
        if (view == nullptr)
            view = page->findChild<FigureView*>();
        page->resize(900, 640);
        page->show();
        Q_UNUSED(QTest::qWaitForWindowExposed(page.get()));
    }

    ScaleControl& control() const { return *view->findChild<ScaleControl*>(); }
    Minimap& minimap() const { return *view->findChild<Minimap*>(); }
    const ColorRange& range() const { return appearance.choices().range; }
    ScaleBar bar() const { return *view->figure()->scaleBar(); }

    QAction* inMenu(const char* name) const
    {
        const auto* const menu = control().findChild<QMenu*>(QStringLiteral("scaleMenu"));
        return menu == nullptr ? nullptr : menu->findChild<QAction*>(QLatin1String(name));
    }
};

// From a fraction of the bar to another, with the left button.
void dragBar(const Desk& desk, double from, double to)
{
    ScaleControl& control = desk.control();
    const QRectF box = desk.bar().box.translated(-control.pos());
    const auto at = [&box](double part) {
        return box.height() > box.width() ? QPointF(box.center().x(), box.bottom() - part * box.height()).toPoint()
                                          : QPointF(box.left() + part * box.width(), box.center().y()).toPoint();
    };
    QTest::mousePress(&control, Qt::LeftButton, Qt::NoModifier, at(from));
    for (int i = 1; i <= 5; ++i) {
        const QPoint point = at(from + (to - from) * i / 5);
        QMouseEvent move(QEvent::MouseMove, point, control.mapToGlobal(point), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(&control, &move);
    }
    QTest::mouseRelease(&control, Qt::LeftButton, Qt::NoModifier, at(to));
}

} // namespace

class TestScaleControl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsAreDragged_data()
    {
        QTest::addColumn<QString>("view");
        for (const char* id : {"heatmap", "grid", "arcs", "decoding"})
            QTest::newRow(id) << QString::fromLatin1(id);
    }

    void endsAreDragged()
    {
        QFETCH(QString, view);
        const Desk desk(view.toStdString());
        QTRY_VERIFY(desk.control().isVisible());
        const double most = desk.bar().scale.most();
        dragBar(desk, 0.98, 0.48);
        QCOMPARE(desk.range().of, ColorRange::Of::Numbers);
        QCOMPARE(desk.range().least, 0.0);
        QVERIFY(desk.range().most > 0.45 * most && desk.range().most < 0.55 * most);
        QTRY_COMPARE(desk.bar().scale.most(), desk.range().most); // it is drawn
        const double upper = desk.range().most;
        dragBar(desk, 0.02, 0.22);
        QCOMPARE(desk.range().most, upper);
        QVERIFY(desk.range().least > 0.1 * upper && desk.range().least < 0.3 * upper);
        QTest::mouseDClick(&desk.control(), Qt::LeftButton, Qt::NoModifier, desk.control().rect().center());
        QCOMPARE(desk.range(), ColorRange());
    }

    void aClickChangesNothing()
    {
        const Desk desk("heatmap");
        QTRY_VERIFY(desk.control().isVisible());
        QTest::mouseClick(&desk.control(), Qt::LeftButton, Qt::NoModifier, desk.control().rect().center());
        QCOMPARE(desk.range(), ColorRange());
        QVERIFY(!desk.selection.row());
    }

    void theValueUnderThePointerIsSaid()
    {
        const Desk desk("heatmap");
        QTRY_VERIFY(desk.control().isVisible());
        QSignalSpy hovered(desk.view, &FigureView::hovered);
        QTest::mouseMove(&desk.control(), desk.control().rect().center());
        QTRY_VERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last().at(0).value<FigureHit>().part, FigureHit::Part::ColorBar);
        QTest::mouseMove(desk.view, QPoint(3, 3)); // the next one's control is in the same place
    }

    void keysMoveTheEnds()
    {
        const Desk desk("heatmap");
        QTRY_VERIFY(desk.control().isVisible());
        ScaleControl& control = desk.control();
        const double most = desk.bar().scale.most();
        control.setFocus();
        QTest::keyClick(&control, Qt::Key_Down);
        QVERIFY(desk.range().of == ColorRange::Of::Numbers && desk.range().most < most);
        QTRY_COMPARE(desk.bar().scale.most(), desk.range().most);
        // Each counts from the one before, drawn or not.
        QTest::keyClick(&control, Qt::Key_Down);
        const double once = desk.range().most;
        QTest::keyClick(&control, Qt::Key_Down);
        QVERIFY(desk.range().most < once);
        QTest::keyClick(&control, Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(desk.range().least > 0);
        QTest::keyClick(&control, Qt::Key_Home);
        QCOMPARE(desk.range(), ColorRange());
        QTest::keyClick(&control, Qt::Key_Space);
        QTRY_VERIFY(desk.inMenu("scale-log") != nullptr);
        desk.inMenu("scale-log")->trigger();
        QCOMPARE(desk.appearance.choices().scale, ColorScale::Logarithmic);
        QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Escape);
        QVERIFY(!control.accessibleName().isEmpty() && !control.accessibleDescription().isEmpty());
    }

    void theMenuHasEverythingOfTheScale()
    {
        Desk desk("heatmap");
        QTRY_VERIFY(desk.control().isVisible());
        auto* const button = desk.control().findChild<QToolButton*>(QStringLiteral("scaleButton"));
        desk.view->setFocus(); // which the first child may have got
        QTest::mouseMove(desk.view, QPoint(3, 3));
        QTRY_VERIFY(!button->isVisible());
        desk.control().setFocus(); // it is there for those who need it
        QTRY_VERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(desk.inMenu("range-row") != nullptr);
        QVERIFY(desk.inMenu("range-auto")->isChecked());
        desk.inMenu("range-row")->trigger();
        QCOMPARE(desk.range().of, ColorRange::Of::Row);
        QVERIFY(desk.inMenu("range-row")->isChecked());
        desk.inMenu("range-without-sinks")->trigger();
        desk.inMenu("clip-99")->trigger();
        QCOMPARE(desk.appearance.choices().rangeWithout, RangeWithout::Sinks);
        QCOMPARE(desk.appearance.choices().clip, 99.0);
        QVERIFY(!desk.inMenu("range-other")->isVisible());
        desk.appearance.choose([](FigureChoices& choices) { choices.range = {ColorRange::Of::Numbers, 0, 0.25}; });
        QVERIFY(desk.inMenu("range-other")->isVisible() && desk.inMenu("range-other")->isChecked());
    }

    void rangesOverManyHeadsComeFromElsewhere()
    {
        Desk desk("heatmap", longTrace(420)); // more weights than are looked at within a frame
        desk.appearance.choose([](FigureChoices& choices) {
            choices.range.of = ColorRange::Of::All;
            choices.clip = 99.999;
        });
        FigureSpec spec = desk.view->spec();
        QCOMPARE(spec.range.of, ColorRange::Of::All);
        const double end = rangeOf(spec, desk.study.trace());
        QTRY_COMPARE(desk.bar().scale.most(), end);
    }

    void theMinimapIsThereWhileZoomed()
    {
        const Desk desk("heatmap", longTrace(120));
        QTRY_VERIFY(desk.view->figure() != nullptr);
        QVERIFY(!desk.minimap().isVisible());
        for (int i = 0; i < 8; ++i)
            desk.view->zoomIn();
        QTRY_VERIFY(desk.minimap().isVisible());
        for (const QSize size : {QSize(900, 640), QSize(600, 330)}) {
            desk.page->resize(size);
            QTRY_VERIFY(!QRectF(desk.minimap().geometry()).intersects(desk.bar().box));
        }
        desk.page->resize(900, 640);
        QTest::mouseClick(&desk.minimap(), Qt::LeftButton, Qt::NoModifier, QPoint(6, 6));
        QVERIFY(desk.view->spec().visible.x() < 1 && desk.view->spec().visible.y() < 1);
        QTest::mouseClick(&desk.minimap(), Qt::LeftButton, Qt::NoModifier,
                          desk.minimap().rect().bottomRight() - QPoint(5, 5));
        QVERIFY(desk.view->spec().visible.right() > 119 && desk.view->spec().visible.bottom() > 119);
        QVERIFY(!desk.selection.step() || desk.selection.step() == 3); // not a click on a cell
        desk.view->showEverything();
        QTRY_VERIFY(!desk.minimap().isVisible());
    }

    void aSearchGoesFromOneToTheNext()
    {
        const Desk desk("heatmap", longTrace(200));
        QTRY_VERIFY(desk.view->figure() != nullptr);
        const QStringList rows = desk.view->figure()->rowLabels();
        const QStringList columns = desk.view->figure()->columnLabels();
        const QString word = rows[150];
        const auto count =
            rows.filter(word, Qt::CaseInsensitive).size() + columns.filter(word, Qt::CaseInsensitive).size();
        QSignalSpy changed(desk.view, &FigureView::foundChanged);
        desk.view->find(word.toUpper());
        QCOMPARE(desk.view->foundCount(), static_cast<int>(count));
        QCOMPARE(desk.view->foundAt(), 0);
        QVERIFY(!changed.isEmpty());
        for (int i = 0; i < 12; ++i)
            desk.view->zoomIn();
        int row = 0;
        while (!rows[row].contains(word, Qt::CaseInsensitive))
            ++row;
        for (int i = 0; i < desk.view->foundCount(); ++i) // around once
            desk.view->goToFound(1);
        QCOMPARE(desk.view->foundAt(), 0);
        const QRectF seen = desk.view->spec().visible;
        QVERIFY(seen.top() <= row && row + 1 <= seen.bottom());
        desk.view->goToFound(-1);
        QCOMPARE(desk.view->foundAt(), desk.view->foundCount() - 1);
        desk.view->find(QStringLiteral("no such token"));
        QCOMPARE(desk.view->foundCount(), 0);
        desk.view->goToFound(1);
        QVERIFY(!desk.view->foundAt());
    }

private:
    static double rangeOf(const FigureSpec& spec, const Trace& trace);
};

double TestScaleControl::rangeOf(const FigureSpec& spec, const Trace& trace)
{
    const auto figure = layoutFigure(spec, trace, {900, 640}); // looks at everything itself
    return figure->scaleBar()->scale.most();
}

ATTN_GUI_TEST(TestScaleControl)
#include "tst_scale_control.moc"

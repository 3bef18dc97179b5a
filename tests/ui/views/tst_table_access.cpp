// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/bar_list_figure.h"
#include "figures/parts/matrix_figure.h"
#include "figures/parts/panel_figure.h"
#include "state/appearance.h"
#include "support/test_program.h"
#include "views/chart_canvas.h"
#include "views/figure_canvas.h"
#include "views/head_squares.h"
#include "views/scale_control.h"

#include <QAccessible>
#include <QLegend>
#include <QLegendMarker>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <QValueAxis>

#include <memory>

using namespace attn;
using namespace attn::ui;

namespace {

MatrixContent matrixOf(int rows, int columns)
{
    MatrixContent content;
    content.map.numbers = Numbers::zeros(1, rows, columns);
    for (int row = 0; row < rows; ++row) {
        content.rowLabels << QStringLiteral("row%1").arg(row);
        for (int column = 0; column < columns; ++column)
            content.map.numbers.values[static_cast<std::size_t>(row) * columns + column] =
                static_cast<float>(row * 10 + column) / 1000.0F;
    }
    for (int column = 0; column < columns; ++column)
        content.columnLabels << QStringLiteral("column%1").arg(column);
    return content;
}

FigureLayout layoutOf(const MatrixContent& content)
{
    return [content](QSizeF size) { return std::make_unique<MatrixFigure>(FigureSpec(), content, size); };
}

QAccessibleInterface& accessOf(QWidget& widget)
{
    QAccessibleInterface* const access = QAccessible::queryAccessibleInterface(&widget);
    if (access == nullptr)
        qFatal("%s is not accessible", qPrintable(widget.objectName()));
    return *access;
}

QAccessibleTableInterface& accessTable(QWidget& widget)
{
    QAccessibleTableInterface* const table = accessOf(widget).tableInterface();
    if (table == nullptr)
        qFatal("%s is no table", qPrintable(widget.objectName()));
    return *table;
}

QString nameOf(const QAccessibleInterface* access)
{
    return access == nullptr ? QStringLiteral("nothing") : access->text(QAccessible::Name);
}

} // namespace

// Pictures as tables, and painted controls, as assistive technology has them.
class TestTableAccess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMatrixIsATableOfItsValues()
    {
        FigureCanvas canvas;
        canvas.resize(600, 400);
        canvas.setFigure(layoutOf(matrixOf(3, 4)));
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        QAccessibleInterface& access = accessOf(canvas);
        const QAccessibleTableInterface& table = accessTable(canvas);
        QCOMPARE(access.role(), QAccessible::Table);
        QCOMPARE(table.rowCount(), 3);
        QCOMPARE(table.columnCount(), 4);
        QCOMPARE(table.rowDescription(2), QStringLiteral("row2"));
        QCOMPARE(table.columnDescription(3), QStringLiteral("column3"));
        QAccessibleInterface* const cell = table.cellAt(2, 3);
        QCOMPARE(nameOf(cell), QStringLiteral("0.0230"));
        QCOMPARE(cell->text(QAccessible::Value), QStringLiteral("0.0230"));
        QCOMPARE(cell->text(QAccessible::Description),
                 canvas.figure()->hitTest(canvas.figure()->cellRect(2, 3).center()).text);
        QCOMPARE(cell->role(), QAccessible::Cell);
        QCOMPARE(cell->parent(), &access);
        const QRect place = canvas.figure()->cellRect(2, 3).toAlignedRect();
        QCOMPARE(cell->rect(), QRect(canvas.mapToGlobal(place.topLeft()), place.size()));
        QCOMPARE(access.childAt(cell->rect().center().x(), cell->rect().center().y()), cell);
        auto* const inTable = cell->tableCellInterface();
        QCOMPARE(inTable->rowIndex(), 2);
        QCOMPARE(inTable->columnIndex(), 3);
        QCOMPARE(nameOf(inTable->rowHeaderCells().value(0)), QStringLiteral("row2"));
        QCOMPARE(nameOf(inTable->columnHeaderCells().value(0)), QStringLiteral("column3"));
        QCOMPARE(inTable->rowHeaderCells().value(0)->role(), QAccessible::RowHeader);
        QCOMPARE(table.cellAt(3, 0), nullptr);
        QCOMPARE(table.cellAt(0, 4), nullptr);
        QCOMPARE(table.cellAt(-1, 0), nullptr);
    }

    void everyChildSaysWhichOneItIs()
    {
        FigureCanvas canvas;
        canvas.resize(600, 400);
        canvas.setFigure(layoutOf(matrixOf(3, 4)));
        const QAccessibleInterface& access = accessOf(canvas);
        QCOMPARE(access.childCount(), 3 * 4 + 3 + 4);
        for (int i = 0; i < access.childCount(); ++i)
            QCOMPARE(access.indexOfChild(access.child(i)), i);
        QCOMPARE(access.child(access.childCount()), nullptr);
        QCOMPARE(access.child(-1), nullptr);
    }

    void theKeyboardCellIsSelectedAndFocused()
    {
        FigureCanvas canvas;
        canvas.resize(600, 400);
        canvas.setFigure(layoutOf(matrixOf(3, 4)));
        canvas.show();
        canvas.activateWindow();
        canvas.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&canvas));
        const QAccessibleTableInterface& table = accessTable(canvas);
        QCOMPARE(table.selectedCellCount(), 0);
        QVERIFY(!table.cellAt(0, 0)->state().selected);
        QTest::keyClick(&canvas, Qt::Key_Right); // shows where it is
        QTest::keyClick(&canvas, Qt::Key_Right);
        QTest::keyClick(&canvas, Qt::Key_Down);
        QVERIFY(table.cellAt(1, 1)->state().selected);
        QVERIFY(table.cellAt(1, 1)->state().focused);
        QVERIFY(!table.cellAt(0, 0)->state().selected);
        QCOMPARE(table.selectedCells(), QList<QAccessibleInterface*>{table.cellAt(1, 1)});
        QCOMPARE(accessOf(canvas).focusChild(), table.cellAt(1, 1));
    }

    void aCellIsPressedAsWithEnter()
    {
        FigureCanvas canvas;
        canvas.resize(600, 400);
        canvas.setFigure(layoutOf(matrixOf(3, 4)));
        QSignalSpy activated(&canvas, &FigureCanvas::activated);
        QAccessibleInterface* const cell = accessTable(canvas).cellAt(2, 1);
        cell->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(activated.count(), 1);
        const auto hit = activated.at(0).at(0).value<FigureHit>();
        QCOMPARE(hit.row, 2);
        QCOMPARE(hit.column, 1);
        QVERIFY(cell->state().selected);
    }

    // Sixteen million cells are not made, and those that were asked for do not stay for ever.
    void aLongTextIsATableAtOnce()
    {
        constexpr int count = 4096;
        FigureCanvas canvas;
        canvas.resize(800, 600);
        canvas.setFigure(layoutOf(matrixOf(count, count)));
        canvas.grab();
        const QAccessibleTableInterface& table = accessTable(canvas);
        QCOMPARE(table.rowCount(), count);
        QCOMPARE(accessOf(canvas).childCount(), count * count + 2 * count);
        QCOMPARE(nameOf(table.cellAt(count - 1, count - 1)), QStringLiteral("45.0450"));
        QCOMPARE(accessOf(canvas).indexOfChild(table.cellAt(count - 1, count - 1)), count * count - 1);
        const QAccessible::Id first = QAccessible::uniqueId(table.cellAt(0, 0));
        for (int row = 0; row < count; row += 256) {
            for (int column = 0; column < count; ++column)
                QVERIFY(table.cellAt(row, column) != nullptr);
        }
        QCOMPARE(QAccessible::accessibleInterface(first), nullptr);
    }

    void aTableFollowsItsFigure()
    {
        FigureCanvas canvas;
        canvas.resize(600, 400);
        canvas.setFigure(layoutOf(matrixOf(3, 4)));
        const QAccessibleTableInterface& table = accessTable(canvas);
        QAccessibleInterface* const last = table.cellAt(2, 3);
        QVERIFY(last->isValid());
        canvas.setFigure(layoutOf(matrixOf(2, 2)));
        QCOMPARE(table.rowCount(), 2);
        QVERIFY(!last->isValid());
        QCOMPARE(last->text(QAccessible::Name), QString());
        canvas.setFigure({});
        QCOMPARE(table.rowCount(), 0);
        QCOMPARE(table.cellAt(0, 0), nullptr);
    }

    // Their cells name themselves, because a column belongs to one of them only.
    void panelsStandBelowEachOther()
    {
        BarListContent bars;
        bars.entries = {{QStringLiteral("cat"), 0.5, false}, {QStringLiteral("dog"), 0.25, false}};
        FigureCanvas canvas;
        canvas.resize(800, 400);
        canvas.setFigure([&](QSizeF size) {
            const FigureLayout list = [&](QSizeF half) { return barListFigure({}, bars, half); };
            return layOutPanels({layoutOf(matrixOf(3, 4)), list}, 2, size, Theme::Light);
        });
        const QAccessibleTableInterface& table = accessTable(canvas);
        QCOMPARE(table.rowCount(), 5);
        QCOMPARE(table.columnCount(), 4);
        QVERIFY(nameOf(table.cellAt(1, 2)).contains(QStringLiteral("row1")));
        QVERIFY(nameOf(table.cellAt(4, 0)).contains(QStringLiteral("dog")));
        QCOMPARE(nameOf(table.cellAt(4, 3)), QString());
        const QRect place = table.cellAt(4, 0)->rect();
        QCOMPARE(accessOf(canvas).childAt(place.center().x(), place.center().y()), table.cellAt(4, 0));
    }

    void aChartIsATableOfItsLines()
    {
        ChartCanvas canvas;
        canvas.resize(400, 300);
        auto* const chart = new QChart;
        addLine(*chart, QStringLiteral("loss"), {{1, 0.5}, {2, 0.25}});
        addLine(*chart, QStringLiteral("error"), {{2, 0.125}});
        auto* const across = new QValueAxis;
        across->setTitleText(QStringLiteral("length"));
        setAxes(*chart, across, new QValueAxis);
        canvas.show(chart, Theme::Light);
        const QAccessibleTableInterface& table = accessTable(canvas);
        QCOMPARE(table.rowCount(), 2);
        QCOMPARE(table.columnCount(), 2);
        QCOMPARE(table.columnDescription(1), QStringLiteral("error"));
        QCOMPARE(table.rowDescription(1), QStringLiteral("2"));
        QCOMPARE(nameOf(table.cellAt(0, 0)), QStringLiteral("0.5"));
        QCOMPARE(nameOf(table.cellAt(1, 1)), QStringLiteral("0.125"));
        QCOMPARE(nameOf(table.cellAt(0, 1)), QString());
        QVERIFY(table.cellAt(1, 1)->text(QAccessible::Description).contains(QStringLiteral("length 2")));
    }

    // The chart's legend would read it as markup.
    void aLineKeepsItsName()
    {
        const QString name = QStringLiteral("a<b>c &amp; \"d\"");
        ChartCanvas canvas;
        canvas.resize(400, 300);
        auto* const chart = new QChart;
        addLine(*chart, name, {{1, 0.5}, {2, 0.25}});
        setAxes(*chart, new QValueAxis, new QValueAxis);
        QTextDocument legend;
        legend.setHtml(chart->legend()->markers().front()->label());
        QCOMPARE(legend.toPlainText(), name);
        canvas.show(chart, Theme::Light);
        QCOMPARE(accessTable(canvas).columnDescription(0), name);
    }

    void bothEndsOfTheScaleHaveAValue()
    {
        Appearance appearance;
        QWidget view;
        ScaleControl scale(appearance, view);
        scale.follow(ScaleBar{ValueScale(0, 0.5, ColorScale::Linear), QRectF(20, 20, 12, 200)});
        const QAccessibleInterface& access = accessOf(scale);
        QVERIFY(access.childCount() >= 2);
        QAccessibleValueInterface* const upper = access.child(0)->valueInterface();
        QAccessibleValueInterface* const lower = access.child(1)->valueInterface();
        QVERIFY(upper != nullptr && lower != nullptr);
        QCOMPARE(access.child(0)->role(), QAccessible::Slider);
        QCOMPARE(upper->currentValue().toDouble(), 0.5);
        QCOMPARE(lower->currentValue().toDouble(), 0.0);
        QVERIFY(nameOf(access.child(0)) != nameOf(access.child(1)));
        upper->setCurrentValue(0.25);
        QCOMPARE(appearance.choices().range, (ColorRange{ColorRange::Of::Numbers, 0, 0.25}));
    }

    void everyHeadIsABoxToTick()
    {
        HeadSquares squares;
        squares.resize(300, 30);
        squares.show(4, {1}, 0, Theme::Light);
        QSignalSpy chosen(&squares, &HeadSquares::headsChosen);
        const QAccessibleInterface& access = accessOf(squares);
        QCOMPARE(access.childCount(), 4);
        QAccessibleInterface* const third = access.child(2);
        QCOMPARE(third->role(), QAccessible::CheckBox);
        QVERIFY(nameOf(third).contains(QLatin1Char('2')));
        QVERIFY(!third->state().checked);
        QVERIFY(access.child(1)->state().checked);
        third->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).value<std::vector<int>>(), (std::vector<int>{1, 2}));
    }
};

ATTN_GUI_TEST(TestTableAccess)
#include "tst_table_access.moc"

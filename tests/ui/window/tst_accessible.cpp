// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/matrix_figure.h"
#include "panels/export_dialog.h"
#include "panels/token_popup.h"
#include "panels/value_popup.h"
#include "support/accessible_events.h"
#include "support/test_program.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/head_squares.h"

#include <QAbstractAnimation>
#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QScopeGuard>
#include <QSet>
#include <QTabBar>

using namespace attn;
using namespace attn::ui;
using attn::test::AccessibleEvents;
using attn::test::LaboratoryFixture;
using attn::test::trainedModels;
using attn::test::WindowFixture;

namespace {

// A view is made when its tab is first chosen, and shown a little later.
FigureView& showView(const WindowFixture& fixture, const char* id)
{
    fixture.showTab(id);
    QCoreApplication::processEvents();
    return fixture.inFront();
}

QAccessibleTableInterface& tableOf(QWidget& widget)
{
    QAccessibleInterface* const access = QAccessible::queryAccessibleInterface(&widget);
    if (access == nullptr || access->tableInterface() == nullptr)
        qFatal("%s is no table", qPrintable(widget.objectName()));
    return *access->tableInterface();
}

QString nameOf(const QAccessibleInterface* access)
{
    return access == nullptr ? QString() : access->text(QAccessible::Name);
}

// Inside others, which have the name.
bool isPartOfAnother(const QWidget& widget)
{
    return widget.objectName().startsWith(QLatin1String("qt_")) || widget.focusProxy() != nullptr;
}

// What can be reached or pressed in a window, is seen, and has no name.
QStringList namelessIn(const QWidget& window)
{
    QStringList found;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        const bool button = qobject_cast<QAbstractButton*>(widget) != nullptr;
        const bool reached = (widget->focusPolicy() & Qt::TabFocus) != 0;
        if (widget->window() != &window || !widget->isVisible() || isPartOfAnother(*widget) || (!button && !reached))
            continue;
        // Of those of the style that belong to a list of tabs or a dock, Qt names what needs a name.
        if (qobject_cast<QTabBar*>(widget->parentWidget()) != nullptr)
            continue;
        QAccessibleInterface* const access = QAccessible::queryAccessibleInterface(widget);
        if (nameOf(access).trimmed().isEmpty())
            found << QStringLiteral("%1 '%2' in '%3'")
                         .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                              widget->parentWidget()->objectName());
    }
    return found;
}

// The part of the window that has the keyboard.
QString partInFront(const WindowFixture& fixture)
{
    const QWidget* const focus = QApplication::focusWidget();
    if (focus == nullptr)
        return QStringLiteral("nothing");
    for (const QDockWidget* dock : fixture.window->findChildren<QDockWidget*>()) {
        if (dock->isAncestorOf(focus))
            return dock->objectName();
    }
    if (focus->objectName() == QLatin1String("sentence") || focus->objectName() == QLatin1String("stage")
        || focus == &fixture.inFront())
        return focus->objectName();
    for (const char* area : {"stepPanel", "viewTabs", "menuRow", "findBar", "messageBar"}) {
        if (fixture.find<QWidget>(area)->isAncestorOf(focus))
            return QLatin1String(area);
    }
    return focus->parentWidget()->objectName();
}

} // namespace

// The window as assistive technology and the keyboard have it.
class TestAccessible : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyViewIsATable_data()
    {
        QTest::addColumn<QString>("id");
        for (const ViewRow& row : viewRows())
            QTest::newRow(row.id) << QString::fromLatin1(row.id);
    }

    void everyViewIsATable()
    {
        QFETCH(const QString, id);
        WindowFixture fixture(QStringLiteral("transformer"), QStringLiteral("s4 s5 s6"));
        FigureView& view = showView(fixture, qPrintable(id));
        if (!view.isVisible())
            QSKIP("this model has no positions to show");
        QTRY_VERIFY(tableOf(view).rowCount() > 0); // all heads are drawn on another thread
        const QAccessibleInterface& access = *QAccessible::queryAccessibleInterface(&view);
        QCOMPARE(access.role(), QAccessible::Table);
        QVERIFY(!nameOf(&access).isEmpty());
        QVERIFY(!access.text(QAccessible::Description).isEmpty());
        const QAccessibleTableInterface& table = tableOf(view);
        QVERIFY(table.columnCount() > 0);
        int said = 0;
        for (int row = 0; row < table.rowCount(); ++row) {
            QVERIFY(!table.rowDescription(row).isEmpty());
            for (int column = 0; column < table.columnCount(); ++column) {
                QAccessibleInterface* const cell = table.cellAt(row, column);
                QVERIFY(cell != nullptr && cell->isValid());
                QCOMPARE(access.child(access.indexOfChild(cell)), cell);
                said += nameOf(cell).isEmpty() ? 0 : 1;
                QVERIFY(nameOf(cell).isEmpty() == cell->text(QAccessible::Description).isEmpty());
            }
        }
        for (int column = 0; column < table.columnCount(); ++column)
            QVERIFY(!table.columnDescription(column).isEmpty());
        QVERIFY2(said * 2 >= table.rowCount(), qPrintable(QString::number(said)));
    }

    void theMatrixSaysItsWeightsAndWhereTheStepIs()
    {
        WindowFixture fixture("recurrent");
        FigureView& view = fixture.window->heatmap();
        const QAccessibleTableInterface& table = tableOf(view);
        const int rows = table.rowCount(); // lays out what has come since the last frame
        const Figure& figure = *view.figure();
        QCOMPARE(rows, figure.rows());
        QCOMPARE(table.columnCount(), figure.columns());
        QCOMPARE(table.rowDescription(1), figure.rowLabels()[1]);
        QCOMPARE(table.columnDescription(2), figure.columnLabels()[2]);
        const QString tip = figure.hitTest(figure.cellRect(1, 2).center()).text;
        QCOMPARE(table.cellAt(1, 2)->text(QAccessible::Description), tip);
        QVERIFY(tip.endsWith(nameOf(table.cellAt(1, 2))) && !nameOf(table.cellAt(1, 2)).isEmpty());
        fixture.window->selection().setStep(1);
        QCoreApplication::processEvents();
        view.grab();
        QCOMPARE(table.selectedRows(), QList<int>{1});
        QVERIFY(table.cellAt(1, 0)->state().selected);
        QVERIFY(!table.cellAt(0, 0)->state().selected);
    }

    void picksAreSelectedRowsOfTheTextAndTheLines()
    {
        WindowFixture fixture(QStringLiteral("recurrent"), test::longSentence());
        for (const char* id : {"arcs", "text"}) {
            FigureView& view = showView(fixture, id);
            view.setFocus();
            view.grab();
            QTest::keyClick(&view, Qt::Key_Home);
            QTest::keyClick(&view, Qt::Key_Return);
            view.grab();
            const QAccessibleTableInterface& table = tableOf(view);
            QCOMPARE(table.selectedRowCount() + table.selectedColumnCount(), 1);
            const QAccessibleInterface* const focused = QAccessible::queryAccessibleInterface(&view)->focusChild();
            QVERIFY(focused != nullptr && focused->state().focused && focused->state().selected);
            QVERIFY(!nameOf(focused).isEmpty());
            QTest::keyClick(&view, Qt::Key_Escape);
        }
    }

    void theBarsOfAStepAreWalkedThrough()
    {
        WindowFixture fixture("recurrent");
        fixture.action("firstStepAction")->trigger();
        FigureView& view = showView(fixture, "decoding");
        fixture.activate();
        view.setFocus();
        view.grab();
        const QAccessibleTableInterface& table = tableOf(view);
        QSignalSpy hovered(&view, &FigureView::hovered);
        QTest::keyClick(&view, Qt::Key_Down);
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(QAccessible::queryAccessibleInterface(&view)->focusChild(), table.cellAt(1, 0));
        QCOMPARE(hovered.last().at(0).value<FigureHit>().text, nameOf(table.cellAt(1, 0)));
        const QImage before = view.grab().toImage();
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(QAccessible::queryAccessibleInterface(&view)->focusChild(), table.cellAt(0, 0));
        QVERIFY(view.grab().toImage() != before);
    }

    void movesAreTold()
    {
        if (!AccessibleEvents::possible)
            QSKIP("Qt's private headers are not there");
        WindowFixture fixture("recurrent");
        fixture.activate();
        FigureView& view = fixture.window->heatmap();
        view.setFocus();
        const AccessibleEvents events;
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Down);
        const auto moves = events.of(QAccessible::Focus, QStringLiteral("heatmapView"));
        QCOMPARE(moves.size(), 3);
        const Figure& figure = *view.figure();
        QCOMPARE(moves.last().description, figure.hitTest(figure.cellRect(1, 1).center()).text);
        QCOMPARE(events.of(QAccessible::Selection, QStringLiteral("heatmapView")).size(), 3);
    }

    void anotherStepAndAnotherRunAreTold()
    {
        if (!AccessibleEvents::possible)
            QSKIP("Qt's private headers are not there");
        WindowFixture fixture("recurrent");
        FigureView& view = fixture.window->heatmap();
        AccessibleEvents events;
        view.repaint();
        events.forget();
        fixture.action("forwardStepAction")->trigger();
        view.repaint();
        fixture.action("forwardStepAction")->trigger();
        view.repaint();
        const QString name = QStringLiteral("heatmapView");
        QVERIFY(!events.of(QAccessible::SelectionWithin, name).isEmpty());
        QVERIFY(events.of(QAccessible::TableModelChanged, name).isEmpty());
        events.forget();
        fixture.send(QStringLiteral("s7 s4 s6"));
        QTRY_VERIFY(!fixture.window->controller().busy());
        view.repaint();
        QVERIFY(!events.of(QAccessible::TableModelChanged, name).isEmpty());
        QVERIFY(events.of(QAccessible::DescriptionChanged, name)
                    .last()
                    .description.contains(QStringLiteral("%1 columns").arg(view.figure()->columns())));
    }

    void everyControlHasAName_data()
    {
        QTest::addColumn<QString>("model");
        QTest::newRow("encoder-decoder") << QStringLiteral("transformer");
        QTest::newRow("encoder-only") << trainedModels + QStringLiteral("bert-small-en");
        QTest::newRow("decoder-only") << trainedModels + QStringLiteral("gpt-small-en");
    }

    void everyControlHasAName()
    {
        QFETCH(const QString, model);
        WindowFixture fixture;
        fixture.show(model, QStringLiteral("s4 s5"));
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->controller().busy(), 20000);
        fixture.action("findAction")->trigger();
        for (const ViewRow& row : viewRows()) {
            showView(fixture, row.id);
            QCOMPARE(namelessIn(*fixture.window).join(QLatin1Char('\n')), QString());
        }
        for (QDockWidget* dock : fixture.window->findChildren<QDockWidget*>()) {
            dock->raise();
            QCoreApplication::processEvents();
            QCOMPARE(namelessIn(*fixture.window).join(QLatin1Char('\n')), QString());
        }
    }

    void everyControlOfTheLaboratoryHasAName()
    {
        LaboratoryFixture fixture("transformer");
        for (int i = 0; i < static_cast<int>(pageRows().size()); ++i) {
            const LaboratoryPage& page = fixture.openPage(static_cast<Page>(i));
            QCOMPARE(namelessIn(*fixture.laboratory).join(QLatin1Char('\n')), QString());
            for (QTabWidget* tabs : page.findChildren<QTabWidget*>()) {
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    tabs->setCurrentIndex(tab);
                    QCOMPARE(namelessIn(*fixture.laboratory).join(QLatin1Char('\n')), QString());
                }
            }
        }
    }

    void everyControlOfTheHelpHasAName()
    {
        WindowFixture fixture("recurrent");
        fixture.action("helpAction")->trigger();
        fixture.action("paletteAction")->trigger();
        QCoreApplication::processEvents();
        for (QWidget* window : QApplication::topLevelWidgets()) {
            if (window->isVisible())
                QCOMPARE(namelessIn(*window).join(QLatin1Char('\n')), QString());
        }
    }

    void everyControlOfPopupsHasAName()
    {
        QWidget window;
        window.resize(600, 400);
        window.show();
        auto* const value = new ValuePopup(QStringLiteral("weight"), 0.5, &window);
        value->openAt(window.mapToGlobal(QPoint(10, 10)));
        QCOMPARE(namelessIn(window).join(QLatin1Char('\n')), QString());
        auto* const token = new TokenPopup(QStringLiteral("cat"), true, &window);
        token->openAt(window.mapToGlobal(QPoint(10, 10)));
        token->offer({{3, QStringLiteral("dog"), 0.5}});
        QVERIFY(token->isVisible());
        QCOMPARE(namelessIn(window).join(QLatin1Char('\n')), QString());
    }

    void everyControlOfTheDialogOfExportsHasAName()
    {
        WindowFixture fixture("recurrent");
        std::optional<QStringList> nameless;
        fixture.answers->exportDialog = [&](const Exportable& figure,
                                            const ExportHabits& habits) -> std::optional<ExportChoice> {
            ExportDialog dialog(figure, habits);
            dialog.show();
            nameless = QTest::qWaitForWindowExposed(&dialog) ? namelessIn(dialog) : QStringList();
            return std::nullopt;
        };
        fixture.action("exportAction")->trigger();
        QVERIFY(nameless);
        QCOMPARE(*nameless, QStringList());
    }

    void oneKeyGoesThroughThePartsOfTheWindow()
    {
        WindowFixture fixture("recurrent");
        fixture.activate();
        fixture.find<QWidget>("stage")->setFocus();
        QStringList gone;
        do {
            gone << partInFront(fixture);
            QTest::keyClick(fixture.window.get(), Qt::Key_F6);
        } while (partInFront(fixture) != QLatin1String("stage") && gone.size() < 20);
        QCOMPARE(gone.mid(0, 3),
                 (QStringList{QStringLiteral("stage"), QStringLiteral("heatmapView"), QStringLiteral("stepPanel")}));
        QVERIFY(gone.contains(QStringLiteral("menuRow")));
        QVERIFY(gone.contains(QStringLiteral("siteDock")));
        QVERIFY(gone.contains(QStringLiteral("decodingDock")));
        QCOMPARE(QSet<QString>(gone.begin(), gone.end()).size(), gone.size());
        QStringList back{QStringLiteral("stage")};
        for (qsizetype i = 1; i < gone.size(); ++i) {
            QTest::keyClick(fixture.window.get(), Qt::Key_F6, Qt::ShiftModifier);
            back.insert(1, partInFront(fixture));
        }
        QCOMPARE(back, gone);
    }

    void oneKeyGoesThroughThePartsOfTheLaboratory()
    {
        LaboratoryFixture fixture("transformer");
        fixture.openPage(pageAbout(Topic::Order));
        fixture.laboratory->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture.laboratory));
        auto* const list = fixture.laboratory->findChild<QWidget*>(QStringLiteral("laboratoryPages"));
        list->setFocus();
        QTest::keyClick(fixture.laboratory, Qt::Key_F6);
        QVERIFY(fixture.laboratory->page(fixture.laboratory->current()).isAncestorOf(QApplication::focusWidget()));
        for (int i = 0; i < 10 && QApplication::focusWidget() != list; ++i)
            QTest::keyClick(fixture.laboratory, Qt::Key_F6);
        QCOMPARE(QApplication::focusWidget(), list);
    }

    void whatHasTheKeyboardIsSeen()
    {
        WindowFixture fixture(QStringLiteral("recurrent"), test::longSentence());
        fixture.activate();
        for (const char* id : {"heatmap", "grid", "arcs", "text", "decoding", "beam"}) {
            FigureView& view = showView(fixture, id);
            fixture.editSentence();
            const QImage without = view.grab().toImage();
            view.setFocus(Qt::TabFocusReason);
            QVERIFY(view.hasFocus());
            const QImage with = view.grab().toImage();
            const QPoint edge(view.width() / 2, 1);
            QCOMPARE(with.pixelColor(edge), view.palette().color(QPalette::Highlight));
            QVERIFY(without.pixelColor(edge) != with.pixelColor(edge));
        }
    }

    void lettersFollowTheSystem_data()
    {
        QTest::addColumn<double>("larger");
        QTest::newRow("half as large again") << 1.5;
        QTest::newRow("twice as large") << 2.0;
    }

    void lettersFollowTheSystem()
    {
        QFETCH(const double, larger);
        WindowFixture fixture("recurrent");
        const auto labelHeight = [&] {
            FigureView& view = fixture.window->heatmap();
            view.grab();
            return dynamic_cast<const MatrixFigure&>(*view.figure()).rowLabelRect(0).height();
        };
        const QSize least = fixture.window->minimumSizeHint();
        const int squares = HeadSquares().sizeHint().height();
        const double label = labelHeight();
        const QFont usual = QApplication::font();
        const auto back = qScopeGuard([&] { QApplication::setFont(usual); });
        QFont large = usual;
        large.setPointSizeF(usual.pointSizeF() * larger);
        QApplication::setFont(large);
        QCoreApplication::processEvents();
        QVERIFY2(labelHeight() > label * (larger - 0.2), qPrintable(QString::number(labelHeight() / label)));
        QVERIFY(HeadSquares().sizeHint().height() > squares);
        QTRY_VERIFY(fixture.window->minimumSizeHint().width() > least.width());
        const QSize now = fixture.window->minimumSizeHint();
        const auto grew = [&](auto extent) {
            return (now.*extent)() > (least.*extent)() && (now.*extent)() <= (least.*extent)() * (larger + 0.25);
        };
        QVERIFY2(grew(&QSize::width) && grew(&QSize::height),
                 qPrintable(QStringLiteral("%1x%2 of %3x%4")
                                .arg(now.width())
                                .arg(now.height())
                                .arg(least.width())
                                .arg(least.height())));
    }

    // Qt's own movements ask the style, which asks the system, but for the sign that empties a line, which fades in;
    // the window has no others.
    void nothingMovesWhereTheSystemWantsItStill()
    {
        const test::StillStyle::InUse still;
        WindowFixture fixture("recurrent");
        const auto moving = [&] {
            QString names;
            for (const QAbstractAnimation* one : fixture.window->findChildren<QAbstractAnimation*>()) {
                const bool fades = one->parent()->inherits("QLineEditIconButton"); // and stays where it is
                if (!fades && one->state() == QAbstractAnimation::Running)
                    names += QLatin1Char(' ') + QLatin1String(one->parent()->metaObject()->className())
                        + one->parent()->objectName();
            }
            return names;
        };
        for (const ViewRow& row : viewRows()) {
            showView(fixture, row.id);
            QVERIFY2(moving().isEmpty(), qPrintable(moving()));
        }
        for (QDockWidget* dock : fixture.window->findChildren<QDockWidget*>()) {
            dock->toggleViewAction()->trigger();
            QVERIFY2(moving().isEmpty(), qPrintable(moving()));
        }
    }
};

ATTN_GUI_TEST(TestAccessible)
#include "tst_accessible.moc"

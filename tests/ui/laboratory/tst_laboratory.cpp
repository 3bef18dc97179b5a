// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/result_table.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "ui/laboratory/laboratory_fixture.h"

#include <QMenu>
#include <QScreen>

#include <algorithm>
#include <semaphore>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

// The laboratory's window: its pages, how they are reached and left.
class TestLaboratory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Columns are as wide as what came last needs.
    void aTableGrowsWithItsRows()
    {
        ResultTable table("results", {}, {{"reading", QStringLiteral("Reading")}, {"rho", QStringLiteral("r")}});
        table.show(1, [](int, int) { return ResultCell{QStringLiteral("x"), 0.0}; });
        const int before = table.columnWidth(1);
        table.show(2, [](int row, int) {
            return ResultCell{row == 0 ? QStringLiteral("x") : QStringLiteral("+0.64 and more"), 0.0};
        });
        QVERIFY(table.columnWidth(1) > before);
        table.setColumnWidth(1, before); // by hand: that stays
        table.show(2, [](int, int) { return ResultCell{QStringLiteral("+0.64 and more"), 0.0}; });
        QCOMPARE(table.columnWidth(1), before);
    }

    void everyPageIsReachedFromTheMenuAndSaysWhatIsSeen()
    {
        LaboratoryFixture fixture("recurrent");
        const auto* menu = fixture.find<QMenu>("laboratoryMenu");
        QCOMPARE(menu->actions().size(), static_cast<int>(pageRows().size()));
        for (const PageRow& row : pageRows()) {
            auto* action = menu->findChild<QAction*>(QLatin1String(row.id));
            QVERIFY2(action != nullptr, row.id);
            action->trigger();
            fixture.laboratory = fixture.find<LaboratoryWindow>("laboratory");
            QCOMPARE(fixture.laboratory->current(), *pageOf(row.id));
            QVERIFY(fixture.laboratory->isVisible());
            QVERIFY(fixture.laboratory->windowTitle().contains(action->text()));
            QVERIFY(fixture.on<QLabel>("about")->text().size() > 40);
        }
    }

    void theListGoesFromPageToPage()
    {
        LaboratoryFixture fixture("recurrent");
        fixture.openPage(*pageOf("lookup"));
        auto* list = fixture.laboratory->findChild<QListWidget*>(QStringLiteral("laboratoryPages"));
        QCOMPARE(list->currentRow(), static_cast<int>(*pageOf("lookup")));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier,
                          list->visualItemRect(list->item(static_cast<int>(*pageOf("order")))).center());
        QCOMPARE(fixture.laboratory->current(), *pageOf("order"));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Down);
        QCOMPARE(fixture.laboratory->current(), *pageOf("embeddings"));
    }

    void theListStaysWhereItIs()
    {
        LaboratoryFixture fixture("recurrent");
        fixture.openPage(*pageOf("compare"));
        QVERIFY(fixture.laboratory->height() <= 760);
        QVERIFY(fixture.laboratory->height() <= fixture.laboratory->screen()->availableSize().height());
        fixture.laboratory->resize(1000, 640);
        auto* list = fixture.laboratory->findChild<QListWidget*>(QStringLiteral("laboratoryPages"));
        const int width = list->width();
        for (int i = 0; i < static_cast<int>(pageRows().size()); ++i) {
            QVERIFY(list->sizeHintForIndex(list->model()->index(i, 0)).width() <= list->viewport()->width());
            fixture.openPage(static_cast<Page>(i));
            QCoreApplication::processEvents();
            QCOMPARE(list->width(), width);
            QCOMPARE(fixture.laboratory->width(), 1000);
            QVERIFY2(fixture.laboratory->height() == 640, qPrintable(pageName(static_cast<Page>(i))));
        }
    }

    void aResultMovesNoControl_data()
    {
        test::addColumns<int, QString>("page", "control");
        QTest::newRow("compare") << static_cast<int>(*pageOf("compare")) << QStringLiteral("compareView");
        QTest::newRow("step") << static_cast<int>(*pageOf("step")) << QStringLiteral("stepSite");
        QTest::newRow("scaling") << static_cast<int>(*pageOf("scaling")) << QStringLiteral("commonAxis");
        QTest::newRow("order") << static_cast<int>(*pageOf("order")) << QStringLiteral("orderEngine");
        QTest::newRow("order, another tab") << static_cast<int>(*pageOf("order")) << QStringLiteral("schemeKind");
    }
    void aResultMovesNoControl()
    {
        QFETCH(int, page);
        QFETCH(QString, control);
        LaboratoryFixture fixture("transformer");
        LaboratoryPage& shown = fixture.openPage(static_cast<Page>(page));
        QTRY_VERIFY(!shown.busy());
        auto* widget = fixture.on<QWidget>(control.toLatin1().constData());
        if (auto* tabs = shown.findChild<QTabWidget*>()) {
            for (int i = 0; i < tabs->count() && !widget->isVisible(); ++i)
                tabs->setCurrentIndex(i);
        }
        QCoreApplication::processEvents();
        QVERIFY(widget->isVisible());
        const QPoint before = widget->mapTo(&shown, QPoint());
        auto* result = fixture.on<QLabel>("result");
        QVERIFY(!result->isVisible() || result->mapTo(&shown, QPoint()).y() > before.y());
        result->setText(QStringLiteral("A long result. ").repeated(40));
        result->show();
        QTRY_VERIFY(result->height() > 2 * result->fontMetrics().height());
        QCOMPARE(widget->mapTo(&shown, QPoint()), before);
    }

    void everyFigureFollowsTheTheme_data()
    {
        QTest::addColumn<int>("page");
        for (int i = 0; i < static_cast<int>(pageRows().size()); ++i)
            QTest::newRow(pageRows()[static_cast<std::size_t>(i)].id) << i;
    }
    void everyFigureFollowsTheTheme()
    {
        QFETCH(int, page);
        LaboratoryFixture fixture("transformer");
        LaboratoryPage& shown = fixture.openPage(static_cast<Page>(page));
        QTRY_VERIFY(!shown.busy());
        auto* const tabs = shown.findChild<QTabWidget*>();
        int figures = 0;
        for (int tab = 0; tab < (tabs == nullptr ? 1 : tabs->count()); ++tab) {
            if (tabs != nullptr)
                tabs->setCurrentIndex(tab);
            QTRY_VERIFY(!shown.busy());
            for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
                fixture.window->setThemeMode(mode);
                for (QWidget* const drawn : shown.findChildren<QWidget*>()) {
                    const bool isFigure =
                        qobject_cast<FigureCanvas*>(drawn) != nullptr || drawn->inherits("QChartView");
                    const auto isDark = [drawn] { return drawn->grab().toImage().pixelColor(2, 2).lightness() < 128; };
                    if (isFigure && drawn->isVisible()) {
                        QTRY_COMPARE(isDark(), mode == ThemeMode::Dark);
                        ++figures;
                    }
                }
            }
        }
        QVERIFY(figures > 0 || !shown.exportable());
    }

    void orderOpensOnTheModelThatIsLoaded()
    {
        LaboratoryFixture fixture("transformer");
        const LaboratoryPage& page = fixture.openPage(*pageOf("order"));
        auto* engine = fixture.on<QComboBox>("orderEngine");
        QCOMPARE(engine->currentData().toString(), QStringLiteral("model"));
        QCOMPARE(engine->currentText(), QStringLiteral("transformer"));
        QTRY_VERIFY(!page.busy() && page.exportable());
        fixture.window->open(QStringLiteral("recurrent")); // which has no positions
        QTRY_COMPARE(engine->currentData().toString(), QStringLiteral("small"));
        QTRY_VERIFY(page.exportable());
    }

    void onlyAFigureThatIsThereIsOffered()
    {
        LaboratoryFixture fixture("recurrent");
        std::binary_semaphore gate(0);
        fixture.window->controller().thread().post([&gate](Engine&) { gate.acquire(); });
        const LaboratoryPage& page = fixture.openPage(*pageOf("embeddings"));
        auto* menu = fixture.laboratory->findChild<QMenu*>(QStringLiteral("pageMenu"));
        const auto offered = [&] {
            const QStringList ids{QStringLiteral("exportPage"), QStringLiteral("copyPage")};
            return std::ranges::count_if(
                ids, [&](const QString& id) { return fixture.laboratory->findChild<QAction*>(id)->isEnabled(); });
        };
        Q_EMIT menu->aboutToShow();
        QCOMPARE(offered(), 0);
        Q_EMIT menu->aboutToHide();
        QCOMPARE(offered(), 2); // by their keys
        gate.release();
        QTRY_VERIFY(page.exportable());
        Q_EMIT menu->aboutToShow();
        QCOMPARE(offered(), 2);
    }

    void positionsLeadToTheirOrder()
    {
        LaboratoryFixture fixture("transformer");
        fixture.showTab("positional");
        fixture.click("askOrder");
        const auto* laboratory = fixture.find<LaboratoryWindow>("laboratory");
        QVERIFY(laboratory->isVisible());
        QCOMPARE(laboratory->current(), *pageOf("order"));
    }

    void theSentenceOfAnArchiveIsLookedAt()
    {
        LaboratoryFixture fixture(QStringLiteral("transformer"), QStringLiteral("s4 s5 s6"));
        const QString archive = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(archive.toStdString(), fixture.trace());
        fixture.type(QStringLiteral("s9 s8"));
        fixture.window->open(archive);
        QTRY_VERIFY(!fixture.window->study().model());
        fixture.openPage(*pageOf("order"));
        QCOMPARE(fixture.on<QLineEdit>("orderSentence")->text(), QStringLiteral("s4 s5 s6"));
        fixture.openPage(*pageOf("compare"));
        QCOMPARE(fixture.on<QLineEdit>("compareSentence")->text(), QStringLiteral("s4 s5 s6"));
    }

    // Though the first window was never closed.
    void whatPagesKeepIsThereInTheNextWindow()
    {
        LaboratoryFixture fixture("recurrent");
        fixture.openPage(*pageOf("compare"));
        QVERIFY(fixture.on<QComboBox>("compareModel1")->currentData() != QStringLiteral("transformer"));
        fixture.pick("compareModel1", "transformer");
        const auto chooseFile = [&] {
            fixture.openPage(*pageOf("length"));
            fixture.pick("lengthOrigin", "file");
            QTest::mouseClick(fixture.on<QPushButton>("choosePairs"), Qt::LeftButton);
        };
        fixture.answers->paths[OpenKind::SentencePairs] = fixture.path(QStringLiteral("texts/pairs.tsv"));
        chooseFile();
        QCOMPARE(fixture.answers->folder, QDir::homePath());
        fixture.open();
        fixture.openPage(*pageOf("compare"));
        QCOMPARE(fixture.on<QComboBox>("compareModel1")->currentData().toString(), QStringLiteral("transformer"));
        chooseFile();
        QCOMPARE(fixture.answers->folder, fixture.path(QStringLiteral("texts")));
    }

    void theLaboratoryOpensWhereItWas()
    {
        LaboratoryFixture fixture("recurrent");
        fixture.openPage(*pageOf("lookup"));
        const QSize before = fixture.laboratory->size();
        fixture.laboratory->resize(before - QSize(60, 40));
        const QSize size = fixture.laboratory->size();
        QVERIFY(size != before);
        fixture.laboratory->close();
        fixture.open();
        fixture.openPage(*pageOf("lookup"));
        QCOMPARE(fixture.laboratory->size(), size);
    }

    void itClosesWithTheWindowWhileItWorks()
    {
        LaboratoryFixture fixture("recurrent");
        fixture.openPage(*pageOf("compare"));
        fixture.window.reset();
        QCOMPARE(QApplication::topLevelWidgets().count(), 0);
    }
};

ATTN_GUI_TEST(TestLaboratory)
#include "tst_laboratory.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/matrix_figure.h"
#include "laboratory/compare/compare_page.h"
#include "ui/laboratory/laboratory_fixture.h"

#include <QClipboard>
#include <QSettings>

#include <cmath>
#include <numeric>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

double sumOfRow(const Numbers& map, int row)
{
    const auto first = map.values.begin() + std::ptrdiff_t{row} * map.columns;
    return std::accumulate(first, first + map.columns, 0.0);
}

// The page with its first comparison done.
ComparePage& compared(LaboratoryFixture& fixture)
{
    auto& page = static_cast<ComparePage&>(fixture.openPage(pageOf("compare")));
    if (!QTest::qWaitFor([&] { return page.comparison() != nullptr && !page.busy(); }))
        qFatal("nothing was compared");
    return page;
}

const PanelFigure& panels(const LaboratoryFixture& fixture)
{
    auto* canvas = fixture.on<FigureCanvas>("compareCanvas");
    canvas->grab();
    return dynamic_cast<const PanelFigure&>(*canvas->figure());
}

} // namespace

// One sentence through several models.
class TestComparePage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QSettings().clear(); }

    void allReadTheSameWords()
    {
        LaboratoryFixture fixture;
        fixture.open();
        ComparePage& page = compared(fixture);
        const Comparison& comparison = *page.comparison();
        QVERIFY(comparison.maps.size() >= 2);
        QCOMPARE(std::vector(comparison.columns.begin(), comparison.columns.begin() + 4),
                 (std::vector<std::string>{"s4", "s5", "s6", "s7"}));
        QCOMPARE(fixture.on<QLineEdit>("compareSentence")->text(), QStringLiteral("s4 s5 s6 s7"));
        for (const ComparedMap& map : comparison.maps) {
            QCOMPARE(map.map.columns, static_cast<int>(comparison.columns.size()));
            QCOMPARE(map.map.rows, static_cast<int>(map.words.size()));
            QVERIFY(map.map.rows > 0 && map.tokens > 0 && map.logProbability < 0);
            for (int row = 0; row < map.map.rows; ++row)
                QVERIFY(std::abs(sumOfRow(map.map, row) - 1) < 1e-4);
        }
    }

    void theWindowsModelGivesTheSameNumbersHere()
    {
        LaboratoryFixture fixture;
        fixture.open(QStringLiteral("recurrent"));
        const Comparison& comparison = *compared(fixture).comparison();
        const auto found = std::ranges::find(comparison.maps, "recurrent", &ComparedMap::name);
        QVERIFY(found != comparison.maps.end());
        const Trace& trace = fixture.trace();
        QCOMPARE(found->output, trace.target().text);
        double sum = 0;
        for (const auto& step : trace.path())
            sum += static_cast<double>(step->step.logProbability);
        QVERIFY(std::abs(sum - found->logProbability) < 1e-4);
        const Numbers map = trace.matrix({Stage::Cross, 0}, 0);
        QCOMPARE(found->map.rows, map.rows); // every token is a word here
        for (int row = 0; row < map.rows; ++row) {
            for (int column = 0; column < 4; ++column)
                QVERIFY(std::abs(found->map.at(row, column) - map.at(row, column)) < 1e-5F);
        }
    }

    void anotherSentenceIsRunWithEnter()
    {
        LaboratoryFixture fixture;
        fixture.open();
        ComparePage& page = compared(fixture);
        auto* box = fixture.on<QLineEdit>("compareSentence");
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("s9 s8"));
        QTest::keyClick(box, Qt::Key_Return);
        QTRY_COMPARE(page.comparison()->columns.front(), std::string("s9"));
        QTRY_VERIFY(!page.busy());
        QCOMPARE(fixture.trace().source().ids.size(), std::size_t{5}); // the window keeps its own
    }

    void aWordThatIsPointedAtIsMarkedEverywhere()
    {
        LaboratoryFixture fixture;
        fixture.open();
        compared(fixture);
        auto* canvas = fixture.on<FigureCanvas>("compareCanvas");
        const auto cellAt = [&](int panel, int row, int column) {
            const PanelFigure& figure = panels(fixture);
            return (figure.panel(panel).cellRect(row, column).center() + figure.panelRect(panel).topLeft()).toPoint();
        };
        const QPoint first = cellAt(0, 0, 2);
        const QPoint second = cellAt(1, 0, 2);
        const QImage before = canvas->grab().toImage();
        LaboratoryFixture::pointTo(canvas, first);
        const QImage after = canvas->grab().toImage();
        // The second panel's column is drawn over, although the pointer is in the first one.
        const QRect column(second.x() - 30, 0, 60, static_cast<int>(panels(fixture).panelRect(1).bottom()));
        QVERIFY(before.copy(column) != after.copy(column));
        QVERIFY(fixture.laboratory->findChild<QLabel*>(QStringLiteral("laboratoryHover"))
                    ->text()
                    .contains(QStringLiteral("s6")));
    }

    void theDifferenceOfTwoMapsIsTheirDifference()
    {
        LaboratoryFixture fixture;
        fixture.open();
        ComparePage& page = compared(fixture);
        auto* same = fixture.on<QCheckBox>("sameOutput");
        QTest::mouseClick(same, Qt::LeftButton, Qt::NoModifier, QPoint(8, same->height() / 2));
        QVERIFY(same->isChecked());
        QTRY_VERIFY(!page.busy());
        const Comparison& comparison = *page.comparison();
        QCOMPARE(comparison.maps[0].output, comparison.maps[1].output);
        auto* view = fixture.on<QComboBox>("compareView");
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Down);
        const ComparedDifference difference = differenceOf(comparison, 0, 1);
        QCOMPARE(difference.map.rows, comparison.maps[0].map.rows);
        double variation = 0;
        for (int row = 0; row < difference.map.rows; ++row) {
            for (int column = 0; column < difference.map.columns; ++column) {
                const float expected = comparison.maps[0].map.at(row, column) - comparison.maps[1].map.at(row, column);
                QVERIFY(std::abs(difference.map.at(row, column) - expected) < 1e-6F);
                variation += std::abs(static_cast<double>(expected)) / 2 / difference.map.rows;
            }
        }
        QVERIFY(std::abs(variation - difference.variation) < 1e-6);
        QVERIFY(fixture.on<QLabel>("result")->text().contains(QString::number(100 * variation, 'f', 0)));
        const auto lines = fixture.exported(QStringLiteral("difference.csv")).split('\n');
        QCOMPARE(lines.size(), difference.map.rows * difference.map.columns + 2);
    }

    void onlyMapsAreSubtracted()
    {
        LaboratoryFixture fixture;
        fixture.open();
        ComparePage& page = compared(fixture);
        auto* view = fixture.on<QComboBox>("compareView");
        QCOMPARE(view->count(), 2); // side by side and the two models' difference
        auto* third = fixture.on<QComboBox>("compareModel2");
        third->addItem(QStringLiteral("blind"), attn::test::blindModel(fixture.path(QStringLiteral("elsewhere"))));
        third->setFocus();
        QTest::keyClick(third, Qt::Key_End);
        QTRY_VERIFY(page.comparison()->maps.size() == 3 && !page.busy());
        QCOMPARE(page.comparison()->maps[2].map.rows, 0);
        QCOMPARE(view->count(), 2);
        QVERIFY(view->fontMetrics().horizontalAdvance(view->itemText(1)) < view->width());
        QTest::keyClick(third, Qt::Key_Up);
        QTRY_VERIFY(!page.busy());
        const auto withAttention =
            std::ranges::count_if(page.comparison()->maps, [](const ComparedMap& map) { return map.map.rows > 0; });
        QCOMPARE(view->count(), 1 + static_cast<int>(withAttention * (withAttention - 1) / 2));
    }

    void aModelWithoutAMapIsARowOfText()
    {
        LaboratoryFixture fixture;
        fixture.open();
        Comparison comparison = *compared(fixture).comparison();
        comparison.maps.resize(2);
        QCOMPARE(comparison.columns.back(), std::string("</s>")); // the only special token of both
        ComparedMap blind;
        blind.name = "blind";
        blind.state = ComparedState::Done;
        blind.output = "t4 t5";
        blind.tokens = 3;
        comparison.maps.insert(comparison.maps.begin(), blind);
        const auto figure = layOutComparison(comparison, FigureSpec{}, QSizeF(1000, 600));
        // Two maps, what they wrote, the row of text above them, and one colour bar.
        QCOMPARE(figure->panelCount(), 6);
        const QRectF row = figure->panelRect(4);
        QVERIFY(row.width() > 990 && row.height() < 110 && row.top() < 1);
        for (const char* part : {"blind", "t4 t5"})
            QVERIFY(figure->panel(4).description().contains(QLatin1String(part)));
        for (int map = 0; map < 2; ++map) {
            QCOMPARE(figure->panel(map).rows(), comparison.maps[static_cast<std::size_t>(map + 1)].map.rows);
            const auto& matrix = dynamic_cast<const MatrixFigure&>(figure->panel(map));
            QVERIFY(matrix.colorBarRect().isNull());
            const double end = figure->panelRect(map).top() + matrix.cellsRect().bottom();
            QVERIFY(figure->panelRect(map).top() >= row.bottom());
            QVERIFY(std::abs(figure->panelRect(map + 2).top() - end) < 10); // right below the cells
        }
        const QRectF bar = figure->panelRect(5);
        QVERIFY(bar.left() >= figure->panelRect(1).right() - 1 && bar.right() <= 1000);
    }

    void outputsWithoutACommonWordSayWhatToDo()
    {
        LaboratoryFixture fixture;
        fixture.open();
        Comparison comparison = *compared(fixture).comparison();
        comparison.maps.resize(2);
        for (std::string& word : comparison.maps[1].words)
            word += 'x';
        const auto figure = layOutDifference(comparison, 0, 1, FigureSpec{}, QSizeF(600, 400));
        const QString label = fixture.on<QCheckBox>("sameOutput")->text().remove(QLatin1Char('&'));
        QVERIFY2(figure->description().contains(label), qPrintable(figure->description()));
    }

    void itIsExportedAndCopied()
    {
        LaboratoryFixture fixture;
        fixture.open();
        const ComparePage& page = compared(fixture);
        const QByteArray svg = fixture.exported(QStringLiteral("compare.svg"));
        QVERIFY(svg.contains("recurrent") && svg.contains("s6") && svg.contains("log p"));
        QTRY_VERIFY(!fixture.exported(QStringLiteral("compare.pdf")).isEmpty());
        QByteArray csv;
        QTRY_VERIFY(!(csv = fixture.exported(QStringLiteral("compare.csv"))).isEmpty());
        qsizetype cells = 0;
        for (const ComparedMap& map : page.comparison()->maps)
            cells += map.map.rows * map.map.columns;
        QCOMPARE(csv.count('\n'), cells + 1);
        QApplication::clipboard()->clear();
        QTest::keyClick(fixture.laboratory, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!QApplication::clipboard()->image().isNull());
    }

    void aModelThatCannotRunSaysWhyInItsPlace()
    {
        LaboratoryFixture fixture;
        fixture.open();
        ComparePage& page = compared(fixture);
        auto* third = fixture.on<QComboBox>("compareModel2");
        third->addItem(QStringLiteral("broken"), fixture.broken);
        third->setFocus();
        QTest::keyClick(third, Qt::Key_End);
        QTRY_VERIFY(page.comparison()->maps.size() >= 3 && !page.busy());
        QVERIFY(page.comparison()->maps[2].state == ComparedState::Refused);
        QVERIFY(!page.comparison()->maps[2].problem.empty());
        QVERIFY(page.comparison()->maps[0].map.rows > 0);
    }

    void itCanBeCancelled()
    {
        LaboratoryFixture fixture;
        fixture.open();
        ComparePage& page = compared(fixture);
        page.run();
        QVERIFY(page.busy() && fixture.busy());
        QTest::mouseClick(fixture.on<QPushButton>("cancelJob"), Qt::LeftButton);
        QVERIFY(!page.busy() && !fixture.busy());
        QTRY_VERIFY(std::ranges::none_of(page.comparison()->maps,
                                         [](const ComparedMap& map) { return map.state == ComparedState::Waiting; }));
    }
};

QTEST_MAIN(TestComparePage)

#include "tst_compare_page.moc"

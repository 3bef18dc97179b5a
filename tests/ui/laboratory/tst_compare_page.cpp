// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
// clang-format on

#include "figures/export/provenance.h"
#include "figures/parts/matrix_figure.h"
#include "laboratory/compare/comparison_figure.h"
#include "support/test_program.h"
#include "ui/figures/figure_areas.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/figure_canvas.h"

#include <QClipboard>
#include <QLineEdit>
#include <QSettings>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

// One of the maps on show: words by words.
struct Shown
{
    QString name;
    QStringList words;
    std::vector<std::vector<double>> rows;
};

struct Table
{
    QStringList columns; // of all
    std::vector<Shown> maps;
};

// As the page's table of numbers says it, whose lines go through the columns again and again; empty before the first
// result. No word stands twice in the sentence.
Table tableOf(const LaboratoryPage& page)
{
    Table table;
    const auto figure = page.exportable();
    const QString csv = figure ? QString::fromUtf8(figure->csv()) : QString();
    for (const QString& line : csv.split(QStringLiteral("\r\n"), Qt::SkipEmptyParts).mid(1)) {
        const QStringList fields = QString(line).remove(QLatin1Char('"')).split(QLatin1Char(','));
        if (table.maps.empty() || table.maps.back().name != fields[0])
            table.maps.push_back({fields[0], {}, {}});
        Shown& map = table.maps.back();
        if (table.columns.isEmpty() || fields[2] == table.columns.front()) {
            map.words << fields[1];
            map.rows.emplace_back();
        }
        if (!table.columns.contains(fields[2]))
            table.columns << fields[2];
        map.rows.back().push_back(fields[3].toDouble());
    }
    return table;
}

// The page with its first comparison done.
LaboratoryPage& compared(LaboratoryFixture& fixture)
{
    LaboratoryPage& page = fixture.openPage(*pageOf("compare"));
    if (!QTest::qWaitFor([&] { return page.exportable() && !page.busy(); }))
        qFatal("nothing was compared");
    return page;
}

const PanelFigure& panels(const LaboratoryFixture& fixture)
{
    auto* canvas = fixture.on<FigureCanvas>("compareCanvas");
    canvas->grab();
    return dynamic_cast<const PanelFigure&>(*canvas->figure());
}

// What a model that writes these two words made of "s4 s5".
ComparedMap mapOf(const char* name, const std::vector<std::string>& words)
{
    ComparedMap map;
    map.name = name;
    map.state = ComparedState::Done;
    map.site = Site{Stage::Cross, 0};
    map.heads = 1;
    map.words = words;
    map.map = {2, 3, {0.7F, 0.2F, 0.1F, 0.1F, 0.6F, 0.3F}};
    map.output = words.front() + ' ' + words.back();
    map.writes = true;
    map.logProbability = -1;
    map.tokens = 3;
    return map;
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
        LaboratoryFixture fixture("recurrent");
        const Table table = tableOf(compared(fixture));
        QVERIFY(table.maps.size() >= 2);
        QCOMPARE(table.columns.mid(0, 4).join(QLatin1Char(' ')), QStringLiteral("s4 s5 s6 s7"));
        QCOMPARE(fixture.on<QLineEdit>("compareSentence")->text(), QStringLiteral("s4 s5 s6 s7"));
        for (const Shown& map : table.maps) {
            QVERIFY(!map.rows.empty());
            for (const auto& row : map.rows) {
                QCOMPARE(static_cast<qsizetype>(row.size()), table.columns.size());
                QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) < 1e-4);
            }
        }
    }

    void theWindowsModelGivesTheSameNumbersHere()
    {
        LaboratoryFixture fixture("recurrent");
        const Table table = tableOf(compared(fixture));
        const auto found = std::ranges::find(table.maps, QStringLiteral("recurrent"), &Shown::name);
        QVERIFY(found != table.maps.end());
        const Numbers map = fixture.trace().matrix({Stage::Cross, 0}, 0);
        QCOMPARE(static_cast<int>(found->rows.size()), map.rows); // every token is a word here
        for (int row = 0; row < map.rows; ++row) {
            for (int column = 0; column < 4; ++column)
                QVERIFY(std::abs(found->rows.at(row).at(column) - static_cast<double>(map.at(row, column))) < 1e-5);
        }
    }

    void anotherSentenceIsRunWithEnter()
    {
        LaboratoryFixture fixture("recurrent");
        LaboratoryPage& page = compared(fixture);
        auto* box = fixture.on<QLineEdit>("compareSentence");
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("s9 s8"));
        QTest::keyClick(box, Qt::Key_Return);
        QTRY_COMPARE(tableOf(page).columns.value(0), QStringLiteral("s9"));
        QTRY_VERIFY(!page.busy());
        QCOMPARE(fixture.trace().source().ids.size(), std::size_t{5}); // the window keeps its own
    }

    void aWordThatIsPointedAtIsMarkedEverywhere()
    {
        LaboratoryFixture fixture("recurrent");
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
        LaboratoryFixture fixture("recurrent");
        LaboratoryPage& page = compared(fixture);
        auto* same = fixture.on<QCheckBox>("sameOutput");
        QTest::mouseClick(same, Qt::LeftButton, Qt::NoModifier, QPoint(8, same->height() / 2));
        QVERIFY(same->isChecked());
        QTRY_VERIFY(!page.busy());
        const Table both = tableOf(page);
        const QStringList& words = both.maps.at(0).words;
        QCOMPARE(both.maps.at(1).words.mid(0, words.size()), words);
        auto* view = fixture.on<QComboBox>("compareView");
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Down);
        const auto rows = tableOf(page).maps.at(0).rows;
        const std::size_t common = both.maps[0].rows.size(); // the other model may write more
        QVERIFY(rows.size() >= common);
        double variation = 0;
        for (std::size_t row = 0; row < common; ++row) {
            for (std::size_t column = 0; column < rows[row].size(); ++column) {
                const double expected = both.maps[0].rows[row][column] - both.maps[1].rows[row][column];
                QVERIFY(std::abs(rows[row][column] - expected) < 1e-6);
                variation += std::abs(expected) / 2 / static_cast<double>(common);
            }
        }
        QVERIFY(fixture.on<QLabel>("result")->text().contains(QString::number(100 * variation, 'f', 0)));
    }

    void onlyMapsAreSubtracted()
    {
        LaboratoryFixture fixture("recurrent");
        LaboratoryPage& page = compared(fixture);
        auto* view = fixture.on<QComboBox>("compareView");
        QCOMPARE(view->count(), 2); // side by side and the two models' difference
        auto* third = fixture.on<QComboBox>("compareModel2");
        third->addItem(QStringLiteral("blind"), attn::test::blindModel(fixture.path(QStringLiteral("elsewhere"))));
        third->setFocus();
        QTest::keyClick(third, Qt::Key_End);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_End); // a pair that is on its way
        QVERIFY(page.busy() && !page.grab().isNull() && page.exportable());
        QTest::keyClick(view, Qt::Key_Home);
        QTRY_VERIFY(!page.busy());
        QCOMPARE(tableOf(page).maps.size(), std::size_t{2});
        QCOMPARE(view->count(), 2);
        QVERIFY(view->fontMetrics().horizontalAdvance(view->itemText(1)) < view->width());
        QTest::keyClick(third, Qt::Key_Up);
        QTRY_VERIFY(!page.busy());
        const auto withAttention = static_cast<int>(tableOf(page).maps.size());
        QCOMPARE(view->count(), 1 + withAttention * (withAttention - 1) / 2);
    }

    void anotherSizeIsLaidOutOfTheSameCells()
    {
        LaboratoryFixture fixture("recurrent");
        compared(fixture);
        const auto mapOnShow = [&](int panel) { // where the cells keep it
            return panels(fixture).panel(panel).overview(QSize(4, 4)).cacheKey();
        };
        const qint64 first = mapOnShow(0);
        const qint64 second = mapOnShow(1);
        const QSizeF size = panels(fixture).size();
        fixture.laboratory->resize(fixture.laboratory->size() + QSize(60, 0));
        QTRY_VERIFY(panels(fixture).size() != size);
        QCOMPARE(mapOnShow(0), first);
        QCOMPARE(mapOnShow(1), second);
    }

    void aModelWithoutAMapIsARowOfText()
    {
        ComparedMap blind;
        blind.name = "blind";
        blind.state = ComparedState::Done;
        blind.output = "t4 t5";
        blind.tokens = 3;
        const Comparison comparison{{"s4", "s5", "</s>"},
                                    {blind, mapOf("one", {"t4", "t5"}), mapOf("other", {"t5", "t4"})}};
        const auto figure = ComparisonPicture(comparison, FigureSpec{}).layOut(QSizeF(1000, 600));
        // Two maps, what they wrote, the row of text above them, and one colour bar.
        QCOMPARE(figure->panelCount(), 6);
        const QRectF row = figure->panelRect(4);
        QVERIFY(row.width() > 990 && row.height() < 110 && row.top() < 1);
        for (const char* part : {"blind", "t4 t5"})
            QVERIFY(figure->panel(4).description().contains(QLatin1String(part)));
        for (int map = 0; map < 2; ++map) {
            QCOMPARE(figure->panel(map).rows(), comparison.maps[static_cast<std::size_t>(map + 1)].map.rows);
            const auto& matrix = dynamic_cast<const MatrixFigure&>(figure->panel(map));
            QVERIFY(test::colorBarOf(matrix).isNull());
            const double end = figure->panelRect(map).top() + matrix.cellsRect().bottom();
            QVERIFY(figure->panelRect(map).top() >= row.bottom());
            QVERIFY(std::abs(figure->panelRect(map + 2).top() - end) < 10); // right below the cells
        }
        const QRectF bar = figure->panelRect(5);
        QVERIFY(bar.left() >= figure->panelRect(1).right() - 1 && bar.right() <= 1000);
    }

    void outputsWithoutACommonWordSayWhatToDo()
    {
        LaboratoryFixture fixture("recurrent");
        compared(fixture);
        const Comparison comparison{{"s4", "s5", "</s>"}, {mapOf("one", {"t4", "t5"}), mapOf("other", {"t6", "t7"})}};
        const auto difference = std::make_shared<const ComparedDifference>(differenceOf(comparison, 0, 1));
        const auto figure = layOutDifference(comparison, difference, FigureSpec{}, QSizeF(600, 400));
        const QString label = fixture.on<QCheckBox>("sameOutput")->text().remove(QLatin1Char('&'));
        QVERIFY2(figure->description().contains(label), qPrintable(figure->description()));
    }

    void wordsThatOnlyOneWritesStayInTheDifference()
    {
        const Comparison comparison{{"s4", "s5", "</s>"}, {mapOf("one", {"t4", "t5"}), mapOf("other", {"t4", "t6"})}};
        const auto difference = std::make_shared<const ComparedDifference>(differenceOf(comparison, 0, 1));
        QCOMPARE(difference->words, (std::vector<std::string>{"t4", "t5", "t6"}));
        QCOMPARE(difference->variation, 0.0); // of the word that both write
        const auto figure = layOutDifference(comparison, difference, FigureSpec{}, QSizeF(600, 400));
        QCOMPARE(figure->rows(), 3);
        for (const int row : {1, 2})
            QVERIFY(!figure->hitTest(figure->cellRect(row, 0).center()).text.contains(QStringLiteral("NaN")));
        const QByteArray csv = differenceCsv(comparison, *difference);
        QCOMPARE(csv.count(",\r\n"), 6); // no number for either word
    }

    void itIsExportedAndCopied()
    {
        LaboratoryFixture fixture("recurrent");
        const LaboratoryPage& page = compared(fixture);
        const QByteArray svg = fixture.exported(QStringLiteral("compare.svg"));
        QVERIFY(svg.contains("recurrent") && svg.contains("s6") && svg.contains("log p"));
        const auto made = readProvenance(fixture.path(QStringLiteral("compare.svg")));
        QVERIFY(made && made->command.isEmpty() && !made->obstacle.isEmpty());
        QTRY_VERIFY(!fixture.exported(QStringLiteral("compare.pdf")).isEmpty());
        QCOMPARE(fixture.exported(QStringLiteral("compare.csv")), page.exportable()->csv());
        QApplication::clipboard()->clear();
        QTest::keyClick(fixture.laboratory, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!QApplication::clipboard()->image().isNull());
    }

    void aModelThatCannotRunSaysWhyInItsPlace()
    {
        LaboratoryFixture fixture("recurrent");
        const LaboratoryPage& page = compared(fixture);
        auto* third = fixture.on<QComboBox>("compareModel2");
        third->addItem(QStringLiteral("broken"), fixture.broken);
        third->setFocus();
        QTest::keyClick(third, Qt::Key_End);
        QTRY_VERIFY(!page.busy());
        const PanelFigure& figure = panels(fixture);
        int named = 0;
        for (int i = 0; i < figure.panelCount(); ++i)
            named += figure.panel(i).description().contains(QFileInfo(fixture.broken).fileName()) ? 1 : 0;
        QCOMPARE(named, 1);
        QCOMPARE(tableOf(page).maps.size(), std::size_t{2});
    }

    void itCanBeCancelled()
    {
        LaboratoryFixture fixture("recurrent");
        const LaboratoryPage& page = compared(fixture);
        auto* run = fixture.on<QPushButton>("compareRun");
        QTest::mouseClick(run, Qt::LeftButton);
        QVERIFY(page.busy() && fixture.busy() && !run->isEnabled());
        QTest::mouseClick(fixture.on<QPushButton>("cancelJob"), Qt::LeftButton);
        QVERIFY(!page.busy() && !fixture.busy() && run->isEnabled());
        fixture.settle();
        QVERIFY(tableOf(page).maps.size() < 2); // what was not run is not shown as if it were
    }
};

ATTN_GUI_TEST(TestComparePage)

#include "tst_compare_page.moc"

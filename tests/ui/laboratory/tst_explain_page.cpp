// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <cmath>
// clang-format on
#include "experiments/faithfulness_experiment.h"
#include "laboratory/result_table.h"
#include "nn/engine.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/figure_canvas.h"

#include <numbers>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

class ExplainFixture : public LaboratoryFixture
{
public:
    explicit ExplainFixture(const QString& model = QStringLiteral("transformer"))
        : LaboratoryFixture(model)
    {
        openPage(*pageOf("explain"));
        QTRY_VERIFY(!busy() && readings()->rows() > 0);
    }
    void openWeights()
    {
        auto* tabs = laboratory->page(laboratory->current()).findChild<QTabWidget*>();
        QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, Qt::NoModifier, tabs->tabBar()->tabRect(1).center());
        QTRY_VERIFY(!busy());
        QTRY_VERIFY(on<ResultTable>("otherWeightsTable")->rows() > 0);
    }

    ResultTable* readings() const { return on<ResultTable>("faithfulnessTable"); }
    FigureCanvas* scatter() const { return on<FigureCanvas>("faithfulnessScatter"); }
    static double value(const ResultTable* table, int row, int column)
    {
        return table->model()->index(row, column).data(Qt::UserRole).toDouble();
    }
    int rowOf(const QString& name) const
    {
        for (int row = 0; row < readings()->rows(); ++row) {
            if (readings()->model()->index(row, 0).data().toString() == name)
                return row;
        }
        qFatal("there is no %s", qPrintable(name));
    }
    static void clickRow(ResultTable* table, int row)
    {
        QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier,
                          table->visualRect(table->model()->index(row, 0)).center());
    }
};

} // namespace

class TestExplainPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readingsStandBesideTheirControls()
    {
        ExplainFixture fixture;
        QTest::mouseClick(fixture.on<QCheckBox>("faithfulnessShuffled"), Qt::LeftButton, Qt::NoModifier, QPoint(8, 8));
        QTRY_VERIFY(fixture.busy() || fixture.readings()->rows() > 0);
        QTRY_VERIFY(!fixture.busy());
        Engine engine;
        const auto model = std::make_shared<const LoadedModel>(loadModel("transformer", engine));
        FaithfulnessExperiment experiment({.question = fixture.window->study().questionToModel(), .shuffled = true});
        carryOut(experiment, {engine, [&](const std::string&) { return model; }});
        const auto& rows = experiment.result().rows;
        const auto lrp = std::ranges::find(rows, "source_lrp", &Faithfulness::reading);
        const int row = fixture.rowOf(QStringLiteral("LRP"));
        QVERIFY(std::abs(fixture.value(fixture.readings(), row, 1) - lrp->correlation) < 1e-4);
        QVERIFY(std::abs(fixture.value(fixture.readings(), row, 3) - lrp->random) < 1e-4);
        QVERIFY(!fixture.readings()->isColumnHidden(4));
        QVERIFY(std::abs(fixture.value(fixture.readings(), row, 4) - *lrp->shuffled) < 1e-4);
        // What is about one token says why it is not there.
        const int absent = fixture.rowOf(QStringLiteral("Gradients"));
        QVERIFY(fixture.readings()->model()->index(absent, 0).data(Qt::ForegroundRole).isValid());
        QCOMPARE(absent >= fixture.readings()->rows() - 4, true); // last
    }

    void aPointLeadsToItsToken()
    {
        ExplainFixture fixture;
        fixture.clickRow(fixture.readings(), fixture.rowOf(QStringLiteral("LRP")));
        QTRY_VERIFY(fixture.scatter()->figure() != nullptr && fixture.scatter()->figure()->columns() > 4);
        fixture.scatter()->grab(); // as it is laid out for the chosen reading
        const int sources = static_cast<int>(fixture.trace().source().size());
        const int point = sources + 2; // the second output token, if all rows are compared
        const QPointF place = fixture.scatter()->figure()->cellRect(0, point).center();
        const FigureHit hit = fixture.scatter()->figure()->hitTest(place);
        QTest::mouseClick(fixture.scatter(), Qt::LeftButton, Qt::NoModifier, place.toPoint());
        QVERIFY(hit.column.has_value());
        QCOMPARE(fixture.window->selection().column(), std::optional(*hit.column % sources));
        QVERIFY(fixture.window->selection().step().has_value());
    }

    void theChosenTokenIsExplainedAlone()
    {
        ExplainFixture fixture;
        fixture.pick("faithfulnessOf", "step");
        QTRY_VERIFY(!fixture.busy() && fixture.readings()->rows() > 0);
        const int row = fixture.rowOf(QStringLiteral("LRP"));
        QCOMPARE(fixture.value(fixture.readings(), row, 5), 1.0);
        QVERIFY(!fixture.readings()
                     ->model()
                     ->index(fixture.rowOf(QStringLiteral("Gradients")), 0)
                     .data(Qt::ForegroundRole)
                     .isValid());
    }

    void aFileHasMeansWithIntervals()
    {
        ExplainFixture fixture;
        fixture.pick("faithfulnessText", "file");
        QCOMPARE(fixture.readings()->rows(), 0);
        fixture.answers->paths[OpenKind::Sentences] = fixture.path(QStringLiteral("lines.txt"));
        QFile file(fixture.answers->paths[OpenKind::Sentences]);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("s4 s5 s6\ns7 s8 s5 s4\n") > 0);
        file.close();
        QTest::mouseClick(fixture.on<QPushButton>("faithfulnessFile"), Qt::LeftButton);
        QTest::mouseClick(fixture.on<QPushButton>("startFaithfulness"), Qt::LeftButton);
        QTRY_VERIFY(!fixture.busy() && fixture.readings()->rows() > 0);
        const int row = fixture.rowOf(QStringLiteral("LRP"));
        QVERIFY(!fixture.readings()->isColumnHidden(2));
        QVERIFY(fixture.value(fixture.readings(), row, 2) <= fixture.value(fixture.readings(), row, 1));
        QCOMPARE(fixture.value(fixture.readings(), row, 6), 2.0);
    }

    void weightsAreReplaced()
    {
        ExplainFixture fixture;
        fixture.openWeights();
        auto* table = fixture.on<ResultTable>("otherWeightsTable");
        QTRY_COMPARE(table->rows(), fixture.trace().steps());
        for (int row = 0; row < table->rows(); ++row) {
            for (const int column : {1, 2, 3, 4, 6})
                QVERIFY(fixture.value(table, row, column) >= 0 && fixture.value(table, row, column) <= 1 + 1e-6);
            QVERIFY(fixture.value(table, row, 5) <= std::numbers::ln2 + 1e-6);
            QVERIFY(fixture.value(table, row, 6) <= 0.05);
        }
        fixture.clickRow(table, 1);
        QCOMPARE(fixture.window->selection().step(), std::optional(1));
        auto* maps = fixture.on<FigureCanvas>("otherWeightsMaps");
        QTRY_VERIFY(maps->figure() != nullptr && maps->figure()->rows() == table->rows());
        QVERIFY(fixture.exported(QStringLiteral("weights.csv")).startsWith("token,largest,uniform"));
        fixture.pick("otherWeightsOf", "head");
        QTRY_VERIFY(!fixture.busy() && table->rows() > 0);
    }

    void itIsCancelled()
    {
        ExplainFixture fixture;
        fixture.type(QStringLiteral("s4 s5 s6 s7 s8 s9 ").repeated(8));
        fixture.click("runButton");
        QTRY_VERIFY(!fixture.window->controller().busy());
        QTRY_VERIFY(fixture.busy());
        QTest::mouseClick(fixture.on<QPushButton>("cancelJob"), Qt::LeftButton);
        QVERIFY(!fixture.busy());
        fixture.settle();
        QVERIFY(!fixture.busy());
    }

    void anArchiveHasNothingToCompare()
    {
        ExplainFixture fixture;
        const QString file = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(file.toStdString(), fixture.trace());
        fixture.open(file);
        fixture.openPage(*pageOf("explain"));
        QCOMPARE(fixture.readings()->rows(), 0);
        QVERIFY(!fixture.on<QPushButton>("startFaithfulness")->isEnabled());
        QVERIFY(!fixture.laboratory->page(*pageOf("explain")).exportable());
    }
};

ATTN_GUI_TEST(TestExplainPage)
#include "tst_explain_page.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <cmath>
// clang-format on
#include "experiments/sweep.h"
#include "laboratory/sweep/sweep_text.h"
#include "nn/engine.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/figure_canvas.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QTableView>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

constexpr int logProbabilityColumn = 3;
constexpr int divergenceColumn = 4;

class SweepFixture : public LaboratoryFixture
{
public:
    explicit SweepFixture(const QString& model = QStringLiteral("transformer"))
        : LaboratoryFixture(model)
    {
        openPage(*pageOf("sweep"));
        QTRY_VERIFY(!busy());
    }

    QTableView* table() const { return on<QTableView>("sweepTable"); }
    FigureCanvas* map() const { return on<FigureCanvas>("sweepMap"); }
    int rows() const { return table()->model()->rowCount(); }
    QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }
    double value(int row, int column) const
    {
        return table()->model()->index(row, column).data(SweepModel::sortRole).toDouble();
    }
    void sortBy(int column) const
    {
        auto* header = table()->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier,
                          QPoint(header->sectionViewportPosition(column) + 10, header->height() / 2));
    }
    QString said() const { return on<QLabel>("result")->text(); }

    void chooseFile(const QByteArray& lines)
    {
        pick("sweepText", "file");
        answers->paths[OpenKind::Sentences] = path(QStringLiteral("R&D.txt"));
        QFile file(answers->paths[OpenKind::Sentences]);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(lines) == lines.size());
        file.close();
        QTest::mouseClick(on<QPushButton>("chooseSentences"), Qt::LeftButton);
        QCOMPARE(on<QPushButton>("chooseSentences")->text(), QStringLiteral("R&&D.txt")); // no shortcut
    }
    void start() const { QTest::mouseClick(on<QPushButton>("startSweep"), Qt::LeftButton); }
};

// What the core says of the same.
SweepResult sweptByHand(const SweepFixture& fixture, SweepOver over)
{
    Engine engine;
    const auto model = std::make_shared<const LoadedModel>(loadModel("transformer", engine));
    Sweep sweep({.question = fixture.window->study().questionToModel(), .over = over, .fitted = true});
    const Workbench bench{engine, [&](const std::string&) { return model; }};
    carryOut(sweep, bench);
    return sweep.result();
}

bool agrees(double a, double b)
{
    return std::abs(a - b) <= 1e-5 * std::max(1.0, std::abs(b));
}

} // namespace

class TestSweepPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatWasFoundIsOfNoOtherSession()
    {
        SweepFixture fixture;
        auto& study = const_cast<Study&>(fixture.window->study());
        QVERIFY(study.withoutHeads() != nullptr);
        fixture.start();
        const LaboratoryPage& page = fixture.laboratory->page(*pageOf("sweep"));
        fixture.laboratory->hide(); // it goes on
        study.restore(study.session(), {}, {});
        QVERIFY(study.shown().has_value());
        QTRY_VERIFY(!page.busy());
        QVERIFY(study.withoutHeads() == nullptr);
    }

    void theOverviewOfHeadsKnowsWhatWasFound()
    {
        SweepFixture fixture;
        const Study& study = fixture.window->study();
        const auto found = study.withoutHeads();
        const SweepResult expected = sweptByHand(fixture, SweepOver::Heads);
        QVERIFY(found != nullptr);
        QCOMPARE(found->size(), expected.heads.size());
        for (const SweptHead& head : expected.heads)
            QVERIFY(agrees(found->at({head.site, head.head}).divergence, head.change.divergence));
    }

    void everyHeadOfTheSentenceOnShowIsTakenAway()
    {
        SweepFixture fixture;
        const SweepResult expected = sweptByHand(fixture, SweepOver::Heads);
        QTRY_COMPARE(fixture.rows(), static_cast<int>(expected.heads.size()));
        for (int row = 0; row < fixture.rows(); ++row) {
            const OutputChange& change = expected.heads[static_cast<std::size_t>(row)].change;
            QVERIFY(agrees(fixture.value(row, logProbabilityColumn), change.logProbability));
            QVERIFY(agrees(fixture.value(row, divergenceColumn), change.meanDivergence().value()));
        }
        QVERIFY(!fixture.said().isEmpty());
        QTRY_VERIFY(fixture.map()->figure() != nullptr && fixture.map()->figure()->rows() == 4); // sites
        QCOMPARE(fixture.map()->figure()->columns(), 2);
    }

    void theTableIsSortedByAColumn()
    {
        SweepFixture fixture;
        fixture.sortBy(divergenceColumn);
        const auto sorted = [&] {
            std::vector<double> values;
            for (int row = 0; row < fixture.rows(); ++row)
                values.push_back(fixture.value(row, divergenceColumn));
            return values;
        };
        const std::vector<double> once = sorted();
        fixture.sortBy(divergenceColumn);
        const std::vector<double> twice = sorted();
        QVERIFY(std::ranges::is_sorted(once) != std::ranges::is_sorted(twice));
        QVERIFY(std::equal(once.begin(), once.end(), twice.rbegin()));
    }

    void aHeadThatIsClickedIsSeenInTheWindow()
    {
        SweepFixture fixture;
        QTRY_VERIFY(fixture.map()->figure() != nullptr && fixture.map()->figure()->rows() == 4);
        const QPointF place = fixture.map()->figure()->cellRect(1, 1).center();
        QTest::mouseClick(fixture.map(), Qt::LeftButton, Qt::NoModifier, place.toPoint());
        QVERIFY(fixture.window->selection().site() == (Site{Stage::Encoder, 1}));
        QVERIFY(fixture.window->selection().head() == HeadReading(1));
        QTableView* table = fixture.table();
        const QModelIndex last = table->model()->index(fixture.rows() - 1, 0);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier, table->visualRect(last).center());
        QVERIFY(fixture.window->selection().site() == (Site{Stage::Cross, 0}));
        QTest::keyClick(table, Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(fixture.window->selection().site() == (Site{Stage::Encoder, 0}));
        QVERIFY(fixture.window->selection().head() == HeadReading(0));
    }

    void sourceTokensAreTakenAwayToo()
    {
        SweepFixture fixture;
        fixture.pick("sweepOver", "tokens");
        QTRY_VERIFY(!fixture.busy());
        const SweepResult expected = sweptByHand(fixture, SweepOver::SourceTokens);
        QTRY_COMPARE(fixture.rows(), static_cast<int>(expected.tokens.size()));
        QCOMPARE(fixture.cell(0, 2), QStringLiteral("s4"));
        for (int row = 0; row < fixture.rows(); ++row)
            QVERIFY(agrees(fixture.value(row, divergenceColumn),
                           expected.tokens[static_cast<std::size_t>(row)].change.meanDivergence().value()));
        QTRY_COMPARE(fixture.map()->figure()->rows(), fixture.rows());
    }

    void aFileOfSentencesIsReadWhenItIsStarted()
    {
        SweepFixture fixture;
        fixture.chooseFile("s4 s5\ns6 s7 s8\n");
        QCOMPARE(fixture.rows(), 0);
        fixture.pick("sweepOver", "tokens");
        fixture.start();
        QTRY_VERIFY(!fixture.busy() && fixture.rows() > 0);
        QCOMPARE(fixture.cell(0, 0), QStringLiteral("1"));
        QCOMPARE(fixture.cell(fixture.rows() - 1, 0), QStringLiteral("2"));
        QTRY_COMPARE(fixture.map()->figure()->rows(), 2); // sentences
        fixture.pick("sweepOver", "heads");
        fixture.start();
        QTRY_VERIFY(!fixture.busy() && fixture.rows() == 8);
    }

    void whatIsWrongWithAFileIsSaid()
    {
        SweepFixture fixture;
        fixture.chooseFile("\n\n");
        fixture.start();
        QTRY_VERIFY(fixture.on<MessageBar>("messageBar")->isVisible());
        QVERIFY(fixture.on<MessageBar>("messageBar")->text().contains(QStringLiteral("D.txt")));
        fixture.chooseFile("s4 s5\n" + QByteArray("s5 ").repeated(100));
        QVERIFY(!fixture.on<MessageBar>("messageBar")->isVisible());
        fixture.start();
        QTRY_VERIFY(!fixture.busy() && fixture.on<MessageBar>("messageBar")->isVisible());
        QCOMPARE(fixture.rows(), 8);
    }

    void itIsCancelledAndStartedAgain()
    {
        SweepFixture fixture;
        fixture.chooseFile(QByteArray("s4 s5 s6 s7 s8 s9\n").repeated(2000));
        fixture.start();
        QTRY_VERIFY(fixture.busy());
        QTRY_VERIFY(!fixture.cell(0, divergenceColumn).isEmpty()); // streams in
        QVERIFY(fixture.busy());
        QTest::mouseClick(fixture.on<QPushButton>("cancelJob"), Qt::LeftButton);
        QVERIFY(!fixture.busy());
        fixture.settle();
        QCOMPARE(fixture.rows(), 8); // what is known stays
        fixture.start();
        QTRY_VERIFY(fixture.busy());
    }

    void theMapAndTheNumbersAreExported()
    {
        SweepFixture fixture;
        QVERIFY(fixture.exported(QStringLiteral("sweep.svg")).contains("<svg"));
        const QList<QByteArray> lines = fixture.exported(QStringLiteral("sweep.csv")).trimmed().split('\n');
        QCOMPARE(lines.size(), 9);
        QCOMPARE(lines[0].trimmed(), QByteArray("stage,layer,head,kl,delta_logprob"));
        QVERIFY(lines[8].startsWith("cross,0,1,"));
        QVERIFY(agrees(lines[8].split(',')[3].toDouble(), fixture.value(7, divergenceColumn)));
    }

    void anArchiveHasNothingToTakeAway()
    {
        SweepFixture fixture;
        const QString file = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(file.toStdString(), fixture.trace());
        fixture.open(file);
        fixture.openPage(*pageOf("sweep"));
        QCOMPARE(fixture.rows(), 0);
        QVERIFY(!fixture.on<QPushButton>("startSweep")->isEnabled());
        QVERIFY(!fixture.laboratory->page(*pageOf("sweep")).exportable());
    }

    // What is not known yet is blank, and says nothing.
    void changesThatAreNoNumbersAreMarked()
    {
        ShownSweep shown;
        shown.result.over = SweepOver::Heads;
        shown.result.heads = {{{Stage::Cross, 0}, 0, {0.5, -1, 2}},
                              {{Stage::Cross, 0}, 1, {std::nan(""), std::nan(""), 2}},
                              {{Stage::Cross, 0}, 2, {}}};
        for (const SweepMeasure measure : {SweepMeasure::LogProbability, SweepMeasure::Divergence}) {
            shown.measure = measure;
            const auto figure = sweepFigure({}, shown)({600, 400});
            const auto tipOf = [&](int column) { return figure->hitTest(figure->cellRect(0, column).center()).text; };
            QVERIFY(figure->description().contains(QStringLiteral("o number in 1 of 3 cells")));
            QVERIFY(!tipOf(0).contains(QStringLiteral("no number")));
            QVERIFY2(tipOf(1).contains(QStringLiteral("is no number")), qPrintable(tipOf(1)));
            QVERIFY(!tipOf(2).contains(QStringLiteral("no number")));
            QVERIFY2(sweepSentence(shown).contains(QStringLiteral("head 0:")), qPrintable(sweepSentence(shown)));
        }
        shown.result.heads.erase(shown.result.heads.begin());
        QCOMPARE(sweepSentence(shown), QStringLiteral("None of the changes is a number."));
        const QString description = sweepFigure({}, shown)({600, 400})->description();
        QVERIFY2(description.contains(QStringLiteral("o number in 1 of 3 cells")), qPrintable(description));
        shown.result.heads.erase(shown.result.heads.begin());
        QVERIFY(sweepSentence(shown).isEmpty());
    }

    void theModelKeepsItsPromises()
    {
        SweepModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        ShownSweep shown;
        shown.result.over = SweepOver::SourceTokens;
        model.show(shown);
        for (int i = 0; i < 3; ++i) {
            shown.result.tokens.push_back({0, i, "\xE2\x96\x81word", {0.5, -1, 2}});
            model.show(shown);
            QCOMPARE(model.rowCount(), i + 1);
        }
        QCOMPARE(model.index(2, divergenceColumn).data(SweepModel::sortRole).toDouble(), 0.25);
        shown.result = {};
        shown.result.over = SweepOver::Heads;
        shown.result.heads = {{{Stage::Cross, 1}, 2, {}}};
        model.show(shown);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.index(0, divergenceColumn).data().toString(), QString());
        QVERIFY(model.headAt(0) && !model.headAt(1));
    }
};

ATTN_GUI_TEST(TestSweepPage)
#include "tst_sweep_page.moc"

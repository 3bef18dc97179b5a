// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <cmath>
// clang-format on
#include "experiments/alignment_experiment.h"
#include "laboratory/result_table.h"
#include "nn/engine.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/figure_canvas.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QHeaderView>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

constexpr auto pairLines = "s4 s5 s6\tt4 t5\ns7 s8\tt6 t7 t8\ns9 s4 s5 s7\tt9 t4\n";
constexpr auto goldLines = "0-0 1?1\n0-0 1-1 1-2\n0-0 3?1\n";
constexpr int aerColumn = 2;

class AlignmentFixture : public LaboratoryFixture
{
public:
    explicit AlignmentFixture(const QString& model = QStringLiteral("transformer"))
        : LaboratoryFixture(model)
    {
        openPage(*pageOf("alignment"));
        QTRY_VERIFY(!busy());
    }

    void chooseFile(const char* button, OpenKind kind, const char* name, const QByteArray& lines)
    {
        answers->paths[kind] = path(QLatin1String(name));
        QFile file(answers->paths[kind]);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(lines) == lines.size());
        file.close();
        QTest::mouseClick(on<QPushButton>(button), Qt::LeftButton);
    }
    void choosePairs(const QByteArray& lines)
    {
        chooseFile("alignmentPairs", OpenKind::SentencePairs, "pairs.tsv", lines);
    }
    void chooseGold(const QByteArray& lines) { chooseFile("alignmentGold", OpenKind::Links, "gold.txt", lines); }
    void start() const { QTest::mouseClick(on<QPushButton>("startAlignment"), Qt::LeftButton); }
    void align(const QByteArray& pairs = pairLines, const QByteArray& gold = goldLines)
    {
        choosePairs(pairs);
        if (!gold.isEmpty())
            chooseGold(gold);
        start();
        QTRY_VERIFY(!busy() && sites()->rows() > 0);
    }

    ResultTable* sites() const { return on<ResultTable>("alignmentSites"); }
    ResultTable* sentences() const { return on<ResultTable>("alignmentSentences"); }
    static QString cell(const ResultTable* table, int row, int column)
    {
        return table->model()->index(row, column).data().toString();
    }
    static double value(const ResultTable* table, int row, int column)
    {
        return table->model()->index(row, column).data(Qt::UserRole).toDouble();
    }
    static void clickRow(ResultTable* table, int row)
    {
        table->scrollTo(table->model()->index(row, 0));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, Qt::NoModifier,
                          table->visualRect(table->model()->index(row, 0)).center());
    }
    static void sortBy(ResultTable* table, int column)
    {
        QHeaderView* header = table->horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, Qt::NoModifier,
                          QPoint(header->sectionViewportPosition(column) + 10, header->height() / 2));
    }
};

} // namespace

class TestAlignmentPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyHeadIsScoredTheBestFirst()
    {
        AlignmentFixture fixture;
        fixture.align();
        // Two heads, their mean and maximum, at either step.
        QCOMPARE(fixture.sites()->rows(), 8);
        for (int row = 1; row < 8; ++row)
            QVERIFY(fixture.value(fixture.sites(), row - 1, aerColumn)
                    <= fixture.value(fixture.sites(), row, aerColumn));
        QCOMPARE(fixture.sentences()->rows(), 3);
        QVERIFY(fixture.on<QLabel>("result")->text().contains(fixture.cell(fixture.sites(), 0, aerColumn)));
        QTRY_VERIFY(fixture.on<FigureCanvas>("alignmentMap")->figure() != nullptr);
        QCOMPARE(fixture.on<FigureCanvas>("alignmentMap")->figure()->rows(), 2);

        // The numbers are those of the core.
        Engine engine;
        const auto model = std::make_shared<const LoadedModel>(loadModel("transformer", engine));
        AlignmentExperiment experiment({fixture.window->study().questionToModel(),
                                        [] {
                                            return parseAlignmentPairs({"pairs", linesOf(pairLines, {})},
                                                                       NamedLines{"gold", linesOf(goldLines, {})}, 0);
                                        },
                                        [](const ModelInfo& info) { return crossSites(info, TokenRow::Predicting); }});
        carryOut(experiment, {engine, [&](const std::string&) { return model; }});
        const AlignmentResult expected = experiment.result();
        for (int row = 0; row < 8; ++row) {
            const auto found = std::ranges::find_if(expected.by, [&](const AlignedBy& by) {
                return fixture.sites()
                    ->model()
                    ->index(row, 0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QString::fromStdString(by.name()));
            });
            QVERIFY(found != expected.by.end());
            const auto& score = expected.scores[static_cast<std::size_t>(found - expected.by.begin())];
            if (fixture.value(fixture.sites(), row, 1) == 0) // not read one step later
                QVERIFY(std::abs(fixture.value(fixture.sites(), row, aerColumn) - score.errorRate()) < 1e-9);
        }
    }

    void aSentenceThatIsClickedIsSeenWithItsLinks()
    {
        AlignmentFixture fixture;
        fixture.align();
        fixture.clickRow(fixture.sites(), 3);
        fixture.clickRow(fixture.sentences(), 1);
        QTRY_VERIFY(!fixture.window->controller().busy());
        QCOMPARE(fixture.trace().source().text, std::string("s7 s8"));
        QCOMPARE(fixture.window->selection().site().stage, Stage::Cross);
        const auto gold = fixture.window->study().gold();
        QVERIFY(gold && gold->links.sure.size() == 3);
        QTRY_VERIFY(fixture.window->heatmap().figure() != nullptr && fixture.window->heatmap().figure()->rows() >= 3);
        const FigureTable table = fixture.window->heatmap().figure()->table();
        QVERIFY2(table.text({0, 0}).contains(QStringLiteral("sure link")), qPrintable(table.text({0, 0})));
        QVERIFY(!table.text({0, 1}).contains(QStringLiteral("link")));

        // Enter does the same, and another sentence has other links.
        fixture.sentences()->setFocus();
        QTest::keyClick(fixture.sentences(), Qt::Key_Up);
        QTest::keyClick(fixture.sentences(), Qt::Key_Return);
        QTRY_VERIFY(!fixture.window->controller().busy());
        QTRY_COMPARE(fixture.trace().source().text, std::string("s4 s5 s6"));
        QTRY_VERIFY(fixture.window->heatmap().figure()->table().text({1, 1}).contains(QStringLiteral("possible link")));
    }

    void sentencesAreSortedByAnyColumn()
    {
        AlignmentFixture fixture;
        fixture.align();
        for (int column = aerColumn; column < fixture.sentences()->model()->columnCount(); ++column) {
            fixture.sortBy(fixture.sentences(), column);
            std::vector<double> values;
            for (int row = 0; row < 3; ++row)
                values.push_back(fixture.value(fixture.sentences(), row, column));
            QVERIFY(std::ranges::is_sorted(values) || std::ranges::is_sorted(values, std::greater<>()));
        }
    }

    void readingsAreSites()
    {
        AlignmentFixture fixture(QStringLiteral("recurrent"));
        QTest::mouseClick(fixture.on<QCheckBox>("alignmentReadings"), Qt::LeftButton, Qt::NoModifier, QPoint(8, 8));
        fixture.align();
        std::optional<int> norms;
        bool lacksRelevance = false;
        for (int row = 0; row < fixture.sites()->rows(); ++row) {
            const QModelIndex index = fixture.sites()->model()->index(row, 0);
            const bool isFaint = index.data(Qt::ForegroundRole).isValid();
            if (index.data().toString().startsWith(QStringLiteral("Norms")) && !isFaint)
                norms = row;
            lacksRelevance = lacksRelevance || (index.data().toString() == QStringLiteral("LRP") && isFaint);
        }
        QVERIFY(norms && lacksRelevance);
        fixture.clickRow(fixture.sites(), *norms);
        fixture.clickRow(fixture.sentences(), 0);
        QTRY_VERIFY(!fixture.window->controller().busy());
        const Selection& selection = fixture.window->selection();
        QCOMPARE(selection.site().stage, Stage::Cross);
        QCOMPARE(std::string(selection.head().reading().id), std::string("norms"));
        const auto kept = [&] { return fixture.trace().readings(); };
        QTRY_VERIFY(kept() && kept()->computed.contains({"norms", {}}));
    }

    void withoutLinksConfidenceDecides()
    {
        AlignmentFixture fixture;
        fixture.align(pairLines, {});
        QCOMPARE(fixture.cell(fixture.sites(), 0, aerColumn), QString());
        QVERIFY(fixture.value(fixture.sites(), 0, 6) >= fixture.value(fixture.sites(), 7, 6));
        fixture.clickRow(fixture.sentences(), 0);
        QTRY_VERIFY(!fixture.window->controller().busy());
        QVERIFY(fixture.window->study().gold() == nullptr);
    }

    void whatIsWrongWithAFileIsSaid()
    {
        AlignmentFixture fixture;
        fixture.choosePairs(pairLines);
        fixture.chooseGold("0-0\n0-9\n\n");
        fixture.start();
        QTRY_VERIFY(fixture.on<MessageBar>("messageBar")->isVisible());
        QVERIFY2(fixture.on<MessageBar>("messageBar")->text().contains(QStringLiteral("gold.txt line 2")),
                 qPrintable(fixture.on<MessageBar>("messageBar")->text()));
        QCOMPARE(fixture.sites()->rows(), 0);
        fixture.chooseGold(goldLines);
        QVERIFY(!fixture.on<MessageBar>("messageBar")->isVisible());
        fixture.start();
        QTRY_COMPARE(fixture.sentences()->rows(), 3);
    }

    void itStreamsAndIsCancelled()
    {
        AlignmentFixture fixture;
        fixture.choosePairs(QByteArray(pairLines).repeated(1000));
        fixture.start();
        QTRY_VERIFY(fixture.sentences()->rows() > 0);
        QVERIFY(fixture.busy());
        QTest::mouseClick(fixture.on<QPushButton>("cancelJob"), Qt::LeftButton);
        QVERIFY(!fixture.busy());
        fixture.settle();
        const int rows = fixture.sentences()->rows();
        QVERIFY(rows > 0 && rows < 3000); // what is known stays
        QVERIFY(fixture.on<QPushButton>("saveLinks")->isEnabled());
    }

    void linksAndTablesAreSavedAndCopied()
    {
        AlignmentFixture fixture;
        fixture.align();
        fixture.answers->text = fixture.path(QStringLiteral("links.txt"));
        QTest::mouseClick(fixture.on<QPushButton>("saveLinks"), Qt::LeftButton);
        QFile links(fixture.answers->text);
        QTRY_VERIFY(links.exists() && !fixture.busy());
        QVERIFY(links.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = links.readAll().split('\n');
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].contains('-'));
        fixture.answers->text = fixture.path(QStringLiteral("sentences.csv"));
        QTest::mouseClick(fixture.on<QPushButton>("saveSentences"), Qt::LeftButton);
        QFile table(fixture.answers->text);
        QTRY_VERIFY(table.exists() && !fixture.busy());
        QVERIFY(table.open(QIODevice::ReadOnly));
        QVERIFY(table.readAll().startsWith("sentence,source,aer,confidence,"));

        const QList<QByteArray> csv = fixture.exported(QStringLiteral("desk.csv")).trimmed().split('\n');
        QCOMPARE(csv.size(), 9);
        QVERIFY(csv[0].startsWith("site,shift,aer,precision,recall,links"));
        QVERIFY(fixture.exported(QStringLiteral("desk.svg")).contains("<svg"));

        fixture.sites()->setFocus();
        QTest::keyClick(fixture.sites(), Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(fixture.sites(), Qt::Key_C, Qt::ControlModifier);
        const QStringList rows = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(rows.size(), 8);
        QCOMPARE(rows[0].section(QLatin1Char('\t'), aerColumn, aerColumn), fixture.cell(fixture.sites(), 0, aerColumn));
    }

    void anArchiveHasNothingToAlign()
    {
        AlignmentFixture fixture;
        const QString file = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(file.toStdString(), fixture.trace());
        fixture.open(file);
        fixture.openPage(*pageOf("alignment"));
        fixture.choosePairs(pairLines);
        QVERIFY(!fixture.on<QPushButton>("startAlignment")->isEnabled());
        QVERIFY(!fixture.laboratory->page(*pageOf("alignment")).exportable());
    }

    void theModelOfTablesKeepsItsPromises()
    {
        ResultModel model({{"a", QStringLiteral("A")}, {"b", QStringLiteral("B")}});
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto cell = [](int row, int column) { return ResultCell{QString::number(row + column), row + column}; };
        for (const int rows : {0, 1, 3, 3, 2}) {
            model.show(rows, cell, rows == 3);
            QCOMPARE(model.rowCount(), rows);
        }
        QCOMPARE(model.index(1, 1).data().toString(), QStringLiteral("2"));
    }
};

ATTN_GUI_TEST(TestAlignmentPage)
#include "tst_alignment_page.moc"

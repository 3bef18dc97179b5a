// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_kinds.h"
#include "figures/charts/stages_figure.h"
#include "figures/kinds/beam_figure.h"
#include "figures/look/token_label.h"
#include "figures/parts/token_figure.h"
#include "sample_traces.h"
#include "support/test_program.h"

#include <QtTest>

#include <memory>

using namespace attn;
using namespace attn::ui;

namespace {

Trace manyHeads()
{
    test::SampleRun run = test::shortRun();
    run.crossLayers = 3;
    run.heads = 4;
    return test::sampleTrace(run);
}

std::unique_ptr<const Figure> figureOf(const FigureKind& kind, const Trace& trace, FigureSpec spec = {})
{
    spec.kind = &kind;
    return layoutFigure(spec, trace, {800, 600});
}

} // namespace

// What figures tell those who do not see them.
class TestFigureTables : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCellSaysWhatItsTipSays_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("heatmap") << 0;
        QTest::newRow("all heads") << 1;
        QTest::newRow("step") << 2;
    }

    void aCellSaysWhatItsTipSays()
    {
        QFETCH(const int, kind);
        const FigureKind* const kinds[] = {&heatmapKind, &headGridKind, &decodingKind};
        FigureSpec spec;
        spec.currentStep = 3;
        const auto figure = figureOf(*kinds[kind], manyHeads(), spec);
        const FigureTable table = figure->table();
        int seen = 0;
        for (int row = 0; row < table.rows; ++row) {
            for (int column = 0; column < table.columns; ++column) {
                const QRectF box = table.rect({row, column});
                if (box.isNull())
                    continue;
                ++seen;
                const FigureHit hit = figure->hitTest(box.center());
                QCOMPARE(table.tip({row, column}), hit.text);
                QCOMPARE(table.placeOf(hit), std::optional(FigureCell{row, column}));
                QVERIFY(hit.text.contains(table.text({row, column})));
            }
        }
        QVERIFY(seen >= 8);
        QVERIFY(!table.has({table.rows, 0}) && !table.has({0, table.columns}) && !table.has({-1, -1}));
    }

    // Its bars are those of the words' row in the matrix.
    void aStepMergesWordsLikeTheMatrix()
    {
        test::SampleRun run;
        run.source = {"\u2581I", "\u2581do", "n't", "\u2581sit"};
        run.target = {"\u2581je", "\u2581ne", "\u2581dors"};
        run.wordMarks = true;
        const Trace trace = test::sampleTrace(run);
        FigureSpec spec;
        spec.site = {Stage::Cross, 0};
        spec.words = true;
        spec.currentStep = 1;
        const MatrixContent matrix = heatmapContent(spec, trace);
        QCOMPARE(matrix.map.numbers.columns, 3);
        const auto figure = figureOf(decodingKind, trace, spec);
        const FigureTable table = figure->table();
        for (int word = 0; word < 3; ++word) {
            const FigureHit hit = figure->hitTest(table.rect({word, 0}).center());
            QCOMPARE(hit.value, matrix.map.at(1, word));
            QVERIFY(table.text({word, 0}).startsWith(matrix.columnLabels[word]));
        }
        QVERIFY(!table.text({3, 0}).contains(QLatin1String("sit")));
    }

    // A token that is asked for is no less there for being a special one.
    void aSpecialTokenHasItsAttention()
    {
        FigureSpec spec;
        spec.site = {Stage::Encoder, 0};
        spec.specials = SpecialTokens::Hidden;
        spec.currentStep = 0;
        const FigureTable table = figureOf(decodingKind, test::sampleReading(test::pairRun()), spec)->table();
        QVERIFY(!table.text({0, 0}).isEmpty());
    }

    void wordsAreTheHeadersOfLinesAndText()
    {
        const Trace trace = manyHeads();
        for (const FigureKind* kind : {&arcsKind, &textKind}) {
            const auto figure = figureOf(*kind, trace);
            const auto& tokens = dynamic_cast<const TokenFigure&>(*figure);
            const FigureTable table = figure->table();
            QCOMPARE(table.rows, figure->rows());
            QCOMPARE(table.columns, figure->columns());
            for (const TokenPlace& place : tokens.places()) {
                const bool row = place.side == TokenSide::Rows;
                const FigureCell cell =
                    row ? FigureCell{place.index, FigureTable::header} : FigureCell{FigureTable::header, place.index};
                QCOMPARE(table.tip(cell), tokens.hitOf(place).text);
                QCOMPARE(table.text(cell), (row ? figure->rowLabels() : figure->columnLabels())[place.index]);
                QCOMPARE(table.placeOf(tokens.hitOf(place)), std::optional(cell));
                QCOMPARE(table.rect(cell), tokens.rectOf(place));
            }
        }
    }

    void linesOfSeveralHeadsSayTheWeightOfEach()
    {
        FigureSpec spec;
        spec.heads.ofLayer = {1, 3};
        const auto figure = figureOf(arcsKind, manyHeads(), spec);
        const FigureTable table = figure->table();
        const QString said = table.text({2, 1});
        QVERIFY(said.contains(headName(1)) && said.contains(headName(3)) && !said.contains(headName(2)));
    }

    void pickedWordsAreChosen()
    {
        FigureSpec spec;
        spec.picked = {2};
        QCOMPARE(figureOf(arcsKind, manyHeads(), spec)->table().chosenRows, std::vector<int>{2});
        spec.shading = Shading::Attending;
        QCOMPARE(figureOf(arcsKind, manyHeads(), spec)->table().chosenColumns, std::vector<int>{2});
    }

    // A row is a hypothesis, so that it can be read from left to right.
    void everyHypothesisOfASearchIsARow()
    {
        const Trace trace = test::sampleBeam({});
        const auto figure = figureOf(beamKind, trace);
        const auto& shown = dynamic_cast<const BeamFigure&>(*figure);
        const BeamTree tree = beamTree(trace);
        const FigureTable table = figure->table();
        QVERIFY(table.rows > static_cast<int>(tree.ranking.size()));
        for (std::size_t rank = 0; rank < tree.ranking.size(); ++rank) {
            std::optional<int> node = tree.ranking[rank].node;
            const int length = tree.nodes[*node].position + 1;
            for (int column = length - 1; column >= 0; --column) {
                const FigureCell cell{static_cast<int>(rank), column};
                QVERIFY(table.text(cell).startsWith(readableToken(tree.nodes[*node].text)));
                QCOMPARE(table.tip(cell), shown.nodeHit(*node).text);
                node = tree.nodes[*node].parent;
            }
            for (int column = length; column < table.columns; ++column)
                QCOMPARE(table.text({static_cast<int>(rank), column}), QString());
        }
        for (int node = 0; node < static_cast<int>(tree.nodes.size()); ++node) {
            const auto place = table.placeOf(shown.nodeHit(node));
            QVERIFY(place);
            QCOMPARE(table.tip(*place), shown.nodeHit(node).text);
        }
    }

    void everyVectorOfAStageIsARow()
    {
        StageContent stage;
        stage.title = QStringLiteral("scores");
        stage.strips = {
            {.name = QStringLiteral("q"), .columns = 3, .values = {1, 2, 3}, .rowNames = {}, .columnNames = {}},
            {.name = QStringLiteral("K"),
             .rows = 2,
             .columns = 2,
             .values = {4, 5, 6, 7},
             .rowNames = {QStringLiteral("cat"), QStringLiteral("dog")},
             .columnNames = {}}};
        const auto figure = stagesFigure({}, {stage}, {600, 0});
        const FigureTable table = figure->table();
        QCOMPARE(table.rows, 3);
        QCOMPARE(table.columns, 3);
        QCOMPARE(table.text({0, 2}), QStringLiteral("3"));
        QVERIFY(table.text({2, FigureTable::header}).contains(QStringLiteral("dog")));
        QCOMPARE(table.text({2, 1}), QStringLiteral("7"));
        QCOMPARE(table.text({2, 2}), QString());
        QCOMPARE(table.tip({2, 1}), figure->hitTest(table.rect({2, 1}).center()).text);
    }

    void aMatrixWithoutNumbersIsNoTable()
    {
        const auto figure = figureOf(heatmapKind, Trace());
        QCOMPARE(figure->table().rows, 0);
        QVERIFY(!figure->table().has({0, 0}));
        QCOMPARE(figureOf(beamKind, Trace())->table().rows, 0);
        QCOMPARE(figureOf(decodingKind, Trace())->table().rows, 0);
        QCOMPARE(figureOf(arcsKind, Trace())->table().rows, 0);
    }
};

ATTN_GUI_TEST(TestFigureTables)
#include "tst_figure_tables.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_kinds.h"
#include "figures/kinds/lines_content.h"
#include "figures/parts/exportable.h"
#include "figures/parts/token_figure.h"
#include "support/test_program.h"
#include "trace/archive.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace attn;
using namespace attn::ui;

namespace attn::ui {
extern const FigureKind expertsKind;
extern const FigureKind labelsKind;
} // namespace attn::ui

namespace {

Trace storedCase(const std::string& name)
{
    return readArchive(std::string(ATTN_TEST_DATA) + "/cases/" + name + "/expected.npz");
}

FigureSpec specOf(const FigureKind& kind, Site site)
{
    FigureSpec spec;
    spec.kind = &kind;
    spec.site = site;
    spec.archive = true;
    return spec;
}

double sumOfRow(const Numbers& matrix, Index row)
{
    const auto values = matrix.row(row);
    return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

// Sinks, experts and heads of tasks, from archives that the reference implementation wrote.
class TestModelExtras : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSinkIsTheFirstColumn_data()
    {
        QTest::addColumn<const FigureKind*>("kind");
        for (const auto& [name, kind] : {std::pair{"heatmap", &heatmapKind},
                                         {"grid", &headGridKind},
                                         {"lines", &arcsKind},
                                         {"text", &textKind},
                                         {"step", &decodingKind}})
            QTest::newRow(name) << kind;
    }
    void aSinkIsTheFirstColumn()
    {
        QFETCH(const FigureKind*, kind);
        const Trace trace = storedCase("n-gpt-oss-bf16");
        const FigureSpec spec = specOf(*kind, {Stage::Decoder, 1});
        const MatrixContent content = kind->numbers(spec, trace);
        QVERIFY(content.map.columns.isSink(0));
        QCOMPARE(content.columnLabels.front(), sinkName());
        QCOMPARE(content.map.numbers.columns, content.map.numbers.rows + 1);
        for (Index row = 0; row < content.map.numbers.rows; ++row) {
            QVERIFY(std::abs(sumOfRow(content.map.numbers, row) - 1) < 1e-5);
            QVERIFY(content.map.numbers.at(row, 0) > 0);
        }
        const auto figure = layoutFigure(spec, trace, {900, 700});
        const FigureTable table = figure->table();
        if (figure->columns() == content.map.numbers.columns)
            QCOMPARE(table.text({FigureTable::header, 0}), sinkName());
        QVERIFY(exportable(spec, trace).csv().contains(sinkName().toUtf8()));
    }

    // A sink is no token: it takes what the row lacks, unless rows are to sum to 1 without it.
    void aSinkStaysWithoutSpecialTokens()
    {
        const Trace trace = storedCase("n-gpt-oss-bf16");
        FigureSpec spec = specOf(heatmapKind, {Stage::Decoder, 0});
        spec.specials = SpecialTokens::Hidden;
        const Map hidden = mapOf(trace, spec.mapSpec());
        QVERIFY(hidden.columns.isSink(0));
        QVERIFY(std::abs(sumOfRow(hidden.numbers, 3) - 1) < 1e-5);
        spec.specials = SpecialTokens::HiddenRenormalized;
        const Map renormalized = mapOf(trace, spec.mapSpec());
        QCOMPARE(renormalized.numbers.columns, renormalized.numbers.rows);
        QVERIFY(std::abs(sumOfRow(renormalized.numbers, 3) - 1) < 1e-5);
    }

    void aSinkStaysWhenWordsAreMergedAndRowsCropped()
    {
        const Trace trace = storedCase("n-gpt-oss-bf16");
        FigureSpec spec = specOf(heatmapKind, {Stage::Decoder, 0});
        const Map whole = mapOf(trace, spec.mapSpec());
        spec.words = true;
        spec.rows = ShownSpan{2, 4};
        spec.columns = ShownSpan{0, 2};
        const Map shown = mapOf(trace, spec.mapSpec());
        QCOMPARE(shown.numbers.rows, 3);
        QCOMPARE(axisLabels(shown.columns), axisLabels(whole.columns).mid(0, 3));
        for (const Index column : {0, 1, 2})
            QCOMPARE(shown.numbers.at(1, column), whole.numbers.at(3, column));
    }

    void aRunLessItselfHasNothingInItsSink()
    {
        const Trace trace = storedCase("n-gpt-oss-bf16");
        FigureSpec spec = specOf(heatmapKind, {Stage::Decoder, 0});
        spec.against = std::make_shared<const ReferenceRun>(ReferenceRun{trace, {}, {}, {}, {}});
        const MatrixContent content = heatmapContent(spec, trace);
        QVERIFY(content.map.columns.isSink(0));
        QVERIFY(std::ranges::all_of(content.map.numbers.values, [](float value) { return value == 0; }));
    }

    void aSinkStandsBeforeTheText()
    {
        const Trace trace = storedCase("n-gpt-oss-bf16");
        FigureSpec spec = specOf(arcsKind, {Stage::Decoder, 0});
        spec.linesLayout = LinesLayout::Rows;
        const LinesContent content = linesContent(spec, trace);
        QCOMPARE(content.texts[1].front().text, sinkName());
        QCOMPARE(content.texts[1].size(), content.texts[0].size() + 1);
    }

    void expertsAreThoseOfTheArchive_data()
    {
        test::addColumns<QString, int>("name", "layer");
        QTest::newRow("gpt_oss") << "n-gpt-oss-bf16" << 1;
        QTest::newRow("qwen3_moe") << "n-qwen3-moe-plain" << 0;
        QTest::newRow("deepseek_v3") << "n-deepseek-v3-plain" << 1;
    }
    void expertsAreThoseOfTheArchive()
    {
        QFETCH(QString, name);
        QFETCH(int, layer);
        const Trace trace = storedCase(name.toStdString());
        QVERIFY(expertsKind.isIn(trace));
        FigureSpec spec = specOf(expertsKind, {Stage::Decoder, layer});
        const MatrixContent content = expertsKind.numbers(spec, trace);
        const auto rows = trace.experts(layer);
        QCOMPARE(content.map.numbers.rows, indexSize(rows));
        for (Index row = 0; row < content.map.numbers.rows; ++row) {
            Numbers expected = Numbers::zeros(1, 1, content.map.numbers.columns);
            for (std::size_t place = 0; place < rows[row].ids.size(); ++place)
                expected.at(0, rows[row].ids[place]) = rows[row].weights[place];
            QVERIFY(std::ranges::equal(content.map.numbers.row(row), expected.row(0)));
            for (Index expert = 0; expert < expected.columns; ++expert)
                QCOMPARE(content.map.isBlank(row, expert),
                         std::ranges::find(rows[row].ids, expert) == rows[row].ids.end());
        }
        const auto figure = layoutFigure(spec, trace, {900, 700});
        const FigureHit hit = figure->hitTest(figure->cellRect(2, rows[2].ids.front()).center());
        QCOMPARE(hit.rowToken, std::optional(2));
        QVERIFY(!hit.columnToken);
        const auto place = std::ranges::find(content.map.states, CellState::Blank) - content.map.states.begin();
        const bool choosesAll = name == QStringLiteral("n-deepseek-v3-plain"); // the same two experts for every token
        QCOMPARE(place == std::ssize(content.map.states), choosesAll);
        if (!choosesAll) {
            const auto row = static_cast<int>(place / content.columns());
            const auto other = static_cast<int>(place % content.columns());
            const QString blank = figure->table().text({row, other});
            QVERIFY(!blank.isEmpty() && !blank.contains(QStringLiteral("0.0")));
            QVERIFY(figure->hitTest(figure->cellRect(row, other).center()).text.contains(blank));
            const QList<QByteArray> fields = matrixCsv(content).split('\n').at(row + 1).trimmed().split(',');
            QVERIFY(fields.at(other + 1).isEmpty());
            QVERIFY(!fields.at(rows[static_cast<std::size_t>(row)].ids.front() + 1).isEmpty());
        }
        spec.columns = ShownSpan{1, 1};
        spec.rows = ShownSpan{1, 1};
        const MatrixContent part = expertsKind.numbers(spec, trace);
        QCOMPARE(part.columnLabels, QStringList{QStringLiteral("1")});
        QCOMPARE(part.map.numbers.at(0, 0), content.map.numbers.at(1, 1));
    }

    void aLayerWithoutExpertsSaysSo()
    {
        const Trace trace = storedCase("n-deepseek-v3-plain");
        QVERIFY(trace.experts(0).empty());
        QVERIFY(!expertsKind.numbers(specOf(expertsKind, {Stage::Decoder, 0}), trace).empty.isEmpty());
        QVERIFY(!expertsKind.isIn(storedCase("gpt2-plain")));
    }

    void expertsOfTwoRunsAreCompared()
    {
        const Trace trace = storedCase("n-qwen3-moe-plain");
        FigureSpec spec = specOf(expertsKind, {Stage::Decoder, 0});
        spec.against = std::make_shared<const ReferenceRun>(ReferenceRun{trace, {}, {}, {}, {}});
        const MatrixContent content = expertsKind.numbers(spec, trace);
        QVERIFY(content.map.isDifference());
        QCOMPARE(content.map.numbers.rows, indexSize(trace.experts(0)));
        QVERIFY(std::ranges::all_of(content.map.numbers.values, [](float value) { return value == 0; }));
    }

    void tokensHaveTheirMostProbableLabels()
    {
        const Trace trace = storedCase("n-head-bert-token-three");
        const FigureSpec spec = specOf(labelsKind, {Stage::Encoder, 0});
        const MatrixContent content = labelsKind.numbers(spec, trace);
        const auto& predictions = *trace.tokenPredictions();
        QCOMPARE(content.columnLabels.size(), qsizetype(predictions.labels.size()));
        const auto figure = layoutFigure(spec, trace, {500, 0});
        const auto& text = dynamic_cast<const TokenFigure&>(*figure);
        for (Index row = 0; row < content.map.numbers.rows; ++row) {
            QVERIFY(std::abs(sumOfRow(content.map.numbers, row) - 1) < 1e-5);
            const FigureHit hit = figure->hitTest(text.rectOf({TokenSide::Rows, row}).center());
            QCOMPARE(hit.rowToken, std::optional(row));
            const auto best = static_cast<std::size_t>(predictions.ofToken(row).best());
            QVERIFY(hit.text.contains(QString::fromStdString(predictions.labels[best])));
        }
    }

    void theAnswerIsMarked()
    {
        const Trace trace = storedCase("n-head-bert-question-dev");
        const FigureSpec spec = specOf(labelsKind, {Stage::Encoder, 0});
        const MatrixContent content = labelsKind.numbers(spec, trace);
        QCOMPARE(content.map.numbers.columns, 2);
        for (const Index column : {0, 1}) {
            double sum = 0;
            for (Index row = 0; row < content.map.numbers.rows; ++row)
                sum += double{content.map.numbers.at(row, column)};
            QVERIFY(std::abs(sum - 1) < 1e-5);
        }
        QVERIFY(!layoutFigure(spec, trace, {500, 0})->description().isEmpty());
        QVERIFY(labelsKind.isIn(trace));
        QVERIFY(!labelsKind.isIn(storedCase("bert-mlm")));
    }
};

ATTN_GUI_TEST(TestModelExtras)

#include "tst_model_extras.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_kinds.h"
#include "figure_texts.h"
#include "figures/charts/bar_list_figure.h"
#include "figures/charts/stages_figure.h"
#include "figures/export/copied_text.h"
#include "figures/export/export_forms.h"
#include "figures/export/provenance.h"
#include "figures/kinds/beam_figure.h"
#include "figures/kinds/head_thumbnails.h"
#include "figures/look/theme.h"
#include "figures/parts/token_figure.h"
#include "sample_traces.h"
#include "support/test_program.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <limits>

using namespace attn;
using namespace attn::ui;
using attn::test::painted;

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr int lostRow = 2;
const QString said = QStringLiteral("no number in");

// Of the first head of every layer, two weights in a row are others.
test::SampleRun runWith(float first, float second)
{
    test::SampleRun run = test::shortRun();
    run.heads = 2;
    run.weight = [=](Site, int head, int row, int column, float weight) {
        const bool changes = head == 0 && row == lostRow;
        return changes && column == 0 ? first : changes && column == 5 ? second : weight;
    };
    return run;
}

FigureSpec specAtLost(const FigureKind& kind)
{
    FigureSpec spec;
    spec.kind = &kind;
    spec.site = {Stage::Cross, 0};
    spec.head = 0;
    spec.currentStep = lostRow;
    return spec;
}

std::unique_ptr<const Figure> drawn(const FigureSpec& spec, const Trace& trace)
{
    return layoutFigure(spec, trace, {900, 600});
}

bool says(const Figure& figure, const QString& words)
{
    const QSet<QString> texts = test::textsOf(figure);
    return std::any_of(texts.begin(), texts.end(), [&](const QString& text) { return text.contains(words); });
}

QImage partOf(const QImage& image, const QRectF& box)
{
    return image.copy(box.adjusted(1, 1, -1, -1).toRect());
}

int dashDotted(const Figure& figure, const Highlight& highlight = {})
{
    static const QRegularExpression dashed(QStringLiteral("<g[^>]*stroke-dasharray[^>]*>(.*?)</g>"),
                                           QRegularExpression::DotMatchesEverythingOption);
    int found = 0;
    for (auto groups = dashed.globalMatch(QString::fromUtf8(test::svgOf(figure, highlight))); groups.hasNext();)
        found += static_cast<int>(groups.next().captured(1).count(QStringLiteral("<path")));
    return found;
}

} // namespace

// NaN and infinite weights and probabilities, in every view.
class TestNoNumbers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void viewsSayHowManyWeightsAreNoNumbers_data()
    {
        test::addColumns<const FigureKind*, QString>("kind", "note");
        QTest::newRow("heatmap") << &heatmapKind << QStringLiteral("no number in 2 of 64 cells (crossed out)");
        QTest::newRow("arcs") << &arcsKind << QStringLiteral("no number in 2 of 64 cells (dash-dotted)");
        QTest::newRow("text") << &textKind << QStringLiteral("no number in 2 of 64 cells (crossed out)");
        QTest::newRow("step") << &decodingKind << QStringLiteral("no number in 2 of 8 cells (crossed out)");
        QTest::newRow("all heads") << &headGridKind << QStringLiteral("no number in 2 of 128 cells (crossed out)");
    }
    void viewsSayHowManyWeightsAreNoNumbers()
    {
        QFETCH(const FigureKind* const, kind);
        QFETCH(const QString, note);
        const FigureSpec spec = specAtLost(*kind);
        for (const auto& [first, second] : {std::pair(notANumber, infinity), {-infinity, notANumber}}) {
            const auto figure = drawn(spec, test::sampleTrace(runWith(first, second)));
            QVERIFY(says(*figure, note));
            QVERIFY2(figure->description().contains(note.mid(1)), qPrintable(figure->description()));
        }
        const auto clean = drawn(spec, test::sampleTrace(runWith(0, 0)));
        QVERIFY(!says(*clean, said));
        QVERIFY(!clean->description().contains(said.mid(1)));
    }

    // Such cells do not look like zeros, and the others as they do beside zeros.
    void onlySuchCellsLookDifferent_data()
    {
        test::addColumns<const FigureKind*, Theme>("kind", "theme");
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            const char* const name = theme == Theme::Light ? "light" : "dark";
            QTest::addRow("heatmap, %s", name) << &heatmapKind << theme;
            QTest::addRow("step, %s", name) << &decodingKind << theme;
            QTest::addRow("all heads, %s", name) << &headGridKind << theme;
        }
    }
    void onlySuchCellsLookDifferent()
    {
        QFETCH(const FigureKind* const, kind);
        QFETCH(const Theme, theme);
        FigureSpec spec = specAtLost(*kind);
        spec.theme = theme;
        const auto figure = drawn(spec, test::sampleTrace(runWith(notANumber, infinity)));
        const auto zeros = drawn(spec, test::sampleTrace(runWith(0, 0)));
        QCOMPARE(figure->rows(), zeros->rows());
        const QImage image = painted(*figure);
        const QImage other = painted(*zeros);
        const auto isLost = [&](int row, int column) {
            return kind == &heatmapKind ? row == lostRow && (column == 0 || column == 5)
                : kind == &decodingKind ? column == 0 && (row == 0 || row == 5)
                                        : column == 0;
        };
        for (int row = 0; row < figure->rows(); ++row) {
            for (int column = 0; column < figure->columns(); ++column) {
                const QRectF box = figure->cellRect(row, column);
                QCOMPARE(box, zeros->cellRect(row, column));
                QCOMPARE(partOf(image, box) != partOf(other, box), isLost(row, column));
            }
        }
    }

    void tokensWithoutANumberAreCrossedOut()
    {
        FigureSpec spec = specAtLost(textKind);
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            spec.theme = theme;
            const auto figure = drawn(spec, test::sampleTrace(runWith(notANumber, infinity)));
            const auto zeros = drawn(spec, test::sampleTrace(runWith(0, 0)));
            const auto& tokens = dynamic_cast<const TokenFigure&>(*figure);
            for (const TokenPlace& place : tokens.places()) {
                const QRectF box = tokens.rectOf(place);
                const bool lost = place.side == TokenSide::Columns && (place.index == 0 || place.index == 5);
                QCOMPARE(partOf(painted(*figure), box) != partOf(painted(*zeros), box), lost);
                QCOMPARE(tokens.hitOf(place).text.contains(QStringLiteral("is no number")), lost);
            }
        }
        spec.currentStep = lostRow + 1; // another row, all of whose weights are numbers
        const auto other = drawn(spec, test::sampleTrace(runWith(notANumber, infinity)));
        const auto& tokens = dynamic_cast<const TokenFigure&>(*other);
        QVERIFY(!tokens.hitOf(TokenPlace{TokenSide::Columns, 0}).text.contains(QStringLiteral("no number")));
    }

    void theMeanOfWhatIsNoNumberIsNone()
    {
        FigureSpec spec = specAtLost(textKind);
        spec.currentStep.reset();
        const auto figure = drawn(spec, test::sampleTrace(runWith(notANumber, infinity)));
        const auto& tokens = dynamic_cast<const TokenFigure&>(*figure);
        for (int column = 0; column < tokens.columns(); ++column)
            QCOMPARE(tokens.hitOf(TokenPlace{TokenSide::Columns, column}).text.contains(QStringLiteral("no number")),
                     column == 0 || column == 5);
    }

    void linesOfSuchCellsAreDashDotted()
    {
        FigureSpec spec = specAtLost(arcsKind);
        for (const LinesLayout layout : {LinesLayout::Columns, LinesLayout::Rows}) {
            spec.linesLayout = layout;
            const auto figure = drawn(spec, test::sampleTrace(runWith(notANumber, infinity)));
            const auto zeros = drawn(spec, test::sampleTrace(runWith(0, 0)));
            QCOMPARE(dashDotted(*figure), 2);
            QCOMPARE(dashDotted(*zeros), 0);
            const auto& tokens = dynamic_cast<const TokenFigure&>(*figure);
            const QRectF top = tokens.rectOf({TokenSide::Rows, 0});
            const QRectF below(0, top.top(), figure->size().width(), figure->size().height() - top.top());
            QVERIFY(partOf(painted(*figure), below) != partOf(painted(*zeros), below));
            QVERIFY(tokens.hitOf(TokenPlace{TokenSide::Rows, lostRow}).text.contains(said));
            QVERIFY(!tokens.hitOf(TokenPlace{TokenSide::Rows, 0}).text.contains(said));
            // What a picked token has to do with them is crossed out.
            spec.picked = {lostRow};
            const auto picked = drawn(spec, test::sampleTrace(runWith(notANumber, infinity)));
            const auto pickedZeros = drawn(spec, test::sampleTrace(runWith(0, 0)));
            const QRectF box = tokens.rectOf({TokenSide::Columns, 5});
            QVERIFY(partOf(painted(*picked), box) != partOf(painted(*pickedZeros), box));
            QCOMPARE(dashDotted(*picked), 2);
            spec.picked.clear();
        }
    }

    void veryManySuchLinesStayFew()
    {
        test::SampleRun run;
        run.source = test::syllables(150);
        run.target = test::syllables(150, 4);
        run.weight = [](Site, int, int, int, float) { return notANumber; };
        const auto figure = drawn(specAtLost(arcsKind), test::sampleTrace(run));
        QVERIFY(says(*figure, QStringLiteral("no number in 22500 of 22500 cells")));
        const int all = dashDotted(*figure);
        QVERIFY(all > 100 && all <= 310);
        Highlight pointed;
        pointed.row = 77;
        const int own = dashDotted(*figure, pointed) - all;
        QCOMPARE(own, 150); // each of a token that is pointed at
        FigureSpec spec = specAtLost(arcsKind);
        for (int row = 0; row < 150; ++row)
            spec.picked.push_back(row);
        QVERIFY(dashDotted(*drawn(spec, test::sampleTrace(run))) <= 310);
    }

    // Hundreds of cells share a pixel of a thumbnail, some of them one of the heatmap.
    void oneSuchCellOfALongTextIsSeen()
    {
        test::SampleRun run;
        run.source = test::syllables(512);
        run.encoderLayers = 1;
        run.heads = 2;
        run.weight = [](Site, int head, int row, int column, float weight) {
            return head == 0 && row == 300 && column == 77 ? notANumber : weight;
        };
        const Trace trace = test::sampleReading(run, false);
        FigureSpec spec = specAtLost(headGridKind);
        spec.site = {Stage::Encoder, 0};
        for (const CellPooling pooling : {CellPooling::Largest, CellPooling::Mean}) {
            spec.pooling = pooling;
            const auto tiles = headThumbnails(spec, trace)->tiles;
            QCOMPARE(std::ranges::count(tiles[0].pooled.states, CellState::NaN), 1);
            QVERIFY(tiles[0].pooled.state(37, 9) == CellState::NaN);
            QCOMPARE(tiles[0].pooled.noNumbers, std::int64_t{1});
            QCOMPARE(tiles[1].pooled.noNumbers, std::int64_t{0});
            const auto figure = drawn(spec, trace);
            const QRectF box = figure->cellRect(0, 0);
            const QPointF place(box.left() + 9.5 / 64 * box.width(), box.top() + 37.5 / 64 * box.height());
            QCOMPARE(painted(*figure).pixelColor(place.toPoint()), themeColors(spec.theme).muted);
            QVERIFY(figure->hitTest(box.center()).text.contains(QStringLiteral("no number in 1 of 262144 cells")));
            QVERIFY(!figure->hitTest(figure->cellRect(0, 1).center()).text.contains(said));

            FigureSpec alone = spec;
            alone.kind = &heatmapKind;
            alone.head = 0;
            const auto heatmap = layoutFigure(alone, trace, {300, 300});
            const QRectF cell = heatmap->cellRect(300, 77);
            QVERIFY(cell.width() < 0.6 && cell.height() < 0.6);
            const QPoint around(static_cast<int>(cell.left()), static_cast<int>(cell.top()));
            const QColor noNumberColor = themeColors(spec.theme).muted;
            int dots = 0;
            for (const QPoint& near : {QPoint(0, 0), QPoint(1, 0), QPoint(0, 1), QPoint(1, 1)})
                dots += painted(*heatmap).pixelColor(around + near) == noNumberColor ? 1 : 0;
            QCOMPARE(dots, 1);
        }
    }

    // What has no number in one of two runs has no difference; what one of them has alone is something else.
    void differencesAreNoNumbersWhereOneOfTheTwoIsNone()
    {
        const Trace here = test::sampleTrace(runWith(notANumber, infinity));
        test::SampleRun shorter = runWith(0, 0);
        shorter.target.pop_back();
        ReferenceRun against;
        against.trace = test::sampleTrace(shorter);
        for (const FigureKind* kind : {&heatmapKind, &arcsKind, &textKind, &decodingKind, &headGridKind}) {
            FigureSpec spec = specAtLost(*kind);
            spec.against = std::make_shared<const ReferenceRun>(against);
            QVERIFY(says(*drawn(spec, here), QStringLiteral("no number in 2 of")));
            spec.against.reset();
            ReferenceRun back;
            back.trace = here;
            spec.against = std::make_shared<const ReferenceRun>(std::move(back));
            QVERIFY(says(*drawn(spec, against.trace), QStringLiteral("no number in 2 of")));
        }
    }

    void probabilitiesWithoutNumbersAreCrossedOut()
    {
        test::SampleRun run = test::shortRun();
        const Trace clean = test::sampleTrace(run);
        run.lostStep = 3;
        const Trace lost = test::sampleTrace(run);
        FigureSpec spec = specAtLost(beamKind);
        spec.currentStep.reset();
        const auto figure = drawn(spec, lost);
        const auto other = drawn(spec, clean);
        QVERIFY(says(*figure, QStringLiteral("1 of 8 probabilities are no numbers (crossed out)")));
        QVERIFY(!says(*other, QStringLiteral("no numbers")));
        const auto& beam = dynamic_cast<const BeamFigure&>(*figure);
        for (int node = 0; node < 8; ++node) {
            const QRectF box = beam.nodeRect(node);
            QCOMPARE(partOf(painted(*figure), box) != partOf(painted(*other), box), node == run.lostStep);
            QCOMPARE(beam.nodeHit(node).text.contains(QStringLiteral("is no number")), node == run.lostStep);
        }

        // As in archives that have none.
        test::SampleRun unknown = test::shortRun();
        unknown.target.resize(1);
        unknown.lostStep = 0;
        const auto without = drawn(spec, test::sampleTrace(unknown));
        QVERIFY(says(*without, QStringLiteral("without probabilities")));
        QVERIFY(!says(*without, QStringLiteral("crossed out")));

        spec = specAtLost(decodingKind);
        spec.currentStep = run.lostStep;
        QVERIFY(says(*drawn(spec, lost), QStringLiteral("8 of 8 probabilities are no numbers (crossed out)")));
        QVERIFY(!says(*drawn(spec, clean), QStringLiteral("no numbers")));
        spec.currentStep = run.lostStep + 1;
        QVERIFY(!says(*drawn(spec, lost), QStringLiteral("no numbers")));
    }

    void barsAndStripsSaySo()
    {
        BarListContent bars;
        bars.title = {QStringLiteral("bars"), {}};
        bars.entries = {{.label = QStringLiteral("a"), .value = notANumber},
                        {.label = QStringLiteral("b"), .value = 0.5}};
        const auto figure = barListFigure({}, bars, {400, 200});
        QVERIFY(says(*figure, QStringLiteral("no number in 1 of 2 cells")));
        bars.entries[0].value = 0;
        const auto zeros = barListFigure({}, bars, {400, 200});
        QVERIFY(!says(*zeros, said));
        for (int row = 0; row < 2; ++row) {
            const QRectF box = figure->cellRect(row, 0);
            QCOMPARE(partOf(painted(*figure), box) != partOf(painted(*zeros), box), row == 0);
        }
        bars.entries[0].value = notANumber;
        bars.title = {}; // which leaves no room to say so above
        const auto untitled = barListFigure({}, bars, {400, 200});
        QVERIFY(!says(*untitled, said));
        QVERIFY(untitled->description().contains(said.mid(1)));
        QVERIFY(untitled->hitTest(untitled->cellRect(0, 0).center()).text.contains(QStringLiteral("is no number")));

        StageContent stage;
        stage.title = QStringLiteral("stage");
        StageStrip strip;
        strip.columns = 3;
        strip.values = {notANumber, 1, -infinity}; // the last one is masked
        stage.strips = {strip};
        QVERIFY(says(*stagesFigure({}, {stage}, {600, 0}), QStringLiteral("no number in 1 of 3 cells")));
        stage.strips[0].values[0] = 0;
        QVERIFY(!says(*stagesFigure({}, {stage}, {600, 0}), said));
    }

    void filesSaySo()
    {
        const Trace trace = test::sampleTrace(runWith(notANumber, infinity));
        FigureSpec spec = specAtLost(arcsKind);
        const QByteArray page = htmlPage(spec, trace, {}, ownProvenance());
        QVERIFY(page.contains("NaN, which is no number") && page.contains("no number in 2 of 64 cells"));
        const QByteArray clean = htmlPage(spec, test::sampleTrace(runWith(0, 0)), {}, ownProvenance());
        QVERIFY(!clean.contains("no number"));
        FigureHit hit;
        hit.part = FigureHit::Part::Cell;
        hit.row = lostRow;
        hit.column = 0;
        QCOMPARE(copiedText(spec, trace, hit, CopyRow::What::Value), QStringLiteral("nan"));
        hit.column = 5;
        QCOMPARE(copiedText(spec, trace, hit, CopyRow::What::Value), QStringLiteral("inf"));
    }
};

ATTN_GUI_TEST(TestNoNumbers)
#include "tst_no_numbers.moc"

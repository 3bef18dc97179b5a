// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_kinds.h"
#include "figure_texts.h"
#include "figures/charts/bar_list_figure.h"
#include "figures/export/figure_export.h"
#include "figures/figure.h"
#include "figures/kinds/head_tiles.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/color_map.h"
#include "figures/look/token_label.h"
#include "figures/parts/token_figure.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "trace/trace_builder.h"

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>

using namespace attn;
using namespace attn::ui;
using attn::test::painted;

namespace {

test::SampleRun transformerRun()
{
    test::SampleRun run = test::shortRun();
    run.encoderLayers = 2;
    run.decoderLayers = 2;
    run.crossLayers = 3;
    run.heads = 4;
    return run;
}

// Sum of the differences from the background along a vertical line.
int inkOnLine(const QImage& image, int x, int top, int bottom)
{
    const QColor ground = themeColors(Theme::Light).background;
    int ink = 0;
    for (int y = top; y < bottom; ++y)
        ink += ground.lightness() - image.pixelColor(x, y).lightness();
    return ink;
}

BarListContent barsOf(int count)
{
    BarListContent bars;
    for (int i = 0; i < count; ++i)
        bars.entries.push_back({.label = QStringLiteral("word%1").arg(i), .value = 1.0 / (i + 1)});
    return bars;
}

std::unique_ptr<const Figure> arcs(const Trace& trace, QSizeF size = {700, 500}, std::optional<int> step = {})
{
    FigureSpec spec;
    spec.kind = &arcsKind;
    spec.currentStep = step;
    return layoutFigure(spec, trace, size);
}

// Where a token is, if a click there means it.
QRectF labelOf(const Figure& figure, TokenPlace place)
{
    const QRectF box = dynamic_cast<const TokenFigure&>(figure).rectOf(place);
    const FigureHit hit = figure.hitTest(box.center());
    const bool means = place.side == TokenSide::Rows
        ? hit.part == FigureHit::Part::RowLabel && hit.row == place.index
        : hit.part == FigureHit::Part::ColumnLabel && hit.column == place.index;
    return means ? box : QRectF();
}

QRectF rowLabel(const Figure& figure, int row)
{
    return labelOf(figure, {TokenSide::Rows, row});
}

QRectF columnLabel(const Figure& figure, int column)
{
    return labelOf(figure, {TokenSide::Columns, column});
}

Numbers sampleTraceMatrix(const test::SampleRun& run)
{
    return test::sampleTrace(run).matrix({Stage::Cross, 0}, 0);
}

// Three hypotheses of one token each.
Trace smallBeam()
{
    Encoding source;
    source.ids = {1, 2};
    TraceBuilder builder(source, nullptr, {});
    builder.begun(source.ids, 0);
    DecodingStep step;
    step.candidates = {{7, -0.5F}, {8, -1.5F}, {9, -3.0F}};
    for (const TokenId token : {8, 7, 5}) {
        step.token = token;
        step.score = step.logProbability = -1.5F;
        builder.stepped(step);
        step.index = StepId{numberOf(step.index) + 1};
    }
    builder.finished({});
    return builder.snapshot();
}

} // namespace

class TestFigureKinds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gridHitGivesSiteAndHead()
    {
        FigureSpec spec;
        spec.kind = &headGridKind;
        const auto figure = layoutFigure(spec, test::sampleTrace(transformerRun()), {700, 500});
        QCOMPARE(figure->rows(), 3);
        QCOMPARE(figure->columns(), 4);
        QRectF last;
        for (int layer = 0; layer < 3; ++layer) {
            for (int head = 0; head < 4; ++head) {
                const QRectF tile = figure->cellRect(layer, head);
                QVERIFY(QRectF(QPointF(), figure->size()).contains(tile));
                QVERIFY(!tile.intersects(last));
                last = tile;
                const FigureHit hit = figure->hitTest(tile.center());
                QCOMPARE(hit.part, FigureHit::Part::Head);
                QVERIFY((hit.site == Site{Stage::Cross, layer}));
                QCOMPARE(hit.head, head);
                QCOMPARE(test::numbersIn(hit.text).mid(0, 2),
                         (QStringList{QString::number(layer), QString::number(head)}));
            }
        }
        QVERIFY(figure->cellRect(3, 0).isNull());
    }

    void gridOutlinesTheSelectedHead()
    {
        FigureSpec spec;
        spec.kind = &headGridKind;
        const auto figure = layoutFigure(spec, test::sampleTrace(transformerRun()), {700, 500});
        Highlight selected;
        selected.site = {Stage::Cross, 1};
        selected.head = 2;
        const QPoint edge = (figure->cellRect(1, 2).topLeft() + QPointF(20, -2)).toPoint();
        QCOMPARE(painted(*figure, selected).pixelColor(edge), themeColors(Theme::Light).accent);
        QVERIFY(painted(*figure).pixelColor(edge) != themeColors(Theme::Light).accent);
    }

    void tokensTakeTimeAsWeightsDo()
    {
        const Trace wide = test::sampleTrace(test::longRun(2, 20'000));
        const Trace square = test::sampleTrace(test::longRun(200, 200));
        for (const FigureKind* const kind : {&heatmapKind, &arcsKind, &textKind}) {
            FigureSpec spec;
            spec.kind = kind;
            spec.site = {Stage::Cross, 0};
            QVERIFY(kind->cost(spec, wide) > 2 * kind->cost(spec, square));
        }
    }

    // A list may have a row for every word of a vocabulary.
    void aLongListIsPaintedAsFarAsItIsSeen()
    {
        const BarListContent bars = barsOf(2000);
        const auto list = barListFigure({}, bars, {300, 40'000});
        for (const int row : {0, 999, 1999})
            QCOMPARE(list->hitTest(list->cellRect(row, 0).center()).row, std::optional(row));
        QCOMPARE(list->hitTest({150, 1}).part, FigureHit::Part::Nothing);
        const QRectF seen = list->cellRect(1000, 0) | list->cellRect(1004, 0);
        const QByteArray part = test::svgOf(*list, {}, seen);
        const QSet<QString> texts = test::textsOf(part);
        for (int row = 1000; row < 1005; ++row)
            QVERIFY(texts.contains(bars.entries[static_cast<std::size_t>(row)].label));
        QVERIFY(100 * part.size() < test::svgOf(*list).size());
    }

    // Where rows are lower than letters, the largest keep their texts, and none touches another.
    void rowsTooLowForLettersNameTheLargest()
    {
        BarListContent bars = barsOf(196);
        bars.least = bars.entries[120].value = -13.0099;
        const auto list = barListFigure({}, bars, {400, 400});
        const QSet<QString> texts = test::textsOf(*list);
        QVERIFY(texts.contains(bars.entries[120].label));
        QVERIFY(texts.contains(QStringLiteral("\u221213.010")));
        int named = 0;
        double below = 0; // the last one that is named
        const double line = QFontMetricsF(figureFont(9)).height();
        for (int row = 0; row < 196; ++row) {
            if (!texts.contains(bars.entries[static_cast<std::size_t>(row)].label))
                continue;
            const double middle = list->cellRect(row, 0).center().y();
            QVERIFY(named == 0 || middle - below > 0.8 * line);
            below = middle;
            ++named;
        }
        QVERIFY2(named > 10 && named < 40, qPrintable(QString::number(named)));
    }

    void headsOfALayerStandInOneLine()
    {
        const TileLayout tiles = layOutTiles({56}, {.room = {0, 0, 890, 380}, .gap = 8, .band = 22, .whole = 8});
        QCOMPARE(tiles.perLine % 8, 0);
        QVERIFY(tiles.perLine > 8);
    }

    // The text so far is written as it reads, not token by token.
    void aStepSaysTheTextThatItsTokensAreOf()
    {
        test::SampleRun run = test::shortRun();
        run.wordMarks = true;
        run.target = {"\u2581qu", "'", "elle", "\u2581vient"};
        FigureSpec spec;
        spec.kind = &decodingKind;
        spec.currentStep = 3;
        const QSet<QString> texts = test::textsOf(*layoutFigure(spec, test::sampleTrace(run), {760, 560}));
        QVERIFY2(texts.contains(QStringLiteral("qu'elle ")) || texts.contains(QStringLiteral("qu'elle")),
                 qPrintable(QStringList(texts.values()).join(QLatin1Char('|'))));
    }

    void aLongListIsLaidOutForItsLongestWord()
    {
        const BarListContent bars = barsOf(100'000);
        const auto list = barListFigure({}, bars, {300, 2'000'000});
        QVERIFY(list->description().size() < 20'000); // its table has the rest
        const QSet<QString> texts = test::textsOf(test::svgOf(*list, {}, list->cellRect(99'999, 0)));
        QVERIFY(texts.contains(bars.entries.back().label));
    }

    void arcsJoinTokensByWeight()
    {
        const auto drawn = arcs(test::sampleTrace(test::shortRun()));
        const Figure& figure = *drawn;
        QVERIFY(figure.rows() > 5);
        for (int row = 0; row < figure.rows(); ++row) {
            const QRectF label = rowLabel(figure, row);
            QVERIFY(!label.isNull() && label.right() < columnLabel(figure, 0).left());
        }
        for (int column = 0; column < figure.columns(); ++column)
            QVERIFY(!columnLabel(figure, column).isNull());
        // Pointing at a token leaves its own lines strong and the others faint.
        const int x = static_cast<int>(rowLabel(figure, 0).right()) + 14;
        const auto near = [&](int row) {
            const double y = rowLabel(figure, row).center().y();
            return std::pair{static_cast<int>(y) - 6, static_cast<int>(y) + 7};
        };
        Highlight pointed;
        pointed.row = 2;
        const QImage plain = painted(figure);
        const QImage marked = painted(figure, pointed);
        QVERIFY(inkOnLine(plain, x, near(5).first, near(5).second) > 60);
        QVERIFY(inkOnLine(marked, x, near(5).first, near(5).second)
                < inkOnLine(plain, x, near(5).first, near(5).second) / 3);
        const int own = inkOnLine(plain, x, near(2).first, near(2).second);
        QVERIFY(std::abs(inkOnLine(marked, x, near(2).first, near(2).second) - own) <= own / 10);
    }

    // Labels thin out where they do not fit, but not that of the token that a pointed-at one attends to most.
    void theTokenAttendedToMostIsNamed()
    {
        test::SampleRun run;
        run.source = test::syllables(60);
        run.target = test::syllables(60, 4);
        const auto drawn = arcs(test::sampleTrace(run), {760, 560});
        const Figure& figure = *drawn;
        const auto isNamed = [](const QImage& image, const QRectF& box) {
            int dark = 0;
            for (int y = static_cast<int>(box.top()); y < static_cast<int>(box.bottom()); ++y) {
                for (int x = static_cast<int>(box.left()); x < static_cast<int>(box.right()); ++x)
                    dark += image.pixelColor(x, y).lightness() < 110 ? 1 : 0;
            }
            return dark >= 8;
        };
        const Numbers matrix = sampleTraceMatrix(run);
        int unnamedAtRest = 0;
        for (int row = 8; row < 20; ++row) {
            const float* first = matrix.values.data() + static_cast<std::ptrdiff_t>(row) * matrix.columns;
            const auto most = static_cast<int>(std::max_element(first, first + matrix.columns) - first);
            Highlight highlight;
            highlight.row = row;
            unnamedAtRest += isNamed(painted(figure), columnLabel(figure, most)) ? 0 : 1;
            QVERIFY2(isNamed(painted(figure, highlight), columnLabel(figure, most)), qPrintable(QString::number(most)));
        }
        QVERIFY(unnamedAtRest > 0); // else nothing was thinned out
    }

    void arcsFollowTheStepAndTheScreen()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        const auto figure = arcs(trace, {700, 500}, 5);
        Highlight at;
        at.row = 2;
        QVERIFY(painted(*figure, at) != painted(*arcs(trace, {700, 500}, 6), at));
        // A screen of another density gets its own picture, not the enlarged one.
        QImage dense(QSize(1400, 1000), QImage::Format_RGB32);
        const auto drawDense = [&](const Figure& which) {
            QPainter painter(&dense);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.scale(2, 2);
            which.paint(painter, at);
            painter.end();
            return dense.copy();
        };
        QCOMPARE(drawDense(*figure), drawDense(*arcs(trace, {700, 500}, 5)));
    }

    void decodingShowsStepAndCandidates()
    {
        FigureSpec spec;
        spec.kind = &decodingKind;
        spec.currentStep = 3;
        const auto figure = layoutFigure(spec, test::sampleTrace(test::shortRun()), {760, 560});
        QVERIFY(figure->description().contains(QStringLiteral("le chat \u00E9tait assis")));
        QVERIFY(!figure->description().contains(QStringLiteral("sur")));
        std::set<int> candidates;
        std::set<int> sources;
        for (double y = 0; y < 560; y += 2) {
            for (const double x : {100.0, 600.0}) {
                const FigureHit hit = figure->hitTest({x, y});
                if (hit.part == FigureHit::Part::Candidate) {
                    candidates.insert(hit.column.value());
                    if (hit.column == 0)
                        QVERIFY(hit.text.startsWith(QStringLiteral("assis")) && hit.value > 0.7F);
                } else if (hit.part == FigureHit::Part::ColumnLabel) {
                    sources.insert(hit.column.value());
                }
            }
        }
        QCOMPARE(candidates.size(), std::size_t{8});
        QCOMPARE(sources.size(), std::size_t{8});
        spec.currentStep = 500; // beyond the end: the last
        QVERIFY(layoutFigure(spec, test::sampleTrace(test::shortRun()), {760, 560})
                    ->description()
                    .contains(QStringLiteral("</s>")));
    }

    // What nobody chose is the same in the window and in a file.
    void anUnchosenStepIsTheOneWorthSeeing()
    {
        FigureSpec spec;
        spec.kind = &decodingKind;
        const Trace trace = test::sampleTrace(test::shortRun());
        const auto worth = stepWorthSeeing(trace, {});
        QVERIFY(worth.has_value());
        const QString unchosen = layoutFigure(spec, trace, {760, 560})->description();
        spec.currentStep = *worth;
        QCOMPARE(unchosen, layoutFigure(spec, trace, {760, 560})->description());
        QVERIFY(!stepWorthSeeing(Trace(), {}));
    }

    void candidatesAreListedBestFirst()
    {
        const Trace trace = smallBeam();
        const auto candidates = candidatesAt(trace, StepId{0}, 0);
        QCOMPARE(candidates.size(), std::size_t{3});
        QVERIFY(std::abs(candidates[0].value - std::exp(-0.5)) < 1e-6 && !candidates[0].taken && candidates[1].taken);
        QVERIFY(!candidates[0].label.isEmpty());
        QVERIFY(candidatesAt(trace, StepId{1}, 0).front().taken);
        const auto unlikely = candidatesAt(trace, StepId{2}, 0); // what was taken is none of the best
        QCOMPARE(unlikely.size(), std::size_t{4});
        QVERIFY(unlikely.back().taken);
        QVERIFY(candidatesAt(trace, StepId{0}, 1).empty() && candidatesAt(Trace(), {}, 0).empty());
        QVERIFY(!areLogitsLost(trace, StepId{0}, 0) && !areLogitsLost(trace, StepId{0}, 1));
        QVERIFY(!areLogitsLost(trace, StepId{0}, {}) && !areLogitsLost(Trace(), {}, 0));
    }

    void expectationsThatAreNoNumbersAreLost()
    {
        Provenance provenance;
        provenance.kind = ModelKind::EncoderOnly;
        Encoding source;
        source.ids = {5, 6, 7};
        source.tokens = {"a", "b", "c"};
        TraceBuilder builder(source, nullptr, provenance);
        builder.begun(source.ids, {});
        builder.predicted({0, -1.0F, {{5, -1.0F}}});
        builder.predicted({1, std::numeric_limits<float>::quiet_NaN(), {}});
        builder.finished({});
        const Trace trace = builder.snapshot();
        QVERIFY(!areLogitsLost(trace, {}, 0));
        QVERIFY(areLogitsLost(trace, {}, 1) && candidatesAt(trace, {}, 1).empty());
        QVERIFY(!areLogitsLost(trace, {}, 2)); // nothing was predicted there
    }

    // The largest weights in falling order, in lines that can be read, and how many others there are.
    void aLongSourceIsCutToWhatFits_data()
    {
        QTest::addColumn<double>("height");
        QTest::newRow("window") << 560.0;
        QTest::newRow("small") << 260.0;
        QTest::newRow("export") << 0.0;
    }

    void aLongSourceIsCutToWhatFits()
    {
        QFETCH(const double, height);
        test::SampleRun run;
        run.source = test::syllables(300);
        run.target = test::syllables(12);
        FigureSpec spec;
        spec.kind = &decodingKind;
        spec.currentStep = 6;
        const Trace trace = test::sampleTrace(run);
        const auto figure = layoutFigure(spec, trace, {760, height});
        std::map<int, int> pixels; // of each bar
        NumberVector<float> values;
        for (int y = 0; y < figure->size().height(); ++y) {
            const FigureHit hit = figure->hitTest({100, y + 0.5});
            if (hit.part != FigureHit::Part::ColumnLabel)
                continue;
            if (++pixels[hit.column.value()] == 1) {
                values.push_back(hit.value);
                QVERIFY2(hit.text.contains(QStringLiteral(" #%1 ").arg(*hit.column)), qPrintable(hit.text));
            }
        }
        QVERIFY(values.size() >= 3 && values.size() < 100);
        QVERIFY(std::ranges::is_sorted(values, std::greater()));
        const Numbers map = trace.matrix(spec.site, 0);
        const auto row = std::span(map.values).subspan(6U * 300U, 300);
        QCOMPARE(values.front(), *std::ranges::max_element(row));
        QVERIFY(std::ranges::all_of(pixels, [](const auto& bar) { return bar.second >= 10; }));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("step.svg"));
        if (height > 0)
            return;
        exportFigure(path, exportable(spec, trace), {760 * 25.4 / 96, 96});
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString rest = QString::number(300 - static_cast<int>(values.size()));
        QVERIFY(std::ranges::any_of(test::textsOf(file.readAll()), [&rest](const QString& text) {
            return text != rest && test::numbersIn(text).value(0) == rest; // said, and no tick or label
        }));
    }

    void decodingWithoutAttentionShowsCandidates()
    {
        test::SampleRun run = test::shortRun();
        run.crossLayers = 0;
        FigureSpec spec;
        spec.kind = &decodingKind;
        const auto figure = layoutFigure(spec, test::sampleTrace(run), {760, 560});
        painted(*figure);
        QCOMPARE(figure->hitTest({600, 150}).part, FigureHit::Part::Candidate);
    }

    // The figures of a run, and those of a run less another one.
    void whatIsToBeWrittenHasItsRoom()
    {
        const Trace trace = test::sampleTrace(transformerRun());
        test::SampleRun otherRun = transformerRun();
        otherRun.weight = [](Site, int, int row, int column, float) { return row + 1 == column ? 1.0F : 0.2F; };
        const auto against = std::make_shared<ReferenceRun>();
        against->trace = test::sampleTrace(otherRun);
        const int steps = trace.steps();
        for (const FigureKind* const kind : {&heatmapKind, &headGridKind, &textKind, &arcsKind}) {
            for (const bool differs : {false, true}) {
                const auto drawn = [&](int step, bool until) {
                    FigureSpec spec;
                    spec.kind = kind;
                    spec.currentStep = step;
                    spec.untilStep = until;
                    spec.against = differs ? against : nullptr;
                    return painted(*layoutFigure(spec, trace, {700, 500}));
                };
                int missing = std::numeric_limits<int>::max();
                for (int step = 0; step < steps; ++step) {
                    const QImage whole = drawn(step, false);
                    const QImage part = drawn(step, true);
                    int differing = 0;
                    for (int y = 0; y < whole.height(); ++y) {
                        for (int x = 0; x < whole.width(); ++x)
                            differing += whole.pixel(x, y) != part.pixel(x, y) ? 1 : 0;
                    }
                    QVERIFY(step + 1 == steps ? differing == 0 : differing > 0 && differing < missing);
                    missing = differing;
                }
            }
        }
    }

    void everyKindSurvivesEveryTraceAndSize()
    {
        test::SampleRun empty;
        empty.source = {};
        empty.target = {"x"};
        empty.crossLayers = 0;
        test::SampleRun started = transformerRun();
        started.stepsDone = 0;
        test::SampleRun huge;
        huge.source = test::syllables(400);
        huge.target = test::syllables(300);
        const std::vector<Trace> traces = {Trace(), test::sampleTrace(empty), test::sampleTrace(started),
                                           test::sampleTrace(transformerRun()), test::sampleTrace(huge)};
        for (const Trace& trace : traces) {
            for (const FigureKind* kind : {&heatmapKind, &headGridKind, &arcsKind, &positionsKind, &decodingKind}) {
                for (const Stage stage : {Stage::Encoder, Stage::Decoder, Stage::Cross}) {
                    FigureSpec spec;
                    spec.kind = kind;
                    spec.site = {stage, 0};
                    spec.head = meanOfHeads;
                    for (const QSizeF size : {QSizeF(600, 400), QSizeF(600, 0), QSizeF(20, 15)}) {
                        const auto figure = layoutFigure(spec, trace, size);
                        QVERIFY(!figure->description().isEmpty());
                        QCOMPARE(figure->size().width(), size.width());
                        QVERIFY(figure->size().height() > 1 && figure->size().height() < 2000);
                        painted(*figure);
                        figure->hitTest({300, 200});
                    }
                }
            }
        }
    }
};

ATTN_GUI_TEST(TestFigureKinds)
#include "tst_figure_kinds.moc"

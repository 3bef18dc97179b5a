// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_kinds.h"
#include "figure_texts.h"
#include "figures/charts/bar_list_figure.h"
#include "figures/export/figure_export.h"
#include "figures/kinds/shown_difference.h"
#include "figures/look/color_map.h"
#include "figures/look/style.h"
#include "figures/look/theme.h"
#include "figures/look/value_scale.h"
#include "figures/parts/panel_figure.h"
#include "sample_traces.h"
#include "support/test_program.h"

#include <QFontMetricsF>
#include <QImage>
#include <QSet>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

using namespace attn;
using namespace attn::ui;

namespace {

test::SampleRun someRun()
{
    test::SampleRun run = test::shortRun();
    run.encoderLayers = 1;
    run.decoderLayers = 1;
    run.crossLayers = 2;
    run.heads = 3;
    return run;
}

// Another second word, and one more.
test::SampleRun otherRun()
{
    test::SampleRun run = someRun();
    run.source[1] = "dog";
    run.target = {"le", "chien", "noir", "\u00E9tait", "assis", "sur", "le", "tapis", "</s>"};
    return run;
}

FigureSpec comparing(const Trace& other, const FigureKind& kind = heatmapKind, Pairing pairing = Pairing::Automatic)
{
    FigureSpec spec;
    spec.kind = &kind;
    ReferenceRun against;
    against.trace = other;
    spec.pairing = pairing;
    spec.against = std::make_shared<const ReferenceRun>(std::move(against));
    return spec;
}

// Of the middle of a cell, without the number there.
QColor colorIn(const QImage& image, const QRectF& cell)
{
    return image.pixelColor((cell.topLeft() + QPointF(3, 3)).toPoint());
}

// How many colours an area has.
int colorsIn(const QImage& image, const QRectF& area)
{
    QSet<QRgb> colors;
    for (int y = static_cast<int>(area.top()) + 2; y < area.bottom() - 2; ++y) {
        for (int x = static_cast<int>(area.left()) + 2; x < area.right() - 2; ++x)
            colors.insert(image.pixel(x, y));
    }
    return static_cast<int>(colors.size());
}

} // namespace

// Figures of one run less another.
class TestDifferenceFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void zeroLooksLikeThePaper_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << static_cast<int>(Theme::Light);
        QTest::newRow("dark") << static_cast<int>(Theme::Dark);
    }
    void zeroLooksLikeThePaper()
    {
        QFETCH(const int, theme);
        const auto paper = static_cast<Theme>(theme);
        QCOMPARE(colorAt(differenceColors(paper), 0.5), themeColors(paper).background);
        const double ground = luminance(themeColors(paper).background);
        double before = 0;
        for (int i = 1; i <= 10; ++i) { // away from the paper on both sides
            const double less = std::abs(luminance(colorAt(differenceColors(paper), 0.5 - i * 0.05)) - ground);
            const double more = std::abs(luminance(colorAt(differenceColors(paper), 0.5 + i * 0.05)) - ground);
            QVERIFY(std::min(less, more) > before);
            before = std::min(less, more) * 0.9;
        }
        const Trace trace = test::sampleTrace(someRun());
        FigureSpec spec = comparing(trace);
        spec.theme = paper;
        const auto figure = layoutFigure(spec, trace, {700, 500});
        const QImage image = test::painted(*figure);
        for (int row = 0; row < figure->rows(); ++row)
            QCOMPARE(colorIn(image, figure->cellRect(row, row)), themeColors(paper).background);
        for (const QColor& ink : {themeColors(paper).more, themeColors(paper).less})
            QVERIFY(contrast(ink, themeColors(paper).background) >= 4.5);
        QVERIFY(std::ranges::none_of(colorMaps(), [paper](const ColorMapRow& row) {
            return colorMapFromName(QLatin1String(row.id)) == differenceColors(paper);
        }));
    }

    void theNumbersAreTheDifference()
    {
        const Trace here = test::sampleTrace(someRun());
        const Trace there = test::sampleTrace(otherRun());
        FigureSpec spec = comparing(there, heatmapKind, Pairing::Position);
        spec.site = {Stage::Cross, 1};
        spec.head = 2;
        const Numbers a = readWeights(here, {spec.site, spec.head});
        const Numbers b = readWeights(there, {spec.site, spec.head});
        const MatrixContent content = spec.kind->numbers(spec, here);
        QCOMPARE(content.map.numbers.rows, 9); // the last one is only there
        QCOMPARE(content.map.numbers.columns, 8);
        for (int row = 0; row < 8; ++row) {
            for (int column = 0; column < 8; ++column)
                QVERIFY(std::abs(content.map.numbers.at(row, column) - (a.at(row, column) - b.at(row, column)))
                        < 1e-6F);
        }
        for (int column = 0; column < 8; ++column)
            QVERIFY(content.map.isLone(8, column));
        QCOMPARE(content.least, -content.most);
        const FigureSpec back = [&] {
            FigureSpec other = comparing(here, heatmapKind, Pairing::Position);
            other.site = spec.site;
            other.head = spec.head;
            return other;
        }();
        const MatrixContent swapped = back.kind->numbers(back, there);
        QCOMPARE(swapped.most, content.most);
        for (int row = 0; row < 8; ++row)
            QCOMPARE(swapped.map.numbers.at(row, 3), -content.map.numbers.at(row, 3));
    }

    void whatHasNoPartnerIsHatched()
    {
        const Trace here = test::sampleTrace(someRun());
        const FigureSpec spec = comparing(test::sampleTrace(otherRun()), heatmapKind, Pairing::Words);
        const auto figure = layoutFigure(spec, here, {900, 700});
        const MatrixContent content = spec.kind->numbers(spec, here);
        QCOMPARE(figure->rows(), 10); // "chat", "chien" and "noir" are in one of the two
        QCOMPARE(figure->columns(), 9);
        const QImage image = test::painted(*figure);
        int lone = 0;
        for (int row = 0; row < figure->rows(); ++row) {
            for (int column = 0; column < figure->columns(); ++column) {
                const FigureHit hit = figure->hitTest(figure->cellRect(row, column).center());
                QVERIFY(hit.isCell() && !hit.text.isEmpty());
                if (content.map.isLone(row, column)) {
                    ++lone;
                    QVERIFY(colorsIn(image, figure->cellRect(row, column)) > 1);
                    QVERIFY(!hit.text.contains(QStringLiteral("NaN"), Qt::CaseInsensitive));
                }
            }
        }
        QCOMPARE(lone, 3 * 9 + 7 * 2);
        const auto rowOf = [&](const char* label) {
            return static_cast<int>(content.rowLabels.indexOf(QLatin1String(label)));
        };
        QVERIFY(content.map.rows.pairs[rowOf("chat")].here && !content.map.rows.pairs[rowOf("chat")].there);
        QVERIFY(!content.map.rows.pairs[rowOf("noir")].here);
        // Only tokens of the run on show can be gone to.
        QVERIFY(!figure->hitTest(figure->cellRect(rowOf("noir"), 0).center()).rowToken);
        QCOMPARE(figure->hitTest(figure->cellRect(rowOf("chat"), 0).center()).rowToken, std::optional(1));
        QCOMPARE(content.markedRow, std::nullopt);
    }

    void theStepIsMarkedWhereItIsNow()
    {
        const Trace here = test::sampleTrace(otherRun());
        FigureSpec spec = comparing(test::sampleTrace(someRun()));
        for (const int step : {0, 2, 8}) {
            spec.currentStep = step;
            const MatrixContent content = spec.kind->numbers(spec, here);
            QVERIFY(content.markedRow.has_value());
            QCOMPARE(content.map.rows.tokens().at(static_cast<std::size_t>(*content.markedRow)), step);
        }
    }

    void wordsAndSpecialTokensAreOfBoth()
    {
        const Trace here = test::sampleTrace(someRun());
        FigureSpec spec = comparing(test::sampleTrace(otherRun()));
        spec.specials = SpecialTokens::Hidden;
        spec.words = true;
        const MatrixContent content = spec.kind->numbers(spec, here);
        QVERIFY(!content.rowLabels.contains(QStringLiteral("</s>")));
        QVERIFY(!content.columnLabels.contains(QStringLiteral("</s>")));
    }

    void theTitleSaysWhatIsSubtracted()
    {
        const Trace here = test::sampleTrace(someRun());
        FigureSpec spec = comparing(test::sampleTrace(otherRun()));
        ReferenceRun against = *spec.against;
        against.shownName = QStringLiteral("mine");
        against.name = QStringLiteral("yours");
        spec.against = std::make_shared<const ReferenceRun>(against);
        for (const FigureKind* kind : {&heatmapKind, &headGridKind, &arcsKind, &decodingKind}) {
            spec.kind = kind;
            const QString said = layoutFigure(spec, here, {700, 500})->description();
            QVERIFY2(said.contains(QStringLiteral("mine")) && said.contains(QStringLiteral("yours")), qPrintable(said));
            QVERIFY(said.indexOf(QStringLiteral("mine")) < said.indexOf(QStringLiteral("yours")));
        }
    }

    void whatDiffersGivesTheNames()
    {
        test::SampleRun plain = test::pairRun();
        test::SampleRun edited = plain;
        edited.edits = {"encoder:0:1=zero"};
        const Trace here = test::sampleReading(edited);
        const FigureSpec spec = comparing(test::sampleReading(plain));
        const auto [one, other] = comparedNames(spec, here);
        QVERIFY(one.contains(QStringLiteral("head 1 off")) && !other.contains(QStringLiteral("off")));
        QVERIFY(!one.contains(QStringLiteral("bert"))); // both are of that model
        const auto [same, alike] = comparedNames(comparing(here), here);
        QVERIFY(!same.isEmpty() && !alike.isEmpty() && same != alike);
    }

    void allHeadsAreComparedOneByOne()
    {
        const Trace here = test::sampleTrace(someRun());
        test::SampleRun fewer = otherRun();
        fewer.heads = 2;
        FigureSpec spec = comparing(test::sampleTrace(fewer), headGridKind);
        const auto thumbnails = headThumbnails(spec, here);
        QCOMPARE(thumbnails->layers, 2);
        QCOMPARE(thumbnails->heads, 2);
        for (const auto& tile : thumbnails->tiles) {
            spec.site = tile.site;
            spec.head = tile.head;
            const MatrixContent content = heatmapContent(spec, here);
            for (int row = 0; row < content.map.numbers.rows; ++row) {
                for (int column = 0; column < content.map.numbers.columns; ++column) {
                    const float cell = tile.pooled.numbers.at(row, column);
                    QCOMPARE(tile.pooled.isLone(row, column), content.map.isLone(row, column));
                    QVERIFY(content.map.isLone(row, column) || cell == content.map.at(row, column));
                    QVERIFY(std::abs(static_cast<double>(cell)) <= thumbnails->largest);
                }
            }
        }
        spec.site = {Stage::Decoder, 0};
        QVERIFY(!headThumbnails(spec, here)->tiles.empty());
    }

    void linesHaveTheColourOfTheirSign()
    {
        const Trace here = test::sampleTrace(someRun());
        FigureSpec spec = comparing(test::sampleTrace(otherRun()), arcsKind, Pairing::Position);
        const QImage image = test::painted(*layoutFigure(spec, here, {700, 500}));
        int reds = 0;
        int blues = 0;
        for (int y = 90; y < image.height(); ++y) {
            const QColor color = image.pixelColor(image.width() / 2, y);
            reds += color.red() > color.blue() + 30 ? 1 : 0;
            blues += color.blue() > color.red() + 30 ? 1 : 0;
        }
        QVERIFY(reds > 0 && blues > 0);
        spec = comparing(here, arcsKind); // nothing differs: no line
        const auto figure = layoutFigure(spec, here, {700, 500});
        QVERIFY(figure->description().contains(QStringLiteral("No line")));
        const QImage none = test::painted(*figure);
        for (int y = 90; y < none.height(); ++y) {
            const QColor color = none.pixelColor(none.width() / 2, y); // of words at most
            QVERIFY(std::abs(color.red() - color.blue()) < 30);
        }
    }

    void aStepShowsBothOutputs()
    {
        const Trace here = test::sampleTrace(someRun());
        FigureSpec spec = comparing(test::sampleTrace(otherRun()), decodingKind);
        ReferenceRun against = *spec.against;
        against.shownUnderIt = {{-1, -2.5, -1, -1, -1, -1, -1, -1}, -9.5};
        spec.against = std::make_shared<const ReferenceRun>(against);
        for (const QSizeF size : {QSizeF(1000, 700), QSizeF(360, 300), QSizeF(605, 0)}) {
            const auto figure = layoutFigure(spec, here, size);
            const auto& panels = dynamic_cast<const PanelFigure&>(*figure);
            QCOMPARE(panels.panelCount(), 3);
            QCOMPARE(panels.panel(0).columns(), 9); // "noir" stands alone
            for (int panel = 0; panel < 3; ++panel)
                QVERIFY(QRectF({}, figure->size()).adjusted(-1, -1, 1, 1).contains(panels.panelRect(panel)));
            QVERIFY(panels.panel(2).rows() > 0);
        }
        // Without a chosen one it is where they part.
        const auto figure = layoutFigure(spec, here, {1000, 700});
        const QString said = figure->hitTest(figure->cellRect(0, 1).center()).text;
        QVERIFY2(said.contains(QStringLiteral("chat")) && said.contains(QStringLiteral("2.5")), qPrintable(said));
        QVERIFY(figure->description().contains(QStringLiteral("chien")));
        // What is known is of the best hypothesis.
        spec.leaf = StepId{3};
        const auto other = layoutFigure(spec, here, {1000, 700});
        QVERIFY(!other->hitTest(other->cellRect(0, 1).center()).text.contains(QStringLiteral("2.5")));
    }

    void mapAndStepPairWordsAlike()
    {
        const Trace here = test::sampleTrace(someRun());
        const Trace there = test::sampleTrace(otherRun());
        for (const auto& [pairing, places] : {std::pair(Pairing::Automatic, 9),
                                              {Pairing::Words, 10},
                                              {Pairing::Position, 9},
                                              {Pairing::Beginning, 16}}) {
            QCOMPARE(layoutFigure(comparing(there, heatmapKind, pairing), here, {900, 700})->rows(), places);
            const auto step = layoutFigure(comparing(there, decodingKind, pairing), here, {1000, 700});
            QCOMPARE(dynamic_cast<const PanelFigure&>(*step).panel(0).columns(), places);
        }
        QCOMPARE(heatmapContent(comparing(there), here).rowLabels.value(1), QStringLiteral("chat / chien"));
    }

    void barsOfDifferencesHaveAnAxis()
    {
        BarListContent content;
        content.entries = {{QStringLiteral("up"), 0.21}, {QStringLiteral("down"), -0.13}};
        content.least = -0.25;
        content.most = 0.25;
        content.signs = true;
        const auto ticks = ValueScale(content.least, content.most).ticks();
        QVERIFY(ticks.size() >= 3);
        for (const QSizeF size : {QSizeF(500, 200), QSizeF(500, 0)}) {
            const auto figure = barListFigure({}, content, size);
            const QSet<QString> texts = test::textsOf(*figure);
            for (const ValueScale::Tick& tick : ticks)
                QVERIFY2(texts.contains(tick.text), qPrintable(tick.text));
            QVERIFY(figure->size().height() - figure->cellRect(1, 0).bottom()
                    > QFontMetricsF(FigureStyle({}).small).height());
        }
    }

    void aTokenWithoutAPartnerHasNothingToSubtract()
    {
        const Trace here = test::sampleTrace(otherRun());
        FigureSpec spec = comparing(test::sampleTrace(someRun()), decodingKind);
        spec.currentStep = 2; // "noir"
        const auto figure = layoutFigure(spec, here, {1000, 700});
        const auto& panels = dynamic_cast<const PanelFigure&>(*figure);
        for (const int panel : {1, 2}) {
            QCOMPARE(panels.panel(panel).rows(), 0);
            QVERIFY(!panels.panel(panel).description().isEmpty());
        }
    }

    void everyKindOfModelIsCompared()
    {
        const test::SampleRun pair = test::pairRun();
        test::SampleRun longer = pair;
        longer.source.insert(longer.source.begin() + 2, "black");
        longer.segments.insert(longer.segments.begin(), 0);
        test::SampleRun text = test::shortRun();
        text.decoderLayers = 1;
        text.generated = 3;
        test::SampleRun shorter = text;
        shorter.generated = 1;
        for (const FigureKind* kind : {&heatmapKind, &headGridKind, &arcsKind, &decodingKind}) {
            FigureSpec spec = comparing(test::sampleReading(longer), *kind);
            spec.site = {Stage::Encoder, 0};
            QVERIFY(!layoutFigure(spec, test::sampleReading(pair), {700, 500})->description().isEmpty());
            spec = comparing(test::sampleContinuation(shorter), *kind);
            spec.site = {Stage::Decoder, 0};
            QVERIFY(!layoutFigure(spec, test::sampleContinuation(text), {700, 500})->description().isEmpty());
        }
    }

    void whatTheOtherRunLacksIsSaid()
    {
        const Trace here = test::sampleTrace(someRun());
        test::SampleRun bare = test::shortRun();
        bare.crossLayers = 1;
        for (const FigureKind* kind : {&heatmapKind, &headGridKind, &arcsKind, &decodingKind}) {
            FigureSpec spec = comparing(test::sampleTrace(bare), *kind);
            spec.site = {Stage::Encoder, 0};
            spec.head = 2;
            const auto figure = layoutFigure(spec, here, {700, 500});
            QVERIFY(!figure->description().isEmpty());
            test::painted(*figure);
        }
        const FigureSpec spec = comparing(Trace(), heatmapKind);
        QVERIFY(!layoutFigure(spec, here, {700, 500})->description().isEmpty());
    }

    void exportsShowTheSame()
    {
        const Trace here = test::sampleTrace(someRun());
        const FigureSpec spec = comparing(test::sampleTrace(otherRun()), heatmapKind, Pairing::Words);
        const QByteArray csv = exportable(spec, here).csv();
        QVERIFY(!csv.toLower().contains("nan"));
        const auto lines = csv.trimmed().split('\n');
        QCOMPARE(lines.size(), 11);
        QVERIFY(csv.contains("noir") && csv.contains(",,"));
        QVERIFY(csv.contains(",-0."));
    }
};

ATTN_GUI_TEST(TestDifferenceFigures)

#include "tst_difference_figures.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "figure_kinds.h"
#include "figure_texts.h"
#include "figures/kinds/head_grid.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_range.h"
#include "figures/look/color_map.h"
#include "figures/look/value_scale.h"
#include "figures/parts/matrix_figure.h"
#include "maps/map_range.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "ui/figures/figure_areas.h"

#include <QImage>
#include <QPainter>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

using namespace attn;
using namespace attn::ui;
using attn::test::painted;

namespace {

constexpr ColorScale colorScales[] = {ColorScale::Linear, ColorScale::SquareRoot, ColorScale::Logarithmic};

// "[CLS] the cat [MASK] [SEP] a dog sat [SEP]", two layers of three heads.
Trace reading()
{
    test::SampleRun run = test::pairRun();
    run.encoderLayers = 2;
    run.heads = 3;
    return test::sampleReading(run);
}

FigureSpec readingSpec(ColorRange::Of of)
{
    FigureSpec spec;
    spec.site = {Stage::Encoder, 0};
    spec.head = 1;
    spec.range.of = of;
    spec.clip = 99.999; // so that ends are not rounded
    return spec;
}

double largest(const Numbers& matrix)
{
    return matrix.values.empty() ? 0 : std::ranges::max(matrix.values);
}

// Ends are found by percentiles, which may be a little too large.
void compareEnd(double found, double expected)
{
    QVERIFY2(found >= expected * (1 - 1e-6) && found <= expected * 1.009,
             qPrintable(QStringLiteral("%1, not %2").arg(found).arg(expected)));
}

// A matrix without a trace: 0.001 throughout but for one cell.
MatrixContent lonePeak(int side, int row, int column)
{
    MatrixContent content;
    content.map.numbers = {side, side, NumberVector<float>(static_cast<std::size_t>(side) * side, 0.001F)};
    content.map.numbers.at(row, column) = 1;
    for (int i = 0; i < side; ++i) {
        content.rowLabels << QString::number(i);
        content.columnLabels << QString::number(i);
    }
    content.valueName = QStringLiteral("weight");
    return content;
}

int dotsLike(const QImage& image, const QColor& color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == color ? 1 : 0;
    }
    return count;
}

} // namespace

class TestScale : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fractionsAndValuesAreInverse()
    {
        for (const ColorScale form : colorScales) {
            for (const auto& [least, most] : {std::pair(0.0, 1.0), {0.0, 0.013}, {0.02, 0.4}, {-0.5, 0.5}}) {
                const ValueScale scale(least, most, form);
                QCOMPARE(scale.fraction(least), 0.0);
                QCOMPARE(scale.fraction(most), 1.0);
                double last = -1;
                for (const double fraction : {0.02, 0.2, 0.45, 0.55, 0.83, 1.0}) {
                    const double value = scale.valueAt(fraction);
                    QVERIFY(value > last || least < 0);
                    QVERIFY(std::abs(scale.fraction(value) - fraction) < 1e-9);
                    last = value;
                }
                QCOMPARE(scale.fraction(most * 2), 1.0);
                QVERIFY(scale.isAbove(most * 1.01) && !scale.isAbove(most));
                QVERIFY(scale.isBelow(least - most * 0.01) && !scale.isBelow(least));
                QVERIFY(std::isnan(scale.fraction(std::nan(""))));
            }
            QCOMPARE(ValueScale(-0.5, 0.5, form).fraction(0), 0.5);
            const ValueScale around(-0.5, 0.5, form);
            QVERIFY(std::abs(around.fraction(0.1) + around.fraction(-0.1) - 1) < 1e-9);
        }
    }

    void smallValuesAreSeenOnTheOtherForms()
    {
        QVERIFY(std::abs(ValueScale(0, 1, ColorScale::Linear).fraction(0.01) - 0.01) < 1e-12);
        QVERIFY(std::abs(ValueScale(0, 1, ColorScale::SquareRoot).fraction(0.01) - 0.1) < 1e-12);
        const ValueScale log(0, 1, ColorScale::Logarithmic); // four decades
        QVERIFY(std::abs(log.fraction(0.01) - 0.5) < 1e-12);
        QCOMPARE(log.fraction(0), 0.0);
        QCOMPARE(log.fraction(1e-4), 0.0);
        QVERIFY(log.fraction(1.1e-4) > 0);
    }

    void ticksRiseAndStayOnTheScale()
    {
        for (const ColorScale form : colorScales) {
            for (const auto& [least, most] :
                 {std::pair(0.0, 1.0), {0.0, 0.013}, {0.02, 0.4}, {-0.5, 0.5}, {0.0, 37.0}}) {
                const ValueScale scale(least, most, form);
                const auto ticks = scale.ticks();
                QVERIFY(ticks.size() >= 3 && ticks.size() <= 13);
                for (std::size_t i = 0; i < ticks.size(); ++i) {
                    QVERIFY(!ticks[i].text.isEmpty() && !scale.isAbove(ticks[i].value)
                            && !scale.isBelow(ticks[i].value));
                    QVERIFY(i == 0 || ticks[i].value > ticks[i - 1].value);
                }
            }
        }
    }

    void percentilesAreFoundInAnyNumberOfWeights()
    {
        NumberVector<float> weights;
        for (int i = 0; i < 5000; ++i)
            weights.push_back(std::pow(0.998F, static_cast<float>(i * 37 % 5000)));
        NumberVector<float> sorted = weights;
        std::ranges::sort(sorted);
        for (const double percentile : {50.0, 90.0, 99.0, 99.9}) {
            RangeEnd end(percentile);
            RangeEnd half(percentile);
            for (std::size_t i = 0; i < weights.size(); ++i)
                (i % 2 == 0 ? end : half).add(weights[i]);
            end.add(half);
            const auto at = static_cast<std::size_t>(percentile / 100 * 5000) - 1;
            compareEnd(end.value(), static_cast<double>(sorted[at]));
        }
        RangeEnd all(100);
        all.add(-0.25F);
        all.add(std::numeric_limits<float>::infinity());
        QCOMPARE(all.value(), 0.25);
    }

    void rangesEndAtTheLargestOfWhatTheyAreOf()
    {
        const Trace trace = reading();
        const auto endOf = [&](ColorRange::Of of) { return heatmapContent(readingSpec(of), trace).most; };
        double layer = 0;
        double all = 0;
        for (const Site& site : trace.sites()) {
            for (int head = 0; head < trace.heads(site); ++head) {
                const double most = largest(trace.matrix(site, head));
                layer = std::max(layer, site.layer == 0 ? most : 0);
                all = std::max(all, most);
            }
        }
        const double head = largest(trace.matrix({Stage::Encoder, 0}, 1));
        compareEnd(endOf(ColorRange::Of::Map), head);
        compareEnd(endOf(ColorRange::Of::Head), head);
        compareEnd(endOf(ColorRange::Of::Layer), layer);
        compareEnd(endOf(ColorRange::Of::All), all);

        FigureSpec hidden = readingSpec(ColorRange::Of::Map);
        hidden.specials = SpecialTokens::Hidden;
        const MatrixContent left = heatmapContent(hidden, trace);
        compareEnd(left.most, largest(left.map.numbers));
        hidden.range.of = ColorRange::Of::Head; // what is hidden counts
        compareEnd(heatmapContent(hidden, trace).most, head);

        FigureSpec known = readingSpec(ColorRange::Of::All);
        known.rangeEnd = 0.75; // was found elsewhere
        QCOMPARE(heatmapContent(known, trace).most, 0.75);
        QVERIFY(rangeCost(known, trace) > rangeCost(readingSpec(ColorRange::Of::Layer), trace));
        QCOMPARE(rangeCost(readingSpec(ColorRange::Of::Row), trace), std::size_t{0});
    }

    void everyRowMayHaveItsOwnEnd()
    {
        const Trace trace = reading();
        const FigureSpec spec = readingSpec(ColorRange::Of::Row);
        const MatrixContent content = heatmapContent(spec, trace);
        const MatrixFigure figure(spec, content, {700, 600});
        const QImage image = painted(figure);
        for (int row = 0; row < content.map.numbers.rows; ++row) {
            int most = 0;
            for (int column = 1; column < content.map.numbers.columns; ++column)
                most = content.map.numbers.at(row, column) > content.map.numbers.at(row, most) ? column : most;
            const QRectF cell = figure.cellRect(row, most);
            const QColor ground = image.pixelColor((cell.bottomRight() - QPointF(4, 4)).toPoint());
            const QColor last = colorAt(ColorMapName{}, 1);
            QVERIFY(std::abs(ground.lightness() - last.lightness()) < 8);
        }
    }

    void sinksAreShownButDoNotCount()
    {
        const Trace trace = reading();
        FigureSpec spec = readingSpec(ColorRange::Of::Map);
        const MatrixContent all = heatmapContent(spec, trace);
        spec.rangeWithout = RangeWithout::Sinks;
        const MatrixContent without = heatmapContent(spec, trace);
        double most = 0;
        for (int row = 0; row < all.map.numbers.rows; ++row) {
            for (const int column : {1, 2, 3, 5, 6, 7}) // not [CLS] and [SEP]
                most = std::max<double>(most, all.map.numbers.at(row, column));
        }
        compareEnd(without.most, most);
        QCOMPARE(without.map.numbers.values, all.map.numbers.values);
        QVERIFY(without.scaleNotes.size() > all.scaleNotes.size()); // it is said
    }

    void whatIsBeyondTheEndsIsMarked()
    {
        const Trace trace = reading();
        FigureSpec spec = readingSpec(ColorRange::Of::Map);
        spec.numbers = CellNumbers::Off;
        const auto inkIn = [&](const ColorRange& range) {
            spec.range = range;
            const MatrixContent content = heatmapContent(spec, trace);
            const MatrixFigure figure(spec, content, {500, 450}); // cells without numbers
            const QImage image = painted(figure);
            int marked = 0;
            for (int row = 0; row < content.map.numbers.rows; ++row) {
                for (int column = 0; column < content.map.numbers.columns; ++column) {
                    const QRect corner(figure.cellRect(row, column).topLeft().toPoint() + QPoint(3, 3), QSize(4, 4));
                    const QColor ground =
                        colorAt(ColorMapName{}, content.valueScale().fraction(content.map.numbers.at(row, column)));
                    marked += dotsLike(image.copy(corner), ground) < 16 ? 1 : 0;
                }
            }
            return marked;
        };
        QCOMPARE(inkIn({}), 0);
        const Numbers matrix = readWeights(trace, {spec.site, spec.head});
        const auto above = std::ranges::count_if(matrix.values, [](float value) { return value > 0.1F; });
        QVERIFY(above > 0);
        QCOMPARE(inkIn({ColorRange::Of::Numbers, 0, 0.1}), static_cast<int>(above));
    }

    void differencesKeepZeroInTheMiddle()
    {
        FigureSpec spec = readingSpec(ColorRange::Of::Numbers);
        spec.range.least = 0.1;
        spec.range.most = 0.3;
        for (const ColorScale form : colorScales) {
            spec.scale = form;
            const ValueScale scale = scaleTo(spec, 1, true);
            QCOMPARE(scale.least(), -0.3);
            QCOMPARE(scale.most(), 0.3);
            QCOMPARE(scale.fraction(0), 0.5);
        }
    }

    void thumbnailsHaveTheEndsThatWereChosen()
    {
        const Trace trace = reading();
        const auto thumbnails = [&](ColorRange::Of of) { return headThumbnails(readingSpec(of), trace); };
        const auto heads = thumbnails(ColorRange::Of::Head);
        const auto layers = thumbnails(ColorRange::Of::Layer);
        const auto common = thumbnails(ColorRange::Of::Map);
        for (std::size_t i = 0; i < heads->tiles.size(); ++i) {
            const auto& tile = heads->tiles[i];
            compareEnd(tile.end, largest(trace.matrix(tile.site, tile.head)));
            QCOMPARE(layers->tiles[i].end, layers->tiles[i / 3 * 3].end);
            QVERIFY(layers->tiles[i].end >= tile.end * (1 - 1e-6));
            QCOMPARE(common->tiles[i].end, common->largest);
        }
        const auto rows = thumbnails(ColorRange::Of::Row);
        for (const auto& tile : rows->tiles) {
            for (int row = 0; row < tile.pooled.numbers.rows; ++row) {
                double most = 0;
                for (int column = 0; column < tile.pooled.numbers.columns; ++column)
                    most = std::max<double>(most, tile.pooled.numbers.at(row, column));
                compareEnd(most, 1 / 1.009);
            }
        }
    }

    void linesAndBarsFollowTheScale()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        for (const FigureKind* kind : {&arcsKind, &decodingKind}) {
            FigureSpec spec;
            spec.kind = kind;
            spec.currentStep = 3;
            const auto ground = themeColors(Theme::Light).background;
            std::vector<int> ink;
            for (const ColorScale form : {ColorScale::Linear, ColorScale::SquareRoot}) {
                spec.scale = form;
                const auto figure = layoutFigure(spec, trace, {700, 500});
                QVERIFY(figure->scaleBar() && figure->scaleBar()->scale.form() == form);
                const QImage image = painted(*figure).copy(0, 0, 350, 500);
                int sum = 0;
                for (int y = 0; y < image.height(); ++y) {
                    for (int x = 0; x < image.width(); ++x)
                        sum += ground.lightness() - image.pixelColor(x, y).lightness();
                }
                ink.push_back(sum);
            }
            QVERIFY(ink[1] * 10 > ink[0] * 11); // small weights are seen
        }
    }

    void aDotShowsTheLargestOfItsCellsOrTheirMean()
    {
        for (const auto& [row, column] : {std::pair(3, 5), {301, 77}, {590, 593}}) {
            FigureSpec spec;
            const MatrixFigure figure(spec, lonePeak(600, row, column), {400, 380}); // less than a pixel a cell
            const QRect cells = figure.cellsRect().toAlignedRect();
            QVERIFY(cells.width() < 600);
            const QColor peak = colorAt(ColorMapName{}, 1);
            QVERIFY(dotsLike(painted(figure).copy(cells), peak) >= 1);
            spec.pooling = CellPooling::Mean;
            const MatrixFigure mean(spec, lonePeak(600, row, column), {400, 380});
            QCOMPARE(dotsLike(painted(mean).copy(cells), peak), 0);
            const QImage small = figure.overview({60, 60});
            QCOMPARE(small.size(), QSize(60, 60));
            QCOMPARE(small.pixelColor(column / 10, row / 10), peak);
        }
    }

    void marginsSayWhatRowsAndColumnsAddUpTo()
    {
        const Trace trace = reading();
        FigureSpec spec = readingSpec(ColorRange::Of::Map);
        const MatrixContent content = heatmapContent(spec, trace);
        const auto textsBeside = [&](Margins margins) {
            spec.margins = margins;
            const MatrixFigure figure(spec, content, {700, 600});
            const QRectF cell = figure.cellRect(2, content.map.numbers.columns - 1);
            const QRectF low = figure.cellRect(content.map.numbers.rows - 1, 3);
            return std::pair(figure.hitTest({cell.right() + 10, cell.center().y()}),
                             figure.hitTest({low.center().x(), low.bottom() + 10}));
        };
        QVERIFY(textsBeside(Margins::None).first.text.isEmpty());
        const auto [row, column] = textsBeside(Margins::Sum);
        QCOMPARE(row.row, 2);
        QVERIFY2(row.text.contains(QStringLiteral("1.0000")), qPrintable(row.text));
        double sum = 0;
        for (int i = 0; i < content.map.numbers.rows; ++i)
            sum += static_cast<double>(content.map.numbers.at(i, 3));
        QCOMPARE(column.column, 3);
        QVERIFY2(column.text.contains(QString::number(sum, 'f', 4)), qPrintable(column.text));
        QVERIFY(textsBeside(Margins::Entropy).first.text != row.text);
    }

    // A reading of one's own, whose numbers have signs.
    void aReadingWithSignsIsColouredAroundZero()
    {
        const Reading halfLess{.id = "half",
                               .name = "Half less",
                               .title = "half less",
                               .values = ReadingValues::Signed,
                               .cost = meanOfHeads.cost,
                               .compute = [](const ReadingInput& input, RowSpan rows) {
                                   Numbers found = meanOfHeads.compute(input, rows);
                                   for (float& value : found.values)
                                       value -= 0.5F;
                                   return found;
                               }};
        FigureSpec spec = readingSpec(ColorRange::Of::Map);
        spec.head = halfLess;
        const MatrixContent content = heatmapContent(spec, reading());
        QVERIFY(content.map.isSigned && content.most > 0);
        QCOMPARE(content.least, -content.most);
        QCOMPARE(content.valueName, QStringLiteral("half less"));
        compareEnd(content.most, largestMagnitude(content.map.numbers.values));
        const auto cell = content.map.largest();
        QVERIFY(cell && content.map.at(cell->first, cell->second) < 0); // most weights are small
        for (const FigureKind* kind : {&heatmapKind, &arcsKind}) {
            spec.kind = kind;
            const auto bar = layoutFigure(spec, reading(), QSizeF(900, 500))->scaleBar();
            QVERIFY(bar && bar->scale.least() < 0);
        }
        spec.kind = &headGridKind; // shows the weights of heads, whatever is read elsewhere
        QVERIFY(!spec.isSigned());
    }

    void choicesAreReadAndRefused()
    {
        FigureChoices choices;
        for (const OptionRow<FigureChoices>& row : figureRows()) {
            for (const OptionChoice& choice : offeredChoices(row)) { // whatever a menu offers is taken
                setOption(row, choices, choice.name);
                QCOMPARE(optionText(row, choices), std::optional<std::string>(choice.name));
            }
        }
        setOption(optionRow(figureRows(), "range"), choices, "0.1:0.25");
        QCOMPARE(choices.range, (ColorRange{ColorRange::Of::Numbers, 0.1, 0.25}));
        for (const auto& [key, text] :
             {std::pair("range", "0.3:0.1"), {"range", "sinks"}, {"clip", "20"}, {"clip", "x"}})
            QVERIFY_THROWS_EXCEPTION(Error, setOption(optionRow(figureRows(), key), choices, text));
    }
};

ATTN_GUI_TEST(TestScale)
#include "tst_scale.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_texts.h"
#include "figures/kinds/positions.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_map.h"
#include "figures/look/style.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "ui/figures/figure_areas.h"
#include "ui/figures/figure_texts.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QSet>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

using namespace attn;
using namespace attn::ui;
using attn::test::painted;

namespace {

MatrixFigure figureOf(const test::SampleRun& run, QSizeF size, FigureSpec spec = {})
{
    return MatrixFigure(spec, heatmapContent(spec, test::sampleTrace(run)), size);
}

double lineHeight()
{
    return QFontMetricsF(FigureStyle({}).font).height();
}

// The part of a label, along its direction, that letters without accents cover.
QPolygonF lettersIn(const QPolygonF& label)
{
    const double letters = QFontMetricsF(FigureStyle({}).font).tightBoundingRect(QStringLiteral("lg")).height();
    const QPointF inset = (label[3] - label[0]) * (1 - letters / lineHeight()) / 2;
    return QPolygonF({label[0] + inset, label[1] + inset, label[2] - inset, label[3] - inset, label[0] + inset});
}

// Whether two convex polygons have more than a line in common.
bool overlap(const QPolygonF& a, const QPolygonF& b)
{
    const QRectF box = a.intersected(b).boundingRect();
    return box.width() > 0.01 && box.height() > 0.01;
}

int labelledColumns(const MatrixFigure& figure)
{
    int count = 0;
    for (int column = 0; column < figure.columns(); ++column)
        count += figure.columnLabelShape(column).isEmpty() ? 0 : 1;
    return count;
}

} // namespace

class TestMatrixFigure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cellsTileTheirArea_data()
    {
        test::addColumns<int, int, QRectF>("rows", "columns", "visible");
        QTest::newRow("small") << 8 << 8 << QRectF();
        QTest::newRow("flat") << 2 << 40 << QRectF();
        QTest::newRow("high") << 70 << 5 << QRectF();
        QTest::newRow("zoomed") << 30 << 40 << QRectF(8.4, 5.3, 12, 9);
        QTest::newRow("one cell") << 1 << 1 << QRectF();
        QTest::newRow("zoom outside") << 8 << 8 << QRectF(50, 50, 3, 3);
    }

    void cellsTileTheirArea()
    {
        QFETCH(int, rows);
        QFETCH(int, columns);
        FigureSpec spec;
        QFETCH(QRectF, visible);
        spec.visible = visible;
        for (const QSizeF size : {QSizeF(760, 560), QSizeF(605, 0), QSizeF(240, 170)}) {
            const MatrixFigure figure = figureOf(test::longRun(rows, columns), size, spec);
            double area = 0;
            for (int row = 0; row < rows; ++row) {
                for (int column = 0; column < columns; ++column) {
                    const QRectF cell = figure.cellRect(row, column);
                    area += cell.width() * cell.height();
                    if (cell.isNull())
                        continue;
                    QVERIFY(figure.cellsRect().adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(cell));
                    const FigureHit hit = figure.hitTest(cell.center());
                    QVERIFY(hit.isCell());
                    QCOMPARE(hit.row, row);
                    QCOMPARE(hit.column, column);
                }
            }
            const QRectF all = figure.cellsRect();
            QVERIFY(std::abs(area - all.width() * all.height()) < 1e-6 * area);
            QVERIFY(figure.cellRect(rows, 0).isNull());
            QVERIFY(figure.cellRect(0, -1).isNull());
            QVERIFY(test::colorBarOf(figure).left() > all.right());
        }
    }

    void cellsWithoutANumberSaySo()
    {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float infinity = std::numeric_limits<float>::infinity();
        MatrixContent content;
        content.map.numbers = {2, 2, {nan, 0.5F, infinity, -infinity}};
        content.rowLabels = content.columnLabels = QStringList{QStringLiteral("a"), QStringLiteral("b")};
        const MatrixFigure figure({}, content, {400, 400});
        const auto textAt = [&](int row, int column) {
            return figure.hitTest(figure.cellRect(row, column).center()).text;
        };
        QVERIFY2(textAt(0, 0).contains(QStringLiteral("NaN")), qPrintable(textAt(0, 0)));
        QVERIFY(textAt(1, 0).contains(QChar(0x221E)));
        QVERIFY(textAt(0, 1).endsWith(QStringLiteral("0.5000")));
        content.map.numbers.values = {0, 0.5F, 0, 0};
        const QImage numbers = painted(MatrixFigure({}, content, {400, 400}));
        QVERIFY(painted(figure).pixel(figure.cellRect(0, 0).center().toPoint())
                != numbers.pixel(figure.cellRect(0, 0).center().toPoint()));

        // As an image.
        content.map.numbers = {80, 80, NumberVector<float>(6400, 0)};
        content.map.numbers.values[0] = nan;
        const MatrixFigure large({}, content, {600, 600});
        const QImage image = painted(large);
        const QPoint broken = large.cellRect(0, 0).center().toPoint();
        QVERIFY(image.pixel(broken) != image.pixel(large.cellRect(40, 40).center().toPoint()));
        QVERIFY(large.hitTest(large.cellRect(0, 0).center()).text.contains(QStringLiteral("NaN")));
    }

    // The label of the row under the pointer takes the place of those that it would touch.
    void pointedLabelsTouchNoOthers()
    {
        MatrixContent content;
        content.map.numbers = {128, 2, NumberVector<float>(256, 0.5F)};
        content.numbered = true;
        content.columnLabels = QStringList{QStringLiteral("a"), QStringLiteral("b")};
        for (int row = 0; row < 128; ++row)
            content.rowLabels << QString::number(row);
        const MatrixFigure figure({}, content, {400, 400});
        const auto labels = [&figure](int pointed) {
            Highlight highlight;
            highlight.row = pointed;
            highlight.column = 0;
            return test::textsOf(figure, pointed < 0 ? Highlight{} : highlight);
        };
        const QString near = QStringLiteral("60");
        QVERIFY(labels(-1).contains(near));
        QVERIFY(labels(5).contains(near));
        QVERIFY(labels(61).contains(QStringLiteral("61")) && !labels(61).contains(near));
    }

    // Rows of two pixels would lie below their outline.
    void aLowRowIsMarkedAtItsEnds()
    {
        const QColor accent = themeColors(Theme::Light).accent;
        FigureSpec spec;
        spec.currentStep = 100;
        const MatrixFigure low = figureOf(test::longRun(250, 12), {760, 560}, spec);
        spec.currentStep = 4;
        const MatrixFigure high = figureOf(test::longRun(12, 12), {760, 560}, spec);
        const auto accented = [&](const MatrixFigure& figure, const QRectF& area) {
            const QImage image = test::painted(figure);
            const double scale = image.width() / figure.size().width();
            int count = 0;
            for (double y = area.top(); y < area.bottom(); y += 0.5) {
                for (double x = area.left(); x < area.right(); x += 0.5) {
                    const QColor pixel = image.pixelColor(QPoint(int(x * scale), int(y * scale)));
                    count += std::abs(pixel.red() - accent.red()) + std::abs(pixel.green() - accent.green())
                            + std::abs(pixel.blue() - accent.blue())
                        < 40;
                }
            }
            return count;
        };
        const auto row = [](const MatrixFigure& figure, int index) {
            return figure.cellRect(index, 0) | figure.cellRect(index, 11);
        };
        const QRectF cells = row(low, 100).adjusted(1, -2, -1, 2);
        QVERIFY(cells.height() < 10);
        QCOMPARE(accented(low, cells), 0);
        for (const QRectF& end : {QRectF(cells.left() - 6, cells.top(), 4.5, cells.height()),
                                  QRectF(cells.right() + 2, cells.top(), 4.5, cells.height())})
            QVERIFY(accented(low, end) > 4);
        QVERIFY(accented(high, row(high, 4).adjusted(1, -2, -1, 2)) > 100);
    }

    void everythingLiesInside()
    {
        for (const QSizeF size : {QSizeF(760, 560), QSizeF(605, 0), QSizeF(1500, 420)}) {
            for (const int columns : {4, 8, 14, 22, 40, 200}) {
                const MatrixFigure figure = figureOf(test::longRun(20, columns), size);
                const QRectF all(QPointF(), figure.size());
                QVERIFY(all.contains(figure.cellsRect()));
                QVERIFY(all.contains(test::colorBarOf(figure)));
                for (int column = 0; column < columns; ++column) {
                    const QPolygonF label = figure.columnLabelShape(column);
                    QVERIFY(label.isEmpty() || all.contains(label.boundingRect()));
                }
                for (int row = 0; row < figure.rows(); ++row) {
                    const QRectF label = figure.rowLabelRect(row);
                    QVERIFY(label.isNull() || all.contains(label));
                }
            }
        }
    }

    void labelsNeverOverlap()
    {
        for (const int columns : {3, 8, 14, 22, 30, 60, 200}) {
            const MatrixFigure figure = figureOf(test::longRun(columns, columns), {760, 560});
            QPolygonF last;
            for (int column = 0; column < columns; ++column) {
                const QPolygonF label = figure.columnLabelShape(column);
                if (label.isEmpty())
                    continue;
                QVERIFY2(last.isEmpty() || !overlap(lettersIn(last), lettersIn(label)),
                         qPrintable(QString::number(columns)));
                QVERIFY(label.boundingRect().bottom() <= figure.cellsRect().top());
                last = label;
            }
            QVERIFY(labelledColumns(figure) >= std::min(columns, 8) / 2);
            QRectF lastRow;
            for (int row = 0; row < columns; ++row) {
                const QRectF label = figure.rowLabelRect(row);
                if (label.isNull())
                    continue;
                QVERIFY2(lastRow.isNull() || !overlap(lettersIn(lastRow), lettersIn(label)),
                         qPrintable(QStringLiteral("%1: row %2 at %3, then at %4, of %5")
                                        .arg(columns)
                                        .arg(row)
                                        .arg(lastRow.top())
                                        .arg(label.top())
                                        .arg(lineHeight())));
                QVERIFY(label.right() <= figure.cellsRect().left());
                lastRow = label;
            }
        }
    }

    void labelsAreDroppedOnlyWhereTheyTouch()
    {
        int close = 0; // maps whose rows all have labels, though they are lower than a line
        for (int rows = 15; rows < 60; ++rows) {
            const MatrixFigure figure = figureOf(test::longRun(rows, 20), {760, 560});
            const double cell = figure.cellRect(0, 0).height();
            int stride = 1;
            while (figure.rowLabelRect(stride).isNull())
                ++stride;
            QVERIFY2((stride - 1) * cell < lineHeight() * 0.95, qPrintable(QString::number(rows)));
            close += stride == 1 && cell < lineHeight() ? 1 : 0;
        }
        QVERIFY(close > 0);
    }

    void equalLabelsOfManyTokensCarryPositions()
    {
        test::SampleRun run = test::longRun(8, 300);
        run.source[10] = run.source[250] = "the";
        run.source[20] = "once";
        const Trace trace = test::sampleTrace(run);
        const auto said = [&](int column, const MatrixFigure& figure) {
            return figure.hitTest(figure.cellRect(0, column).center()).text;
        };
        const MatrixFigure all({}, heatmapContent({}, trace), {760, 560});
        QVERIFY(said(10, all).contains(QStringLiteral("the #10")));
        QVERIFY(said(250, all).contains(QStringLiteral("the #250")));
        QVERIFY(said(20, all).contains(QStringLiteral("once ")));
        FigureSpec spec;
        spec.visible = QRectF(245, 0, 10, 8);
        QVERIFY(test::textsOf(MatrixFigure(spec, heatmapContent(spec, trace), {760, 560}))
                    .contains(QStringLiteral("the #250")));
        run = test::longRun(8, 30); // to be told apart at a glance
        run.source[10] = run.source[25] = "the";
        QVERIFY(!said(10, figureOf(run, {760, 560})).contains(QLatin1Char('#')));
    }

    void longMapsFillTheirRoom()
    {
        for (const auto& [rows, columns] : {std::pair(256, 6), {6, 256}}) {
            const MatrixFigure figure = figureOf(test::longRun(rows, columns), {760, 560});
            QVERIFY(figure.cellsRect().width() > figure.size().width() * 0.5);
            QVERIFY(figure.cellsRect().height() > figure.size().height() * 0.5);
        }
        const MatrixFigure low = figureOf(test::longRun(6, 256), {605, 0}); // as high as it needs
        QVERIFY(low.cellsRect().width() > low.size().width() * 0.5);
        for (int row = 0; row < 6; ++row)
            QVERIFY(!low.rowLabelRect(row).isNull());
        const QImage image = painted(low);
        for (int x = 0; x < image.width(); ++x) // the rows' name, longer than they are high, ends before
            QCOMPARE(image.pixelColor(x, image.height() - 1), themeColors(Theme::Light).background);
    }

    void labelsAreOfVisibleCellsOnly()
    {
        FigureSpec spec;
        spec.visible = QRectF(10, 5, 8, 6);
        const MatrixFigure figure = figureOf(test::longRun(30, 40), {760, 560}, spec);
        QCOMPARE(labelledColumns(figure), 8);
        QVERIFY(figure.columnLabelShape(9).isEmpty());
        QVERIFY(!figure.columnLabelShape(10).isEmpty());
        QVERIFY(figure.rowLabelRect(4).isNull());
        QVERIFY(!figure.rowLabelRect(10).isNull());
    }

    void cellsShowTheColourOfTheirWeight()
    {
        test::SampleRun run = test::longRun(30, 33); // rectangles; cells too small for numbers
        const Trace trace = test::sampleTrace(run);
        for (const QRectF visible : {QRectF(), QRectF(3, 4, 20, 21)}) {
            FigureSpec spec;
            spec.visible = visible;
            const MatrixContent content = heatmapContent(spec, trace);
            const MatrixFigure figure(spec, content, {700, 600});
            const QImage image = painted(figure);
            for (int row = 5; row < 24; row += 3) {
                for (int column = 4; column < 22; column += 2) {
                    const auto expected = colorAt(
                        ColorMapName{}, static_cast<double>(content.map.numbers.at(row, column)) / content.most);
                    QCOMPARE(image.pixelColor(figure.cellRect(row, column).center().toPoint()), expected);
                }
            }
        }
    }

    // What the dots of a picture show, cell by cell.
    void cellsThatShareADotShowTheLargestOrTheMean_data()
    {
        test::addColumns<CellPooling, bool>("pooling", "causal");
        QTest::addColumn<float>("special"); // the value of one cell
        QTest::addColumn<float>("hidden"); // that of the blank cells
        for (const auto& [name, pooling] : {std::pair("largest", CellPooling::Largest), {"mean", CellPooling::Mean}}) {
            for (const bool causal : {false, true}) {
                for (const float special : {0.5F, -0.5F, 0.0F, std::numeric_limits<float>::quiet_NaN()})
                    QTest::addRow("%s%s %g", name, causal ? " causal" : "", double(special))
                        << pooling << causal << special << 0.0F;
            }
            for (const float hidden : {0.7F, -0.7F, std::numeric_limits<float>::quiet_NaN()})
                QTest::addRow("%s over %g", name, double(hidden)) << pooling << true << 0.5F << hidden;
        }
    }
    void cellsThatShareADotShowTheLargestOrTheMean()
    {
        QFETCH(const CellPooling, pooling);
        QFETCH(const bool, causal);
        QFETCH(const float, special);
        QFETCH(const float, hidden);
        constexpr int size = 203;
        constexpr int dots = 50;
        MatrixContent content;
        content.map.numbers = Numbers::zeros(1, size, size);
        for (int row = 0; row < size; ++row) {
            for (int column = 0; column < size; ++column)
                content.map.numbers.at(row, column) =
                    causal && column > row ? hidden : static_cast<float>((row * 31 + column * 17) % 101) / 100;
        }
        content.map.numbers.at(100, 60) = special;
        if (causal)
            content.map.setBlank([](int row, int column) { return column > row; });
        FigureSpec spec;
        spec.pooling = pooling;
        const QImage image = MatrixFigure(spec, content, {300, 300}).overview({dots, dots});
        QCOMPARE(image.size(), QSize(dots, dots));
        const FigureStyle style(spec);
        for (int y = 0; y < dots; ++y) {
            for (int x = 0; x < dots; ++x) {
                std::vector<double> values;
                bool hasNoNumber = false;
                for (int row = y * size / dots; row < (y + 1) * size / dots; ++row) {
                    for (int column = x * size / dots; column < (x + 1) * size / dots; ++column) {
                        if (causal && column > row)
                            continue;
                        hasNoNumber = hasNoNumber || std::isnan(content.map.numbers.at(row, column));
                        values.push_back(content.map.numbers.at(row, column));
                    }
                }
                std::optional<double> expected;
                if (hasNoNumber)
                    expected = std::numeric_limits<double>::quiet_NaN();
                else if (!values.empty() && pooling == CellPooling::Mean)
                    expected = std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
                else if (!values.empty())
                    expected = *std::max_element(values.begin(), values.end());
                const QRgb exact = CellColors(style).of(expected);
                const QRgb found = image.pixel(x, y);
                const auto apart = [&](int (*part)(QRgb)) { return std::abs(part(exact) - part(found)); };
                QVERIFY(apart(qRed) + apart(qGreen) + apart(qBlue) <= (pooling == CellPooling::Mean ? 9 : 0));
            }
        }
    }

    // A number below zero beside blank zeros is the only one of its dot.
    void numbersBelowZeroAreNotLostBesideBlankOnes()
    {
        MatrixContent content;
        content.map.numbers = Numbers::zeros(1, 40, 40);
        content.least = -1;
        for (int row = 0; row < 40; ++row)
            content.map.numbers.at(row, 0) = -0.5F;
        content.map.setBlank([](int row, int column) { return column > 0 || row % 2 == 1; });
        const QImage image = MatrixFigure({}, content, {300, 300}).overview({20, 20});
        QCOMPARE(image.pixel(0, 3), CellColors(FigureStyle({})).of(0.25));
    }

    void theThinnestMapsHaveAnOverview()
    {
        MatrixContent content;
        content.map.numbers = Numbers::zeros(1, 600, 1);
        const MatrixFigure figure({}, content, {300, 300});
        QCOMPARE(figure.overview({1, 110}).size(), QSize(1, 110));
        QVERIFY(figure.overview({0, 110}).isNull());
    }

    void whatIsLaidOutAgainLooksLikeNew()
    {
        const Trace trace = test::sampleTrace(test::longRun(90, 100));
        FigureSpec spec;
        const MatrixFigure first(spec, heatmapContent(spec, trace), {700, 600});
        for (const QRectF& visible : {QRectF(), QRectF(10.5, 20.25, 30, 12), QRectF(0, 0, 99, 89)}) {
            for (const QSizeF size : {QSizeF(700, 600), QSizeF(420, 380)}) {
                spec.visible = visible;
                const auto again = first.laidOutAgain(visible, size);
                const auto anew = layoutFigure(spec, trace, size);
                QCOMPARE(painted(*again), painted(*anew));
                QCOMPARE(again->description(), anew->description());
            }
        }
    }

    void largeMapsShowTheSameColours()
    {
        const Trace trace = test::sampleTrace(test::longRun(90, 100)); // drawn as one image
        const MatrixContent content = heatmapContent({}, trace);
        const MatrixFigure figure({}, content, {1200, 1100});
        const QImage image = painted(figure);
        for (int row = 0; row < 90; row += 11) {
            for (int column = 0; column < 100; column += 7) {
                const auto expected =
                    colorAt(ColorMapName{}, static_cast<double>(content.map.numbers.at(row, column)) / content.most);
                QCOMPARE(image.pixelColor(figure.cellRect(row, column).center().toPoint()), expected);
            }
        }
    }

    void keysAfterTheQueryAreBlank()
    {
        test::SampleRun run = test::shortRun();
        run.decoderLayers = 1;
        FigureSpec spec;
        spec.site = {Stage::Decoder, 0};
        const MatrixFigure figure = figureOf(run, {700, 600}, spec);
        const QImage image = painted(figure);
        QCOMPARE(image.pixelColor(figure.cellRect(1, 5).center().toPoint()), themeColors(Theme::Light).blank);
        QVERIFY(image.pixelColor((figure.cellRect(5, 1).topLeft() + QPointF(4, 4)).toPoint())
                != themeColors(Theme::Light).blank);
        QVERIFY(figure.hitTest(figure.columnLabelShape(0).boundingRect().center()).text == QStringLiteral("<s>"));
    }

    void rowsOfZerosAreSaidToAttendToNothing()
    {
        test::SampleRun run = test::shortRun();
        run.zeroRow = 2;
        const MatrixFigure figure = figureOf(run, {700, 600});
        const QString nothing = heatmapContent({}, test::sampleTrace(run)).zeroRowText;
        QVERIFY(!nothing.isEmpty());
        const QRectF cell = figure.cellRect(2, 0);
        const QImage image = painted(figure);
        QCOMPARE(image.pixelColor((cell.topLeft() + QPointF(5, 5)).toPoint()), themeColors(Theme::Light).blank);
        QVERIFY(figure.hitTest(cell.center()).text.contains(nothing));
        QVERIFY(!figure.hitTest(figure.cellRect(3, 0).center()).text.contains(nothing));
        QVERIFY(test::textsOf(figure).contains(nothing));
    }

    void partialRunFillsFromTheTop()
    {
        test::SampleRun run = test::shortRun();
        run.stepsDone = 3;
        const MatrixFigure figure = figureOf(run, {700, 600});
        QCOMPARE(figure.rows(), 3);
        QCOMPARE(figure.columns(), 8);
        QVERIFY(figure.cellsRect().top() < 150);
    }

    void emptyStatesSayWhy()
    {
        std::map<Missing, QString> said;
        const auto lacks = [&said](Missing missing, const FigureSpec& spec, const Trace& trace) {
            QCOMPARE(missingMap(mapOf(trace, spec.mapSpec()), spec, trace), missing);
            const auto figure = layoutFigure(spec, trace, {400, 300});
            QVERIFY(!test::textsOf(*figure).isEmpty());
            QVERIFY(!figure->description().isEmpty());
            QCOMPARE(said.try_emplace(missing, figure->description()).first->second, figure->description());
        };
        lacks(Missing::NotYet, {}, Trace());
        test::SampleRun none = test::shortRun();
        none.crossLayers = 0;
        lacks(Missing::AnyAttention, {}, test::sampleTrace(none));
        FigureSpec spec;
        test::SampleRun begun = test::shortRun(); // the source was read
        begun.stepsDone = 0;
        lacks(Missing::NotYet, spec, test::sampleTrace(begun));
        spec.stopped = true;
        lacks(Missing::Stopped, spec, test::sampleTrace(begun));
        const Trace trace = test::sampleTrace(test::shortRun());
        spec.site = {Stage::Decoder, 4};
        lacks(Missing::Site, spec, trace);
        QVERIFY(said[Missing::Site].contains(siteName(spec.site)));
        spec.site = {Stage::Cross, 0};
        spec.head = 12;
        lacks(Missing::Head, spec, trace);
        QVERIFY(test::numbersIn(said[Missing::Head]).contains(QStringLiteral("12")));
        spec.head = 0;
        spec.leaf = StepId{99};
        lacks(Missing::Step, spec, trace);
        QCOMPARE(test::numbersIn(said[Missing::Step]), QStringList{QStringLiteral("99")});
        QSet<QString> texts; // no two reasons are told alike
        for (const auto& reason : said)
            texts << reason.second;
        QCOMPARE(texts.size(), 6);
    }

    void elidedLabelsTellTheirFullText()
    {
        test::SampleRun run = test::shortRun();
        run.source[2] = "Donaudampfschifffahrtselektrizit\u00E4tenhauptbetriebswerkbauunterbeamtengesellschaft";
        run.target[1] = std::string(5000, 'x');
        const MatrixFigure figure = figureOf(run, {700, 600});
        const FigureHit column = figure.hitTest(figure.columnLabelShape(2).boundingRect().center());
        QCOMPARE(column.part, FigureHit::Part::ColumnLabel);
        QCOMPARE(column.text, QString::fromStdString(run.source[2]));
        const FigureHit row = figure.hitTest(figure.rowLabelRect(1).center());
        QCOMPARE(row.part, FigureHit::Part::RowLabel);
        QVERIFY(row.text.startsWith(QString::fromStdString(run.target[1])) && row.text.size() < 5100);
        QVERIFY(figure.rowLabelRect(1).width() < 250);
    }

    void hitNamesBothTokensAndTheWeight()
    {
        const MatrixFigure figure = figureOf(test::shortRun(), {700, 600});
        const FigureHit hit = figure.hitTest(figure.cellRect(1, 1).center());
        QVERIFY(hit.text.startsWith(QStringLiteral("chat \u2190 cat")));
        QVERIFY(hit.text.contains(QString::number(static_cast<double>(hit.value), 'f', 4)));
        QCOMPARE(figure.hitTest(test::colorBarOf(figure).center()).part, FigureHit::Part::ColorBar);
        QCOMPARE(figure.hitTest({1, 1}).part, FigureHit::Part::Nothing);
        QCOMPARE(figure.hitTest({-5000, 1e9}).part, FigureHit::Part::Nothing);
    }

    void stepRowIsMarked()
    {
        FigureSpec spec;
        spec.currentStep = 4;
        const MatrixFigure marked = figureOf(test::shortRun(), {700, 600}, spec);
        const MatrixFigure plain = figureOf(test::shortRun(), {700, 600});
        // The line is wider than two pixels: at least one of those about the edge is all accent.
        const auto hasLine = [&](const QImage& image) {
            const QPointF edge(marked.cellRect(4, 3).center().x(), marked.cellRect(4, 3).top());
            for (int y = -1; y <= 1; ++y) {
                if (image.pixelColor((edge + QPointF(0, y)).toPoint()) == themeColors(Theme::Light).accent)
                    return true;
            }
            return false;
        };
        QVERIFY(hasLine(painted(marked)));
        QVERIFY(!hasLine(painted(plain)));
    }

    void wordsAreMerged()
    {
        test::SampleRun run;
        run.source = {"\u2581un", "believ", "able", "\u2581cat", "</s>"};
        run.target = {"\u2581chat", "\u2581in", "croy", "able", "</s>"};
        run.wordMarks = true;
        FigureSpec spec;
        spec.words = true;
        spec.currentStep = 2; // within the second word
        const MatrixContent content = heatmapContent(spec, test::sampleTrace(run));
        QCOMPARE(content.map.numbers.rows, 3);
        QCOMPARE(content.map.numbers.columns, 3);
        QCOMPARE(content.columnLabels.first(), QStringLiteral("unbelievable"));
        QCOMPARE(content.markedRow, 1);
    }

    void adversarialTokensArePaintable()
    {
        test::SampleRun run = test::shortRun();
        run.source = {"", " ", "\n\n", "\u202Eevil", "\u0301", std::string("\xFF\xFE bad"), "%1%2%n", "<b>&amp;</b>"};
        run.target = {"\u200B",
                      std::string("a\0b", 3),
                      "\u0627\u0644\u0642\u0637\u0629",
                      "\U0001F468\u200D\U0001F469\u200D\U0001F467",
                      "\u732B\u304C",
                      "\uFFFF",
                      std::string(20000, '\t'),
                      "</s>"};
        for (const QSizeF size : {QSizeF(600, 500), QSizeF(30, 20), QSizeF(1, 1), QSizeF(605, 0)}) {
            const MatrixFigure figure = figureOf(run, size);
            if (figure.size().width() > 2)
                QVERIFY(!painted(figure).isNull());
            for (int row = 0; row < figure.rows(); ++row)
                QVERIFY(!figure.hitTest(figure.cellRect(row, 0).center()).text.contains(QLatin1Char('\n')));
        }
        QCOMPARE(readableToken(""), QStringLiteral("\u00B7"));
        QCOMPARE(readableToken("   "), QStringLiteral("\u00B7\u00B7\u00B7"));
        QCOMPARE(readableToken("\u2581"), QStringLiteral("\u00B7")); // one sign for a word's beginning
        QCOMPARE(readableToken("\u2581the"), QStringLiteral("\u00B7the"));
        QCOMPARE(readableToken("\n"), QStringLiteral("\u21B5"));
        QCOMPARE(readableToken("\x01"), QStringLiteral("<U+0001>")); // not like another control character
        QCOMPARE(readableToken("\u2402"), QStringLiteral("<U+0002>")); // the picture of one
        QCOMPARE(readableToken("\u240A"), QStringLiteral("\u21B5"));
        QCOMPARE(readableToken("\x7F"), QStringLiteral("<U+007F>"));
        QCOMPARE(readableToken("\u202Eabc"), QStringLiteral("<U+202E>abc"));
        QCOMPARE(readableToken("\u0301"), QStringLiteral("\u25CC\u0301"));
        QVERIFY(readableToken("\U0001F468\u200D\U0001F469").contains(QChar(0x200D)));
    }

    void positionsAreShownAroundZero()
    {
        FigureSpec spec;
        spec.positions = Tensor({2, 3}, {0, 0.5F, -2, 1, 2, 0});
        const MatrixContent content = positionsKind.numbers(spec, Trace());
        QCOMPARE(content.most, 2.0);
        QCOMPARE(content.least, -2.0);
        QCOMPARE(content.rowLabels, QStringList({QStringLiteral("0"), QStringLiteral("1")}));
        spec.kind = &positionsKind;
        const auto figure = layoutFigure(spec, Trace(), {500, 400});
        QCOMPARE(painted(*figure).pixelColor(figure->cellRect(0, 0).center().toPoint()),
                 colorAt(divergingColors(), 0.5));
        spec.positions = {};
        const auto none = layoutFigure(spec, Trace(), {500, 400});
        QCOMPARE(none->rows(), 0);
        QVERIFY(!none->description().isEmpty() && none->description() != figure->description());
        QVERIFY(none->description() != missingText(Missing::NotYet, spec, Trace())); // there never will be any
    }

    void largeMatricesAreColouredToo()
    {
        MatrixContent content;
        content.map.numbers = {1000, 1000, NumberVector<float>(1000000, 0.4F)};
        for (int i = 0; i < 1000; ++i) {
            content.rowLabels.append(QStringLiteral("token%1").arg(i));
            content.columnLabels.append(QStringLiteral("token%1").arg(i));
        }
        const MatrixFigure figure({}, content, {900, 700});
        QImage image(900, 700, QImage::Format_RGB32);
        QPainter painter(&image);
        figure.paint(painter, {});
        painter.end();
        QCOMPARE(image.pixelColor(figure.cellsRect().center().toPoint()), colorAt({}, 0.4));
    }
};

ATTN_GUI_TEST(TestMatrixFigure)
#include "tst_matrix_figure.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/figure_export.h"
#include "figures/kinds/picture_figure.h"
#include "figures/kinds/shown_matrix.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "views/view_rows.h"

#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace attn;
using namespace attn::ui;

namespace attn::ui {
extern const FigureKind pictureKind;
} // namespace attn::ui

namespace {

constexpr QSizeF pictureRoom(700, 520);
constexpr Site toPicture{Stage::Cross, 0};
constexpr int brightColumn = 1 + 2 * 6 + 3; // patch 2,3 behind the special token

// All of a row's weight on one patch, but a tenth on the special token.
test::SampleRun oneBrightPatch()
{
    test::SampleRun run = test::pictureRun();
    run.weight = [](Site, int, int, int column, float) {
        return column == 0 ? 0.1F : column == brightColumn ? 0.9F : 0;
    };
    return run;
}

FigureSpec pictureSpec(std::optional<int> step = {})
{
    FigureSpec spec;
    spec.kind = &pictureKind;
    spec.site = toPicture;
    spec.head = HeadReading(0);
    spec.currentStep = step;
    return spec;
}

QImage painted(const Figure& figure, double scale = 1)
{
    QImage image((figure.size() * scale).toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    figure.paint(painter);
    return image;
}

QRectF patchOf(const PictureFigure& figure, int column)
{
    return figure.rectOf({TokenSide::Columns, column});
}

// The red part of a patch's middle, as a share of what the picture has there.
double brightnessAt(const QImage& image, QPointF point, int red)
{
    return double{1} * image.pixelColor(point.toPoint()).red() / red;
}

} // namespace

// The picture under its weights: where patches and words lie, how bright they are, the sheet, and every other figure of
// a made-up input of patches.
class TestPictureFigure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersOfPatchesSayWhatTheyAre()
    {
        const Trace trace = test::sampleTrace(test::pictureRun());
        const QString patches = heatmapContent(pictureSpec(1), trace).columnAxis;
        QVERIFY2(patches.contains(QStringLiteral("row, column of the patch")), qPrintable(patches));
        QVERIFY(!heatmapContent({}, test::sampleTrace(test::shortRun())).columnAxis.contains(QLatin1String("patch")));
    }

    void patchesLieWhereTheirBoxesSay()
    {
        const Trace trace = test::sampleTrace(test::pictureRun());
        const PictureFigure figure(pictureSpec(1), trace, pictureRoom);
        const QRectF first = patchOf(figure, 1);
        const QRectF last = patchOf(figure, 24);
        QVERIFY(std::abs(first.width() / first.height() - 1) < 1e-4); // the picture keeps its shape
        QVERIFY(std::abs(last.right() - first.left() - 6 * first.width()) < 1e-3);
        QVERIFY(std::abs(last.bottom() - first.top() - 4 * first.height()) < 1e-3);
        for (int column = 1; column <= 24; ++column) {
            const FigureHit hit = figure.hitTest(patchOf(figure, column).center());
            QCOMPARE(hit.part, FigureHit::Part::ColumnLabel);
            QCOMPARE(hit.column, std::optional(column));
            QCOMPARE(hit.columnToken, std::optional(column));
        }
        const FigureHit special = figure.hitTest(patchOf(figure, 0).center());
        QCOMPARE(special.column, std::optional(0));
        QVERIFY(patchOf(figure, 0).left() > last.right()); // beside the picture
        const FigureHit word = figure.hitTest(figure.rectOf({TokenSide::Rows, 2}).center());
        QCOMPARE(word.part, FigureHit::Part::RowLabel);
        QCOMPARE(word.rowToken, std::optional(2));
        QVERIFY(figure.rectOf({TokenSide::Rows, 2}).top() >= last.bottom());
    }

    void lightFallsEvenlyFromTheMiddles()
    {
        const Trace trace = test::sampleTrace(oneBrightPatch());
        const PictureFigure figure(pictureSpec(1), trace, pictureRoom);
        const QImage image = painted(figure);
        const QRectF bright = patchOf(figure, brightColumn);
        constexpr int red = 255 - 40 * 2; // of the picture's third row
        constexpr double near = 0.04;
        QVERIFY(std::abs(brightnessAt(image, bright.center(), red) - 1) < near);
        QVERIFY(std::abs(brightnessAt(image, patchOf(figure, brightColumn - 2).center(), red) - 0.25) < near);
        // Half way to the neighbour's middle.
        const QPointF between(bright.left(), bright.center().y());
        QVERIFY(std::abs(brightnessAt(image, between, red) - (0.25 + 0.75 / 2)) < 2 * near);
    }

    void cellsEndAtTheirEdges()
    {
        FigureSpec spec = pictureSpec(1);
        spec.overlay = Overlay::Cells;
        spec.opacity = 1;
        const Trace trace = test::sampleTrace(oneBrightPatch());
        const PictureFigure figure(spec, trace, pictureRoom);
        const QImage image = painted(figure);
        const QRectF bright = patchOf(figure, brightColumn);
        const auto at = [&](double share) {
            return image.pixelColor(QPointF(bright.left() + share * bright.width(), bright.center().y()).toPoint());
        };
        QCOMPARE(at(0.1), at(0.9));
        QCOMPARE(at(0.1), at(0.5));
        QVERIFY(at(0.5) != at(-0.5));
        QCOMPARE(at(-0.5), at(-1.5)); // nothing goes to either
    }

    void theScaleIsThatOfThePatches()
    {
        test::SampleRun run = test::pictureRun();
        run.weight = [](Site, int, int, int column, float) { return column == 0 ? 0.9F : column == 1 ? 0.1F : 0; };
        const Trace trace = test::sampleTrace(run);
        const PictureFigure figure(pictureSpec(1), trace, pictureRoom);
        QVERIFY(std::abs(brightnessAt(painted(figure), patchOf(figure, 1).center(), 255) - 1) < 0.04);
    }

    void aPickedPatchShadesTheWords()
    {
        FigureSpec spec = pictureSpec();
        spec.shading = Shading::Attending;
        spec.picked = {brightColumn};
        test::SampleRun run = test::pictureRun();
        run.weight = [](Site, int, int row, int column, float) {
            return column == brightColumn ? (row == 2 ? 0.8F : 0.01F) : 0.005F;
        };
        const Trace trace = test::sampleTrace(run);
        const PictureFigure figure(spec, trace, pictureRoom);
        QVERIFY(!figure.isSheet());
        QVERIFY(figure.hitTest(figure.rectOf({TokenSide::Rows, 2}).center()).text.contains(QStringLiteral("0.8000")));
        const QImage image = painted(figure);
        const auto ground = [&](int row) {
            const QRectF box = figure.rectOf({TokenSide::Rows, row});
            return image.pixelColor((box.topLeft() + QPointF(box.width() / 2, 2)).toPoint());
        };
        QVERIFY(ground(2).lightness() < ground(1).lightness());
    }

    void withoutAStepThereIsASheet()
    {
        const Trace trace = test::sampleTrace(test::pictureRun());
        const PictureFigure figure(pictureSpec(), trace, pictureRoom);
        QVERIFY(figure.isSheet());
        for (int row = 0; row < 4; ++row) {
            const QRectF panel = figure.rectOf({TokenSide::Rows, row});
            QVERIFY(QRectF(QPointF(), figure.size()).contains(panel));
            const FigureHit hit = figure.hitTest(figure.cellRect(row, brightColumn).center());
            QVERIFY(hit.isCell());
            QCOMPARE(hit.row, std::optional(row));
            QCOMPARE(hit.column, std::optional(brightColumn));
            for (int other = 0; other < row; ++other)
                QVERIFY(!panel.intersects(figure.rectOf({TokenSide::Rows, other})));
        }
    }

    void panelsHaveScalesOfTheirOwn()
    {
        test::SampleRun run = test::pictureRun();
        run.weight = [](Site, int, int row, int column, float) {
            return column == 0 ? 0.5F : column == brightColumn ? (row == 0 ? 0.5F : 0.1F) : 0;
        };
        const Trace trace = test::sampleTrace(run);
        constexpr int red = 255 - 40 * 2; // of the picture's third row
        const auto brightness = [&](ColorRange range, int row) {
            FigureSpec spec = pictureSpec();
            spec.range = range;
            const PictureFigure figure(spec, trace, pictureRoom);
            return brightnessAt(painted(figure), figure.cellRect(row, brightColumn).center(), red);
        };
        for (const ColorRange range : {ColorRange(), ColorRange{ColorRange::Of::Row}}) {
            QVERIFY(brightness(range, 0) > 0.9);
            QVERIFY(brightness(range, 1) > 0.9);
        }
        QVERIFY(brightness({ColorRange::Of::Map}, 0) > 0.9); // one for the sheet
        QVERIFY(brightness({ColorRange::Of::Map}, 1) < 0.5);
    }

    // A legend in weights, where panels of a sheet have shares.
    void oneMapHasALegendOfWeights()
    {
        const Trace trace = test::sampleTrace(test::pictureRun());
        FigureSpec spec = pictureSpec();
        spec.currentStep = 1;
        const QString name = pictureKind.numbers(spec, trace).valueName;
        QCOMPARE(name, QStringLiteral("attention weight"));
        spec.range = {ColorRange::Of::Row};
        QCOMPARE(pictureKind.numbers(spec, trace).valueName, name);
    }

    void panelsAreSoManyToALine()
    {
        FigureSpec spec = pictureSpec();
        spec.panels = 3;
        const Trace trace = test::sampleTrace(test::pictureRun());
        const PictureFigure figure(spec, trace, {600, 0});
        const auto topOf = [&](int row) { return figure.rectOf({TokenSide::Rows, row}).top(); };
        QCOMPARE(topOf(0), topOf(1)); // behind the picture
        QVERIFY(topOf(2) > topOf(1));
        QCOMPARE(topOf(2), topOf(3));
    }

    void aRubberBandHoldsThePatchesInIt()
    {
        const Trace trace = test::sampleTrace(test::pictureRun());
        const PictureFigure figure(pictureSpec(0), trace, pictureRoom);
        const QRectF band = patchOf(figure, 1).united(patchOf(figure, 8)); // two rows of two
        QCOMPARE(figure.band(band).columns, (std::vector<int>{1, 2, 7, 8}));
        QCOMPARE(figure.band(QRectF(1, 1, 3, 3)).part, FigureHit::Part::Nothing);
    }

    void patchesThatLookAtEachOtherAreClickedInThePicture()
    {
        test::SampleRun run = test::pictureRun();
        run.encoderLayers = 1;
        const Trace trace = test::sampleReading(run, false);
        FigureSpec spec = pictureSpec();
        spec.site = {Stage::Encoder, 0};
        const PictureFigure figure(spec, trace, pictureRoom);
        QVERIFY(!figure.isSheet());
        QVERIFY(figure.description().contains(QStringLiteral("[CLS]"))); // whose view it is
        const FigureHit hit = figure.hitTest(figure.rectOf({TokenSide::Rows, 5}).center());
        QCOMPARE(hit.rowToken, std::optional(5));
        spec.shading = Shading::Attending;
        const PictureFigure turned(spec, trace, pictureRoom);
        QCOMPARE(turned.hitTest(turned.rectOf({TokenSide::Columns, 5}).center()).columnToken, std::optional(5));
    }

    void editedPatchesAreSeen()
    {
        test::SampleRun run = test::pictureRun();
        run.edits = {"source:5=grey", "source:8=hide"};
        const Trace trace = test::sampleTrace(run);
        const PictureFigure figure(pictureSpec(0), trace, pictureRoom);
        const QImage image = painted(figure);
        QCOMPARE(image.pixelColor(patchOf(figure, 5).center().toPoint()), QColor(Qt::gray));
        QVERIFY(image.pixelColor(patchOf(figure, 6).center().toPoint()) != QColor(Qt::gray));
    }

    void withoutPixelsItIsDrawnOnGrey()
    {
        test::SampleRun run = oneBrightPatch();
        run.picture.reset();
        FigureSpec spec = pictureSpec(0);
        spec.overlay = Overlay::Heat;
        const Trace trace = test::sampleTrace(run);
        const PictureFigure figure(spec, trace, pictureRoom);
        const QImage image = painted(figure);
        QVERIFY(image.pixelColor(patchOf(figure, brightColumn).center().toPoint())
                != image.pixelColor(patchOf(figure, 1).center().toPoint()));
    }

    void whatDoesNotLookAtThePictureSaysSo()
    {
        test::SampleRun run = test::pictureRun();
        run.decoderLayers = 1;
        FigureSpec spec = pictureSpec(0);
        spec.site = {Stage::Decoder, 0};
        const Trace trace = test::sampleTrace(run);
        const PictureFigure figure(spec, trace, pictureRoom);
        QVERIFY(figure.places().empty());
        QVERIFY(!figure.description().isEmpty());
    }

    void theTableHasEveryWeight()
    {
        const Trace trace = test::sampleTrace(oneBrightPatch());
        const PictureFigure figure(pictureSpec(1), trace, pictureRoom);
        const FigureTable table = figure.table();
        QCOMPARE(table.rows, 4);
        QCOMPARE(table.columns, 25);
        QCOMPARE(table.text({FigureTable::header, brightColumn}), QStringLiteral("2,3"));
        QCOMPARE(table.text({1, brightColumn}), QStringLiteral("0.9000"));
        QVERIFY(!table.rect({FigureTable::header, brightColumn}).isNull());
        QVERIFY(!table.rect({1, FigureTable::header}).isNull());
    }

    void everyViewDrawsPatches_data()
    {
        QTest::addColumn<int>("view");
        for (int i = 0; i < static_cast<int>(viewRows().size()); ++i)
            QTest::newRow(viewRows()[static_cast<std::size_t>(i)].id) << i;
    }

    void everyViewDrawsPatches()
    {
        QFETCH(int, view);
        FigureSpec spec = pictureSpec();
        spec.kind = viewRows()[static_cast<std::size_t>(view)].figure;
        const Trace trace = test::sampleTrace(test::pictureRun());
        if (spec.kind->isIn != nullptr && !spec.kind->isIn(trace))
            return;
        const auto figure = layoutFigure(spec, trace, pictureRoom);
        QVERIFY(!figure->description().isEmpty());
        QVERIFY(!painted(*figure).isNull());
    }

    void everyFormHoldsThePicture_data()
    {
        test::addColumns<QString, QByteArray>("suffix", "held");
        QTest::newRow("svg") << QStringLiteral("svg") << QByteArray("data:image/png");
        QTest::newRow("pdf") << QStringLiteral("pdf") << QByteArray("/Image");
        QTest::newRow("tex") << QStringLiteral("tex") << QByteArray("/DCT");
        QTest::newRow("html") << QStringLiteral("html") << QByteArray("data:image/jpeg");
        QTest::newRow("png") << QStringLiteral("png") << QByteArray("PNG");
        QTest::newRow("gif") << QStringLiteral("gif") << QByteArray("GIF89a");
        QTest::newRow("csv") << QStringLiteral("csv") << QByteArray("\"2,3\"");
    }

    void everyFormHoldsThePicture()
    {
        QFETCH(QString, suffix);
        QFETCH(QByteArray, held);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("figure.") + suffix);
        const Trace trace = test::sampleTrace(test::pictureRun());
        ExportOptions options;
        options.dpi = 60;
        exportFigure(path, exportable(pictureSpec(), trace), options);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains(held));
    }
};

ATTN_GUI_TEST(TestPictureFigure)
#include "tst_picture_figure.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/stages_figure.h"
#include "figures/export/figure_export.h"
#include "figures/parts/exportable.h"
#include "sample_traces.h"
#include "support/test_program.h"

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRectF>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

using namespace attn;
using namespace attn::ui;

namespace {

// A program that draws vector files, as a shell command: it reads f.ENDING and writes f.png with $DPI dots per inch,
// $SCALE times as large as the figure is.
struct Viewer
{
    const char* name;
    const char* ending; // of the file that it reads
    const char* there; // succeeds where everything that it needs is installed
    const char* command;
};

// A page on which pdf.js draws `bytes`; with its worker beside it, which then needs no thread.
constexpr const char* pdfJs = R"html(<body style="margin:0"><canvas style="display:block"></canvas>
<script src="/usr/share/javascript/pdf/build/pdf.worker.js"></script>
<script src="/usr/share/javascript/pdf/build/pdf.js"></script>
<script>
(async () => {
    const pdf = await pdfjsLib.getDocument({ data: bytes }).promise;
    const page = await pdf.getPage(1);
    const viewport = page.getViewport({ scale: dpi / 72 });
    const canvas = document.querySelector("canvas");
    [canvas.width, canvas.height] = [viewport.width, viewport.height];
    page.render({ canvasContext: canvas.getContext("2d"), viewport });
})();
</script>)html";

constexpr const char* chromium =
    "timeout 100 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=900,1200 "
    "--virtual-time-budget=20000 --allow-file-access-from-files --screenshot=f.png";

const Viewer viewers[] = {
    {"librsvg", "svg", "command -v rsvg-convert", "rsvg-convert -d $DPI -p $DPI f.svg -o f.png"},
    {"Chromium", "svg", "command -v chromium",
     "echo \"<body style='margin:0'><img src='f.svg' style='zoom:$SCALE'>\" > f.html && HOME=$PWD $CHROMIUM "
     "file://$PWD/f.html"},
    {"Poppler, Cairo", "pdf", "command -v pdftocairo", "pdftocairo -png -singlefile -r $DPI f.pdf f"},
    {"Poppler, Splash", "pdf", "command -v pdftoppm", "pdftoppm -png -singlefile -r $DPI f.pdf f"},
    {"Poppler, PostScript", "pdf", "command -v pdftops && command -v gs",
     "pdftops f.pdf f.ps && gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=png16m -dGraphicsAlphaBits=4 -r$DPI "
     "-sOutputFile=f.png f.ps"},
    {"pdf.js", "pdf", "command -v chromium && test -f /usr/share/javascript/pdf/build/pdf.js",
     "{ echo \"<script>const dpi = $DPI, bytes = atob('$(base64 -w0 f.pdf)');</script>\"; echo \"$PDFJS\"; } > f.html "
     "&& "
     "HOME=$PWD $CHROMIUM file://$PWD/f.html"},
    {"TikZ", "tex", "command -v pdflatex pdftocairo",
     "{ test f.pdf -nt f.tex || pdflatex -interaction=batchmode f.tex; } && pdftocairo -png -singlefile -r $DPI f.pdf "
     "f"},
};

constexpr int dpis[] = {48, 67, 131};

int statusOf(const QString& folder, const QString& command, int dpi = 0)
{
    QProcess shell;
    shell.setWorkingDirectory(folder);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("DPI"), QString::number(dpi));
    environment.insert(QStringLiteral("SCALE"), QString::number(dpi / 96.0));
    environment.insert(QStringLiteral("PDFJS"), QLatin1String(pdfJs));
    environment.insert(QStringLiteral("CHROMIUM"), QLatin1String(chromium));
    shell.setProcessEnvironment(environment);
    shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), command});
    return shell.waitForFinished(120'000) ? shell.exitCode() : -1;
}

// How far the dots of an area are from each other, in the channel in which they differ most.
int spread(const QImage& image, const QRect& area)
{
    int least[3] = {255, 255, 255};
    int most[3] = {0, 0, 0};
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x) {
            const QRgb dot = image.pixel(x, y);
            const int channels[3] = {qRed(dot), qGreen(dot), qBlue(dot)};
            for (int i = 0; i < 3; ++i) {
                least[i] = std::min(least[i], channels[i]);
                most[i] = std::max(most[i], channels[i]);
            }
        }
    }
    return std::max({most[0] - least[0], most[1] - least[1], most[2] - least[2]});
}

// A figure of equal cells, and where they are.
struct EqualCells
{
    Exportable figure;
    std::function<QRectF(const Figure&)> area;
};

EqualCells heatmapOf(int tokens)
{
    test::SampleRun run = test::longRun(tokens, tokens);
    run.weight = [](Site, int, int, int, float) { return 1.0F; };
    FigureSpec spec;
    spec.range = {ColorRange::Of::Numbers, 0, 1.3}; // the weights are in the middle of the colours
    spec.noTitle = true;
    spec.noMark = true;
    spec.numbers = CellNumbers::Off;
    return {exportable(spec, test::sampleTrace(run)),
            [tokens](const Figure& figure) { return figure.cellRect(0, 0) | figure.cellRect(tokens - 1, tokens - 1); }};
}

EqualCells stagesOf(int rows, int columns)
{
    StageStrip strip;
    strip.rows = rows;
    strip.columns = columns;
    strip.values.assign(static_cast<std::size_t>(rows) * columns, 0.6F);
    strip.weights = true;
    const StageContent stage{QStringLiteral("stage"), {}, {}, {}, {strip}};
    EqualCells cells;
    cells.figure.layOut = [stage](QSizeF size) { return stagesFigure({}, {stage}, size); };
    cells.area = [rows, columns](const Figure& figure) {
        const FigureTable table = figure.table();
        const int first = table.rows - rows;
        return table.rect({first, 0}) | table.rect({table.rows - 1, columns - 1});
    };
    return cells;
}

} // namespace

class TestSeams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalCellsAreOneColour_data()
    {
        QTest::addColumn<int>("viewer");
        for (int viewer = 0; viewer < static_cast<int>(std::size(viewers)); ++viewer)
            QTest::newRow(viewers[viewer].name) << viewer;
    }

    void equalCellsAreOneColour()
    {
        QFETCH(int, viewer);
        const auto& [name, ending, there, command] = viewers[viewer];
        if (statusOf(m_folder.path(), QLatin1String(there)) != 0)
            QSKIP(qPrintable(QStringLiteral("%1 is not installed").arg(QLatin1String(name))));
        const QString file = m_folder.filePath(QStringLiteral("f.") + QLatin1String(ending));
        const QString picture = m_folder.filePath(QStringLiteral("f.png"));
        for (const auto& [what, cells] : {std::pair{"cells", heatmapOf(37)},
                                          {"small cells", heatmapOf(64)},
                                          {"a picture", heatmapOf(70)},
                                          {"a matrix of stages", stagesOf(9, 24)},
                                          {"a vector of stages", stagesOf(1, 24)}}) {
            exportFigure(file, cells.figure, {.widthMm = widthMm});
            const auto figure = cells.figure.layOut({widthMm / 25.4 * 96, 0});
            const QRectF area = cells.area(*figure);
            QVERIFY(area.width() > 100 && area.height() > 10);
            for (const int dpi : dpis) {
                QFile::remove(picture);
                QCOMPARE(statusOf(m_folder.path(), QLatin1String(command), dpi), 0);
                const QImage image(picture);
                const double scale = dpi / 96.0;
                const QRect inner =
                    QRectF(area.topLeft() * scale, area.size() * scale).toAlignedRect().adjusted(4, 4, -4, -4);
                if (inner.height() < 2)
                    continue;
                QVERIFY(image.rect().contains(inner));
                QVERIFY(image.pixelColor(inner.center()) != Qt::white); // they are drawn
                const int most = spread(image, inner);
                QVERIFY2(
                    most <= 4,
                    qPrintable(QStringLiteral("%1 at %2 dpi: %3 of 255").arg(QLatin1String(what)).arg(dpi).arg(most)));
            }
        }
    }

private:
    static constexpr double widthMm = 160;
    QTemporaryDir m_folder;
};

ATTN_GUI_TEST(TestSeams)
#include "tst_seams.moc"

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Renders every kind of figure to PNG, to be looked at: render_figures DIRECTORY
#include "figure_kinds.h"
#include "figures/figure.h"
#include "figures/kinds/beam_figure.h"
#include "figures/kinds/shown_difference.h"
#include "figures/look/color_map.h"
#include "sample_traces.h"

#include <QDir>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>

#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

namespace {

using namespace attn;
using namespace attn::ui;

class Screens
{
public:
    explicit Screens(const QString& directory)
        : m_directory(directory)
    {
    }

    void draw(const QString& name, const FigureSpec& spec, const Trace& trace, QSizeF size,
              const Highlight& highlight = {}) const
    {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            FigureSpec themed = spec;
            themed.theme = theme;
            const auto figure = layoutFigure(themed, trace, size);
            constexpr double scale = 1.5;
            QImage image((figure->size() * scale).toSize(), QImage::Format_RGB32);
            image.fill(Qt::black); // its last dots may lie beyond the figure
            QPainter painter(&image);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.scale(scale, scale);
            figure->paint(painter, highlight);
            painter.end();
            const QString suffix = theme == Theme::Dark ? QStringLiteral("-dark.png") : QStringLiteral(".png");
            image.save(m_directory.filePath(name + suffix));
        }
    }

private:
    QDir m_directory;
};

Tensor sinusoids(int positions, int width)
{
    Tensor table({positions, width});
    for (int position = 0; position < positions; ++position) {
        for (int i = 0; i < width; ++i) {
            const int half = width / 2;
            const double angle = position / std::pow(10000.0, static_cast<double>(i % half) / half);
            table.data()[position * width + i] = static_cast<float>(i < half ? std::sin(angle) : std::cos(angle));
        }
    }
    return table;
}

test::SampleRun longRun(int rows, int columns)
{
    test::SampleRun run;
    run.source = test::syllables(columns);
    run.target = test::syllables(rows, 4);
    return run;
}

test::SampleRun transformerRun()
{
    test::SampleRun run = test::shortRun();
    run.encoderLayers = 3;
    run.decoderLayers = 3;
    run.crossLayers = 3;
    run.heads = 8;
    return run;
}

void drawHeatmaps(const Screens& screens)
{
    FigureSpec spec;
    const QSizeF window(760, 560);
    const QSizeF page(605, 0);
    const Trace small = test::sampleTrace(test::shortRun());
    screens.draw(QStringLiteral("heatmap-8x8-page"), spec, small, page);
    Highlight marks;
    marks.row = 2;
    marks.column = 3;
    marks.cursor = FigureCell{4, 5};
    spec.currentStep = 6;
    screens.draw(QStringLiteral("heatmap-8x8-marks"), spec, small, window, marks);
    spec.currentStep.reset();
    screens.draw(QStringLiteral("heatmap-30x40-page"), spec, test::sampleTrace(longRun(30, 40)), page);
    const Trace middle = test::sampleTrace(longRun(30, 40));
    marks = {};
    marks.row = 12;
    marks.column = 20;
    screens.draw(QStringLiteral("heatmap-30x40-window"), spec, middle, window, marks);
    spec.visible = QRectF(8.4, 5.3, 12, 9);
    screens.draw(QStringLiteral("heatmap-zoomed"), spec, middle, window);
    spec.visible = {};
    screens.draw(QStringLiteral("heatmap-200x200-page"), spec, test::sampleTrace(longRun(200, 200)), page);
    screens.draw(QStringLiteral("heatmap-small-window"), spec, middle, {300, 220});
    screens.draw(QStringLiteral("heatmap-wide-window"), spec, small, {1500, 420});
    test::SampleRun partial = test::shortRun();
    partial.stepsDone = 3;
    partial.zeroRow = 1;
    screens.draw(QStringLiteral("heatmap-partial"), spec, test::sampleTrace(partial), window);
    screens.draw(QStringLiteral("heatmap-empty"), spec, Trace(), window);
    test::SampleRun none = test::shortRun();
    none.crossLayers = 0;
    screens.draw(QStringLiteral("heatmap-no-attention"), spec, test::sampleTrace(none), window);
    test::SampleRun odd = test::shortRun();
    odd.source = {"\u732B",
                  "\u304C\u5EA7\u308B",
                  " ",
                  "\u0627\u0644\u0642\u0637\u0629",
                  "Donaudampfschifffahrtsgesellschaftskapit\u00E4n",
                  "\U0001F408",
                  "\n",
                  "</s>"};
    odd.target[3] = "anticonstitutionnellement-et-encore-plus-long-que-cela";
    odd.target[4] = "\u05D7\u05EA\u05D5\u05DC";
    screens.draw(QStringLiteral("heatmap-scripts"), spec, test::sampleTrace(odd), page);
    const Trace transformer = test::sampleTrace(transformerRun());
    spec.site = {Stage::Decoder, 1};
    spec.head = 3;
    screens.draw(QStringLiteral("heatmap-decoder"), spec, transformer, window);
    spec.site = {Stage::Encoder, 2};
    spec.head = meanOfHeads;
    spec.colorMap = colorMapFromName(QStringLiteral("magma"));
    screens.draw(QStringLiteral("heatmap-encoder-magma"), spec, transformer, page);
}

void drawOthers(const Screens& screens)
{
    FigureSpec spec;
    const QSizeF window(760, 560);
    const QSizeF page(605, 0);
    const Trace small = test::sampleTrace(test::shortRun());
    const Trace transformer = test::sampleTrace(transformerRun());
    Highlight selected;
    selected.site = {Stage::Cross, 1};
    selected.head = 2;
    spec.kind = &headGridKind;
    screens.draw(QStringLiteral("grid-page"), spec, transformer, page, selected);
    screens.draw(QStringLiteral("grid-window"), spec, transformer, window, selected);
    screens.draw(QStringLiteral("grid-one-head"), spec, small, window);
    spec.site = {Stage::Decoder, 0};
    screens.draw(QStringLiteral("grid-decoder"), spec, transformer, window);
    spec.site = {Stage::Cross, 0};
    spec.kind = &arcsKind;
    screens.draw(QStringLiteral("arcs-page"), spec, small, page);
    Highlight row;
    row.row = 3;
    screens.draw(QStringLiteral("arcs-row"), spec, small, window, row);
    screens.draw(QStringLiteral("arcs-30x40"), spec, test::sampleTrace(longRun(30, 40)), window);
    spec.kind = &decodingKind;
    screens.draw(QStringLiteral("decoding-page"), spec, small, page);
    spec.currentStep = 3;
    screens.draw(QStringLiteral("decoding-window"), spec, transformer, window);
    screens.draw(QStringLiteral("decoding-long"), spec, test::sampleTrace(longRun(30, 40)), window);
    spec.kind = &positionsKind;
    spec.colorMap = divergingColors();
    spec.positions = sinusoids(64, 256);
    screens.draw(QStringLiteral("positions-page"), spec, small, page);
    screens.draw(QStringLiteral("positions-window"), spec, small, window);
    spec.positions = {};
    screens.draw(QStringLiteral("positions-none"), spec, small, window);
}

void drawBeams(const Screens& screens)
{
    FigureSpec spec;
    spec.kind = &beamKind;
    const QSizeF window(900, 560);
    const QSizeF page(605, 0);
    const Trace small = test::sampleBeam({.width = 3, .steps = 6});
    const Trace usual = test::sampleBeam({.width = 5, .steps = 24, .given = 3, .seed = 4});
    const Trace large = test::sampleBeam({.width = 256, .steps = 100});
    spec.currentStep = 3;
    screens.draw(QStringLiteral("beam-small-window"), spec, small, window);
    screens.draw(QStringLiteral("beam-small-page"), spec, small, page);
    screens.draw(QStringLiteral("beam-usual-window"), spec, usual, window);
    screens.draw(QStringLiteral("beam-usual-page"), spec, usual, page);
    screens.draw(QStringLiteral("beam-usual-narrow"), spec, usual, {320, 240});
    screens.draw(QStringLiteral("beam-going"), spec, test::sampleBeam({.width = 5, .steps = 24, .done = 7}), window);
    screens.draw(QStringLiteral("beam-one-path"), spec, test::sampleBeam({.width = 1, .steps = 8}), window);
    screens.draw(QStringLiteral("beam-large-window"), spec, large, window);
    screens.draw(QStringLiteral("beam-large-page"), spec, large, page);
    spec.visible = QRectF(4.4, 3.3, 7, 8);
    screens.draw(QStringLiteral("beam-zoomed"), spec, usual, window);
    screens.draw(QStringLiteral("beam-large-zoomed"), spec, large, window);
    screens.draw(QStringLiteral("beam-zoomed-page"), spec, usual, page);
}

void drawDifferences(const Screens& screens)
{
    test::SampleRun other = transformerRun();
    other.source[1] = "dog";
    other.target = {"le", "chien", "noir", "\u00E9tait", "assis", "le", "tapis", "</s>"};
    ReferenceRun against;
    against.trace = test::sampleTrace(other);
    FigureSpec spec;
    spec.site = {Stage::Cross, 1};
    spec.head = 1;
    spec.currentStep = 1;
    const Trace trace = test::sampleTrace(transformerRun());
    for (const double at : {-0.2, -3.1, -0.4, -0.3, -2.0, -0.1, -0.3, -0.05}) {
        against.shownUnderIt.tokens.push_back(at);
        against.itUnderShown.tokens.push_back(at * 1.2);
        against.shownUnderIt.sum += at;
        against.itUnderShown.sum += at * 1.2;
    }
    const QSizeF window(760, 560);
    for (const PairingRow& row : pairingRows) {
        spec.pairing = static_cast<Pairing>(&row - pairingRows);
        spec.against = std::make_shared<const ReferenceRun>(against);
        screens.draw(QStringLiteral("difference-%1").arg(QLatin1String(row.id)), spec, trace, window);
    }
    spec.pairing = Pairing::Automatic;
    spec.against = std::make_shared<const ReferenceRun>(against);
    for (const auto& [name, kind] : {std::pair("grid", &headGridKind), {"arcs", &arcsKind}, {"step", &decodingKind}}) {
        spec.kind = kind;
        screens.draw(QStringLiteral("difference-%1").arg(QLatin1String(name)), spec, trace, window);
        screens.draw(QStringLiteral("difference-%1-page").arg(QLatin1String(name)), spec, trace, QSizeF(605, 0));
        screens.draw(QStringLiteral("difference-%1-small").arg(QLatin1String(name)), spec, trace, QSizeF(380, 300));
    }
    spec.kind = &heatmapKind;
    const Trace large = test::sampleTrace(longRun(90, 80));
    spec.site = {Stage::Cross, 0};
    spec.head = 0;
    against.trace = test::sampleTrace(longRun(70, 95));
    spec.against = std::make_shared<const ReferenceRun>(against);
    screens.draw(QStringLiteral("difference-large"), spec, large, window);
}

} // namespace

int main(int argc, char* argv[])
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    if (argc != 2 || !QDir().mkpath(QString::fromLocal8Bit(argv[1]))) {
        std::fputs("usage: render_figures DIRECTORY\n", stderr);
        return 2;
    }
    const Screens screens(QString::fromLocal8Bit(argv[1]));
    drawHeatmaps(screens);
    drawOthers(screens);
    drawBeams(screens);
    drawDifferences(screens);
    return 0;
}

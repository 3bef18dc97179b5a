// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/figure_export.h"

#include "analysis/words.h"
#include "base/error.h"
#include "base/index.h"
#include "base/progress.h"
#include "figures/export/export_forms.h"
#include "figures/export/provenance.h"
#include "figures/kinds/head_facts.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/look/word_times.h"
#include "io/atomic_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QFontDatabase>
#include <QPainter>
#include <QRegularExpression>
#include <QStringList>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::ui {

extern const FigureKind arcsKind;

extern const FigureKind headGridKind;
extern const FigureKind soundKind;
extern const FigureKind stageKind;

namespace {

constexpr double pixelsPerMm = 96.0 / 25.4;
constexpr double mostPixels = 256e6; // about 1 GB of image

[[noreturn]] void refuse(ErrorKind kind, const QString& where, const QString& problem, const QString& advice = {})
{
    throw Error(kind, where.toStdString(), problem.toStdString(), advice.toStdString());
}

void checkFont(const Exportable& figure)
{
    const QString family = figure.source ? figure.source->spec.fontFamily : QString();
    if (!family.isEmpty() && !QFontDatabase::families().contains(family))
        refuse(ErrorKind::Input, Figure::tr("font"), Figure::tr("no family is called %1 here").arg(family),
               Figure::tr("install it, or choose another one"));
}

std::unique_ptr<const Figure> layOut(const Exportable& figure, const ExportOptions& options)
{
    if (!(options.widthMm >= leastWidthMm && options.widthMm <= mostWidthMm))
        refuse(ErrorKind::Input, Figure::tr("width"),
               Figure::tr("%1 mm is outside %2 to %3 mm")
                   .arg(shortDecimal(options.widthMm), shortDecimal(leastWidthMm), shortDecimal(mostWidthMm)));
    checkFont(figure);
    return figure.layOut(QSizeF(options.widthMm * pixelsPerMm, 0));
}

// The generator knows whole pixels only; the figure's width in millimetres is to be exact. Where the figure's font is
// not installed, another one without serifs stands in.
QByteArray withExactSizeAndFont(const QByteArray& svg, QSizeF size)
{
    static const QRegularExpression pattern(QStringLiteral("<svg width=\"[^\"]*\" height=\"[^\"]*\""));
    QString text = QString::fromUtf8(svg);
    const QRegularExpressionMatch match = pattern.match(text);
    if (match.hasMatch())
        text.replace(match.capturedStart(), match.capturedLength(),
                     QStringLiteral("<svg width=\"%1mm\" height=\"%2mm\"")
                         .arg(size.width() / pixelsPerMm, 0, 'f', 3)
                         .arg(size.height() / pixelsPerMm, 0, 'f', 3));
    // Quotes in tokens are escaped: this is found in attributes only.
    static const QRegularExpression words(QStringLiteral("font-family=\"([a-zA-Z]\\w*(?: [a-zA-Z]\\w*)*)\""));
    static const QRegularExpression others(QStringLiteral("font-family=\"([^\",']*)\""));
    text.replace(words, QStringLiteral("font-family=\"\\1, sans-serif\""));
    text.replace(others, QStringLiteral("font-family=\"'\\1', sans-serif\"")); // a number is no word in CSS
    return text.toUtf8();
}

// Characters that XML 1.0 and HTML have no place for, whatever they are written as, become U+FFFD.
QByteArray withoutControls(const QByteArray& page)
{
    std::u32string text = QString::fromUtf8(page).toStdU32String();
    for (char32_t& c : text) {
        const bool isControl = QChar::category(c) == QChar::Other_Control && c != U'\t' && c != U'\n' && c != U'\r';
        if (isControl || QChar::isNonCharacter(c))
            c = QChar::ReplacementCharacter;
    }
    return QString::fromStdU32String(text).toUtf8();
}

QByteArray svg(const Figure& figure, const QString& title)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(
        QSize(static_cast<int>(std::ceil(figure.size().width())), static_cast<int>(std::ceil(figure.size().height()))));
    generator.setViewBox(QRectF(QPointF(), figure.size()));
    generator.setTitle(title.isEmpty() ? Figure::tr("AttnScope figure") : title.toHtmlEscaped());
    generator.setDescription(figure.description().toHtmlEscaped()); // the generator writes both as they are
    QPainter painter(&generator);
    figure.paint(painter);
    painter.end();
    return withExactSizeAndFont(bytes, figure.size());
}

QImage image(const Figure& figure, int dpi, const QColor& ground)
{
    if (dpi < 1)
        refuse(ErrorKind::Input, Figure::tr("image"), Figure::tr("%1 dots per inch are not possible").arg(dpi),
               Figure::tr("choose at least 1, in print 300"));
    const double scale = dpi / 96.0;
    const double pixels = figure.size().width() * figure.size().height() * scale * scale;
    if (pixels > mostPixels)
        refuse(ErrorKind::Input, Figure::tr("image"),
               Figure::tr("%1 million pixels are too many, at most %2 are possible")
                   .arg(grouped(std::llround(pixels / 1e6)), grouped(std::llround(mostPixels / 1e6))),
               Figure::tr("choose fewer dots per inch or a smaller width"));
    QImage result(static_cast<int>(std::lround(figure.size().width() * scale)),
                  static_cast<int>(std::lround(figure.size().height() * scale)), QImage::Format_RGB32);
    if (result.isNull())
        refuse(ErrorKind::Resource, Figure::tr("image"), Figure::tr("there is not enough memory for it"),
               Figure::tr("choose fewer dots per inch"));
    result.fill(ground); // the outermost pixels may lie partly outside the figure
    result.setDotsPerMeterX(static_cast<int>(std::lround(dpi / 0.0254)));
    result.setDotsPerMeterY(result.dotsPerMeterX());
    QPainter painter(&result);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    figure.paint(painter);
    return result;
}

// Takes no more bytes once it is to stop, at which what writes into it gives up.
class StoppableBuffer final : public QBuffer
{
public:
    StoppableBuffer(QByteArray& bytes, std::stop_token stop)
        : QBuffer(&bytes)
        , m_stop(std::move(stop))
    {
    }

protected:
    qint64 writeData(const char* data, qint64 size) override
    {
        return m_stop.stop_requested() ? -1 : QBuffer::writeData(data, size);
    }

private:
    std::stop_token m_stop;
};

QByteArray png(const QImage& picture, const std::stop_token& stop = {})
{
    QByteArray bytes;
    StoppableBuffer buffer(bytes, stop);
    const bool saved = picture.save(&buffer, "PNG");
    throwIfStopped(stop);
    if (!saved)
        refuse(ErrorKind::Resource, Figure::tr("image"), Figure::tr("cannot be compressed as PNG"),
               Figure::tr("choose fewer dots per inch"));
    return bytes;
}

QByteArray svgFile(const Exportable& figure, const ExportOptions& options, const FigureProvenance& provenance)
{
    const TextForOtherFonts text;
    return withoutControls(withSvgMetadata(svg(*layOut(figure, options), figure.title), provenance));
}

QByteArray pdfFile(const Exportable& figure, const ExportOptions& options, const FigureProvenance& provenance)
{
    std::unique_ptr<const Figure> page = layOut(figure, options);
    return pdfOf(
        1, [&page](int) { return std::move(page); }, figure.title, provenance);
}

QByteArray pngFile(const Exportable& figure, const ExportOptions& options, const FigureProvenance& provenance)
{
    QImage picture = renderFigure(figure, options);
    putProvenance(picture, provenance);
    return png(picture, options.stop);
}

QByteArray texFile(const Exportable& figure, const ExportOptions& options, const FigureProvenance& provenance)
{
    const TextForOtherFonts text;
    return tikz(*layOut(figure, options), provenance);
}

// The sentences of the run over its figure, as they stand in the window.
QImage withStage(const FigureSpec& spec, const QImage& figure, const Trace& trace, const ExportOptions& options)
{
    FigureSpec above = spec;
    above.kind = &stageKind;
    const QImage stage = renderFigure(exportable(above, trace), options);
    QImage both(std::max(stage.width(), figure.width()), stage.height() + figure.height(), QImage::Format_RGB32);
    both.fill(themeColors(spec.theme).background);
    QPainter painter(&both);
    painter.drawImage(0, 0, stage);
    painter.drawImage(0, stage.height(), figure);
    return both;
}

// Pictures of a word on its way to its place: as many as there is room for in so many steps.
int momentsOfWord(FigureSpec spec, const Trace& trace, int steps, const ExportOptions& options)
{
    constexpr int most = 4;
    spec.currentStep = trace.steps(spec.leaf) - 1;
    spec.untilStep = true;
    const QImage whole = withStage(spec, renderFigure(exportable(spec, trace), options), trace, options);
    const double each = double{1} * whole.width() * whole.height() * steps;
    return std::clamp(static_cast<int>(mostPixels / each) - 1, 0, most);
}

// Every step of the run as the figure shows it, of merged words those that end one. With the times of the stage each
// word is seen on its way to its place; those of a prompt are there.
QByteArray gifFile(const Exportable& figure, const ExportOptions& options, const FigureProvenance& provenance)
{
    const auto& [spec, trace] = *figure.source;
    const int steps = trace.steps(spec.leaf);
    constexpr int mostMoving = 60; // words
    const bool writes = !trace.hasOneText() || indexSize(trace.stepTokens(spec.leaf)) > trace.firstGenerated();
    const int given = firstWrittenStep(trace, spec.leaf);
    const bool moves = options.delay == 0 && writes && steps > given && steps - given <= mostMoving;
    const int moments = moves ? momentsOfWord(spec, trace, steps - given, options) : 0;
    std::vector<QImage> frames;
    std::vector<std::chrono::milliseconds> times;
    QSize size;
    double pixels = 0;
    std::vector<AxisGroup> words;
    if (spec.words)
        words = wordAxis(trace.stepTokens(spec.leaf));
    for (int step = moves ? given : 0; step < steps; ++step) {
        throwIfStopped(options.stop);
        const auto next = std::ranges::find(words, step + 1 + trace.firstStepToken(), &AxisGroup::first);
        if (spec.words && next == words.end() && step + 1 < steps)
            continue;
        FigureSpec one = spec;
        one.currentStep = step;
        one.untilStep = true;
        one.noMark = false;
        const std::size_t before = frames.size();
        if (moments > 0) {
            one.moment = 0;
            const QImage figureBefore = renderFigure(exportable(one, trace), options);
            for (int moment = 1; moment <= moments; ++moment) {
                one.moment = double{1} * moment / (moments + 1);
                frames.push_back(withStage(one, figureBefore, trace, options));
            }
            one.moment.reset();
        }
        const QImage written = renderFigure(exportable(one, trace), options);
        frames.push_back(moves ? withStage(one, written, trace, options) : written);
        const auto pace = options.delay > 0 ? std::chrono::milliseconds(options.delay)
            : before == 0                   ? firstWordTime
                                            : laterWordTime;
        times.resize(frames.size(), pace / (frames.size() - before));
        size = size.expandedTo(frames.back().size());
        pixels += double{1} * size.width() * size.height() * static_cast<double>(frames.size() - before);
        if (pixels > mostPixels)
            refuse(ErrorKind::Input, Figure::tr("animation"),
                   Figure::tr("the pictures of %1 steps are too large").arg(steps),
                   Figure::tr("choose fewer dots per inch or a smaller width"));
    }
    if (frames.empty())
        refuse(ErrorKind::Input, Figure::tr("animation"), Figure::tr("the run has no steps"));
    for (QImage& frame : frames) {
        if (frame.size() == size)
            continue;
        QImage larger(size, QImage::Format_RGB32);
        larger.fill(themeColors(spec.theme).background);
        QPainter(&larger).drawImage(0, 0, frame);
        frame = larger;
    }
    if (options.delay == 0)
        times.back() = writtenTime;
    return gifOf(frames, times, provenance, options.stop);
}

// Page with the drawing itself, unless its own picture shows the same.
QByteArray htmlFile(const Exportable& figure, const ExportOptions& options, const FigureProvenance& provenance)
{
    const TextForOtherFonts text;
    const auto& [spec, trace] = *figure.source;
    QByteArray drawing;
    if (spec.kind != &heatmapKind && spec.kind != &arcsKind && spec.kind != &soundKind && !spec.kind->drawsPositions
        && !spec.kind->drawsExperts) {
        drawing = svg(*layOut(figure, options), figure.title);
        drawing.remove(0, std::max<qsizetype>(0, drawing.indexOf("<svg")));
    }
    return withoutControls(htmlPage(spec, trace, drawing, provenance));
}

// All heads on the first page, by what they do, and each of them on one of its own, whose title says it: those that are
// chosen, or all of the stage.
QByteArray reportFile(const Exportable& figure, const ExportOptions& options, const FigureProvenance& provenance)
{
    const FigureSpec& spec = figure.source->spec;
    const Trace& trace = figure.source->trace;
    std::vector<FigureSpec> pages;
    FigureSpec overview = spec;
    overview.kind = &headGridKind;
    const auto facts = headFacts(overview, trace);
    const HeadWords words(overview, facts);
    const bool namesKinds =
        std::ranges::any_of(facts->here, [&words](const auto& row) { return words.kind(row.first).has_value(); });
    if (overview.headOrder == HeadOrder::Place && namesKinds)
        overview.headOrder = HeadOrder::Kind;
    pages.push_back(overview);
    for (const Site& site : trace.sites()) {
        for (int head = 0; head < trace.heads(site); ++head) {
            const bool chosen = spec.heads.ofLayer.empty()
                ? site.stage == spec.site.stage
                : site == spec.site && std::ranges::count(spec.heads.ofLayer, head) > 0;
            FigureSpec one = spec;
            one.kind = spec.kind->drawsSite && !spec.kind->drawsAllHeads && !spec.kind->drawsExperts ? spec.kind
                                                                                                     : &heatmapKind;
            one.site = site;
            one.head = head;
            if (const QString job = words.job({site, head}); !job.isEmpty())
                one.title = (spec.title.isEmpty() ? figureTitle(one, trace).title : spec.title)
                    + QStringLiteral(" \u00B7 ") + job;
            if (chosen)
                pages.push_back(one);
        }
    }
    const auto pageOf = [&](int page) {
        throwIfStopped(options.stop);
        return layOut(exportable(pages.at(page), trace), options);
    };
    return pdfOf(indexSize(pages), pageOf, figure.title, provenance);
}

void writeOutputFile(const QString& path, const QByteArray& bytes)
{
    AtomicFile file(QFile::encodeName(path).toStdString());
    file.write(std::string_view(bytes.constData(), bytes.size()));
    file.commit();
}

QByteArray numbers(const Exportable& figure, const ExportOptions&, const FigureProvenance&)
{
    const TextForOtherFonts text;
    return figure.csv();
}

using Content = ExportFormat::Content;
constexpr ExportFormat formats[] = {
    {"png", QT_TRANSLATE_NOOP("attn::ui", "PNG image"), Content::Drawing, true, pngFile},
    {"svg", QT_TRANSLATE_NOOP("attn::ui", "SVG drawing"), Content::Drawing, false, svgFile},
    {"pdf", QT_TRANSLATE_NOOP("attn::ui", "PDF document"), Content::Drawing, false, pdfFile},
    {"tex", QT_TRANSLATE_NOOP("attn::ui", "TikZ for LaTeX (.tex)"), Content::Drawing, false, texFile},
    {"gif", QT_TRANSLATE_NOOP("attn::ui", "GIF of the steps"), Content::Steps, true, gifFile},
    {"html", QT_TRANSLATE_NOOP("attn::ui", "Web page with all heads (.html)"), Content::Heads, false, htmlFile},
    {"pdf", QT_TRANSLATE_NOOP("attn::ui", "PDF report, a page for each head"), Content::Report, false, reportFile},
    {"npz", QT_TRANSLATE_NOOP("attn::ui", "NumPy archive of the run (.npz)"), Content::Run, false, nullptr},
    {"json", QT_TRANSLATE_NOOP("attn::ui", "JSON of the run"), Content::Run, false, nullptr},
    {"csv", QT_TRANSLATE_NOOP("attn::ui", "CSV of the numbers shown"), Content::Numbers, false, numbers}};

const OptionRow<ExportOptions> fileOptionRows[] = {
    {.key = "width",
     .member = &ExportOptions::widthMm,
     .limits = {.least = leastWidthMm, .most = mostWidthMm},
     .value = "MM",
     .help = "in millimetres"},
    {.key = "dpi",
     .member = &ExportOptions::dpi,
     .limits = {.least = leastDpi, .most = mostDpi},
     .value = "N",
     .help = "of an image made of dots"},
    {.key = "delay",
     .member = &ExportOptions::delay,
     .limits = {.least = 0, .most = 60'000},
     .value = "MS",
     .help = "of a GIF: how long each step is shown, in milliseconds; 0: as long as the window takes to write it"},
    {.key = "report",
     .member = &ExportOptions::report,
     .help = "of a PDF: a page for each head, all of them on the first"}};

template<class Fits>
QString suffixes(const Fits& fit)
{
    QStringList list;
    for (const ExportFormat& format : formats)
        if (fit(format))
            list << QLatin1Char('.') + QLatin1String(format.suffix);
    return list.join(QStringLiteral(", "));
}

} // namespace

bool ExportFormat::isDrawn() const
{
    return content != Content::Numbers && content != Content::Run;
}

bool ExportFormat::fits(const Exportable& figure) const
{
    switch (content) {
    case Content::Drawing:
        return true;
    case Content::Steps:
        return figure.source && !figure.source->spec.kind->drawsPositions
            && figure.source->trace.steps(figure.source->spec.leaf) > 0;
    case Content::Heads:
        return figure.source != nullptr;
    case Content::Report:
        return figure.source && !figure.source->spec.kind->drawsPositions
            && figure.source->trace.heads(figure.source->spec.site) > 0;
    case Content::Numbers:
        return static_cast<bool>(figure.csv);
    case Content::Run:
        return static_cast<bool>(figure.archive);
    }
    return false;
}

std::span<const OptionRow<ExportOptions>> exportRows()
{
    return fileOptionRows;
}

std::span<const ExportFormat> exportFormats()
{
    return formats;
}

const ExportFormat* exportFormatOf(const QString& path, bool report)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    const auto* const found = std::ranges::find_if(formats, [&](const ExportFormat& format) {
        return suffix == QLatin1String(format.suffix) && (format.content == Content::Report) == report;
    });
    return found == std::end(formats) ? nullptr : found;
}

QString suffixesOf(std::span<const ExportFormat::Content> contents)
{
    return suffixes([contents](const ExportFormat& format) {
        return std::ranges::find(contents, format.content) != contents.end();
    });
}

QImage renderFigure(const Exportable& figure, const ExportOptions& options)
{
    const ThreadStop ofMaps(options.stop);
    const std::unique_ptr<const Figure> drawn = layOut(figure, options);
    ThreadStop::check();
    return image(*drawn, options.dpi, themeColors(figure.theme).background);
}

void exportFigure(const QString& path, const Exportable& figure, const ExportOptions& options)
{
    const ExportFormat* format = exportFormatOf(path, options.report);
    if (format == nullptr || !format->fits(figure))
        refuse(ErrorKind::Input, QFileInfo(path).fileName(),
               Figure::tr("does not end in a form that this can be written in"),
               Figure::tr("choose one of %1").arg(suffixes([&](const ExportFormat& other) {
                   return other.fits(figure);
               })));
    const ThreadStop ofMaps(options.stop);
    if (format->content != Content::Run)
        checkFont(figure);
    const bool says = figure.provenance && format->content != Content::Numbers; // they have no place for it
    const FigureProvenance provenance =
        says ? figure.provenance(figure, QFileInfo(path).fileName(), options) : ownProvenance();
    if (format->bytes == nullptr)
        return figure.archive(path, provenance.command, options.stop);
    const QByteArray bytes = format->bytes(figure, options, provenance);
    throwIfStopped(options.stop);
    writeOutputFile(path, bytes);
}

void writePng(const QString& path, const QImage& image)
{
    writeOutputFile(path, png(image));
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/figure_export.h"

#include "base/error.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "io/atomic_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QHashFunctions>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QStringList>
#include <QSvgGenerator>
#include <QTimeZone>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace attn::ui {

namespace {

constexpr double pixelsPerMm = 96.0 / 25.4;
constexpr double pointsPerPixel = 72.0 / 96.0;
constexpr double mostPixels = 256e6; // about 1 GB of image

[[noreturn]] void refuse(ErrorKind kind, const QString& where, const QString& problem, const QString& advice = {})
{
    throw Error(kind, where.toStdString(), problem.toStdString(), advice.toStdString());
}

std::unique_ptr<const Figure> layOut(const Exportable& figure, const ExportOptions& options)
{
    if (!(options.widthMm >= leastWidthMm && options.widthMm <= mostWidthMm))
        refuse(ErrorKind::Input, Figure::tr("width"),
               Figure::tr("%1 mm is outside %2 to %3 mm")
                   .arg(shortDecimal(options.widthMm), shortDecimal(leastWidthMm), shortDecimal(mostWidthMm)));
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
    text.replace(QStringLiteral("font-family=\"DejaVu Sans\""),
                 QStringLiteral("font-family=\"DejaVu Sans, sans-serif\""));
    return text.toUtf8();
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

// Qt knows pages of whole points only. The page box is cut to the figure's size, from the upper left corner of the
// rounded page, without moving any byte of the file.
QByteArray withExactPage(QByteArray pdf, QSizeF points, QSizeF page)
{
    const QByteArray key = "/MediaBox [";
    const qsizetype begin = pdf.indexOf(key) + key.size();
    const qsizetype end = pdf.indexOf(']', begin);
    const QByteArray box = "0 " + QByteArray::number(page.height() - points.height(), 'f', 3) + ' '
        + QByteArray::number(points.width(), 'f', 3) + ' ' + QByteArray::number(page.height(), 'f', 0);
    if (begin >= key.size() && box.size() <= end - begin)
        pdf.replace(begin, end - begin, box.leftJustified(end - begin, ' '));
    return pdf;
}

// The same figure gives the same bytes: the clock is left out, or is what SOURCE_DATE_EPOCH says it is.
QByteArray withoutClock(QByteArray pdf)
{
    static const QRegularExpression pattern(QStringLiteral("/CreationDate \\(D:[^)]*\\)"));
    const QRegularExpressionMatch match = pattern.match(QString::fromLatin1(pdf));
    if (!match.hasMatch())
        return pdf;
    bool isGiven = false;
    const qint64 seconds = qgetenv("SOURCE_DATE_EPOCH").toLongLong(&isGiven);
    const QDateTime time = QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::utc());
    const QByteArray date = isGiven && time.date().year() >= 0 && time.date().year() <= 9999
        ? "/CreationDate (D:" + time.toString(QStringLiteral("yyyyMMddHHmmss")).toLatin1() + "Z)"
        : QByteArray();
    if (date.size() <= match.capturedLength()) // no byte may move
        pdf.replace(match.capturedStart(), match.capturedLength(), date.leftJustified(match.capturedLength(), ' '));
    return pdf;
}

// The fonts of a PDF are written in the order of a hash table, which is another one in every process otherwise.
class FixedHashOrder
{
public:
    FixedHashOrder() { QHashSeed::setDeterministicGlobalSeed(); }
    ~FixedHashOrder() { QHashSeed::resetRandomGlobalSeed(); }
    FixedHashOrder(const FixedHashOrder&) = delete;
    FixedHashOrder& operator=(const FixedHashOrder&) = delete;
};

QByteArray pdf(const Figure& figure, const QString& title)
{
    const FixedHashOrder order;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator(QStringLiteral("AttnScope"));
    writer.setTitle(title.isEmpty() ? figure.description() : title);
    const QSizeF points = figure.size() * pointsPerPixel;
    const QSizeF page(std::ceil(points.width()), std::ceil(points.height()));
    writer.setPageSize(QPageSize(page, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins({});
    writer.setResolution(1200);
    QPainter painter(&writer);
    painter.scale(1200 / 96.0, 1200 / 96.0);
    figure.paint(painter);
    painter.end();
    return withoutClock(withExactPage(bytes, points, page));
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

QByteArray png(const QImage& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!picture.save(&buffer, "PNG"))
        refuse(ErrorKind::Resource, Figure::tr("image"), Figure::tr("cannot be compressed as PNG"),
               Figure::tr("choose fewer dots per inch"));
    return bytes;
}

template<QByteArray (*draw)(const Figure& figure, const QString& title)>
QByteArray drawing(const Exportable& figure, const ExportOptions& options)
{
    return draw(*layOut(figure, options), figure.title);
}

QByteArray picture(const Exportable& figure, const ExportOptions& options)
{
    return png(renderFigure(figure, options));
}

void writeOutputFile(const QString& path, const QByteArray& bytes)
{
    AtomicFile file(QFile::encodeName(path).toStdString());
    file.write(std::string_view(bytes.constData(), bytes.size()));
    file.commit();
}

QByteArray numbers(const Exportable& figure, const ExportOptions&)
{
    return figure.csv();
}

using Content = ExportFormat::Content;
constexpr ExportFormat formats[] = {
    {"png", QT_TRANSLATE_NOOP("attn::ui", "PNG image"), Content::Drawing, true, picture},
    {"svg", QT_TRANSLATE_NOOP("attn::ui", "SVG drawing"), Content::Drawing, false, drawing<svg>},
    {"pdf", QT_TRANSLATE_NOOP("attn::ui", "PDF document"), Content::Drawing, false, drawing<pdf>},
    {"npz", QT_TRANSLATE_NOOP("attn::ui", "NumPy archive of the run (.npz)"), Content::Run, false, nullptr},
    {"json", QT_TRANSLATE_NOOP("attn::ui", "JSON of the run"), Content::Run, false, nullptr},
    {"csv", QT_TRANSLATE_NOOP("attn::ui", "CSV of the numbers shown"), Content::Numbers, false, numbers}};

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

bool ExportFormat::fits(const Exportable& figure) const
{
    return content == Content::Drawing
        || (content == Content::Numbers ? static_cast<bool>(figure.csv) : static_cast<bool>(figure.archive));
}

std::span<const ExportFormat> exportFormats()
{
    return formats;
}

const ExportFormat* exportFormatOf(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    const auto* const found = std::ranges::find_if(
        formats, [&](const ExportFormat& format) { return suffix == QLatin1String(format.suffix); });
    return found == std::end(formats) ? nullptr : found;
}

QString drawingSuffixes()
{
    return suffixes([](const ExportFormat& format) { return format.content == Content::Drawing; });
}

QImage renderFigure(const Exportable& figure, const ExportOptions& options)
{
    return image(*layOut(figure, options), options.dpi, themeColors(figure.theme).background);
}

void exportFigure(const QString& path, const Exportable& figure, const ExportOptions& options)
{
    const ExportFormat* format = exportFormatOf(path);
    if (format == nullptr || !format->fits(figure))
        refuse(ErrorKind::Input, QFileInfo(path).fileName(),
               Figure::tr("does not end in a form that this can be written in"),
               Figure::tr("choose one of %1").arg(suffixes([&](const ExportFormat& other) {
                   return other.fits(figure);
               })));
    if (format->bytes == nullptr)
        return figure.archive(path);
    writeOutputFile(path, format->bytes(figure, options));
}

void writePng(const QString& path, const QImage& image)
{
    writeOutputFile(path, png(image));
}

} // namespace attn::ui

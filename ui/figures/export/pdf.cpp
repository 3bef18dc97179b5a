// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/export_forms.h"
#include "figures/look/saved_painter.h"

#include <QBuffer>
#include <QHashFunctions>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>

#include <cmath>

namespace attn::ui {

namespace {

constexpr double pointsPerPixel = 72.0 / 96.0;

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

// The fonts of a PDF are written in the order of a hash table, which is another one in every process otherwise.
class FixedHashOrder
{
public:
    FixedHashOrder() { QHashSeed::setDeterministicGlobalSeed(); }
    ~FixedHashOrder() { QHashSeed::resetRandomGlobalSeed(); }
    FixedHashOrder(const FixedHashOrder&) = delete;
    FixedHashOrder& operator=(const FixedHashOrder&) = delete;
};

QSizeF wholePoints(QSizeF points)
{
    return {std::ceil(points.width()), std::ceil(points.height())};
}

} // namespace

QByteArray pdfOf(int pages, const std::function<std::unique_ptr<const Figure>(int page)>& figureOf,
                 const QString& title, const FigureProvenance& provenance)
{
    const FixedHashOrder order;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator(QStringLiteral("AttnScope"));
    writer.setDocumentXmpMetadata(xmpOf(provenance));
    std::unique_ptr<const Figure> figure = figureOf(0);
    const QSizeF first = figure->size() * pointsPerPixel;
    writer.setTitle(title.isEmpty() ? figure->description() : title);
    writer.setResolution(1200);
    const auto setPage = [&] {
        const QSizeF page = wholePoints(figure->size() * pointsPerPixel);
        writer.setPageSize(QPageSize(page, QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins({});
    };
    setPage();
    QPainter painter(&writer);
    for (int page = 0; page < pages; ++page) {
        if (page > 0) {
            figure = figureOf(page);
            setPage();
            writer.newPage();
        }
        const SavedPainter saved(painter);
        painter.scale(1200 / 96.0, 1200 / 96.0);
        figure->paint(painter);
    }
    painter.end();
    return pages == 1 ? withExactPage(bytes, first, wholePoints(first)) : bytes;
}

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/pdf.h"

#include "figures/look/saved_painter.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QDateTime>
#include <QHashFunctions>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QTimeZone>

#include <algorithm>
#include <cmath>
#include <vector>

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

// Replaces a part of a file. What follows moves, and with it the places of it that the table of objects at the end
// knows (ISO 32000-1, 7.5.4: entries of 20 bytes, which begin with ten digits).
void replaceAndMove(QByteArray& pdf, qsizetype start, qsizetype length, const QByteArray& text)
{
    constexpr qsizetype entryLength = 20;
    constexpr qsizetype digits = 10;
    const qsizetype moved = text.size() - length;
    pdf.replace(start, length, text);
    const auto placeAfter = [&](qsizetype place) { return place > start ? place + moved : place; };
    const qsizetype table = pdf.lastIndexOf("\nxref\n") + 1;
    if (table == 0)
        return;
    qsizetype entry = pdf.indexOf('\n', table + 5) + 1; // after "xref" and how many there are
    const qsizetype last = pdf.indexOf("trailer", entry) - entryLength;
    for (; entry <= last; entry += entryLength)
        pdf.replace(entry, digits,
                    QByteArray::number(placeAfter(pdf.mid(entry, digits).toLongLong())).rightJustified(digits, '0'));
    const qsizetype own = pdf.indexOf('\n', pdf.indexOf("startxref", table)) + 1;
    const qsizetype end = pdf.indexOf('\n', own);
    if (own > table && end > own)
        pdf.replace(own, end - own, QByteArray::number(table));
}

// The same figure gives the same bytes: the clock is left out, or is what SOURCE_DATE_EPOCH says it is, and where Qt
// wrote it in the machine's time zone, which not every one needs as many letters for. Qt 6.8 looks at it twice.
QByteArray withoutClock(QByteArray pdf)
{
    bool isGiven = false;
    const qint64 seconds = qgetenv("SOURCE_DATE_EPOCH").toLongLong(&isGiven);
    const QDateTime time = QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::utc());
    const QByteArray date = isGiven && time.isValid() && time.date().year() >= 1 && time.date().year() <= 9999
        ? " (D:" + time.toString(QStringLiteral("yyyyMMddHHmmss")).toLatin1() + "Z)"
        : QByteArray();
    static const QRegularExpression pattern(QStringLiteral("/(CreationDate|ModDate) \\(D:[^)]*\\)\\n?"));
    std::vector<QRegularExpressionMatch> found; // the last one first
    for (auto matches = pattern.globalMatch(QString::fromLatin1(pdf)); matches.hasNext();)
        found.insert(found.begin(), matches.next());
    for (const QRegularExpressionMatch& match : found)
        replaceAndMove(pdf, match.capturedStart(), match.capturedLength(),
                       date.isEmpty() ? QByteArray() : '/' + match.captured(1).toLatin1() + date + '\n');
    return pdf;
}

// Where Qt gives a file an identifier, from 6.8 on, it is made of what the file holds, not by chance.
QByteArray withOwnIdentifier(QByteArray pdf)
{
    static const QRegularExpression pattern(QStringLiteral("/ID \\[ <([0-9A-Fa-f]+)> <([0-9A-Fa-f]+)> \\]"));
    const qsizetype trailer = std::max<qsizetype>(0, pdf.lastIndexOf("trailer"));
    const QRegularExpressionMatch match = pattern.match(QString::fromLatin1(pdf.mid(trailer)));
    if (!match.hasMatch())
        return pdf;
    const auto write = [&](const QByteArray& digits) {
        for (const int which : {1, 2})
            pdf.replace(trailer + match.capturedStart(which), match.capturedLength(which),
                        digits.leftJustified(match.capturedLength(which), '0', true));
    };
    write({});
    write(QCryptographicHash::hash(pdf, QCryptographicHash::Sha384).toHex());
    return pdf;
}

// Instead of Qt's own, which has a time and chance in it. The title is in the information beside it.
constexpr char xmp[] = "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>\n"
                       "<x:xmpmeta xmlns:x='adobe:ns:meta/'>\n"
                       "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n"
                       "<rdf:Description rdf:about='' xmlns:xmp='http://ns.adobe.com/xap/1.0/'"
                       " xmp:CreatorTool='AttnScope'/>\n"
                       "</rdf:RDF>\n"
                       "</x:xmpmeta>\n"
                       "<?xpacket end='w'?>\n";

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
                 const QString& title)
{
    const FixedHashOrder order;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator(QStringLiteral("AttnScope"));
    writer.setDocumentXmpMetadata(xmp);
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
    return withOwnIdentifier(withoutClock(pages == 1 ? withExactPage(bytes, first, wholePoints(first)) : bytes));
}

} // namespace attn::ui

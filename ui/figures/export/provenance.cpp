// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/provenance.h"

#include "base/error.h"
#include "base/version.h"
#include "figures/figure.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringList>
#include <QXmlStreamReader>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace attn::ui {

namespace {

constexpr ProvenanceRow fileRows[] = {{"program", "Software", &FigureProvenance::program},
                                      {"model", "Model", &FigureProvenance::model},
                                      {"weights_sha256", "Weights SHA-256", &FigureProvenance::weightsSha256},
                                      {"text", "Text", &FigureProvenance::text},
                                      {"second_text", "Second text", &FigureProvenance::secondText},
                                      {"decoding", "Decoding", &FigureProvenance::decoding},
                                      {"seed", "Seed", &FigureProvenance::seed},
                                      {"edits", "Edits", &FigureProvenance::edits},
                                      {"command", "Command", &FigureProvenance::command},
                                      {"not_again", "Not made again", &FigureProvenance::obstacle}};

// On one line, and no end of a comment.
QString spelledOut(const QString& text)
{
    QString result;
    for (const QChar c : text) {
        const bool unreadable = c.category() == QChar::Other_Control || c == QChar::LineSeparator
            || c == QChar::ParagraphSeparator || c.unicode() >= 0xFFFE;
        if (c == QLatin1Char('\n'))
            result += QStringLiteral("\\n");
        else if (unreadable)
            result += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
        else
            result += c;
    }
    result.replace(QStringLiteral("-->"), QStringLiteral("--\\u003e"));
    return result.replace(QStringLiteral("--!>"), QStringLiteral("--!\\u003e"));
}

// --- PNG

constexpr qsizetype pngSignature = 8;
constexpr qsizetype pngFrame = 12; // of a chunk: length, type, checksum

quint32 bigEndian(const QByteArray& bytes, qsizetype at)
{
    quint32 value = 0;
    for (qsizetype i = at; i < at + 4; ++i)
        value = value << 8U | static_cast<std::uint8_t>(bytes.at(i));
    return value;
}

QByteArray bigEndian(quint32 value)
{
    QByteArray bytes;
    for (const unsigned shift : {24U, 16U, 8U, 0U})
        bytes += static_cast<char>(value >> shift & 0xFFU);
    return bytes;
}

// As the PNG specification has it.
quint32 checksum(const QByteArray& bytes)
{
    quint32 crc = 0xFFFFFFFFU;
    for (const char byte : bytes) {
        crc ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 1U) != 0 ? crc >> 1U ^ 0xEDB88320U : crc >> 1U;
    }
    return crc ^ 0xFFFFFFFFU;
}

QByteArray pngChunk(const QByteArray& type, const QByteArray& data)
{
    return bigEndian(static_cast<quint32>(data.size())) + type + data + bigEndian(checksum(type + data));
}

bool isLatin1(const QString& text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x100; });
}

void readPng(const QByteArray& png, FigureProvenance& found)
{
    for (qsizetype at = pngSignature; at + pngFrame <= png.size();) {
        const auto length = static_cast<qsizetype>(bigEndian(png, at));
        if (length > png.size() - at - pngFrame)
            return;
        const QByteArray type = png.mid(at + 4, 4);
        const QByteArray data = png.mid(at + 8, length);
        at += pngFrame + length;
        const qsizetype end = data.indexOf('\0');
        if ((type != "tEXt" && type != "iTXt") || end < 0)
            continue;
        for (const ProvenanceRow& row : fileRows) {
            if (data.left(end) != row.name)
                continue;
            // Of the other kind: not compressed, and no language
            found.*row.member =
                type == "tEXt" ? QString::fromLatin1(data.mid(end + 1)) : QString::fromUtf8(data.mid(end + 5));
        }
    }
}

// --- PDF

QByteArray pdfKey(const ProvenanceRow& row)
{
    QByteArray key(row.name);
    for (const char* drop : {" ", "-"})
        key.replace(drop, "");
    return '/' + key;
}

QByteArray pdfText(const QString& text)
{
    const bool plain = std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x80; });
    if (!plain) {
        QByteArray hex = "<FEFF";
        for (const QChar c : text)
            hex += QByteArray::number(c.unicode() | 0x10000U, 16).mid(1).toUpper();
        return hex + '>';
    }
    QByteArray bytes = text.toLatin1();
    for (const QByteArray escape : {"\\", "(", ")"})
        bytes.replace(escape, QByteArray("\\").append(escape));
    return '(' + bytes + ')';
}

// Of what pdfText() wrote at the beginning.
QString readPdfText(const QByteArray& pdf, qsizetype at)
{
    QByteArray bytes;
    if (pdf.mid(at, 5) == "<FEFF") {
        const QByteArray units = QByteArray::fromHex(pdf.mid(at + 5, pdf.indexOf('>', at) - at - 5));
        QString text;
        for (qsizetype i = 0; i + 1 < units.size(); i += 2)
            text += QChar(static_cast<char16_t>(static_cast<std::uint8_t>(units[i]) << 8U
                                                | static_cast<std::uint8_t>(units[i + 1])));
        return text;
    }
    if (at >= pdf.size() || pdf.at(at) != '(')
        return {};
    for (qsizetype i = at + 1; i < pdf.size() && pdf.at(i) != ')'; ++i) {
        if (pdf.at(i) == '\\')
            ++i;
        if (i < pdf.size())
            bytes += pdf.at(i);
    }
    return QString::fromLatin1(bytes);
}

constexpr const char* pdfMark = "% provenance\n";

void readPdf(const QByteArray& pdf, FigureProvenance& found)
{
    const qsizetype begin = pdf.lastIndexOf(pdfMark);
    for (const ProvenanceRow& row : fileRows) {
        const QByteArray key = '\n' + pdfKey(row) + ' ';
        if (const qsizetype at = begin < 0 ? -1 : pdf.indexOf(key, begin); at >= 0)
            found.*row.member = readPdfText(pdf, at + key.size());
    }
}

// --- lines

void readLines(const QString& text, FigureProvenance& found)
{
    const QStringList lines = text.split(QLatin1Char('\n'));
    for (QString line : lines) {
        if (line.startsWith(QLatin1String("% ")))
            line.remove(0, 2);
        for (const ProvenanceRow& row : fileRows) {
            const QString name = QLatin1String(row.name) + QStringLiteral(": ");
            if (line.startsWith(name) && (found.*row.member).isEmpty())
                found.*row.member = line.mid(name.size());
        }
    }
}

void readSvg(const QByteArray& svg, FigureProvenance& found)
{
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("metadata"))
            return readLines(reader.readElementText(QXmlStreamReader::IncludeChildElements), found);
    }
}

// Lines that begin as those of a comment in TeX, up to the first other one.
void readTex(const QByteArray& tex, FigureProvenance& found)
{
    qsizetype end = 0;
    while (end < tex.size() && tex.at(end) == '%') {
        const qsizetype line = tex.indexOf('\n', end);
        end = line < 0 ? tex.size() : line + 1;
    }
    readLines(QString::fromUtf8(tex.left(end)), found);
}

void readHtml(const QByteArray& html, FigureProvenance& found)
{
    const qsizetype begin = html.indexOf("<!--");
    const qsizetype end = html.indexOf("-->", begin);
    if (begin >= 0 && end >= 0)
        readLines(QString::fromUtf8(html.mid(begin, end - begin)), found);
}

// The first comment, which stands before the pictures.
void readGif(const QByteArray& gif, FigureProvenance& found)
{
    constexpr qsizetype header = 13;
    if (gif.size() <= header)
        return;
    const auto flags = static_cast<std::uint8_t>(gif.at(10));
    qsizetype at = header + ((flags & 0x80U) != 0 ? qsizetype{3} << ((flags & 7U) + 1U) : 0);
    while (at + 2 < gif.size() && gif.at(at) == '\x21') {
        const bool comment = gif.at(at + 1) == '\xFE';
        QByteArray text;
        for (at += 2; at < gif.size() && gif.at(at) != '\0';) {
            const auto length = static_cast<std::uint8_t>(gif.at(at));
            text += gif.mid(at + 1, length);
            at += 1 + length;
        }
        ++at;
        if (comment)
            return readLines(QString::fromUtf8(text), found);
    }
}

struct FigureReader
{
    const char* suffix;
    void (*read)(const QByteArray& file, FigureProvenance& found);
};
constexpr FigureReader readers[] = {{"png", readPng}, {"svg", readSvg},   {"pdf", readPdf},
                                    {"tex", readTex}, {"html", readHtml}, {"gif", readGif}};

const FigureReader* readerOf(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    const auto* const found = std::find_if(std::begin(readers), std::end(readers), [&](const FigureReader& reader) {
        return suffix == QLatin1String(reader.suffix);
    });
    return found == std::end(readers) ? nullptr : found;
}

} // namespace

FigureProvenance ownProvenance()
{
    FigureProvenance own;
    own.program = QStringLiteral("AttnScope ") + QString::fromUtf8(programVersion);
    return own;
}

std::span<const ProvenanceRow> provenanceRows()
{
    return fileRows;
}

QByteArray provenanceLines(const FigureProvenance& provenance, const QByteArray& begin)
{
    QByteArray lines;
    for (const ProvenanceRow& row : fileRows) {
        if (const QString& value = provenance.*row.member; !value.isEmpty())
            lines += begin + row.name + ": " + spelledOut(value).toUtf8() + '\n';
    }
    return lines;
}

QByteArray withPngText(const QByteArray& png, const FigureProvenance& provenance)
{
    QByteArray chunks;
    for (const ProvenanceRow& row : fileRows) {
        const QString value = spelledOut(provenance.*row.member);
        const QByteArray key = QByteArray(row.name) + '\0';
        if (value.isEmpty())
            continue;
        if (isLatin1(value))
            chunks += pngChunk("tEXt", key + value.toLatin1());
        else
            chunks += pngChunk("iTXt", key + QByteArray(4, '\0') + value.toUtf8());
    }
    const qsizetype afterHeader = pngSignature + pngFrame + static_cast<qsizetype>(bigEndian(png, pngSignature));
    return png.left(afterHeader) + chunks + png.mid(afterHeader);
}

QByteArray withSvgMetadata(QByteArray svg, const FigureProvenance& provenance)
{
    const QByteArray mark = "</desc>\n";
    const QString lines = QString::fromUtf8(provenanceLines(provenance)).toHtmlEscaped();
    if (const qsizetype at = svg.indexOf(mark); at >= 0)
        svg.insert(at + mark.size(), "<metadata>\n" + lines.toUtf8() + "</metadata>\n");
    return svg;
}

// The information dictionary is written once more at the end, as an update of the file.
QByteArray withPdfInformation(QByteArray pdf, const FigureProvenance& provenance)
{
    static const QRegularExpression trailer(
        QStringLiteral("/Size (\\d+)\\s*/Info (\\d+) 0 R\\s*/Root (\\d+) 0 R.*startxref\\s+(\\d+)\\s+%%EOF\\s*$"),
        QRegularExpression::DotMatchesEverythingOption);
    constexpr qsizetype longestTrailer = 1024;
    const qsizetype tail = std::max<qsizetype>(0, pdf.size() - longestTrailer);
    const QRegularExpressionMatch match = trailer.match(QString::fromLatin1(pdf.mid(tail)));
    const QByteArray number = match.captured(2).toLatin1();
    const QByteArray head = '\n' + number + " 0 obj\n<<";
    const qsizetype begin = pdf.indexOf(head);
    const qsizetype end = pdf.indexOf("\n>>", begin);
    if (!match.hasMatch() || begin < 0 || end < 0)
        return pdf;
    const QByteArray entries = pdf.mid(begin + head.size(), end - begin - head.size());
    if (!pdf.endsWith('\n'))
        pdf += '\n';
    pdf += pdfMark;
    const qsizetype at = pdf.size();
    pdf += number + " 0 obj\n<<" + entries;
    for (const ProvenanceRow& row : fileRows) {
        if (const QString value = spelledOut(provenance.*row.member); !value.isEmpty())
            pdf += '\n' + pdfKey(row) + ' ' + pdfText(value);
    }
    pdf += "\n>>\nendobj\n";
    const qsizetype table = pdf.size();
    pdf += "xref\n" + number + " 1\n" + QByteArray::number(at).rightJustified(10, '0')
        + " 00000 n \ntrailer\n<<\n/Size " + match.captured(1).toLatin1() + "\n/Info " + number + " 0 R\n/Root "
        + match.captured(3).toLatin1() + " 0 R\n/Prev " + match.captured(4).toLatin1() + "\n>>\nstartxref\n"
        + QByteArray::number(table) + "\n%%EOF\n";
    return pdf;
}

bool isFigurePath(const QString& path)
{
    return readerOf(path) != nullptr && !QFileInfo(path).isDir();
}

std::optional<FigureProvenance> readProvenance(const QString& path)
{
    constexpr qint64 mostBytes = qint64{1} << 30;
    const FigureReader* reader = readerOf(path);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw Error(ErrorKind::File, path.toStdString(), file.errorString().toStdString(),
                    Figure::tr("check the path and its permissions").toStdString());
    FigureProvenance found;
    if (reader != nullptr)
        reader->read(file.read(mostBytes), found);
    return found == FigureProvenance() ? std::nullopt : std::optional(found);
}

} // namespace attn::ui

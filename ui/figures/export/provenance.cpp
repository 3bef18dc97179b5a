// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/provenance.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "base/version.h"
#include "io/mapped_file.h"

#include <QtEndian>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr std::string_view xmpBegin = "<x:xmpmeta";
constexpr std::string_view xmpEnd = "</x:xmpmeta>";

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

// On one line, no end of a comment, and no byte order mark, which readers leave out.
QString spelledOut(const QString& text)
{
    QString result;
    for (const QChar c : text) {
        const bool unreadable = c.category() == QChar::Other_Control || c == QChar::LineSeparator
            || c == QChar::ParagraphSeparator || c == QChar::ByteOrderMark || c.unicode() >= 0xFFFE;
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

// Where a value of so many bytes goes. Nowhere: the name is none, the value too long, or not the first of its name.
QString* valuePlace(std::string_view name, std::size_t bytes, FigureProvenance& found)
{
    const auto* const row =
        std::ranges::find_if(fileRows, [name](const ProvenanceRow& known) { return name == known.name; });
    if (row == std::end(fileRows) || bytes > longestFigureValue || !(found.*row->member).isEmpty())
        return nullptr;
    return &(found.*row->member);
}

void keepUtf8(std::string_view name, std::string_view value, FigureProvenance& found)
{
    if (QString* const place = valuePlace(name, value.size(), found))
        *place = QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

// --- PNG

constexpr std::string_view pngMagic = "\x89PNG\r\n\x1a\n";
constexpr qsizetype pngSignature = pngMagic.size();
constexpr qsizetype pngFrame = 12; // of a chunk: length, type, checksum

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

// The text of an iTXt chunk, behind its keyword. One that is compressed is not ours, and left alone.
std::string_view internationalText(std::string_view data)
{
    if (data.size() < 2 || data.front() != '\0')
        return {};
    data.remove_prefix(2); // whether, and how, it is compressed
    for (int field = 0; field < 2; ++field) { // the language, the keyword in it
        const std::size_t end = data.find('\0');
        if (end == std::string_view::npos)
            return {};
        data.remove_prefix(end + 1);
    }
    return data;
}

void readPng(std::string_view png, FigureProvenance& found)
{
    constexpr std::size_t longestKeyword = 79;
    if (!png.starts_with(pngMagic))
        return;
    png.remove_prefix(pngMagic.size());
    while (png.size() >= pngFrame) {
        const std::size_t length = qFromBigEndian<quint32>(png.data());
        if (length > png.size() - pngFrame)
            return;
        const std::string_view type = png.substr(4, 4);
        const std::string_view data = png.substr(8, length);
        png.remove_prefix(pngFrame + length);
        const std::size_t end = data.substr(0, longestKeyword + 1).find('\0');
        if (end == std::string_view::npos)
            continue;
        const std::string_view keyword = data.substr(0, end);
        const std::string_view text = data.substr(end + 1);
        if (type == "iTXt")
            keepUtf8(keyword, internationalText(text), found);
        else if (QString* const place = type == "tEXt" ? valuePlace(keyword, text.size(), found) : nullptr)
            *place = QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
    }
}

// --- lines

void readLines(std::string_view text, FigureProvenance& found)
{
    constexpr std::string_view separator = ": ";
    constexpr std::size_t longestName = 20;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.starts_with("% "))
            line.remove_prefix(2);
        const std::size_t name = line.substr(0, longestName).find(separator);
        if (name != std::string_view::npos)
            keepUtf8(line.substr(0, name), line.substr(name + separator.size()), found);
    }
}

// --- SVG. QXmlStreamReader is not for files of strangers: what an entity stands for, and the attributes of one
// element, take it time without end.

// The character that "&lt;" or "&#x3e;" stands for, by what is between its ends; 0: nothing.
char32_t referenced(std::string_view name)
{
    constexpr std::pair<std::string_view, char32_t> names[] = {
        {"lt", U'<'}, {"gt", U'>'}, {"amp", U'&'}, {"quot", U'"'}, {"apos", U'\''}};
    for (const auto& [known, character] : names) {
        if (name == known)
            return character;
    }
    if (!name.starts_with('#'))
        return 0;
    const int base = name.starts_with("#x") ? 16 : 10;
    name.remove_prefix(base == 16 ? 2 : 1);
    std::uint32_t number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number, base);
    return problem == std::errc() && end == name.data() + name.size() ? number : 0;
}

void appendCharacters(std::string_view xml, std::string& text)
{
    constexpr std::size_t longestReference = 10; // "&#x10ffff;"
    while (!xml.empty()) {
        const std::size_t plain = std::min(xml.find('&'), xml.size());
        text += xml.substr(0, plain);
        xml.remove_prefix(plain);
        const std::size_t end = xml.substr(0, longestReference).find(';');
        const char32_t character = end == std::string_view::npos ? 0 : referenced(xml.substr(1, end - 1));
        if (character != 0) {
            appendUtf8(text, character);
            xml.remove_prefix(end + 1);
        } else if (!xml.empty()) {
            text += '&';
            xml.remove_prefix(1);
        }
    }
}

// Where a tag ends, the values of whose attributes may hold its end.
std::size_t tagEnd(std::string_view xml)
{
    std::size_t at = 0;
    while ((at = xml.find_first_of("\"'>", at)) != std::string_view::npos && xml[at] != '>') {
        at = xml.find(xml[at], at + 1);
        if (at == std::string_view::npos)
            return at;
        ++at;
    }
    return at == std::string_view::npos ? at : at + 1;
}

// Markup that `xml` begins with.
struct XmlPart
{
    enum Kind { Begin, End, Empty, Literal, Other };
    Kind kind = Other;
    std::size_t size = 0; // npos: it has no end
    std::string_view content = {}; // the name of an element without its prefix, literal characters
};

XmlPart xmlPart(std::string_view xml)
{
    struct Enclosed
    {
        std::string_view begin;
        std::string_view end;
        XmlPart::Kind kind;
    };
    constexpr Enclosed enclosed[] = {
        {"<!--", "-->", XmlPart::Other}, {"<![CDATA[", "]]>", XmlPart::Literal}, {"<?", "?>", XmlPart::Other}};
    constexpr std::size_t npos = std::string_view::npos;
    for (const auto& [begin, end, kind] : enclosed) {
        if (!xml.starts_with(begin))
            continue;
        const std::size_t at = xml.find(end, begin.size());
        return at == npos ? XmlPart{kind, npos}
                          : XmlPart{kind, at + end.size(), xml.substr(begin.size(), at - begin.size())};
    }
    const std::size_t size = tagEnd(xml);
    if (size == npos || xml.starts_with("<!"))
        return {XmlPart::Other, size};
    const bool isEnd = xml.starts_with("</");
    std::string_view name = xml.substr(isEnd ? 2 : 1, size - (isEnd ? 2 : 1));
    name = name.substr(0, name.find_first_of(" \t\r\n/>"));
    if (const std::size_t prefix = name.find(':'); prefix != npos)
        name.remove_prefix(prefix + 1);
    const bool isEmpty = xml.substr(0, size).ends_with("/>");
    return {isEnd ? XmlPart::End : isEmpty ? XmlPart::Empty : XmlPart::Begin, size, name};
}

// Lines in the first element "metadata", and in those inside it.
void readXml(std::string_view svg, FigureProvenance& found)
{
    std::string text;
    std::size_t depth = 0; // 0: not there yet
    while (!svg.empty()) {
        const std::size_t markup = std::min(svg.find('<'), svg.size());
        if (depth > 0)
            appendCharacters(svg.substr(0, markup), text);
        svg.remove_prefix(markup);
        const XmlPart part = xmlPart(svg);
        svg.remove_prefix(std::min(part.size, svg.size()));
        if (depth > 0 && part.kind == XmlPart::Literal)
            text += part.content;
        else if (part.kind == XmlPart::Begin && (depth > 0 || part.content == "metadata"))
            ++depth;
        else if (part.kind == XmlPart::End && depth > 0 && --depth == 0)
            break;
    }
    readLines(text, found);
}

// The packet of XMP, which Qt does not compress.
void readPdf(std::string_view pdf, FigureProvenance& found)
{
    const std::size_t begin = pdf.rfind(xmpBegin); // a title may spell it, too
    if (begin != std::string_view::npos)
        readXml(pdf.substr(begin, pdf.find(xmpEnd, begin) - begin), found);
}

// --- TeX, HTML, GIF

// Lines that begin as those of a comment in TeX, up to the first other one.
void readTex(std::string_view tex, FigureProvenance& found)
{
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
    if (tex.starts_with(byteOrderMark))
        tex.remove_prefix(byteOrderMark.size());
    std::size_t end = 0;
    while (end < tex.size() && tex[end] == '%')
        end = std::min(tex.find('\n', end), tex.size() - 1) + 1;
    readLines(tex.substr(0, end), found);
}

void readHtml(std::string_view html, FigureProvenance& found)
{
    const std::size_t begin = html.find("<!--");
    const std::size_t end = begin == std::string_view::npos ? begin : html.find("-->", begin);
    if (end != std::string_view::npos)
        readLines(html.substr(begin, end - begin), found);
}

// The first comment, which stands before the pictures.
void readGif(std::string_view gif, FigureProvenance& found)
{
    constexpr std::size_t header = 13;
    if (gif.size() <= header || !gif.starts_with("GIF8"))
        return;
    const auto flags = static_cast<std::uint8_t>(gif[10]);
    std::size_t at = header + ((flags & 0x80U) != 0 ? std::size_t{3} << ((flags & 7U) + 1U) : 0);
    while (at + 2 < gif.size() && gif[at] == '\x21') {
        const bool comment = gif[at + 1] == '\xFE';
        std::string text;
        for (at += 2; at < gif.size() && gif[at] != '\0';) {
            const auto length = static_cast<std::uint8_t>(gif[at]);
            if (comment)
                text += gif.substr(at + 1, length);
            at += std::size_t{1} + length;
        }
        ++at;
        if (comment)
            return readLines(text, found);
    }
}

struct FigureReader
{
    const char* suffix;
    void (*read)(std::string_view file, FigureProvenance& found);
};
constexpr FigureReader readers[] = {{"png", readPng}, {"svg", readXml},   {"pdf", readPdf},
                                    {"tex", readTex}, {"html", readHtml}, {"gif", readGif}};

const FigureReader* readerOf(const QString& suffix)
{
    const auto* const found = std::ranges::find_if(readers, [&suffix](const FigureReader& reader) {
        return suffix.compare(QLatin1String(reader.suffix), Qt::CaseInsensitive) == 0;
    });
    return found == std::end(readers) ? nullptr : found;
}

// Without the dot. The rest of the name may be no UTF-8.
QString suffixOf(const std::filesystem::path& path)
{
    const std::string name = path.filename().string();
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? QString() : QString::fromStdString(name.substr(dot + 1));
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
    const qsizetype afterHeader = pngSignature + pngFrame + qFromBigEndian<quint32>(png.constData() + pngSignature);
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

QByteArray xmpOf(const FigureProvenance& provenance)
{
    return "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>\n"
           "<x:xmpmeta xmlns:x='adobe:ns:meta/'>\n"
           "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n"
           "<rdf:Description rdf:about='' xmlns:xmp='http://ns.adobe.com/xap/1.0/'"
           " xmlns:attnscope='urn:attnscope' xmp:CreatorTool='AttnScope'>\n<attnscope:metadata>\n"
        + QString::fromUtf8(provenanceLines(provenance)).toHtmlEscaped().toUtf8()
        + "</attnscope:metadata>\n</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end='w'?>\n";
}

bool isFigurePath(const std::filesystem::path& path)
{
    std::error_code unknown;
    return readerOf(suffixOf(path)) != nullptr && !std::filesystem::is_directory(path, unknown);
}

std::optional<FigureProvenance> parseProvenance(std::string_view file, const QString& suffix)
{
    FigureProvenance found;
    if (const FigureReader* const reader = readerOf(suffix))
        reader->read(file, found);
    return found == FigureProvenance() ? std::nullopt : std::optional(found);
}

std::optional<FigureProvenance> readProvenance(const std::filesystem::path& path)
{
    return parseProvenance(readWholeFile(path, Limit::Figure), suffixOf(path));
}

std::optional<FigureProvenance> readProvenance(const QString& path)
{
    return readProvenance(std::filesystem::path(path.toStdString()));
}

} // namespace attn::ui

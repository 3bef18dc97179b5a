// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/provenance.h"

#include "base/memory.h"
#include "base/version.h"
#include "io/mapped_file.h"

#include <QImage>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

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

// Text on one line, without the end of a comment or a byte order mark, which readers leave out.
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

// Keeps the first value of a name that is known.
void keep(std::string_view name, std::string_view value, FigureProvenance& found)
{
    const auto* const row =
        std::ranges::find_if(fileRows, [name](const ProvenanceRow& known) { return name == known.name; });
    if (row != std::end(fileRows) && (found.*row->member).isEmpty())
        found.*row->member = QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

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
            keep(line.substr(0, name), line.substr(name + separator.size()), found);
    }
}

void readPng(std::string_view png, FigureProvenance& found)
{
    const QImage picture =
        QImage::fromData(QByteArray::fromRawData(png.data(), static_cast<qsizetype>(png.size())), "PNG");
    for (const ProvenanceRow& row : fileRows)
        found.*row.member = picture.text(QLatin1String(row.name));
}

// Lines in the first such element, as this program writes it.
void readElement(std::string_view xml, std::string_view name, FigureProvenance& found)
{
    std::size_t begin = xml.find('<' + std::string(name));
    begin = begin == std::string_view::npos ? begin : xml.find('>', begin);
    if (begin == std::string_view::npos)
        return;
    xml.remove_prefix(begin + 1);
    const std::string_view content = xml.substr(0, xml.find("</" + std::string(name)));
    QByteArray text(content.data(), static_cast<qsizetype>(content.size()));
    for (const auto& [reference, character] : {std::pair("&lt;", "<"), {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
        text.replace(reference, character);
    readLines({text.constData(), static_cast<std::size_t>(text.size())}, found);
}

void readSvg(std::string_view svg, FigureProvenance& found)
{
    readElement(svg, "metadata", found);
}

// The packet of XMP, which Qt does not compress. A title may spell its begin, too.
void readPdf(std::string_view pdf, FigureProvenance& found)
{
    const std::size_t begin = pdf.rfind("<x:xmpmeta");
    if (begin != std::string_view::npos)
        readElement(pdf.substr(begin), "attnscope:metadata", found);
}

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
constexpr FigureReader readers[] = {{"png", readPng}, {"svg", readSvg},   {"pdf", readPdf},
                                    {"tex", readTex}, {"html", readHtml}, {"gif", readGif}};

const FigureReader* readerOf(const QString& suffix)
{
    const auto* const found = std::ranges::find_if(readers, [&suffix](const FigureReader& reader) {
        return suffix.compare(QLatin1String(reader.suffix), Qt::CaseInsensitive) == 0;
    });
    return found == std::end(readers) ? nullptr : found;
}

// Suffix without the dot. The rest of the name may be no UTF-8.
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

void putProvenance(QImage& picture, const FigureProvenance& provenance)
{
    for (const ProvenanceRow& row : fileRows) {
        if (const QString value = spelledOut(provenance.*row.member); !value.isEmpty())
            picture.setText(QLatin1String(row.name), value);
    }
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

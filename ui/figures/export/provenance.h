// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

class QImage;

namespace attn::ui {

// Origin of a figure as its file says it. Empty: unknown, or there is none.
struct FigureProvenance
{
    QString program; // and its version
    QString model;
    QString weightsSha256; // of the weight files, one after the other, in hexadecimal digits
    QString text;
    QString secondText; // of a sentence pair
    QString decoding;
    QString seed;
    QString edits; // with blanks between them
    QString command; // that makes the file again, but for dates
    QString obstacle; // why no command does

    friend bool operator==(const FigureProvenance&, const FigureProvenance&) = default;
};

// Provenance that names nothing but this program and its version.
FigureProvenance ownProvenance();

struct ProvenanceRow
{
    const char* key; // in JSON
    const char* name; // in files, and for people
    QString FigureProvenance::*member;
};
std::span<const ProvenanceRow> provenanceRows();

// "Name: value" of everything that is known, a line each, every line beginning so. No value has line ends, other
// controls, or the end of a comment in HTML: they are spelled out.
QByteArray provenanceLines(const FigureProvenance& provenance, const QByteArray& begin = {});

// Texts that a PNG file of the picture will have.
void putProvenance(QImage& picture, const FigureProvenance& provenance);
// The same drawing with an element of metadata.
QByteArray withSvgMetadata(QByteArray svg, const FigureProvenance& provenance);
// The XMP packet of a PDF file.
QByteArray xmpOf(const FigureProvenance& provenance);

// Whether a path is that of a figure by its name.
bool isFigurePath(const std::filesystem::path& path);
// Text of a figure's file on its origin, by its form ("png", "svg", "pdf", "tex", "html", "gif"); none: nothing. The
// bytes may be anybody's; of what another program has written anew it may find nothing.
std::optional<FigureProvenance> parseProvenance(std::string_view file, const QString& suffix);
// The same of a file of at most Limit::Figure. Throws what readWholeFile() does.
std::optional<FigureProvenance> readProvenance(const std::filesystem::path& path);
std::optional<FigureProvenance> readProvenance(const QString& path);

} // namespace attn::ui

// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/option_row.h"
#include "figures/export/provenance.h"
#include "figures/parts/exportable.h"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <cstdint>
#include <span>
#include <stop_token>

namespace attn::ui {

struct ExportOptions
{
    double widthMm = 160;
    int dpi = 300; // of an image
    int delay = 0; // milliseconds that an animation shows each step; 0: as long as the stage takes to write it
    bool report = false; // a page for each head
    std::stop_token stop = {}; // ends the drawing and writing with Error{Cancelled}, and no file is written
};

// One form of file: adding a row adds it to the export dialog and to the command line.
struct ExportFormat
{
    enum class Content : std::uint8_t { Drawing, Steps, Heads, Report, Numbers, Run };

    const char* suffix; // of the file's name, without the dot
    const char* title; // for translated()
    Content content;
    bool pixels; // the dots per inch matter
    // Null: figure.archive writes it.
    QByteArray (*bytes)(const Exportable& figure, const ExportOptions& options, const FigureProvenance& provenance);

    bool isDrawn() const; // not only numbers
    // Whether the figure has what the format holds.
    bool fits(const Exportable& figure) const;
};
std::span<const ExportFormat> exportFormats();
// Format by the ending of a file's name, whatever its case; null: none.
const ExportFormat* exportFormatOf(const QString& path, bool report = false);
// Choices of a file, described once.
std::span<const OptionRow<ExportOptions>> exportRows();
// ".png, .svg, .pdf": of the forms that hold one of these.
QString suffixesOf(std::span<const ExportFormat::Content> contents);

// Limits of a width in millimetres and of dots per inch.
constexpr double leastWidthMm = 20;
constexpr double mostWidthMm = 2000;
constexpr int leastDpi = 30;
constexpr int mostDpi = 2400;

// Writes the format of the extension, whole or not at all. Text stays text in SVG and PDF. Throws attn::Error{Input}
// for another extension or impossible size, Error{File} when writing fails, Error{Cancelled}.
void exportFigure(const QString& path, const Exportable& figure, const ExportOptions& options = {});

// The same figure as an image, for the clipboard. Throws attn::Error{Input}, Error{Resource}, Error{Cancelled}.
QImage renderFigure(const Exportable& figure, const ExportOptions& options = {});

// An image that is there, whole or not at all. Throws attn::Error{File}.
void writePng(const QString& path, const QImage& image);

} // namespace attn::ui
